//! Reviews over HTTP: at once, and as jobs.

use actix_web::test::TestRequest;
use actix_web::web::Data;
use marquis_api::AppState;
use serde_json::{Value, json};

use crate::service::{Going, Reply, get, post, ready, send, settings, until};

/// On side 3 every position is solved: White wins from the start, and c4-c3 loses in six plies, according to the slow
/// solver of the tests (`tests/tests/review.rs`).
const BLUNDER: &str = "[Position \"start:3\"] 1. c4-c3 b3xc3 *";

#[actix_web::test]
async fn a_review_that_is_soon_ready_is_answered_at_once() {
    let state = ready(settings());
    let body = json!({"record": BLUNDER, "move_ms": 5000, "budget_ms": 30000});
    let reply = post(&state, "/v1/squish/review", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let review = reply.json();
    assert_eq!(
        (&review["complete"], &review["plies"], &review["first_chance"]),
        (&json!(true), &json!(2), &json!(1.0))
    );
    let first = &review["moves"][0];
    assert_eq!(
        (&first["mark"], &first["ground"], &first["lost"]),
        (&json!("blunder"), &json!("value"), &json!(100.0))
    );
    assert_eq!(
        (&review["players"][0]["blunders"], &review["players"][1]["blunders"]),
        (&json!(1), &json!(0))
    );
    // The better line wins in the five plies of the rules page.
    assert_eq!(first["better"].as_array().unwrap().len(), 5, "{first}");
}

/// A stream of events until its end.
///
/// * `received`: the identity of the last event of an earlier connection, or nothing.
async fn events(state: &Data<AppState>, place: &str, received: &str, accept: &str) -> (String, String) {
    let request = TestRequest::get().uri(&format!("{place}/events")).insert_header(("accept", accept));
    let reply = send(state, request.insert_header(("last-event-id", received))).await;
    (reply.header("content-type").to_owned(), reply.text)
}

#[actix_web::test]
async fn a_long_review_goes_on_move_by_move_until_it_is_cancelled() {
    let state = ready(settings());
    let moves = "a1-b2 a2-a3 ".to_owned();
    let body = json!({"record": format!("[Position \"start:5\"] {moves}"), "move_ms": 1000, "budget_ms": 0});
    let reply = post(&state, "/v1/squish/review", &body).await;
    assert_eq!(reply.status, 202, "{}", reply.text);
    let place = reply.header("location").to_owned();
    assert!(place.starts_with("/v1/jobs/squish-review-") && place.len() > 50, "{place}");
    assert_eq!((&reply.json()["result"], reply.json().get("board")), (&Value::Null, None));
    let first = |reply: &Reply| {
        let job = reply.json();
        assert!(
            ["queued", "running"].contains(&job["state"].as_str().unwrap()),
            "no move came before the end"
        );
        job["review"]["moves"].as_array().is_some_and(|moves| !moves.is_empty())
    };
    until(|| get(&state, &place), first).await;
    // The events report its moves one by one, then the whole job.
    let (kind, told) = events(&state, &place, "", "text/event-stream").await;
    assert_eq!((kind.as_str(), told.matches("event: move\n").count()), ("text/event-stream", 2), "{told}");
    assert!(
        told.starts_with("id: 1\nevent: move\ndata: {") && told.contains("\n\nid: 2\nevent: move\n"),
        "{told}"
    );
    assert!(told.find("event: move").unwrap() < told.find("event: done").unwrap(), "{told}");
    for (received, missed) in [("0", 2), ("1", 1), ("2", 0), ("4294967295", 0)] {
        let (kind, told) = events(&state, &place, received, "application/x-ndjson").await;
        let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        let (done, moves) = lines.split_last().expect("a line");
        assert_eq!(
            (kind.as_str(), &done["event"], moves.len()),
            ("application/x-ndjson", &json!("done"), missed)
        );
        for (own, id) in moves.iter().rev().zip(["2", "1"]) {
            assert_eq!((&own["event"], &own["id"]), (&json!("move"), &json!(id)), "{own}");
            assert!(own["data"]["move"].is_string(), "{own}");
        }
    }
    let (_, told) = events(&state, &place, "second", "text/event-stream").await;
    assert!(told.contains("Last-Event-ID: expected a whole number"), "{told}");
    let job = get(&state, &place).await.json();
    assert_eq!((&job["state"], job["review"]["moves"].as_array().unwrap().len()), (&json!("done"), 2));
}

#[actix_web::test]
async fn a_cancelled_review_has_what_was_looked_over() {
    let state = ready(settings());
    let record = format!("[Position \"start:5\"] a1-b2 a2-a3 {}", "{long} ".repeat(3));
    let body = json!({"record": record, "move_ms": 3000, "budget_ms": 0});
    let job = Going::of(&post(&state, "/v1/squish/review", &body).await);
    until(|| get(&state, &job.place), |reply| reply.json()["progress"]["nodes"] == 1).await;
    let reply = job.cancel(&state).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["state"]), (200, &json!("cancelled")));
    let review = &reply.json()["review"];
    assert_eq!((&review["complete"], &review["plies"]), (&json!(false), &json!(2)), "{review}");
    assert!(review["first_chance"].is_number(), "{review}");
}

#[actix_web::test]
async fn what_is_no_record_is_refused_before_there_is_a_job() {
    let state = ready(settings());
    let body = json!({"record": "[Position \"start:3\"] 1. c4-c3 a1-a1"});
    let reply = post(&state, "/v1/squish/review", &body).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["place"]), (400, &json!("ply 2 (move 1)")));
    let figures = get(&state, "/metrics").await.text;
    assert!(!figures.contains("marquis_jobs{state=\"done\"} 1"), "{figures}");
}
