//! The search for browsers, as files of a folder.

use marquis_api::Config;
use serde_json::json;

use crate::service::{get, ready, settings};

#[actix_web::test]
async fn the_search_for_browsers_is_sent_and_nothing_else_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("marquis_web.js", "script"), ("marquis_web_bg.wasm", "code"), ("secret.js", "")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let state = ready(Config { offline: Some(folder.path().to_owned()), ..settings() });
    let listed = json!({"files": [
        {"name": "marquis_web.js", "bytes": 6}, {"name": "marquis_web_bg.wasm", "bytes": 4},
    ]});
    assert_eq!(get(&state, "/offline/").await.json(), listed);
    let code = get(&state, "/offline/marquis_web_bg.wasm").await;
    // Browsers compile this type while it is still loading.
    assert_eq!((code.status.as_u16(), code.header("content-type")), (200, "application/wasm"));
    assert_eq!((code.text.as_str(), code.header("cache-control")), ("code", "no-cache"));
    let script = get(&state, "/offline/marquis_web.js").await;
    assert!(script.header("content-type").starts_with("text/javascript"), "{:?}", script.headers);
    for other in ["secret.js", "..%2fsecret.js", "marquis_web.js%2f..", "x"] {
        assert_eq!(get(&state, &format!("/offline/{other}")).await.status, 404, "{other}");
    }
    std::fs::remove_file(folder.path().join("marquis_web.js")).unwrap();
    assert_eq!(get(&state, "/offline/").await.json(), json!({"files": []}), "half of it is none");
}

#[actix_web::test]
async fn where_no_folder_is_named_there_is_no_search_for_browsers() {
    let state = ready(settings());
    assert_eq!(get(&state, "/offline/").await.json(), json!({"files": []}));
    assert_eq!(get(&state, "/offline/marquis_web.js").await.status, 404);
}

#[actix_web::test]
async fn the_worker_alone_may_compile() {
    let state = ready(settings());
    let policy = async |name: &str| get(&state, name).await.header("content-security-policy").to_owned();
    assert!(policy("/assets/worker.js").await.contains("'wasm-unsafe-eval'"));
    for other in ["/", "/assets/offline.js", "/assets/sw.js"] {
        assert!(!policy(other).await.contains("wasm-unsafe-eval"), "{other}");
    }
    assert_eq!(get(&state, "/assets/sw.js").await.header("service-worker-allowed"), "/");
}

#[actix_web::test]
async fn the_same_number_of_positions_has_the_same_answer() {
    let state = ready(settings());
    let ask =
        async |nodes: u32| get(&state, &format!("/v1/squinch?position=start&nodes={nodes}")).await.json();
    let (little, more) = (ask(500).await, ask(20_000).await);
    assert_eq!(little["ended"], "nodes");
    assert_eq!(ask(500).await, little);
    assert!(more["nodes"].as_u64() > little["nodes"].as_u64(), "{little} {more}");
    for wrong in ["-1", "9223372036854775808", ""] {
        assert_eq!(
            get(&state, &format!("/v1/squinch?position=start&nodes={wrong}")).await.status,
            400,
            "{wrong}"
        );
    }
}
