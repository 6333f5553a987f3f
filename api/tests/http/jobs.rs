//! Balances, at once and as jobs.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use actix_web::App;
use actix_web::body::MessageBody as _;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use futures_util::future::join;
use marquis_api::{AppState, configure};
use marquis_core::{GameId, Immobile};
use marquis_engine::{BalanceQuery, Control, Engine, EngineOptions, Limits, Pie, Until};
use marquis_registry::official;
use marquis_wire::MemorySize;
use serde_json::{Value, json};

use crate::service::{ENDLESS_BOARD, Going, Reply, get, post, ready, send, settings, until};

/// Starts a job for the endless set-up with this bait and a short budget.
async fn endless(state: &Data<AppState>, bait: u16) -> Going {
    let body = json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": bait, "budget_ms": 20});
    let reply = post(state, "/v1/swish/balance", &body).await;
    let job = Going::of(&reply);
    assert_eq!(job.place, format!("/v1/jobs/{}", reply.json()["id"].as_str().unwrap()));
    job
}

async fn endless_job(state: &Data<AppState>) -> Going {
    endless(state, 1).await
}

async fn delete(state: &Data<AppState>, job: &Going) -> Value {
    let reply = job.cancel(state).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()
}

#[actix_web::test]
async fn on_a_board_where_moving_first_loses_player_two_chooses_the_colour() {
    // A half turn swaps the colours of this board, so Black moving first loses like White moving first.
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
    let again = endless_job(&state).await;
    assert_eq!(again.place, job.place, "the same question is the same job");
    until(|| get(&state, &job.place), |reply| reply.json()["state"] == "running").await;
    assert_eq!(delete(&state, &again).await["state"], "running", "somebody else wants it");
    let cancelled = delete(&state, &job).await;
    assert_eq!((&cancelled["state"], &cancelled["ended"]), (&json!("cancelled"), &json!("stopped")));
    assert_eq!(get(&state, &job.place).await.json()["state"], "cancelled");
    assert_eq!(delete(&state, &job).await["state"], "cancelled", "cancelling again changes nothing");
}

#[actix_web::test]
async fn a_cancelled_balance_keeps_what_it_knows() {
    let state = ready(settings());
    let job = endless_job(&state).await;
    until(|| get(&state, &job.place), |reply| reply.json()["progress"]["nodes"].as_u64() > Some(10_000))
        .await;
    let cancelled = delete(&state, &job).await;
    assert_eq!(cancelled["state"], "cancelled");
    let known = &cancelled["result"];
    assert_eq!((&known["balanced"], &known["ended"]), (&Value::Null, &json!("stopped")), "{cancelled}");
    // Values without a proof are estimated, for each colour.
    for colour in ["w", "b"] {
        let first = &known["first_mover"][colour];
        assert!(first["value"] != "unknown" || first["wdl"]["win"].is_number(), "{cancelled}");
    }
    assert_eq!(get(&state, &job.place).await.json()["result"], *known);
}

#[actix_web::test]
async fn only_who_asked_for_a_job_cancels_and_lists_it() {
    let state = ready(settings());
    let job = endless_job(&state).await;
    let refused = async |token: Option<&str>| {
        let request = TestRequest::delete().uri(&job.place);
        let request = match token {
            Some(token) => request.insert_header(("Job-Token", token)),
            None => request,
        };
        let reply = send(&state, request).await;
        (reply.status.as_u16(), reply.json()["type"].as_str().unwrap().to_owned())
    };
    let bad = (400, "urn:marquis:problem:bad-input".to_owned());
    assert_eq!((refused(None).await, refused(Some("guessed")).await), (bad.clone(), bad));
    let other = "0123456789abcdef0123456789abcdef";
    assert_eq!(refused(Some(other)).await, (403, "urn:marquis:problem:not-yours".to_owned()));
    let own = async |token: &str| {
        let request = TestRequest::get().uri("/v1/jobs").insert_header(("Job-Token", token));
        send(&state, request).await.json()["jobs"].as_array().unwrap().clone()
    };
    assert_eq!(own(other).await, Vec::<Value>::new());
    assert_eq!(own(&job.token).await[0]["id"], job.place.rsplit('/').next().unwrap());
    assert_eq!(get(&state, "/v1/jobs").await.status, 400);
    // No other client receives the token, and a client may bring its own.
    assert!(!get(&state, &job.place).await.text.contains(&job.token));
    let body = json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": 1, "budget_ms": 0});
    let request = TestRequest::post().uri("/v1/swish/balance").set_json(&body);
    let joined = Going::of(&send(&state, request.insert_header(("Job-Token", other))).await);
    assert_eq!((joined.token.as_str(), &joined.place), (other, &job.place));
    assert_eq!(own(other).await.len(), 1);
    // The other client still wants it.
    for told in [delete(&state, &job).await, get(&state, &job.place).await.json()] {
        assert!(["queued", "running", "done"].map(Value::from).contains(&told["state"]), "{told}");
    }
    assert_eq!(delete(&state, &joined).await["state"], "cancelled");
}

