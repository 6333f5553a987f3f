//! Jobs and answers that outlive their request and the service.

use std::path::Path;
use std::time::{Duration, Instant};

use actix_web::rt::time::sleep;
use marquis_api::{AppState, Config};
use marquis_registry::official;
use marquis_wire::MemorySize;
use serde_json::{Value, json};

use crate::service::{ENDLESS_BOARD, Going, PATIENCE, Reply, encoded, get, post, ready, settings};

/// Lost for White, who moves first, in 12 ("Check numbers" in `swish/rules.md`).
const BOARD: &str = "1w1/1oo1/wo2b/4/2b";

fn kept_in(folder: &Path) -> Config {
    Config { state: Some(folder.to_owned()), ..settings() }
}

/// The first reply with this state of a job, or the last one.
async fn wait_for(state: &actix_web::web::Data<AppState>, job: &str, wanted: &str) -> Value {
    let began = Instant::now();
    loop {
        let document = get(state, job).await.json();
        if document["state"] == wanted || began.elapsed() > PATIENCE {
            return document;
        }
        sleep(Duration::from_millis(20)).await;
    }
}

#[actix_web::test]
async fn a_finished_balance_is_found_again_and_not_computed_twice() {
    let folder = tempfile::tempdir().unwrap();
    let question = json!({"board": BOARD, "budget_ms": 0});
    let (job, first) = {
        let state = ready(kept_in(folder.path()));
        let reply = post(&state, "/v1/swish/balance", &question).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["kept"]), (202, &json!(true)), "{}", reply.text);
        let job = reply.header("location").to_owned();
        let done = wait_for(&state, &job, "done").await;
        assert_eq!(done["result"]["player_two"]["choice"], "choose-colour");
        state.stop();
        (job, done["result"].clone())
    };
    let state = ready(kept_in(folder.path()));
    let again = get(&state, &job).await.json();
    assert_eq!((&again["state"], &again["result"], &again["kept"]), (&json!("done"), &first, &json!(true)));
    // Without a budget only known results can be answered.
    for same in [question, json!({"board": "1w1/1oo1/wo2b/4/2b", "target": 2, "budget_ms": 0})] {
        let reply = post(&state, "/v1/swish/balance", &same).await;
        assert_eq!((reply.status.as_u16(), reply.json()), (200, first.clone()), "{same}");
    }
}

#[actix_web::test]
async fn what_is_known_of_a_set_up_is_answered_without_a_job_and_stops_no_later_search() {
    let state = ready(settings());
    // The book has the verdict; its difficulty takes a search.
    let board = "3/1oo1/2oo1/1o2/1wb";
    let ask = async |limit_ms: u64| {
        let body = json!({"board": board, "limit_ms": limit_ms, "budget_ms": 30_000});
        let reply = post(&state, "/v1/swish/balance", &body).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let found = reply.json();
        (found["player_two"]["choice"].clone(), found["difficulty"]["rating"].clone())
    };
    assert_eq!(ask(0).await, (json!("move-first"), Value::Null));
    let figures = get(&state, "/metrics").await.text;
    let jobs: Vec<&str> = figures.lines().filter(|line| line.starts_with("marquis_jobs{")).collect();
    assert!(!jobs.is_empty() && jobs.iter().all(|line| line.ends_with(" 0")), "{jobs:?}");
    // A job without the time to rate the set-up does not stand for one that has it.
    assert_eq!(ask(1).await, (json!("move-first"), Value::Null));
    let whole = ask(30_000).await;
    assert!(whole.1.is_number(), "{whole:?}");
    assert_eq!(ask(0).await, whole);
    assert_eq!(ask(1).await, whole);
}

#[actix_web::test]
async fn what_was_decided_for_both_colours_is_decided_for_the_choice() {
    let state = ready(settings());
    let both = json!({"board": BOARD, "both": true, "budget_ms": 30000});
    assert_eq!(post(&state, "/v1/swish/balance", &both).await.status, 200);
    let reply = post(&state, "/v1/swish/balance", &json!({"board": BOARD, "budget_ms": 0})).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
}

/// Waits until the jobs and searches of a stopped service have released its folder.
pub(crate) async fn released(folder: &Path) {
    let began = Instant::now();
    while AppState::starting(official(), kept_in(folder)).is_err() {
        assert!(began.elapsed() < PATIENCE, "a job or search still runs");
        sleep(Duration::from_millis(50)).await;
    }
}

