//! Tables generated over HTTP, if the operator allows it.

use std::path::Path;

use marquis_api::{AppState, Config};
use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;
use marquis_wire::MemorySize;
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
    // The same call finds them.
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
    // Tables that can never fit do not depend on the memory of the service.
    for (game, vast) in
        [("squinch", json!({"from": "start"})), ("squish", json!({"side": 5, "dry_run": true}))]
    {
        let reply = post(&state, &format!("/v1/{game}/generate"), &vast).await;
        assert_eq!(reply.status, 400, "{}", reply.text);
        assert!(reply.text.contains("expected at most 2.0 GiB for numbering"), "{}", reply.text);
        assert!(!reply.text.contains("18446744073709551615"), "{}", reply.text);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is there");
}

#[actix_web::test]
async fn small_tables_are_built_with_little_memory_and_what_never_fits_is_refused_with_the_reason() {
    for mib in [256, 512] {
        let folder = tempfile::tempdir().unwrap();
        let state = allowed(folder.path(), |config| config.memory = MemorySize(mib << 20));
        let mut built = 0;
        for (game, asked) in [
            ("squish", json!({"side": 3, "pieces": "2v2"})),
            ("flowish", json!({"side": 3, "pieces": "1v1"})),
            ("swish", json!({"side": 2, "pieces": "1v1", "beads": 1})),
            ("squinch", json!({"from": "start:4x4"})),
        ] {
            let mut body = asked.clone();
            body["budget_ms"] = json!(30_000);
            let reply = post(&state, &format!("/v1/{game}/generate"), &body).await;
            assert_eq!(reply.status, 200, "{mib} MiB, {game} {asked}: {}", reply.text);
            built += reply.json()["tables"].as_array().unwrap().len();
        }
        assert!(built > 4, "{built}");
    }
}

#[actix_web::test]
async fn what_can_never_be_built_is_bad_input_that_names_no_made_up_number() {
    let folder = tempfile::tempdir().unwrap();
    let state = allowed(folder.path(), |config| config.memory = MemorySize(512 << 20));
    for (game, asked) in [
        ("squinch", json!({"from": "start"})),
        ("squish", json!({"side": 5})),
        ("flowish", json!({"side": 5})),
        ("squish", json!({"side": 4})),
        ("squish", json!({"side": 5, "pieces": "20v20"})),
        ("senet", json!({"pieces": "5v5"})),
        ("swish", json!({"side": 5, "pieces": "1v1", "beads": 30})),
    ] {
        for dry_run in [false, true] {
            let mut body = asked.clone();
            body["dry_run"] = json!(dry_run);
            let reply = post(&state, &format!("/v1/{game}/generate"), &body).await;
            assert!(!reply.text.contains("18446744073709551615"), "{game} {asked}: {}", reply.text);
            // A plan that does not fit here may be useful on a larger machine.
            if dry_run && reply.status == 200 {
                continue;
            }
            let problem = reply.json();
            assert_eq!(reply.status, 400, "{game} {asked}: {problem}");
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.contains("expected at most"), "{game} {asked}: {detail}");
            assert!(problem["place"].is_string() && problem["found"].is_string(), "{problem}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is there");
}

#[actix_web::test]
async fn with_the_least_memory_every_call_does_the_smallest_job() {
    let folder = tempfile::tempdir().unwrap();
    let state = ready(Config { memory: MemorySize(1), tables: vec![folder.path().to_owned()], ..settings() });
    for uri in [
        "/v1/squish?position=3/wb2/5/1w1b/3_w&budget_ms=30000",
        "/v1/squish?position=start:3&level=8&seed=1&budget_ms=100",
        "/v1/squinch?position=start&budget_ms=100",
        "/v1/senet?position=wb8/10/10_b&budget_ms=100",
        "/v1/swish?position=w1/1o1/1b_w&budget_ms=100",
        "/v1/squish/perft?position=start:3&depth=2",
    ] {
        let reply = get(&state, uri).await;
        assert_eq!(reply.status, 200, "{uri}: {}", reply.text);
    }
    for (uri, body) in [
        ("/v1/squish", json!({"positions": ["start:3"], "budget_ms": 100})),
        ("/v1/squish/solve", json!({"position": "start:3", "limit_ms": 500, "budget_ms": 30000})),
        ("/v1/squish/review", json!({"record": "[Position \"start:3\"] 1. c4-c3 *", "budget_ms": 30000})),
        ("/v1/swish/balance", json!({"board": "w1/1o1/1b", "limit_ms": 500, "budget_ms": 30000})),
        ("/v1/swish/design", json!({"side": 2, "rooks": 1, "beads": 1, "tries": 1, "budget_ms": 30000})),
    ] {
        let reply = post(&state, uri, &body).await;
        assert_eq!(reply.status, 200, "{uri}: {}", reply.text);
    }
}
