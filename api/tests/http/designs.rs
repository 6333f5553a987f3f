//! Designs over HTTP: at once, and as jobs that report their finds one by one.

use actix_web::web::Data;
use marquis_api::{AppState, Config};
use marquis_engine::{Control, DesignKind, DesignQuery, Engine, EngineOptions, Limits, Pie, check_proof};
use marquis_registry::official;
use serde_json::{Value, json};
use std::path::Path;

use crate::service::{Going, Reply, download, get, post, ready, settings, until};

/// A design that is ready soon: small boards, completely solved.
fn small() -> Value {
    json!({"side": 3, "rooks": 1, "beads": 2, "tries": 8, "keep": 3, "seed": 7, "budget_ms": 30_000})
}

/// A design that takes very long.
fn endless(tries: u32) -> Value {
    json!({"side": 5, "rooks": 3, "beads": 19, "tries": tries, "set_up_ms": 20_000, "budget_ms": 0})
}

/// All events of a job until it is over.
async fn events(state: &Data<AppState>, place: &str) -> Vec<(String, Value)> {
    let told = get(state, &format!("{place}/events")).await.text;
    let event = |block: &str| {
        let (name, data) = block.split_once("event: ")?.1.split_once("\ndata: ")?;
        Some((name.to_owned(), serde_json::from_str(data).unwrap()))
    };
    told.split("\n\n").filter_map(event).collect()
}

/// Asserts that the proof at this address holds for this board.
async fn proves(state: &Data<AppState>, address: &str, board: &str) {
    let bytes = download(state, address).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fetched.proof");
    std::fs::write(&file, bytes).unwrap();
    let report = check_proof(&official(), &file).unwrap();
    assert_eq!((report.board.as_deref(), report.refused), (Some(board), None));
    assert!(report.player_two.is_some_and(|two| two.value.is_some()), "{address}");
}