#[actix_web::test]
async fn an_unfinished_job_is_resumed_by_the_next_run_and_a_cancelled_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |bait: u16| json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": bait, "budget_ms": 0});
    let (left, cancelled) = {
        let state = ready(kept_in(folder.path()));
        let left = Going::of(&post(&state, "/v1/swish/balance", &ask(1)).await);
        let cancelled = Going::of(&post(&state, "/v1/swish/balance", &ask(2)).await);
        assert_eq!(cancelled.cancel(&state).await.json()["state"], "cancelled");
        state.stop();
        (left, cancelled)
    };
    released(folder.path()).await;
    let state = ready(kept_in(folder.path()));
    assert_eq!(wait_for(&state, &left.place, "running").await["state"], "running");
    assert_eq!(get(&state, &cancelled.place).await.status, 404);
    // The owner from before the restart can still cancel it, and no other client.
    let other = Going { token: cancelled.token, ..left.clone() };
    assert_eq!(other.cancel(&state).await.status, 403);
    assert_eq!(left.cancel(&state).await.json()["state"], "cancelled");
    state.stop();
}

#[actix_web::test]
async fn a_review_outlives_a_restart_at_whatever_time() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |position: &str, moves: &str, move_ms: u32| json!({"record": format!("[Position \"{position}\"] {moves}"), "move_ms": move_ms, "budget_ms": 0});
    let (done, going, review) = {
        let state = ready(kept_in(folder.path()));
        let done = Going::of(&post(&state, "/v1/squish/review", &ask("start:3", "c4-c3 b3xc3", 5000)).await);
        let review = wait_for(&state, &done.place, "done").await["review"].clone();
        let asked = ask("start:5", "a1-b2 a2-a3", 30_000);
        let reply = post(&state, "/v1/squish/review", &asked).await;
        assert_eq!(reply.json()["kept"], json!(true), "{}", reply.text);
        let going = Going::of(&reply);
        assert_eq!(wait_for(&state, &going.place, "running").await["state"], "running");
        state.stop();
        (done, going, review)
    };
    assert_eq!(review["complete"], json!(true), "{review}");
    released(folder.path()).await;
    let state = ready(kept_in(folder.path()));
    let again = get(&state, &done.place).await.json();
    assert_eq!((&again["state"], &again["review"]), (&json!("done"), &review));
    assert_eq!(wait_for(&state, &going.place, "running").await["state"], "running");
    assert_eq!(going.cancel(&state).await.json()["state"], "cancelled");
    state.stop();
}

#[actix_web::test]
async fn a_state_directory_that_cannot_be_written_or_is_taken_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "no directory").unwrap();
    let error = AppState::starting(official(), kept_in(&file)).err().unwrap().to_string();
    assert!(error.contains("--state") && error.contains(&*file.to_string_lossy()), "{error}");
    let taken = folder.path().join("taken");
    let _first = AppState::starting(official(), kept_in(&taken)).unwrap();
    let error = AppState::starting(official(), kept_in(&taken)).err().unwrap().to_string();
    assert!(error.contains("--state"), "{error}");
    std::fs::write(folder.path().join("jobs.redb"), "no database").unwrap();
    assert!(AppState::starting(official(), kept_in(folder.path())).is_err());
}

#[actix_web::test]
async fn a_search_once_made_is_answered_from_the_cache_without_a_budget() {
    let state = ready(settings());
    let first = get(&state, "/v1/squish?position=start:3&budget_ms=30000").await;
    let again = get(&state, "/v1/squish?position=b1w/1wb1/wb1wb/1wb1/b1w_w&budget_ms=0").await;
    // The result of the search is known, whatever source answers now.
    let known = |reply: &Reply| {
        let moves = reply.json()["moves"].as_array().unwrap().clone();
        moves
            .into_iter()
            .map(|own| [&own["move"], &own["value"], &own["plies"]].map(Value::clone))
            .collect::<Vec<_>>()
    };
    assert_eq!((&again.json()["value"], known(&again)), (&json!("win"), known(&first)));
}

#[actix_web::test]
async fn a_search_that_had_little_time_does_not_answer_those_who_give_more() {
    let state = ready(settings());
    let ask = async |budget: u32| {
        let uri = format!("/v1/swish?position=1w1/1oo1/wo2b/4/2b_b_0-0_2&budget_ms={budget}");
        get(&state, &uri).await.json()
    };
    // Usually enough to prove who wins, and never enough to list half a million positions.
    let hurried = ask(60).await;
    assert!(hurried["value"] != "win" && (hurried["plies"].is_null() || hurried["plies"] == 8), "{hurried}");
    for budget in [30_000, 0, 61, 40_000] {
        let answer = ask(budget).await;
        assert_eq!((&answer["value"], &answer["plies"]), (&json!("loss"), &json!(8)), "{budget}: {answer}");
    }
}