#[actix_web::test]
async fn who_asks_while_a_job_is_cancelled_gets_one_that_goes_on() {
    let state = ready(settings());
    let job = endless_job(&state).await;
    until(|| get(&state, &job.place), |reply| reply.json()["state"] == "running").await;
    let (cancelled, again) = actix_web::rt::spawn({
        let (state, job) = (state.clone(), job.clone());
        async move { join(job.cancel(&state), endless_job(&state)).await }
    })
    .await
    .unwrap();
    assert_eq!(cancelled.status, 200, "{}", cancelled.text);
    let reply = until(|| get(&state, &again.place), |reply| reply.json()["state"] != "queued").await;
    assert_eq!(reply.json()["state"], "running", "{}", reply.text);
    delete(&state, &again).await;
}

#[actix_web::test]
async fn jobs_that_wait_say_how_many_come_before_them() {
    let state = ready(marquis_api::Config { job_threads: 1, ..settings() });
    let running = endless_job(&state).await;
    until(|| get(&state, &running.place), |reply| reply.json()["state"] == "running").await;
    let waiting = [endless(&state, 2).await, endless(&state, 3).await];
    let ahead = async |job: &Going| get(&state, &job.place).await.json()["progress"]["ahead"].clone();
    assert_eq!(ahead(&running).await, Value::Null);
    assert_eq!((ahead(&waiting[0]).await, ahead(&waiting[1]).await), (json!(0), json!(1)));
    delete(&state, &running).await;
    until(|| get(&state, &waiting[0].place), |reply| reply.json()["state"] == "running").await;
    assert_eq!(ahead(&waiting[1]).await, json!(0));
    for job in &waiting {
        delete(&state, job).await;
    }
}

#[actix_web::test]
async fn a_balance_tells_of_each_colour_on_its_way() {
    let state = ready(settings());
    let job = endless_job(&state).await;
    let told = |reply: &Reply| reply.json()["progress"]["first_mover"].is_object();
    let reply = until(|| get(&state, &job.place), told).await;
    for colour in ["w", "b"] {
        let known = &reply.json()["progress"]["first_mover"][colour];
        assert_eq!(*known, json!(["loss", "win"]), "{}", reply.text);
    }
    delete(&state, &job).await;
}

#[actix_web::test]
async fn two_hard_set_ups_are_worked_on_at_a_time() {
    // No turn ends while others wait here, so with one worker the second job would never start.
    let state = ready(marquis_api::Config { job_threads: 2, job_slice_seconds: 3600, ..settings() });
    let (first, second) = (endless_job(&state).await, endless(&state, 2).await);
    let nodes = |reply: &Reply| reply.json()["progress"]["nodes"].as_u64();
    let mut before = [Some(0); 2];
    // Both make progress, each again after the other.
    for _ in 0..2 {
        for (job, before) in [&first, &second].into_iter().zip(&mut before) {
            let reply = until(|| get(&state, &job.place), |reply| nodes(reply) > *before).await;
            assert_eq!(reply.json()["progress"]["ahead"], Value::Null, "{}", reply.text);
            *before = nodes(&reply);
        }
    }
    for job in [&first, &second] {
        delete(&state, job).await;
    }
}

#[actix_web::test]
async fn two_hard_set_ups_of_two_visitors_both_get_on_with_one_worker() {
    let state = ready(marquis_api::Config { job_threads: 1, job_slice_seconds: 1, ..settings() });
    let jobs = [endless_job(&state).await, endless(&state, 2).await];
    assert_ne!(jobs[0].token, jobs[1].token);
    let nodes = |reply: &crate::service::Reply| reply.json()["progress"]["nodes"].as_u64().unwrap();
    // Each job resumes after the turn of the other, from where it was.
    let mut before = [0, 0];
    for _ in 0..2 {
        for (job, before) in jobs.iter().zip(&mut before) {
            let reply = until(|| get(&state, &job.place), |reply| nodes(reply) > *before).await;
            assert_eq!(reply.json()["state"], "running", "{}", reply.text);
            *before = nodes(&reply);
        }
    }
    // One of them sleeps, and reports it.
    let ahead = async |job: &Going| get(&state, &job.place).await.json()["progress"]["ahead"].is_u64();
    let one_sleeps = async || ahead(&jobs[0]).await != ahead(&jobs[1]).await;
    let began = std::time::Instant::now();
    while !one_sleeps().await {
        assert!(began.elapsed() < crate::service::PATIENCE, "both work at a time");
    }
    for job in &jobs {
        assert_eq!(delete(&state, job).await["state"], "cancelled");
    }
}

/// A service that cancels jobs after a second without requests, and a slightly longer time to wait.
fn impatient() -> (Data<AppState>, std::time::Duration) {
    let config = marquis_api::Config { job_patience_seconds: 1, ..settings() };
    (ready(config), std::time::Duration::from_millis(1100))
}

