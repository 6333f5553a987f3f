//! Requests beyond the limits of the service.

use std::time::Instant;

use actix_web::rt::spawn;
use actix_web::test::TestRequest;
use marquis_api::Config;
use serde_json::json;

use crate::service::{
    ENDLESS, ENDLESS_BOARD, IN_TIME, Reply, get, post, ready, searching, send, settings, until,
};

/// One search at a time and no queue.
fn narrow() -> Config {
    Config { search_threads: 1, job_threads: 1, queue: 0, ..settings() }
}

#[actix_web::test]
async fn a_search_past_its_budget_is_unknown_in_time() {
    let began = Instant::now();
    let reply = get(&ready(settings()), &format!("{ENDLESS}&budget_ms=300")).await;
    assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
    let answer = reply.json();
    assert_eq!((&answer["value"], &answer["plies"]), (&json!("unknown"), &json!(null)), "{answer}");
    assert_eq!(reply.header("cache-control"), "no-store");
    assert_eq!(answer["ended"], "time");
    // A look-up has no search that could end.
    let looked_up = get(&ready(settings()), &format!("{ENDLESS}&budget_ms=0")).await.json();
    assert_eq!((&looked_up["value"], looked_up.get("ended")), (&json!("unknown"), None));
}

#[actix_web::test]
async fn a_balance_that_the_time_has_ended_says_so() {
    let state = ready(Config { job_seconds: 1, ..settings() });
    let body = json!({"board": ENDLESS_BOARD, "budget_ms": 30_000});
    let reply = post(&state, "/v1/squeeze/balance", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!((&reply.json()["balanced"], &reply.json()["ended"]), (&json!(null), &json!("time")));
}

#[actix_web::test]
async fn a_budget_of_nothing_is_answered_and_one_of_a_day_is_cut() {
    let state = ready(Config { budget_default_ms: 100, budget_max_ms: 300, ..settings() });
    for (budget, cut) in [("0", None), ("300", None), ("86400000", Some(json!(300)))] {
        let began = Instant::now();
        let reply = get(&state, &format!("{ENDLESS}&budget_ms={budget}")).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
        assert_eq!(reply.json().get("budget_cut_ms"), cut.as_ref(), "{}", reply.text);
    }
}

#[actix_web::test]
async fn a_balance_with_a_budget_of_nothing_or_of_a_day_is_a_job_in_time() {
    let state = ready(Config { budget_default_ms: 100, budget_max_ms: 300, ..settings() });
    let mut jobs = Vec::new();
    for budget in [0_u64, 86_400_000] {
        let began = Instant::now();
        let body = json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": 1, "budget_ms": budget});
        let reply = post(&state, "/v1/swish/balance", &body).await;
        assert_eq!(reply.status, 202, "{}", reply.text);
        assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
        jobs.push(reply.header("location").to_owned());
    }
    assert_eq!(jobs[0], jobs[1], "the budget belongs to the request and not to the job");
    state.stop();
}

#[actix_web::test]
async fn a_search_too_many_is_told_to_come_again_and_a_lookup_is_not() {
    let state = ready(narrow());
    let (long, reply) = loop {
        let long = searching(&state, || TestRequest::get().uri(&format!("{ENDLESS}&budget_ms=1500"))).await;
        let reply = get(&state, "/v1/flowish?position=start:5").await;
        // On a busy machine the long search may have ended before the short one was sent.
        if reply.status == 429 || !long.is_finished() {
            break (long, reply);
        }
    };
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
    let request = || TestRequest::get().uri(&format!("{ENDLESS}&budget_ms=1500"));
    let first = searching(&state, request).await;
    let asked: Vec<_> = (0..7)
        .map(|_| {
            let (state, one) = (state.clone(), request());
            spawn(async move { send(&state, one).await })
        })
        .collect();
    assert_eq!(first.await.unwrap().status, 200);
    for reply in asked {
        assert_eq!(reply.await.unwrap().status, 200);
    }
}

#[actix_web::test]
async fn a_search_that_nobody_waits_for_any_more_is_stopped() {
    let hour = 3_600_000;
    let state = ready(Config { budget_max_ms: hour, ..narrow() });
    let request = || TestRequest::get().uri(&format!("{ENDLESS}&budget_ms={hour}"));
    searching(&state, request).await.abort();
    // Long before its time, but not at once, because a search checks its stop flag only now and then.
    let ask = || get(&state, "/v1/squish?position=start:3&budget_ms=10000");
    let reply = until(ask, |reply| reply.status != 429).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
}

#[actix_web::test]
async fn a_job_too_many_is_told_to_come_again_while_searches_go_on() {
    let state = ready(narrow());
    let balance = |bait: u16| json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": bait, "budget_ms": 50});
    // Without a queue the threads have to be running first.
    let (first, is_taken) = (balance(1), |reply: &Reply| reply.status != 429);
    assert_eq!(until(|| post(&state, "/v1/swish/balance", &first), is_taken).await.status, 202);
    let refused = post(&state, "/v1/swish/balance", &balance(2)).await;
    assert_eq!(refused.status, 429, "{}", refused.text);
    assert!(!refused.header("retry-after").is_empty());
    let search = format!("{ENDLESS}&budget_ms=50");
    assert_eq!(until(|| get(&state, &search), is_taken).await.status, 200);
    state.stop();
}

#[actix_web::test]
async fn a_client_who_asks_too_often_is_told_to_come_again_and_a_monitor_is_not() {
    let state = ready(Config { client_rate: 1, client_burst: 2, behind_proxy: true, ..settings() });
    let ask = async |from: &'static str, uri: &str| {
        send(&state, TestRequest::get().uri(uri).insert_header(("x-forwarded-for", from))).await
    };
    let uri = "/v1/squish?position=3/4/2w2/b3/b1b_w";
    for status in [200, 200, 429] {
        // Only the last entry is from the proxy; clients can forge the ones before it.
        let reply = ask("10.0.0.1, 192.0.2.7", uri).await;
        assert_eq!(reply.status, status, "{}", reply.text);
        assert_eq!(reply.header("retry-after").is_empty(), status == 200);
        assert!(!reply.header("x-request-id").is_empty());
    }
    assert_eq!(ask("192.0.2.8", uri).await.status, 200, "another client");
    assert_eq!(ask("192.0.2.7", "/livez").await.status, 200, "a monitor");
    assert_eq!(ask("192.0.2.7", "/v1/tables").await.status, 429);
    // A household has an IPv6 network.
    for (from, status) in
        [("2001:db8::1", 200), ("2001:db8::2", 200), ("2001:db8::3", 429), ("2001:db8:0:1::1", 200)]
    {
        assert_eq!(ask(from, uri).await.status, status, "{from}");
    }
}