#[actix_web::test]
async fn a_design_ends_after_the_time_that_the_caller_gives_all_of_it() {
    let state = ready(settings());
    let asked = json!({"limit_ms": 300, "budget_ms": 30_000});
    let mut body = endless(3);
    body.as_object_mut().unwrap().extend(asked.as_object().unwrap().clone());
    let reply = post(&state, "/v1/swish/design", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let found = reply.json();
    // The first set-up would have had twenty seconds, and was not finished.
    assert_eq!((&found["tried"], &found["complete"]), (&json!(0), &json!(false)), "{found}");
}

#[actix_web::test]
async fn a_design_that_is_soon_ready_is_that_of_the_command_line_with_proofs() {
    let state = ready(settings());
    let reply = post(&state, "/v1/swish/design", &small()).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let found = reply.json();
    assert_eq!((&found["tried"], &found["complete"]), (&json!(8), &json!(true)), "{found}");
    let finds = found["designs"].as_array().unwrap();
    let query = DesignQuery {
        game: official().game("swish").unwrap().id(),
        kind: DesignKind { side: Some(3), rooks: Some(1), beads: Some(2), ..DesignKind::default() },
        pie: Pie::Marquisian,
        seed: 7,
        tries: 8,
        keep: 3,
    };
    let (engine, _) = Engine::open(official(), EngineOptions::default()).unwrap();
    let same = engine.design(&query, &Limits::default(), &Control::none()).unwrap();
    let boards = |finds: &[Value]| finds.iter().map(|find| find["board"].clone()).collect::<Vec<_>>();
    assert_eq!(boards(finds), same.iter().map(|design| json!(design.board)).collect::<Vec<_>>());
    for find in finds {
        assert!(find["balance"]["balanced"].is_boolean() && find["score"].is_number(), "{find}");
        assert!(find["balance"]["difficulty"]["first_moves"].is_u64(), "{find}");
        assert_eq!(find["proved"], json!(true), "{find}");
        proves(&state, find["proof"]["href"].as_str().unwrap(), find["board"].as_str().unwrap()).await;
    }
}

#[actix_web::test]
async fn a_design_varies_a_board_and_keeps_only_levels_that_were_asked_for() {
    let state = ready(settings());
    let find = async |range: Value| {
        let mut body =
            json!({"from": "w2/4/1oo2/4/2b", "max_beads": 3, "tries": 12, "keep": 12, "budget_ms": 30_000});
        body.as_object_mut().unwrap().extend(range.as_object().unwrap().clone());
        let reply = post(&state, "/v1/swish/design", &body).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()["designs"].as_array().unwrap().clone()
    };
    let all = find(json!({})).await;
    let score = |find: &Value| find["score"].as_f64().unwrap();
    for design in &all {
        let board = design["board"].as_str().unwrap();
        let rows: Vec<&str> = board.split('/').collect();
        assert!((rows[0], rows[4]) == ("w2", "2b") && rows[2].starts_with("1oo"), "{board}");
        assert_eq!(all.iter().filter(|other| other["board"] == design["board"]).count(), 1, "{board} twice");
    }
    // Of the same set-ups, those of the wanted levels are found.
    let boards = |finds: &[Value]| finds.iter().map(|find| find["board"].clone()).collect::<Vec<_>>();
    let wanted = |above: f64, below: f64| -> Vec<Value> {
        all.iter().filter(|find| score(find) > above && score(find) < below).cloned().collect()
    };
    assert_eq!(boards(&find(json!({"harder_than": 4})).await), boards(&wanted(4.0, 10.0)));
    let between = wanted(1.0, 4.0);
    assert!(!between.is_empty() && between.len() < all.len(), "{all:?}");
    assert_eq!(boards(&find(json!({"harder_than": 1, "easier_than": 4})).await), boards(&between));
}

#[actix_web::test]
async fn finds_come_one_by_one_and_then_the_whole() {
    let state = ready(settings());
    let mut asked = small();
    asked["budget_ms"] = json!(0);
    asked["keep"] = json!(100);
    let reply = post(&state, "/v1/squeeze/design", &asked).await;
    let job = Going::of(&reply);
    let begun = reply.json();
    assert_eq!((&begun["kind"], &begun["wanted"]["tries"]), (&json!("design"), &json!(8)), "{begun}");
    let told = events(&state, &job.place).await;
    let finds: Vec<&Value> = told.iter().filter(|(name, _)| name == "find").map(|(_, find)| find).collect();
    let (last, whole) = told.last().unwrap();
    assert_eq!((last.as_str(), &whole["design"]["complete"]), ("done", &json!(true)), "{whole}");
    let of_whole = whole["design"]["designs"].as_array().unwrap();
    assert!(!finds.is_empty() && finds.len() == of_whole.len(), "{told:?}");
    for find in finds {
        assert!(of_whole.contains(find), "{find}");
    }
    assert_eq!(get(&state, &job.place).await.json()["design"], whole["design"]);
}

#[actix_web::test]
async fn a_cancelled_design_keeps_what_it_found() {
    let state = ready(settings());
    let mut asked = small();
    // Some set-ups are decided at once; the others are never reached.
    (asked["tries"], asked["keep"], asked["budget_ms"]) = (json!(1000), json!(1000), json!(0));
    let job = Going::of(&post(&state, "/v1/swish/design", &asked).await);
    // On a busy machine some are given up without a proof.
    let proved = |job: &Value| -> Option<Value> {
        job["design"]["designs"].as_array()?.iter().find(|find| find["proved"] == json!(true)).cloned()
    };
    let has_found = |job: &Value| proved(job).is_some();
    until(|| get(&state, &job.place), |reply| has_found(&reply.json())).await;
    let cancelled = job.cancel(&state).await.json();
    assert_eq!(cancelled["state"], "cancelled", "{cancelled}");
    assert!(has_found(&cancelled) && cancelled["design"]["complete"] == json!(false), "{cancelled}");
    let find = proved(&cancelled).unwrap();
    proves(&state, find["proof"]["href"].as_str().unwrap(), find["board"].as_str().unwrap()).await;
}

#[actix_web::test]
async fn a_design_goes_on_where_it_was_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let kept = |folder: &Path| Config { state: Some(folder.to_owned()), ..settings() };
    let mut asked = small();
    (asked["tries"], asked["keep"], asked["budget_ms"]) = (json!(1000), json!(1000), json!(0));
    let tried = |job: &Value| job["design"]["tried"].as_u64().unwrap_or_default();
    let (job, before) = {
        let state = ready(kept(folder.path()));
        let job = Going::of(&post(&state, "/v1/swish/design", &asked).await);
        let reply = until(|| get(&state, &job.place), |reply| tried(&reply.json()) >= 3).await;
        state.stop();
        (job, reply.json()["design"].clone())
    };
    crate::kept::released(folder.path()).await;
    let state = ready(kept(folder.path()));
    let had = before["tried"].as_u64().unwrap();
    let goes_on = |reply: &Reply| {
        let now = reply.json();
        assert!(tried(&now) >= had, "restarted: {now}");
        tried(&now) >= had + 3
    };
    let now = until(|| get(&state, &job.place), goes_on).await.json();
    let numbers = |design: &Value| {
        let mut numbers: Vec<u64> = design["designs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|find| find["number"].as_u64().unwrap())
            .collect();
        numbers.sort_unstable();
        numbers
    };
    let (earlier, later) = (numbers(&before), numbers(&now["design"]));
    assert!(earlier.iter().all(|number| later.contains(number)), "{earlier:?} {later:?}");
    assert_eq!(job.cancel(&state).await.json()["state"], "cancelled");
    state.stop();
}

#[actix_web::test]
async fn what_cannot_be_designed_is_refused_before_there_is_a_job() {
    let state = ready(Config { design_tries: 50, ..settings() });
    let place = async |game: &str, asked: Value| {
        let reply = post(&state, &format!("/v1/{game}/design"), &asked).await;
        assert_eq!(reply.status, 400, "{}", reply.text);
        reply.json()["place"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(place("swish", json!({"tries": 51})).await, "tries");
    assert_eq!(place("swish", json!({"tries": 0})).await, "tries");
    assert_eq!(place("swish", json!({"layout": "round"})).await, "layout");
    assert_eq!(place("swish", json!({"pie": "apple"})).await, "pie");
    assert_eq!(place("squeeze", json!({"rooks": 200})).await, "rooks");
    assert_eq!(place("swish", json!({"nodes": u64::MAX})).await, "nodes");
    assert_eq!(place("swish", json!({"seed": u64::MAX})).await, "seed");
    assert_eq!(place("swish", json!({"max_beads": 2})).await, "max_beads");
    assert_eq!(place("swish", json!({"harder_than": 10})).await, "harder_than");
    assert_eq!(place("swish", json!({"harder_than": 4, "easier_than": 4})).await, "easier_than");
    assert_eq!(place("swish", json!({"change": 1})).await, "change");
    assert_eq!(place("swish", json!({"from": "w1w/4"})).await, "from");
    assert_eq!(place("squish", json!({})).await, "");
    let figures = get(&state, "/metrics").await.text;
    let jobs: Vec<&str> = figures.lines().filter(|line| line.starts_with("marquis_jobs{")).collect();
    assert!(!jobs.is_empty() && jobs.iter().all(|line| line.ends_with(" 0")), "{jobs:?}");
}

#[actix_web::test]
async fn a_proof_that_there_is_not_is_not_found() {
    let state = ready(settings());
    let job = Going::of(&post(&state, "/v1/swish/design", &endless(1)).await);
    for (address, status) in [
        (format!("{}/proof", job.place), 404),
        (format!("{}/proof?number=17", job.place), 404),
        (format!("{}/proof?number=one", job.place), 400),
        ("/v1/jobs/17/proof".to_owned(), 404),
    ] {
        assert_eq!(get(&state, &address).await.status, status, "{address}");
    }
    assert_eq!(job.cancel(&state).await.json()["state"], "cancelled");
}
