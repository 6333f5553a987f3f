//! Tables are sent as they are on the disk, whole or in ranges; other files are not sent.

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::http::header::RANGE;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use marquis_api::{AppState, configure};
use marquis_core::GameId;
use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;

use crate::service::{generated, get, settings};

/// Status, relevant headers, and bytes.
async fn download(state: &Data<AppState>, uri: &str, range: Option<&str>) -> (u16, String, Vec<u8>) {
    let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
    let mut request = TestRequest::get().uri(uri);
    if let Some(range) = range {
        request = request.insert_header((RANGE, range));
    }
    let response = call_service(&app, request.to_request()).await;
    let status = response.status().as_u16();
    let said = response.headers().get("content-range").map_or("", |value| value.to_str().unwrap()).to_owned();
    (status, said, to_bytes(response.into_body()).await.ok().unwrap().to_vec())
}

#[actix_web::test]
async fn a_table_is_sent_whole_and_in_ranges_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    generated(folder.path(), GameId::new("squish"), |query| {
        (query.side, query.pieces) = (Some(2), Some("2v2".to_owned()));
    });
    std::fs::write(folder.path().join("squish-s2/secret.txt"), "no table").unwrap();
    let state = AppState::starting(official(), settings()).unwrap();
    let options = EngineOptions { tables: vec![folder.path().to_owned()], ..EngineOptions::default() };
    state.open(Engine::open(official(), options).unwrap().0);
    let state = Data::new(state);
    let tables = get(&state, "/v1/tables").await.json();
    let tables = tables["tables"].as_array().unwrap();
    assert!(!tables.is_empty());
    for table in tables {
        let name = table["file"].as_str().unwrap();
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let uri = format!("/v1/tables/{name}");
        assert_eq!(download(&state, &uri, None).await, (200, String::new(), bytes.clone()), "{name}");
        let range = format!("bytes 10-19/{}", bytes.len());
        let part = bytes[10..20].to_vec();
        assert_eq!(download(&state, &uri, Some("bytes=10-19")).await, (206, range, part), "{name}");
        let (status, _, _) = download(&state, &uri, Some("bytes=99999999-")).await;
        assert_eq!(status, 416, "{name}");
    }
    for uri in [
        "/v1/tables/squish-s2/secret.txt",
        "/v1/tables/squish-s2/..%2Fsquish-s2%2Fsecret.txt",
        "/v1/tables/..%2F../etc%2Fpasswd",
        "/v1/tables/squish-s2/9v9.mqt",
    ] {
        let (status, _, body) = download(&state, uri, None).await;
        let body = String::from_utf8(body).unwrap();
        assert_eq!(status, 404, "{uri}: {body}");
        assert!(body.starts_with("{\"type\":"), "a problem, found {body}");
    }
}
