//! Liveness and readiness through the life of a service.

use actix_web::web::Data;
use marquis_api::AppState;
use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;
use serde_json::json;

use crate::service::{get, settings};

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
