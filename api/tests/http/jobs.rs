//! Balances, at once and as jobs.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use actix_web::test::TestRequest;
use actix_web::web::Data;
use marquis_api::AppState;
use marquis_engine::{
    BalanceQuery, Control, Engine, EngineOptions, GameId, Immobile, Limits, MemorySize, Pie, Until,
};
use serde_json::{Value, json};

use crate::service::{ENDLESS_BOARD, get, post, ready, send, settings};

/// Lays out the endless set-up with a short budget; the address of its job.
async fn endless_job(state: &Data<AppState>) -> String {
    let body = json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": 1, "budget_ms": 20});
    let reply = post(state, "/v1/swish/balance", &body).await;
    assert_eq!(reply.status, 202, "{}", reply.text);
    let place = reply.header("location").to_owned();
    assert_eq!(place, format!("/v1/jobs/{}", reply.json()["id"].as_str().unwrap()));
    place
}

async fn delete(state: &Data<AppState>, uri: &str) -> Value {
    let reply = send(state, TestRequest::delete().uri(uri)).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()
}

#[actix_web::test]
async fn on_a_board_where_moving_first_loses_player_two_chooses_the_colour() {
    // Half a turn swaps the colours of this board, so that Black first loses as White first does.
    let body = json!({"board": "w1w/4/1ooo1/4/b1b", "budget_ms": 30000, "both": true});
    let state = ready(settings());
    let reply = post(&state, "/v1/swish/balance", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let balance = reply.json();
    for colour in ["w", "b"] {
        let first = &balance["first_mover"][colour];
        assert_eq!((&first["value"], &first["plies"]), (&json!("loss"), &json!(12)), "{balance}");
    }
    assert_eq!(balance["player_two"]["choice"], "choose-colour", "{balance}");
    assert_eq!(balance["player_two"]["value"], "win", "{balance}");
    assert_eq!(balance["balanced"], false);

    // The same board in another spelling is the same job, and ready without any budget.
    let again = json!({"board": "w1w/4/1ooo1/4/b1b", "pie": "marquisian", "budget_ms": 0, "both": true});
    let reply = post(&state, "/v1/swish/balance", &again).await;
    assert_eq!((reply.status.as_u16(), reply.json()), (200, balance));
}

#[actix_web::test]
async fn a_long_balance_goes_on_as_a_job_until_it_is_cancelled() {
    let state = ready(settings());
    let job = endless_job(&state).await;
    assert_eq!(endless_job(&state).await, job, "the same question is the same job");
    let mut document = get(&state, &job).await.json();
    for _ in 0..50 {
        if document["state"] == "running" {
            break;
        }
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        document = get(&state, &job).await.json();
    }
    assert_eq!(document["state"], "running", "{document}");
    assert_eq!(delete(&state, &job).await["state"], "cancelled");
    assert_eq!(get(&state, &job).await.json()["state"], "cancelled");
    assert_eq!(delete(&state, &job).await["state"], "cancelled", "cancelling again changes nothing");
}

#[actix_web::test]
async fn a_cancelled_job_gives_its_thread_back() {
    let state = ready(marquis_api::Config { job_threads: 1, ..settings() });
    let job = endless_job(&state).await;
    delete(&state, &job).await;
    let body = json!({"board": "w1/1o1/1b", "budget_ms": 30000});
    let reply = post(&state, "/v1/swish/balance", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
}

#[actix_web::test]
async fn events_tell_of_progress_and_end_with_the_job() {
    let state = ready(settings());
    let job = endless_job(&state).await;
    let cancel = async {
        actix_web::rt::time::sleep(Duration::from_millis(300)).await;
        delete(&state, &job).await
    };
    let uri = format!("{job}/events");
    let (events, _) = tokio::join!(get(&state, &uri), cancel);
    assert_eq!(events.header("content-type"), "text/event-stream");
    let blocks: Vec<_> = events.text.split("\n\n").filter(|block| !block.is_empty()).collect();
    let data =
        |block: &str| -> Value { serde_json::from_str(block.split_once("\ndata: ").unwrap().1).unwrap() };
    assert!(blocks[0].starts_with("event: progress\n"), "{}", events.text);
    for field in ["state", "bounds", "nodes", "seconds"] {
        assert!(data(blocks[0]).get(field).is_some(), "{field} in {}", blocks[0]);
    }
    let last = blocks.last().unwrap();
    assert!(last.starts_with("event: cancelled\n"), "{last}");
    assert_eq!(data(last)["id"], job.rsplit('/').next().unwrap());
}

#[actix_web::test]
async fn a_job_that_nobody_asked_for_is_not_found() {
    let state = ready(settings());
    for uri in ["/v1/jobs/17", "/v1/jobs/17/events"] {
        let reply = get(&state, uri).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["type"]),
            (404, &json!("urn:marquis:problem:unknown-job"))
        );
    }
}

#[test]
fn a_stopped_balance_asks_for_no_memory() {
    // A thousand terabytes: asking for them ends the program.
    let limits = Limits { memory: Some(MemorySize(1 << 50)), ..Limits::default() };
    let engine = Engine::open(EngineOptions::default()).unwrap().0;
    let query = BalanceQuery {
        game: GameId::Swish,
        board: ENDLESS_BOARD.to_owned(),
        bait: 1,
        pie: Pie::Bait,
        target: None,
        immobile: Immobile::Loss,
        until: Until::Choice,
    };
    let stopped = AtomicBool::new(true);
    let balance = engine.balance(&query, &limits, &Control::new(&stopped, |_| {})).unwrap();
    assert_eq!(balance.balanced, None);
}
