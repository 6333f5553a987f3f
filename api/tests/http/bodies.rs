//! Compressed and plain bodies of every call that takes a JSON document.

use std::io::Write as _;

use actix_web::test::TestRequest;
use actix_web::web::Data;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use marquis_api::{AppState, Config};
use marquis_wire::MemorySize;
use serde_json::{Value, json};

use crate::service::{Reply, get, post, ready, send, settings};

/// The content codings that the service supports.
const CODINGS: [&str; 3] = ["gzip", "deflate", "zstd"];

fn packed(coding: &str, body: &[u8]) -> Vec<u8> {
    match coding {
        "gzip" => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap()
        }
        "deflate" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap()
        }
        _ => zstd::encode_all(body, 19).unwrap(),
    }
}

async fn sent(state: &Data<AppState>, uri: &str, coding: &str, bytes: Vec<u8>) -> Reply {
    let request = TestRequest::post().uri(uri).set_payload(bytes);
    let request = request.insert_header(("content-type", "application/json"));
    send(state, request.insert_header(("content-encoding", coding))).await
}

/// Every call that takes a JSON body, from the description.
async fn calls(state: &Data<AppState>) -> Vec<String> {
    let described = get(state, "/openapi.json").await.json();
    let paths = described["paths"].as_object().unwrap().iter();
    let calls = paths.filter(|(_, methods)| {
        let mut methods = methods.as_object().unwrap().values();
        methods.any(|method| method.pointer("/requestBody/content/application~1json").is_some())
    });
    let calls: Vec<String> = calls.map(|(path, _)| path.replace("{game}", "swish")).collect();
    assert!(calls.len() >= 7, "{calls:?}");
    calls
}

#[actix_web::test]
async fn a_packed_body_says_what_it_says_unpacked() {
    let state = ready(settings());
    for uri in calls(&state).await {
        // Plain or compressed, the body is refused with the same detail, which names the field.
        let body = json!({"no such field": "x".repeat(100_000)});
        let plain = post(&state, &uri, &body).await;
        assert_eq!(plain.status, 400, "{uri}: {}", plain.text);
        for coding in CODINGS {
            let reply = sent(&state, &uri, coding, packed(coding, body.to_string().as_bytes())).await;
            assert_eq!(reply.json()["detail"], plain.json()["detail"], "{uri} {coding}");
        }
    }
    let positions = json!({"positions": ["start:3", "3/4/2w2/b3/b1b w"], "budget_ms": 0});
    let plain = post(&state, "/v1/squish", &positions).await;
    for coding in CODINGS {
        let bytes = packed(coding, positions.to_string().as_bytes());
        let reply = sent(&state, "/v1/squish", coding, bytes).await;
        assert_eq!((reply.status.as_u16(), reply.text), (200, plain.text.clone()), "{coding}");
    }
}

#[actix_web::test]
async fn a_packed_body_past_the_limit_is_refused_by_every_call() {
    let state = ready(Config { body_limit: 4000, ..settings() });
    let bomb = " ".repeat(1 << 20);
    for uri in calls(&state).await {
        for coding in CODINGS {
            let bytes = packed(coding, bomb.as_bytes());
            assert!(bytes.len() < 4000, "{coding}");
            let reply = sent(&state, &uri, coding, bytes).await;
            let problem = reply.json();
            assert_eq!(reply.status, 413, "{uri} {coding}: {problem}");
            assert!(problem["detail"].as_str().unwrap().contains("4000"), "{problem}");
        }
    }
}

#[actix_web::test]
async fn a_coding_that_is_not_unpacked_is_refused_with_those_that_are() {
    let state = ready(settings());
    for uri in calls(&state).await {
        for coding in ["br", "compress", "gzip, gzip", "zstd, gzip", "nonsense"] {
            let reply = sent(&state, &uri, coding, b"{}".to_vec()).await;
            assert_eq!(reply.status, 415, "{uri} {coding}: {}", reply.text);
            assert_eq!(reply.header("accept-encoding"), "gzip, deflate, zstd");
            assert!(reply.json()["detail"].as_str().unwrap().contains(coding), "{}", reply.text);
        }
        let reply = sent(&state, &uri, "identity", b"[]".to_vec()).await;
        assert_eq!(reply.status, 400, "{uri}: {}", reply.text);
    }
}

#[actix_web::test]
async fn what_is_not_packed_as_it_says_is_refused() {
    let state = ready(settings());
    let body = br#"{"positions": ["start:3"], "budget_ms": 0}"#;
    for coding in CODINGS {
        let whole = packed(coding, body);
        let cut = whole[..whole.len() / 2].to_vec();
        let followed = [&whole[..], b"more"].concat();
        for bytes in [Vec::new(), body.to_vec(), cut, followed] {
            let reply = sent(&state, "/v1/squish", coding, bytes).await;
            assert_eq!(reply.status, 400, "{coding}: {}", reply.text);
            assert!(reply.json()["detail"].as_str().unwrap().starts_with("body: "), "{}", reply.text);
        }
    }
    // A window of 128 MiB, more than HTTP allows.
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(body).unwrap();
    let reply = sent(&state, "/v1/squish", "zstd", encoder.finish().unwrap()).await;
    assert_eq!(reply.status, 400, "{}", reply.text);
}

#[actix_web::test]
async fn the_largest_body_is_read_with_the_least_memory() {
    let state = ready(Config { memory: MemorySize(1 << 20), ..settings() });
    let body = json!({"positions": [" ".repeat((2 << 20) - 100)]}).to_string();
    for coding in CODINGS {
        let reply = sent(&state, "/v1/squish", coding, packed(coding, body.as_bytes())).await;
        assert_eq!(reply.status, 200, "{coding}: {}", reply.text);
    }
    let reply = post(&state, "/v1/squish", &serde_json::from_str::<Value>(&body).unwrap()).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    // All of it is released.
    let figures = get(&state, "/metrics").await.text;
    assert!(figures.contains("\nmarquis_request_room_used_bytes 0\n"), "{figures}");
}