#[actix_web::test]
async fn a_client_has_no_more_work_under_way_than_is_his_share() {
    let state = ready(Config {
        client_searches: 1,
        client_jobs: 1,
        search_threads: 2,
        behind_proxy: true,
        ..settings()
    });
    let from =
        |request: TestRequest, client: &'static str| request.insert_header(("x-forwarded-for", client));
    let search = |client, budget: u32| {
        let uri = format!("{ENDLESS}&budget_ms={budget}");
        let state = state.clone();
        async move { send(&state, from(TestRequest::get().uri(&uri), client)).await }
    };
    let slow = format!("{ENDLESS}&budget_ms=1500");
    let (long, refused) = loop {
        let long = searching(&state, || from(TestRequest::get().uri(&slow), "192.0.2.7")).await;
        let refused = search("192.0.2.7", 100).await;
        // On a busy machine the long search may have ended before the short one was sent.
        if refused.status == 429 || !long.is_finished() {
            break (long, refused);
        }
    };
    assert_eq!((refused.status.as_u16(), refused.header("retry-after").is_empty()), (429, false));
    assert_eq!(search("192.0.2.8", 100).await.status, 200, "another client");
    assert_eq!(long.await.unwrap().status, 200);
    assert_eq!(search("192.0.2.7", 100).await.status, 200, "he has his share back");

    let balance = async |client, bait: u16| {
        let body = json!({"board": ENDLESS_BOARD, "pie": "bait", "bait": bait, "budget_ms": 0});
        send(&state, from(TestRequest::post().uri("/v1/swish/balance").set_json(&body), client)).await
    };
    let first = balance("192.0.2.7", 1).await;
    assert_eq!(first.status, 202);
    assert_eq!(balance("192.0.2.7", 2).await.status, 429);
    assert_eq!(balance("192.0.2.7", 1).await.status, 202, "the same job is no other");
    assert_eq!(balance("192.0.2.8", 2).await.status, 202, "another client");
    state.stop();
}
