//! The rate limit of a client, and the requests that are exempt from it.

use actix_web::App;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use marquis_api::{AppState, Config, configure};

use crate::service::{get, ready, settings};

/// A client may make one request per second, far fewer than a test makes.
fn strict() -> Data<AppState> {
    ready(Config { client_rate: 1, client_burst: 1, ..settings() })
}

/// The statuses of thirty requests to one service, because on a busy machine a new service for each takes a second.
///
/// Panics if a refusal has no Retry-After.
async fn thirty(state: &Data<AppState>, uri: &str) -> Vec<u16> {
    let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
    let mut statuses = Vec::new();
    for _ in 0..30 {
        let response = call_service(&app, TestRequest::get().uri(uri).to_request()).await;
        assert!(response.status() != 429 || response.headers().contains_key("retry-after"), "{uri}");
        statuses.push(response.status().as_u16());
    }
    statuses
}

/// The readable addresses in the description, with example values for their parts.
async fn addresses(state: &Data<AppState>) -> Vec<String> {
    let described = get(state, "/openapi.json").await.json();
    let paths = described["paths"].as_object().unwrap().iter();
    let read = paths.filter(|(_, methods)| methods.get("get").is_some());
    let fill = |path: &String| {
        let path = path.replace("{game}", "squish").replace("{name}", "app.js").replace("{study}", "x");
        let path = path.replace("{part}", "play");
        path.replace("{file}", "marquis_web.js").replace("{id}", "17").replace("{folder}", "squish-s3")
    };
    read.map(|(path, _)| fill(path)).collect()
}

#[actix_web::test]
async fn the_page_and_what_the_program_says_of_itself_do_not_count_and_the_rest_does() {
    let state = strict();
    let mut addresses = addresses(&state).await;
    assert!(addresses.len() > 25, "{addresses:?}");
    addresses.extend(["/docs", "/studies", "/guide"].map(str::to_owned));
    for uri in addresses {
        let statuses = thirty(&state, &uri).await;
        let is_free = !uri.starts_with("/v1/") || ["/v1/games", "/v1/squish/rules"].contains(&uri.as_str());
        assert_eq!(!statuses.contains(&429), is_free, "{uri}: {statuses:?}");
    }
    let nowhere = thirty(&state, "/nowhere").await;
    assert!(nowhere.contains(&429), "{nowhere:?}");
}

#[actix_web::test]
async fn every_file_of_the_page_comes_to_a_client_who_may_ask_once() {
    let state = strict();
    for uri in ["/", "/docs/", "/studies/", "/rules/squish"] {
        let page = get(&state, uri).await;
        assert_eq!(page.status, 200, "{uri}");
        let files: Vec<&str> = page.text.split('"').filter(|part| part.starts_with("/assets/")).collect();
        assert!(!files.is_empty(), "{uri}");
        for file in files {
            assert_eq!(get(&state, file).await.status, 200, "{file}");
        }
    }
    // Requests about the games still count.
    let look_up = "/v1/squish?position=3/4/2w2/b3/b1b_w&budget_ms=0";
    assert!(thirty(&state, look_up).await.contains(&429));
}
