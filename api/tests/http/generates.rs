//! Tables generated over HTTP, where the operator allows it.

use std::path::Path;

use marquis_api::{AppState, Config};
use marquis_engine::{Engine, EngineOptions, MemorySize};
use marquis_registry::official;
use serde_json::json;

use actix_web::web::Data;

use crate::service::{get, post, ready, settings};

/// A service that may generate tables into this folder.
fn allowed(folder: &Path, change: impl FnOnce(&mut Config)) -> Data<AppState> {
    let tables = vec![folder.to_owned()];
    let mut config = Config { tables: tables.clone(), generate: true, ..settings() };
    change(&mut config);
    let state = AppState::starting(official(), config).unwrap();
    let options = EngineOptions { tables, ..EngineOptions::default() };
    state.open(Engine::open_expecting(official(), options).unwrap().0);
    Data::new(state)
}

#[actix_web::test]
async fn tables_are_planned_then_generated_and_answered_from() {
    let folder = tempfile::tempdir().unwrap();
    let state = allowed(folder.path(), |_| {});
    let plan = json!({"side": 2, "pieces": "2v2", "dry_run": true});
    let reply = post(&state, "/v1/squish/generate", &plan).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let plan = reply.json();
    assert!(plan["slots"].as_u64() > Some(0) && plan["finished"] == json!(0), "{plan}");
    let estimate = &plan["estimate"];
    assert!(estimate["seconds"].as_f64() > Some(0.0), "{plan}");
    assert!(estimate["trial_slots"].as_u64() > Some(0) && estimate["trial_layer"].is_string(), "{plan}");
    assert_eq!(get(&state, "/v1/tables").await.json()["tables"], json!([]));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a dry run makes nothing");
    let asked = json!({"side": 2, "pieces": "2v2", "budget_ms": 30_000});
    let reply = post(&state, "/v1/squish/generate", &asked).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let built = reply.json();
    assert_eq!(built["tables"].as_array().map(|tables| json!(tables.len())), Some(plan["layers"].clone()));
    assert_eq!(get(&state, "/v1/tables").await.json()["tables"].as_array().unwrap().len(), 4, "{built}");
    let answer = get(&state, "/v1/squish?budget_ms=0&position=wb/3/bw_w").await;
    assert_eq!(answer.json()["proof"], "table", "{}", answer.text);
    // The same again finds them there.
    let again = post(&state, "/v1/squish/generate", &asked).await.json();
    assert_eq!(again["kept"], plan["layers"], "{again}");
}

#[actix_web::test]
async fn who_is_not_allowed_to_generates_nothing() {
    let asked = json!({"side": 2, "pieces": "2v2", "budget_ms": 30_000});
    let reply = post(&ready(settings()), "/v1/squish/generate", &asked).await;
    let refused = json!("urn:marquis:problem:not-allowed");
    assert_eq!((reply.status.as_u16(), &reply.json()["type"]), (403, &refused), "{}", reply.text);
    let folder = tempfile::tempdir().unwrap();
    let reply =
        post(&allowed(folder.path(), |config| config.generate = false), "/v1/squish/generate", &asked).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["type"]), (403, &refused), "{}", reply.text);
    for change in
        [(|config: &mut Config| config.generate_disk = MemorySize(10)) as fn(&mut Config), |config| {
            config.memory = MemorySize(10);
        }]
    {
        let state = allowed(folder.path(), change);
        let reply = post(&state, "/v1/squish/generate", &asked).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["place"]),
            (400, &json!("pieces")),
            "{}",
            reply.text
        );
    }
    let state = allowed(folder.path(), |_| {});
    for wrong in
        [json!({}), json!({"side": 200}), json!({"side": 2, "bytes": 3}), json!({"from": "no position"})]
    {
        assert_eq!(post(&state, "/v1/squish/generate", &wrong).await.status, 400, "{wrong}");
    }
    // What never fits is no matter of the service's memory.
    for (game, vast) in
        [("squinch", json!({"from": "start"})), ("squish", json!({"side": 5, "dry_run": true}))]
    {
        let reply = post(&state, &format!("/v1/{game}/generate"), &vast).await;
        assert_eq!(reply.status, 400, "{}", reply.text);
        assert!(reply.text.contains("no more than 2.0 GiB may be taken"), "{}", reply.text);
        assert!(!reply.text.contains("18446744073709551615"), "{}", reply.text);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is there");
}
