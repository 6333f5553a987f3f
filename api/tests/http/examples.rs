//! The examples in the description: every call has some, and the service accepts them as they are.

use actix_web::test::TestRequest;
use marquis_api::Config;
use serde_json::{Map, Value, json};

use crate::service::{encoded, get, ready, send, settings};

/// Resolves a reference.
fn followed<'a>(whole: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str() {
        Some(place) => followed(whole, whole.pointer(place.trim_start_matches('#')).unwrap()),
        None => part,
    }
}

/// The example of a shape: its own, or one built from its parts.
fn example(whole: &Value, shape: &Value) -> Option<Value> {
    let shape = followed(whole, shape);
    if let Some(own) = shape.get("example") {
        return Some(own.clone());
    }
    let required: Vec<&str> = shape["required"].as_array()?.iter().filter_map(Value::as_str).collect();
    let part = |name: &&str| Some(((*name).to_owned(), example(whole, &shape["properties"][*name])?));
    required.iter().map(part).collect::<Option<Map<_, _>>>().map(Value::Object)
}

#[actix_web::test]
async fn every_call_has_an_example_and_it_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let guide = tempfile::tempdir().unwrap();
    std::fs::write(guide.path().join("index.html"), "first page").unwrap();
    let state = ready(Config {
        tables: vec![folder.path().to_owned()],
        guide: Some(guide.path().to_owned()),
        generate: true,
        ..settings()
    });
    let description = get(&state, "/openapi.json").await.json();
    let mut asked = 0;
    for (path, calls) in description["paths"].as_object().unwrap() {
        for (method, call) in calls.as_object().unwrap() {
            let name = call["operationId"].as_str().unwrap();
            let (mut address, mut query) = (path.clone(), Vec::new());
            let mut headers = Vec::new();
            for parameter in call["parameters"].as_array().unwrap_or(&Vec::new()) {
                let own =
                    parameter.get("example").cloned().or_else(|| example(&description, &parameter["schema"]));
                let field = parameter["name"].as_str().unwrap();
                let Some(own) = own else {
                    assert_ne!(parameter["required"], json!(true), "{name}: {field} has no example");
                    continue;
                };
                let text = own.as_str().map_or_else(|| own.to_string(), str::to_owned);
                match parameter["in"].as_str().unwrap() {
                    "path" => address = address.replace(&format!("{{{field}}}"), &text),
                    "query" => query.push(format!("{field}={}", encoded(&text))),
                    _ => headers.push((field.to_owned(), text)),
                }
            }
            let uri = if query.is_empty() { address } else { format!("{address}?{}", query.join("&")) };
            let mut request = TestRequest::default().uri(&uri).method(method.to_uppercase().parse().unwrap());
            for (field, text) in headers {
                request = request.insert_header((field, text));
            }
            if let Some(body) = call["requestBody"]["content"]["application/json"].get("schema") {
                let body = example(&description, body);
                request = request.set_json(body.unwrap_or_else(|| panic!("{name}: its body has no example")));
            }
            // A job, a table or a study has to exist first.
            if ["{id}", "{file}", "{study}"].iter().any(|own| path.contains(own)) {
                asked += 1;
                continue;
            }
            let reply = send(&state, request).await;
            assert!(reply.status.is_success(), "{name}: {uri}: {}", reply.text);
            asked += 1;
        }
    }
    assert!(asked > 25, "{asked}");
    state.stop();
}
