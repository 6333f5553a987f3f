//! Liveness and readiness over the lifetime of a service.

use actix_web::web::Data;
use marquis_api::AppState;
use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;
use serde_json::json;

use crate::service::{Reply, get, post, settings};

#[actix_web::test]
async fn a_service_refuses_with_503_before_its_tables_are_open_and_after_it_was_stopped() {
    let state = Data::new(AppState::starting(official(), settings()).unwrap());
    refuses(&state, "starting").await;
    state.open(Engine::open(official(), EngineOptions::default()).unwrap().0);
    for uri in ["/livez", "/readyz", "/healthz", "/v1/tables", "/v1/squish?position=start:3&budget_ms=0"] {
        assert_eq!(get(&state, uri).await.status, 200, "{uri}");
    }
    assert_eq!(get(&state, "/v1/tables").await.json(), json!({"tables": []}));
    state.stop();
    refuses(&state, "stopping").await;
}

async fn refuses(state: &Data<AppState>, why: &str) {
    assert_eq!(get(state, "/livez").await.status, 200);
    for uri in ["/readyz", "/healthz", "/v1/tables", "/v1/squish?position=start:3"] {
        let reply = get(state, uri).await;
        assert_eq!(reply.status, 503, "{uri}");
        assert!(!reply.header("retry-after").is_empty(), "{uri}");
        assert!(reply.json()["detail"].as_str().unwrap().contains(why), "{}", reply.text);
    }
}

/// A service whose starter set is being built.
fn building() -> Data<AppState> {
    let state = Data::new(AppState::starting(official(), settings()).unwrap());
    state.open_before_built(Engine::open(official(), EngineOptions::default()).unwrap().0);
    state
}

#[actix_web::test]
async fn while_tables_are_built_what_needs_none_is_answered_and_the_rest_told_why_not() {
    let state = building();
    let asked = [
        // Answered by a player, the rules, the book, a search.
        "/v1/squish?position=start:3&level=8&seed=1",
        "/v1/squish?position=start:3&level=1&budget_ms=0",
        "/v1/squish?position=3/4/2w2/b3/b1b_w&budget_ms=0",
        "/v1/squish?position=start:4&budget_ms=0",
        "/v1/squish?position=start:3&budget_ms=30000",
        "/v1/squinch?position=start&budget_ms=50",
        "/v1/senet?position=wb8/10/10_b&budget_ms=30000",
        "/v1/squish/moves?position=start:3",
        "/v1/squish/normal?position=start:3",
        "/v1/squish/perft?position=start:3&depth=2",
        "/v1/squish/rules",
        "/v1/squish/book",
        "/v1/swish/gallery",
        "/v1/games",
        "/v1/studies",
        "/",
        "/openapi.json",
        "/metrics",
        "/livez",
    ];
    for uri in asked {
        let reply = get(&state, uri).await;
        assert_eq!(reply.status, 200, "{uri}: {}", reply.text);
    }
    let sent = [
        ("/v1/squish", json!({"positions": ["3/4/2w2/b3/b1b w"], "budget_ms": 0})),
        ("/v1/squish/record", json!({"record": "[Position \"start:3\"] 1. c4-c3 *"})),
        ("/v1/squish/review", json!({"record": "[Position \"start:3\"] 1. c4-c3 *", "budget_ms": 30000})),
        ("/v1/squish/solve", json!({"position": "start:3", "budget_ms": 30000})),
        ("/v1/swish/balance", json!({"board": "w1/1o1/1b", "budget_ms": 30000})),
        ("/v1/swish/design", json!({"side": 2, "rooks": 1, "beads": 1, "tries": 1, "budget_ms": 30000})),
    ];
    for (uri, body) in &sent {
        let reply = post(&state, uri, body).await;
        assert_eq!(reply.status, 200, "{uri}: {}", reply.text);
        assert!(!reply.text.contains("problem"), "{uri}: {}", reply.text);
    }
    // Only a table may know these.
    let look_up = "/v1/flowish?position=w2/2b1/5/1w2/1b1_w&budget_ms=0";
    for uri in [look_up, "/v1/tables", "/v1/tables/squish-s3/02v02.mqt", "/readyz", "/healthz"] {
        assert_told(&get(&state, uri).await, uri);
    }
    let batch = json!({"positions": ["w2/2b1/5/1w2/1b1 w"], "budget_ms": 0});
    let item = post(&state, "/v1/flowish", &batch).await.json()["answers"][0]["problem"].clone();
    assert_eq!(item["status"], 503, "{item}");
    assert!(item["detail"].as_str().unwrap().contains("being built"), "{item}");
    state.built();
    for uri in [look_up, "/v1/tables", "/readyz", "/healthz"] {
        assert_eq!(get(&state, uri).await.status, 200, "{uri}");
    }
}

fn assert_told(reply: &Reply, uri: &str) {
    assert_eq!(reply.status, 503, "{uri}: {}", reply.text);
    assert!(!reply.header("retry-after").is_empty(), "{uri}");
    assert!(reply.json()["detail"].as_str().unwrap().contains("being built"), "{uri}: {}", reply.text);
}