#[actix_web::test]
async fn a_job_that_nobody_asks_about_is_cancelled_unless_it_was_asked_to_go_on() {
    let (state, silence) = impatient();
    let begin = async |bait: u16, go_on: bool| {
        let body = json!({
            "board": ENDLESS_BOARD, "pie": "bait", "bait": bait, "budget_ms": 0, "go_on": go_on
        });
        Going::of(&post(&state, "/v1/swish/balance", &body).await)
    };
    let (dropped, wanted, heard) = (begin(1, false).await, begin(2, true).await, begin(3, false).await);
    let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
    let request = TestRequest::get().uri(&format!("{}/events", heard.place)).to_request();
    let events = call_service(&app, request).await;
    state.tidy().await;
    assert_ne!(get(&state, &dropped.place).await.json()["state"], "cancelled", "it is too early");
    actix_web::rt::time::sleep(silence).await;
    state.tidy().await;
    assert_eq!(get(&state, &dropped.place).await.json()["state"], "cancelled");
    for job in [&wanted, &heard] {
        let state = get(&state, &job.place).await.json()["state"].clone();
        assert!(state == "running" || state == "queued", "{state}");
    }
    // The listener leaves.
    drop(events);
    actix_web::rt::time::sleep(silence).await;
    state.tidy().await;
    assert_eq!(get(&state, &heard.place).await.json()["state"], "cancelled");
    delete(&state, &wanted).await;
}

#[actix_web::test]
async fn who_asks_for_a_job_to_go_on_decides_for_all_who_ask_for_it() {
    let (state, silence) = impatient();
    let body =
        |go_on| json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": 1, "budget_ms": 0, "go_on": go_on});
    let mut jobs = Vec::new();
    for go_on in [false, true, false] {
        jobs.push(Going::of(&post(&state, "/v1/swish/balance", &body(go_on)).await));
    }
    actix_web::rt::time::sleep(silence).await;
    state.tidy().await;
    assert_ne!(get(&state, &jobs[0].place).await.json()["state"], "cancelled");
    for job in &jobs {
        delete(&state, job).await;
    }
}

#[actix_web::test]
async fn a_balance_ends_after_the_time_that_the_caller_gives_it() {
    let state = ready(settings());
    let body = json!({"board": ENDLESS_BOARD, "limit_ms": 300, "budget_ms": 30_000});
    let reply = post(&state, "/v1/swish/balance", &body).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["ended"]), (200, &json!("time")), "{}", reply.text);
}

#[actix_web::test]
async fn a_job_that_waits_for_its_turns_has_as_much_time_to_work_as_one_alone() {
    let state = ready(marquis_api::Config { job_threads: 1, job_slice_seconds: 0, ..settings() });
    let body = |pie| json!({"board": ENDLESS_BOARD, "pie": pie, "limit_ms": 1000, "budget_ms": 0});
    let began = Instant::now();
    let mut jobs = Vec::new();
    for pie in ["marquisian", "bait"] {
        jobs.push(Going::of(&post(&state, "/v1/swish/balance", &body(pie)).await));
    }
    let mut worked = 0.0;
    for Going { place, .. } in &jobs {
        let is_over =
            |reply: &Reply| !["queued", "running"].map(Value::from).contains(&reply.json()["state"]);
        let job = until(|| get(&state, place), is_over).await.json();
        assert_eq!((&job["state"], &job["ended"]), (&json!("done"), &json!("time")), "{job}");
        let seconds = job["progress"]["seconds"].as_f64().unwrap();
        assert!(seconds >= 0.9, "{job}");
        worked += seconds;
    }
    // Both share one worker.
    let all = began.elapsed().as_secs_f64();
    assert!(worked <= all, "{worked} s of work in {all} s");
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
    let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
    let request = TestRequest::get().uri(&format!("{}/events", job.place)).to_request();
    let events = call_service(&app, request).await;
    assert_eq!(events.headers().get("content-type").unwrap(), "text/event-stream");
    let mut body = pin!(events.into_body());
    let mut next = async || poll_fn(|context| body.as_mut().poll_next(context)).await;
    let mut text = Vec::new();
    while let Some(piece) = next().await {
        // The first piece arrives before the job ends.
        if text.is_empty() {
            delete(&state, &job).await;
        }
        text.extend(piece.ok().unwrap());
    }
    let text = String::from_utf8(text).unwrap();
    let blocks: Vec<_> = text.split("\n\n").filter(|block| !block.is_empty()).collect();
    let data =
        |block: &str| -> Value { serde_json::from_str(block.split_once("\ndata: ").unwrap().1).unwrap() };
    assert!(blocks[0].starts_with("event: progress\n"), "{text}");
    for field in ["state", "bounds", "nodes", "seconds"] {
        assert!(data(blocks[0]).get(field).is_some(), "{field} in {}", blocks[0]);
    }
    let last = blocks.last().unwrap();
    assert!(last.starts_with("event: cancelled\n"), "{last}");
    assert_eq!(data(last)["id"], job.place.rsplit('/').next().unwrap());
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
    // A thousand terabytes: allocating them would end the program.
    let limits = Limits { memory: Some(MemorySize(1 << 50)), ..Limits::default() };
    let engine = Engine::open(official(), EngineOptions::default()).unwrap().0;
    let query = BalanceQuery {
        game: GameId::new("swish"),
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
