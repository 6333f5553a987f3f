//! What happens when more is asked than can be done.

use std::time::{Duration, Instant};

use actix_web::rt::{spawn, time::sleep};
use marquis_api::Config;
use serde_json::json;

use crate::service::{ENDLESS, ENDLESS_BOARD, get, post, ready, settings};

/// One search at a time and no queue.
fn narrow() -> Config {
    Config { search_threads: 1, job_threads: 1, queue: 0, ..settings() }
}

#[actix_web::test]
async fn a_search_past_its_budget_is_unknown_in_time() {
    let began = Instant::now();
    let reply = get(&ready(settings()), &format!("{ENDLESS}&budget_ms=300")).await;
    assert!(began.elapsed() < Duration::from_millis(1300), "{:?}", began.elapsed());
    let answer = reply.json();
    assert_eq!((&answer["value"], &answer["plies"]), (&json!("unknown"), &json!(null)), "{answer}");
    assert_eq!(reply.header("cache-control"), "no-store");
}

#[actix_web::test]
async fn a_budget_of_nothing_is_answered_and_one_of_a_day_is_cut() {
    let state = ready(Config { budget_default_ms: 100, budget_max_ms: 300, ..settings() });
    for budget in ["0", "86400000"] {
        let began = Instant::now();
        let reply = get(&state, &format!("{ENDLESS}&budget_ms={budget}")).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(began.elapsed() < Duration::from_millis(1300), "{:?}", began.elapsed());
    }
}

#[actix_web::test]
async fn a_search_too_many_is_told_to_come_again_and_a_lookup_is_not() {
    let state = ready(narrow());
    sleep(Duration::from_millis(50)).await;
    let busy = state.clone();
    let long = spawn(async move { get(&busy, &format!("{ENDLESS}&budget_ms=1500")).await });
    sleep(Duration::from_millis(300)).await;
    let reply = get(&state, "/v1/squish?position=start:4").await;
    assert_eq!(reply.status, 429, "{}", reply.text);
    assert!(!reply.header("retry-after").is_empty());
    let lookup = get(&state, "/v1/squish?position=3/4/2w2/b3/b1b_w").await;
    assert_eq!(lookup.status, 200, "{}", lookup.text);
    assert_eq!(long.await.unwrap().status, 200);
}

#[actix_web::test]
async fn equal_questions_at_the_same_time_are_one_search() {
    // With one thread and no queue, any second search would be refused.
    let state = ready(narrow());
    sleep(Duration::from_millis(50)).await;
    let ask = || {
        let state = state.clone();
        spawn(async move { get(&state, &format!("{ENDLESS}&budget_ms=400")).await })
    };
    let asked: Vec<_> = (0..8).map(|_| ask()).collect();
    for reply in asked {
        assert_eq!(reply.await.unwrap().status, 200);
    }
}

#[actix_web::test]
async fn a_search_that_nobody_waits_for_any_more_is_stopped() {
    let state = ready(narrow());
    sleep(Duration::from_millis(50)).await;
    let leaving = state.clone();
    let long = spawn(async move { get(&leaving, &format!("{ENDLESS}&budget_ms=30000")).await });
    sleep(Duration::from_millis(300)).await;
    long.abort();
    // Thirty seconds early, but not at once: the search looks at its stop flag every now and then.
    let left = Instant::now();
    loop {
        let reply = get(&state, "/v1/squish?position=start:3&budget_ms=10000").await;
        if reply.status == 200 {
            break;
        }
        assert_eq!(reply.status, 429, "{}", reply.text);
        assert!(left.elapsed() < Duration::from_secs(8), "the search goes on");
        sleep(Duration::from_millis(50)).await;
    }
}

#[actix_web::test]
async fn a_job_too_many_is_told_to_come_again_while_searches_go_on() {
    let state = ready(narrow());
    sleep(Duration::from_millis(50)).await;
    let balance = |bait: u16| json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": bait, "budget_ms": 50});
    assert_eq!(post(&state, "/v1/swish/balance", &balance(1)).await.status, 202);
    let refused = post(&state, "/v1/swish/balance", &balance(2)).await;
    assert_eq!(refused.status, 429, "{}", refused.text);
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(get(&state, &format!("{ENDLESS}&budget_ms=50")).await.status, 200);
    state.stop();
}
