//! A service without tables, and requests to it.

use std::path::Path;
use std::time::{Duration, Instant};

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::rt::{spawn, task::JoinHandle, time::sleep};
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use marquis_api::{AppState, Config, configure};
use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Engine, EngineOptions, Limits};
use marquis_registry::official;
use serde_json::Value;

/// A position that no search answers within seconds: the start of Squinch on the chess board.
pub(crate) const ENDLESS: &str = "/v1/squinch?position=start:8x8x3";

/// A set-up that no search balances within seconds: 37 beads on side 5.
pub(crate) const ENDLESS_BOARD: &str =
    "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";

/// Much longer than any wait of a test, even on a busy machine; endless requests take longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A search is given up half a second after its budget, by a timer that does not wait for the search thread; the rest
/// is a margin for a busy machine. It is less than the maximum budget of thirty seconds, and less than thirty short
/// searches take, so that a search with the wrong budget is detected.
pub(crate) const IN_TIME: Duration = Duration::from_secs(20);

/// Settings of a service that builds nothing.
pub(crate) fn settings() -> Config {
    Config { tables: Vec::new(), build_starter: false, ..Config::default() }
}

/// A service that is ready, with an engine that has no tables.
pub(crate) fn ready(config: Config) -> Data<AppState> {
    let state = AppState::starting(official(), config).unwrap();
    state.open(Engine::open(official(), EngineOptions::default()).unwrap().0);
    Data::new(state)
}

/// A response.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body, which must be JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// The reply to any request.
pub(crate) async fn send(state: &Data<AppState>, request: TestRequest) -> Reply {
    let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
    let response = call_service(&app, request.to_request()).await;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = to_bytes(response.into_body()).await.ok().unwrap();
    Reply { status, headers, text: String::from_utf8(body.to_vec()).unwrap() }
}

/// The bytes of an existing file.
pub(crate) async fn download(state: &Data<AppState>, uri: &str) -> Vec<u8> {
    let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
    let response = call_service(&app, TestRequest::get().uri(uri).to_request()).await;
    assert_eq!(response.status(), 200, "{uri}");
    to_bytes(response.into_body()).await.ok().unwrap().to_vec()
}

/// The reply to a GET.
pub(crate) async fn get(state: &Data<AppState>, uri: &str) -> Reply {
    send(state, TestRequest::get().uri(uri)).await
}

/// The first reply for which `is_wanted` holds.
pub(crate) async fn until<F: Future<Output = Reply>>(
    mut ask: impl FnMut() -> F,
    is_wanted: impl Fn(&Reply) -> bool,
) -> Reply {
    let began = Instant::now();
    loop {
        let reply = ask().await;
        if is_wanted(&reply) {
            return reply;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain; the last reply: {}", reply.text);
        sleep(Duration::from_millis(20)).await;
    }
}

/// Sends a request until there is a thread for its search; returns it while it is being searched.
pub(crate) async fn searching(
    state: &Data<AppState>,
    request: impl Fn() -> TestRequest,
) -> JoinHandle<Reply> {
    loop {
        let (asked, one) = (state.clone(), request());
        let task = spawn(async move { send(&asked, one).await });
        let begun = until(
            || get(state, "/metrics"),
            |figures| task.is_finished() || figures.text.contains("\nmarquis_searches 1\n"),
        );
        begun.await;
        if !task.is_finished() {
            return task;
        }
        let reply = task.await.unwrap();
        assert_eq!(reply.status, 429, "{}", reply.text);
    }
}

/// The reply to a POST of JSON.
pub(crate) async fn post(state: &Data<AppState>, uri: &str, body: &Value) -> Reply {
    send(state, TestRequest::post().uri(uri).set_json(body)).await
}

/// A running job: its address, and the token to cancel it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Going {
    pub(crate) place: String,
    pub(crate) token: String,
}

impl Going {
    /// The job of a reply, which must be 202.
    pub(crate) fn of(reply: &Reply) -> Self {
        assert_eq!(reply.status, 202, "{}", reply.text);
        let token = reply.json()["token"].as_str().unwrap().to_owned();
        Self { place: reply.header("location").to_owned(), token }
    }

    /// The reply to cancelling it.
    pub(crate) async fn cancel(&self, state: &Data<AppState>) -> Reply {
        let request = TestRequest::delete().uri(&self.place);
        send(state, request.insert_header(("Job-Token", self.token.as_str()))).await
    }
}

/// The text, encoded for a query.
pub(crate) fn encoded(text: &str) -> String {
    let one = |b: u8| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") };
    text.bytes().map(one).collect()
}

/// Generates tables into a folder.
pub(crate) fn generated(folder: &Path, game: GameId, wanted: impl FnOnce(&mut BuildQuery)) {
    let mut query = BuildQuery::new(game);
    wanted(&mut query);
    generate(&official(), &query, folder, CHECKPOINT_EVERY, &Limits::default(), &Control::none()).unwrap();
}
