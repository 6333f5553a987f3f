//! Cross-origin requests, as browsers send them.

use actix_web::http::{Method, StatusCode};
use actix_web::test::TestRequest;
use marquis_api::Config;

use crate::service::{Reply, ready, send, settings};

const PAGE: &str = "https://example.org";

/// A request of a page, or the preflight request of a browser.
async fn asked(allowed: &[&str], method: Method, uri: &str, origin: &str) -> Reply {
    let cors = allowed.iter().map(|&origin| origin.to_owned()).collect();
    let state = ready(Config { cors, ..settings() });
    let request = TestRequest::with_uri(uri).method(method).insert_header(("origin", origin));
    let request = request.insert_header(("access-control-request-method", "POST"));
    send(&state, request.insert_header(("access-control-request-headers", "content-type"))).await
}

#[actix_web::test]
async fn a_page_of_an_origin_that_is_named_may_ask_and_read_the_headers_of_answers() {
    let first = asked(&[PAGE], Method::OPTIONS, "/v1/swish/balance", PAGE).await;
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!(first.header("access-control-allow-origin"), PAGE);
    assert!(first.header("access-control-allow-methods").contains("POST"));
    assert!(first.header("access-control-allow-headers").contains("content-type"));
    for uri in ["/v1/games", "/v1/nothing/here"] {
        let reply = asked(&[PAGE], Method::GET, uri, PAGE).await;
        assert_eq!(reply.header("access-control-allow-origin"), PAGE, "{uri}: {}", reply.text);
        let exposed = reply.header("access-control-expose-headers").to_owned();
        assert!(
            ["content-range", "location", "retry-after", "x-request-id"]
                .iter()
                .all(|name| exposed.contains(name)),
            "{exposed}"
        );
    }
}

#[actix_web::test]
async fn every_origin_is_allowed_with_a_star_and_others_are_not_told_that_they_are() {
    let anywhere = asked(&["*"], Method::GET, "/v1/games", PAGE).await;
    assert_eq!((anywhere.status, anywhere.header("access-control-allow-origin")), (StatusCode::OK, "*"));
    let stranger = asked(&[PAGE], Method::GET, "/v1/games", "https://example.com").await;
    assert_eq!((stranger.status, stranger.header("access-control-allow-origin")), (StatusCode::OK, ""));
    let refused = asked(&[PAGE], Method::OPTIONS, "/v1/swish/balance", "https://example.com").await;
    assert_eq!(refused.header("access-control-allow-origin"), "");
}

#[actix_web::test]
async fn without_the_setting_no_page_elsewhere_may_read_an_answer() {
    let reply = asked(&[], Method::GET, "/v1/games", PAGE).await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (StatusCode::OK, ""));
}
