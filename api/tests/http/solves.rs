//! Positions solved over HTTP with more time than a request has.

use marquis_api::Config;
use marquis_engine::check_proof;
use marquis_registry::official;
use serde_json::{Value, json};

use crate::service::{Going, Reply, download, get, post, ready, settings, until};

#[actix_web::test]
async fn a_position_that_is_soon_solved_is_answered_as_a_query_is() {
    let state = ready(settings());
    let body = json!({"position": "w1w/4/1ooo1/4/b1b w 0-0 2", "budget_ms": 30_000});
    let reply = post(&state, "/v1/swish/solve", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let answer = reply.json();
    assert_eq!((&answer["value"], &answer["plies"]), (&json!("loss"), &json!(12)), "{answer}");
    // The same position in another spelling is the same job, and ready without any budget.
    let again = json!({"position": "w1w/4/1ooo1/4/b1b_w_0-0_2", "budget_ms": 0});
    assert_eq!(post(&state, "/v1/swish/solve", &again).await.json(), answer);
    // Senet has chances, and no proofs.
    let body = json!({"position": "start", "throw": 1, "limit_ms": 300, "budget_ms": 30_000});
    let reply = post(&state, "/v1/senet/solve", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.json()["throws"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_known_result_stays_known_where_its_proof_takes_more_than_the_limit() {
    let state = ready(settings());
    let body = json!({"position": "start:4", "nodes": 1000, "budget_ms": 30_000});
    let reply = post(&state, "/v1/squish/solve", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let answer = reply.json();
    assert_eq!((&answer["value"], &answer["proof"]), (&json!("win"), &json!("book")), "{answer}");
    let body = json!({"position": "start:5", "nodes": 1000, "budget_ms": 30_000});
    let answer = post(&state, "/v1/squish/solve", &body).await.json();
    assert_eq!((&answer["value"], &answer["source"]), (&json!("unknown"), &json!("estimate")), "{answer}");
}

#[actix_web::test]
async fn a_long_solve_goes_on_with_bounds_leaning_and_nodes_until_it_is_cancelled() {
    let state = ready(settings());
    let body = json!({"position": "start:5", "budget_ms": 20});
    let reply = post(&state, "/v1/squish/solve", &body).await;
    let job = Going::of(&reply);
    assert_eq!((&reply.json()["kind"], &reply.json()["result"]), (&json!("solve"), &Value::Null));
    let says = |job: &Value| {
        let progress = &job["progress"];
        progress["nodes"].as_u64() > Some(0)
            && progress["bounds"].is_array()
            && progress["leaning"].is_object()
    };
    let running = until(|| get(&state, &job.place), |reply| says(&reply.json())).await.json();
    assert_eq!(running["state"], "running");
    // The result of a first look is available long before the end.
    let looked = |reply: &Reply| {
        let job = reply.json();
        assert_eq!(job["state"], "running");
        job["answer"]["moves"].as_array().is_some_and(|moves| !moves.is_empty())
    };
    until(|| get(&state, &job.place), looked).await;
    let before = running["progress"]["nodes"].as_u64();
    until(|| get(&state, &job.place), |reply| reply.json()["progress"]["nodes"].as_u64() != before).await;
    let cancelled = job.cancel(&state).await.json();
    assert_eq!((&cancelled["state"], &cancelled["ended"]), (&json!("cancelled"), &json!("stopped")));
    // The cancelled job has the result so far.
    let answer = &cancelled["answer"];
    assert_eq!(
        (&answer["value"], answer["wdl"]["win"].is_number()),
        (&json!("unknown"), true),
        "{cancelled}"
    );
    assert!(!answer["moves"].as_array().unwrap().is_empty());
}

#[actix_web::test]
async fn what_a_solve_has_proved_can_be_fetched_and_answers_without_a_search() {
    let state = ready(settings());
    let position = "b1w/1wb1/wb1wb/1wb1/b1w w";
    let body = json!({"position": position, "budget_ms": 30_000});
    assert_eq!(post(&state, "/v1/squish/solve", &body).await.json()["value"], "win");
    let id = {
        let body = json!({"position": "start:5", "budget_ms": 0});
        let running = Going::of(&post(&state, "/v1/squish/solve", &body).await);
        assert_eq!(running.cancel(&state).await.json()["proof"], Value::Null, "nothing is proved");
        running
            .place
            .replace(running.place.rsplit('-').next().unwrap(), &position.replace('/', ".").replace(' ', "_"))
    };
    let job = get(&state, &id).await.json();
    assert_eq!(job["state"], "done", "{job}");
    let bytes = download(&state, job["proof"]["href"].as_str().unwrap()).await;
    assert_eq!(job["proof"]["bytes"].as_u64(), Some(bytes.len() as u64));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fetched.proof");
    std::fs::write(&file, bytes).unwrap();
    let report = check_proof(&official(), &file).unwrap();
    assert_eq!((report.refused, report.claims[0].bounds.worst), (None, marquis_core::Value::Win));
    let looked_up = get(&state, "/v1/squish?budget_ms=0&position=b1w/1wb1/wb1wb/1wb1/b1w_w").await.json();
    assert_eq!((&looked_up["value"], &looked_up["proof"]), (&json!("win"), &json!("book")), "{looked_up}");
}

#[actix_web::test]
async fn a_job_ends_after_the_time_that_the_caller_gives_it_and_says_what_was_cut() {
    let state = ready(Config { job_seconds: 5, budget_max_ms: 20_000, ..settings() });
    let body = json!({"position": "start:5", "limit_ms": 300, "budget_ms": 20_000});
    let reply = post(&state, "/v1/squish/solve", &body).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["ended"]), (200, &json!("time")), "{}", reply.text);
    assert_eq!(reply.json().get("cut"), None);
    let body = json!({"position": "start:4", "limit_ms": 86_400_000, "budget_ms": 86_400_000_u64});
    let reply = post(&state, "/v1/flowish/solve", &body).await;
    let cut = json!([
        {"field": "budget_ms", "asked_ms": 86_400_000, "given_ms": 20_000},
        {"field": "limit_ms", "asked_ms": 86_400_000, "given_ms": 5_000},
    ]);
    assert_eq!((reply.status.as_u16(), &reply.json()["cut"]), (200, &cut), "{}", reply.text);
}