/// A service that has too little memory to solve [`BOARD`] completely, so that it has to find a proof.
fn proving(folder: &Path) -> Config {
    let (memory, threads) = (MemorySize(24 << 20), 1);
    Config { memory, search_threads: threads, job_threads: threads, open_jobs: threads, ..kept_in(folder) }
}

/// Plays out a game that is lost for the player to move: against any move the opponent gets a winning reply, without
/// a search, until the rules end the game.
async fn play_out(state: &actix_web::web::Data<AppState>, game: &str, position: &str) -> usize {
    let mut here = position.to_owned();
    let mut loser = None;
    for ply in 0.. {
        let uri = format!("/v1/{game}?budget_ms=0&position={}", encoded(&here));
        let answer = get(state, &uri).await.json();
        let loses = *loser.get_or_insert_with(|| answer["turn"].clone()) == answer["turn"];
        assert_eq!(answer["value"], if loses { "loss" } else { "win" }, "{answer}");
        if !answer["over"].is_null() {
            return ply;
        }
        assert!([json!("proof"), json!("search")].contains(&answer["proof"]), "{answer}");
        let moves = answer["moves"].as_array().unwrap();
        let next = if loses { &moves[ply * 7 % moves.len()] } else { &moves[0] };
        assert_eq!(next["value"], answer["value"], "{answer}");
        here = next["position"].as_str().unwrap().to_owned();
    }
    0
}

#[actix_web::test]
async fn a_set_up_once_balanced_is_played_out_from_its_proof_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let position = {
        let state = ready(proving(folder.path()));
        let body = json!({"board": BOARD, "budget_ms": 30_000});
        let balance = post(&state, "/v1/swish/balance", &body).await.json();
        // The proof is for a colour that loses if it moves first.
        let lost = ["w", "b"].into_iter().find(|colour| balance["first_mover"][colour]["value"] == "loss");
        let first = &balance["first_mover"][lost.unwrap()];
        assert_eq!(first["plies"], json!(null), "it was solved whole and not proved: {balance}");
        let position = first["position"].as_str().unwrap().to_owned();
        assert!(play_out(&state, "swish", &position).await > 3);
        state.stop();
        position
    };
    released(folder.path()).await;
    let state = ready(proving(folder.path()));
    let uri = format!("/v1/swish?budget_ms=0&position={}", encoded(&position));
    let began = Instant::now();
    while get(&state, &uri).await.json()["value"] != "loss" {
        assert!(began.elapsed() < PATIENCE, "the proof is not loaded");
        sleep(Duration::from_millis(20)).await;
    }
    assert!(play_out(&state, "swish", &position).await > 3);
}

#[actix_web::test]
async fn a_set_up_that_was_solved_whole_is_played_out_without_a_search_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let position = {
        let state = ready(kept_in(folder.path()));
        let body = json!({"board": "w2/bo2/b4/1o2/3", "target": 2, "both": true, "budget_ms": 30_000});
        let balance = post(&state, "/v1/squeeze/balance", &body).await.json();
        let first = &balance["first_mover"]["w"];
        assert_eq!((&first["value"], &first["plies"]), (&json!("loss"), &json!(10)), "{balance}");
        let position = first["position"].as_str().unwrap().to_owned();
        assert!(play_out(&state, "squeeze", &position).await > 3);
        state.stop();
        position
    };
    released(folder.path()).await;
    let state = ready(kept_in(folder.path()));
    let uri = |budget: u32| format!("/v1/squeeze?budget_ms={budget}&position={}", encoded(&position));
    let began = Instant::now();
    while get(&state, &uri(0)).await.json()["value"] != "loss" {
        assert!(began.elapsed() < PATIENCE, "the proof is not loaded");
        sleep(Duration::from_millis(20)).await;
    }
    assert!(play_out(&state, "squeeze", &position).await > 3);
    // A request with enough time gets the plies, and the value of every move.
    for more in ["", "&line=true"] {
        let whole = get(&state, &(uri(30_000) + more)).await.json();
        assert_eq!((&whole["value"], &whole["plies"]), (&json!("loss"), &json!(10)), "{whole}");
        assert!(whole["moves"].as_array().unwrap().iter().all(|mv| mv["plies"].is_u64()), "{whole}");
        assert_eq!(whole["line"].as_array().map_or(10, Vec::len), 10, "{whole}");
    }
}
