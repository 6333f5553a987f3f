//! Every refusal is a problem document (RFC 9457).

use actix_web::http::Method;
use actix_web::test::TestRequest;
use marquis_engine::GameEntry;
use marquis_registry::official;
use serde_json::json;

use crate::service::{Reply, encoded, get, post, ready, send, settings};

/// Asserts that the reply is a problem document with this status and this text.
fn assert_problem(reply: &Reply, status: u16, says: &str) {
    assert_eq!(reply.status, status, "{}", reply.text);
    assert_eq!(reply.header("content-type"), "application/problem+json");
    let problem = reply.json();
    assert_eq!(problem["status"], status);
    for field in ["type", "title", "detail"] {
        assert!(!problem[field].as_str().unwrap().is_empty(), "{field} in {problem}");
    }
    let id = problem["instance"].as_str().unwrap();
    assert!(!id.is_empty() && id == reply.header("x-request-id"), "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains(says), "{problem} does not say {says}");
}

#[actix_web::test]
async fn a_faulty_question_is_refused_and_its_place_named() {
    let state = ready(settings());
    let faulty = [
        ("/v1/squish", "position"),
        ("/v1/squish?position=", "board"),
        ("/v1/squish?position=start:9", "start"),
        ("/v1/squish?position=start:3&play=a1-z9", "move 1"),
        ("/v1/squish?position=start:3&budget_ms=soon", "budget_ms"),
        ("/v1/squish?position=start:3&budget_ms=-1", "budget_ms"),
        ("/v1/squish?position=start:3&budget_ms=99999999999999999999999", "budget_ms"),
        ("/v1/squish?position=start:3&throw=2", "throw"),
        ("/v1/senet?position=start:2&throw=9", "throw"),
        ("/v1/senet?position=start:2&throw=300", "throw"),
        ("/v1/swish?position=w1w/4/1ooo1/4/b1b_w&immobile=maybe", "immobile"),
        ("/v1/squish?position=start:3&colour=w", "colour"),
        ("/v1/squish?position=start:3&position=start:4", "position"),
    ];
    for (uri, place) in faulty {
        assert_problem(&get(&state, uri).await, 400, place);
    }
}

#[actix_web::test]
async fn a_malformed_position_is_refused_and_its_place_named() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/malformed");
    let state = ready(settings());
    for game in official().games().map(GameEntry::id) {
        let lines = std::fs::read_to_string(format!("{folder}/{game}.txt")).unwrap();
        let cases: Vec<_> = lines.lines().filter_map(|line| line.split_once('\t')).collect();
        assert!(cases.len() >= 30, "{game}");
        for (position, places) in cases {
            let reply = get(&state, &format!("/v1/{game}?budget_ms=0&position={}", encoded(position))).await;
            assert_problem(&reply, 400, "");
            let detail = reply.json()["detail"].as_str().unwrap().to_lowercase();
            let named = places.split('|').any(|place| detail.contains(place));
            assert!(named, "{game} {position:?}: {detail:?} does not name {places}");
        }
    }
}

#[actix_web::test]
async fn a_body_that_is_no_object_is_refused_in_words_of_json() {
    let state = ready(settings());
    let addresses =
        ["squish", "squish/solve", "squish/generate", "swish/balance", "swish/design", "squish/review"];
    for address in addresses {
        for body in [json!([]), json!("start:3"), json!(3)] {
            let reply = post(&state, &format!("/v1/{address}"), &body).await;
            assert_problem(&reply, 400, "expected an object");
        }
    }
}

#[actix_web::test]
async fn a_megabyte_of_slashes_is_a_bad_position_like_any_other() {
    let body = json!({"positions": ["/".repeat(1 << 20)]});
    let reply = post(&ready(settings()), "/v1/squish", &body).await;
    let answer = reply.json()["answers"][0].clone();
    assert_eq!(answer["problem"]["status"], 400);
    assert!(answer["problem"]["detail"].as_str().unwrap().len() < 500);
}

#[actix_web::test]
async fn a_faulty_setup_is_refused_and_its_place_named() {
    let state = ready(settings());
    let board = "w1w/4/1ooo1/4/b1b";
    let faulty = [
        ("squish", json!({"board": board}), "squish"),
        ("swish", json!({"board": "nonsense"}), "row"),
        ("swish", json!({"board": board, "bait": 1}), "bait"),
        ("swish", json!({"board": board, "pie": "apple"}), "pie"),
        ("swish", json!({"board": board, "immobile": "stay"}), "immobile"),
        ("swish", json!({"board": board, "target": 70000}), "70000"),
        ("swish", json!({}), "board"),
        ("swish", json!({"board": board, "colour": "w"}), "colour"),
        ("swish", json!([]), "body"),
    ];
    for (game, body, place) in faulty {
        assert_problem(&post(&state, &format!("/v1/{game}/balance"), &body).await, 400, place);
    }
}

#[actix_web::test]
async fn a_body_that_is_no_json_is_refused() {
    let state = ready(settings());
    let post = || TestRequest::post().uri("/v1/squish");
    let json = ("content-type", "application/json");
    for body in ["", "{", "{\"positions\": 1}", "{\"positions\": [\"start:3\"]} x", "\u{0}"] {
        assert_problem(&send(&state, post().insert_header(json).set_payload(body)).await, 400, "body");
    }
    let plain = post().insert_header(("content-type", "text/plain")).set_payload("{\"positions\": []}");
    assert_problem(&send(&state, plain).await, 415, "application/json");
    assert_problem(&send(&state, post()).await, 415, "application/json");
}

#[actix_web::test]
async fn a_body_past_the_limit_is_refused() {
    let state = ready(marquis_api::Config { body_limit: 1000, ..settings() });
    let body = json!({"positions": ["x".repeat(1000)]});
    assert_problem(&post(&state, "/v1/squish", &body).await, 413, "1000");
}

#[actix_web::test]
async fn an_unknown_game_or_address_is_not_found() {
    let state = ready(settings());
    assert_problem(&get(&state, "/v1/chess?position=start").await, 404, "squish");
    assert_problem(&post(&state, "/v1/chess", &json!({"positions": []})).await, 404, "squish");
    assert_problem(&post(&state, "/v1/chess/balance", &json!({"board": ""})).await, 404, "squish");
    assert_problem(&get(&state, "/v2/squish").await, 404, "/v2/squish");
}

#[actix_web::test]
async fn a_method_that_an_address_does_not_have_is_refused_with_those_it_has() {
    let state = ready(settings());
    let refused = [
        (Method::DELETE, "/v1/squish", "GET, HEAD, POST"),
        (Method::GET, "/v1/swish/balance", "POST"),
        (Method::POST, "/v1/games", "GET, HEAD"),
        (Method::PUT, "/v1/jobs/17", "GET, HEAD, DELETE"),
        (Method::POST, "/livez", "GET, HEAD"),
    ];
    for (method, uri, allow) in refused {
        let reply = send(&state, TestRequest::with_uri(uri).method(method)).await;
        assert_problem(&reply, 405, allow);
        assert_eq!(reply.header("allow"), allow);
    }
}

#[actix_web::test]
async fn a_request_keeps_the_plain_id_that_it_came_with_and_no_other() {
    let state = ready(settings());
    let with = |id: &'static str| TestRequest::get().uri("/v1/chess").insert_header(("x-request-id", id));
    assert_eq!(send(&state, with("club-17")).await.json()["instance"], "club-17");
    let reply = send(&state, with("<script>")).await;
    assert_problem(&reply, 404, "");
    assert_ne!(reply.json()["instance"], "<script>");
}
