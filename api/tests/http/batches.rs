//! Many positions in one request.

use actix_web::rt::spawn;
use marquis_api::Config;
use serde_json::json;

use crate::service::{IN_TIME, Reply, get, post, ready, settings, until};

#[actix_web::test]
async fn good_and_bad_positions_are_answered_each_in_its_place() {
    let positions = json!(["3/4/2w2/b3/b1b w", "nonsense", "start:3", "b1w/1wb1/wb1wb/1wb1 w"]);
    let body = json!({"positions": positions, "budget_ms": 30000});
    let reply = post(&ready(settings()), "/v1/squish", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let answers = reply.json()["answers"].clone();
    assert_eq!(answers.as_array().unwrap().len(), 4);
    assert_eq!(answers[0]["over"], "unified");
    assert_eq!(
        (&answers[1]["position"], &answers[1]["problem"]["status"]),
        (&json!("nonsense"), &json!(400))
    );
    assert_eq!((&answers[2]["value"], &answers[2]["plies"]), (&json!("win"), &json!(5)));
    assert!(!answers[2]["moves"].as_array().unwrap().is_empty());
    assert!(answers[3]["problem"]["detail"].as_str().unwrap().contains("rows"), "{}", answers[3]);
}

#[actix_web::test]
async fn moves_are_left_out_on_request() {
    let body = json!({"positions": ["start:3"], "moves": false, "budget_ms": 30000});
    let answers = post(&ready(settings()), "/v1/squish", &body).await.json()["answers"].clone();
    assert_eq!((&answers[0]["value"], &answers[0]["moves"]), (&json!("win"), &json!([])));
}

#[actix_web::test]
async fn what_the_budget_does_not_reach_is_unknown_and_no_failure() {
    let body = json!({"positions": vec!["start:8x8x3"; 30], "budget_ms": 200});
    let began = std::time::Instant::now();
    let reply = post(&ready(settings()), "/v1/squinch", &body).await;
    assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
    assert_eq!(reply.status, 200, "{}", reply.text);
    let answers = reply.json()["answers"].as_array().unwrap().clone();
    assert_eq!(answers.len(), 30);
    for answer in answers {
        assert_eq!(answer["value"], "unknown", "{answer}");
    }
}

#[actix_web::test]
async fn a_thousand_positions_are_answered_and_one_more_refused() {
    let state = ready(settings());
    let body = |count: usize| json!({"positions": vec!["3/4/2w2/b3/b1b w"; count], "moves": false});
    let reply = post(&state, "/v1/squish", &body(1000)).await;
    assert_eq!(reply.json()["answers"].as_array().unwrap().len(), 1000);
    let reply = post(&state, "/v1/squish", &body(1001)).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["place"]), (400, &json!("positions")));
}

#[actix_web::test]
async fn what_is_sent_in_pieces_is_the_document_that_would_be_sent_whole() {
    let state = ready(settings());
    let places = ["start:8x8x3", "nonsense", "start:6x6x3"];
    let mut items = Vec::new();
    for place in places {
        let whole = post(&state, "/v1/squinch", &json!({"positions": [place], "budget_ms": 0})).await;
        assert!(whole.header("content-type").starts_with("application/json"));
        let item = whole.text.strip_prefix(r#"{"answers":["#).and_then(|rest| rest.strip_suffix("]}"));
        items.push(item.unwrap().to_owned());
    }
    let first = get(&state, "/v1/squinch?position=start:8x8x3&budget_ms=0").await.text;
    assert_eq!(items[0], first, "an answer is the same in a batch");
    let (asked, expected): (Vec<_>, Vec<_>) =
        (0..100).map(|at| (places[at % 3], items[at % 3].as_str())).unzip();
    let reply = post(&state, "/v1/squinch", &json!({"positions": asked, "budget_ms": 0})).await;
    assert!(reply.header("content-type").starts_with("application/json"));
    assert!(reply.text.len() > 1 << 20, "it is large enough for pieces");
    assert!(reply.text == format!(r#"{{"answers":[{}]}}"#, expected.join(",")), "{:.300}", reply.text);
    let none = post(&state, "/v1/squinch", &json!({"positions": [], "budget_ms": 0})).await;
    assert_eq!(none.text, r#"{"answers":[]}"#);
}

#[actix_web::test]
async fn a_batch_too_many_of_one_client_is_told_to_come_again() {
    let state = ready(Config { client_batches: 1, ..settings() });
    let (busy, body) = (state.clone(), json!({"positions": ["start:8x8x3"], "budget_ms": 30000}));
    let long = spawn(async move { post(&busy, "/v1/squinch", &body).await });
    let begun = |figures: &Reply| !figures.text.contains("\nmarquis_batch_positions 0\n");
    until(|| get(&state, "/metrics"), begun).await;
    let refused = post(&state, "/v1/squish", &json!({"positions": []})).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after").is_empty()), (429, false));
    // A client that leaves makes room.
    long.abort();
    let empty = json!({"positions": []});
    until(|| post(&state, "/v1/squish", &empty), |reply| reply.status == 200).await;
}
