//! The same two games over HTTP: the service starts with a registry that only has them.

use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::rt::System;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use actix_web::{App, http::Method};
use marquis_api::{AppState, Config, configure};
use serde_json::{Value, json};

use super::{
    BuildQuery, CHECKPOINT_EVERY, Control, Engine, EngineOptions, Limits, Path, QUIXO, TempDir, generate,
    registry, scurry,
};

/// A service for these games that is ready to answer from the tables of some folders.
fn service(tables: &[&Path]) -> Data<AppState> {
    let tables: Vec<_> = tables.iter().map(|&folder| folder.to_owned()).collect();
    let config = Config { tables: tables.clone(), build_starter: false, ..Config::default() };
    let state = AppState::starting(registry(), config).expect("a service");
    let options = EngineOptions { tables, ..EngineOptions::default() };
    let (engine, problems) = Engine::open(registry(), options).expect("the folders can be read");
    assert!(problems.is_empty(), "{problems:?}");
    state.open(engine);
    Data::new(state)
}

/// The status and the JSON of a response.
fn reply(state: &Data<AppState>, request: TestRequest) -> (StatusCode, Value) {
    System::new().block_on(async {
        let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
        let response = call_service(&app, request.to_request()).await;
        let status = response.status();
        let Ok(body) = to_bytes(response.into_body()).await else { panic!("the body breaks off") };
        (status, serde_json::from_slice(&body).expect("JSON"))
    })
}

/// The JSON of a response to a GET.
fn get(state: &Data<AppState>, uri: &str) -> Value {
    let (status, json) = reply(state, TestRequest::get().uri(uri));
    assert_eq!(status, StatusCode::OK, "{uri}: {json}");
    json
}

/// The answers to a batch.
fn batch(state: &Data<AppState>, uri: &str, body: &Value) -> Vec<Value> {
    let request = TestRequest::default().method(Method::POST).uri(uri).set_json(body);
    let (status, json) = reply(state, request);
    assert_eq!(status, StatusCode::OK, "{uri}: {json}");
    json["answers"].as_array().expect("a list").clone()
}

/// A folder with all layers of Quixo on three by three cubes.
fn quixo() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let query = BuildQuery { side: Some(3), ..BuildQuery::new(QUIXO) };
    generate(&registry(), &query, folder.path(), CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .expect("built");
    folder
}

#[test]
fn the_service_lists_strange_games_with_their_starts_and_rules() {
    let state = service(&[]);
    let listed = get(&state, "/v1/games");
    let games = listed["games"].as_array().expect("a list");
    let names: Vec<_> = games.iter().map(|game| game["id"].as_str().expect("a name")).collect();
    assert_eq!(names, ["quixo", "scurry"]);
    assert_eq!(games[0]["starts"][1], json!({"name": "start:4", "position": "4/4/4/4 x", "usual": true}));
    assert_eq!(games[1]["starts"], json!([{"name": "start:3", "position": "10 3-3 r", "usual": true}]));
    for game in games {
        let rules = get(&state, game["rules"].as_str().expect("an address"));
        assert_eq!(rules["game"], game["id"]);
        assert!(rules["rules"].as_str().is_some_and(|page| !page.is_empty()), "{rules}");
    }
    let (status, problem) = reply(&state, TestRequest::get().uri("/v1/squish?position=start"));
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("quixo")), "{problem}");
}

#[test]
fn the_service_answers_quixo_from_tables_by_a_search_and_in_a_batch() {
    let folder = quixo();
    let (with, without) = (service(&[folder.path()]), service(&[]));
    let uri = "/v1/quixo?position=start:3&budget_ms=30000";
    let (table, searched) = (get(&with, uri), get(&without, uri));
    assert_eq!((&table["proof"], &searched["proof"]), (&json!("table"), &json!("search")));
    assert_eq!((&table["value"], &searched["value"]), (&json!("win"), &json!("win")));
    assert_eq!(table["plies"], searched["plies"]);
    // Eight cubes of the border: those in corners go to two ends, the others to three.
    assert_eq!(table["moves"].as_array().map(Vec::len), Some(4 * 2 + 4 * 3));
    let line = get(&with, "/v1/quixo?position=start:3&line=true");
    assert_eq!(line["line"].as_array().map(Vec::len), table["plies"].as_u64().map(|plies| plies as usize));
    let played = get(&with, "/v1/quixo?position=start:3&play=a1-a3");
    let best = table["moves"].as_array().expect("a list").iter().find(|mv| mv["move"] == "a1-a3");
    assert_eq!(best.expect("a legal move")["position"], played["position"]);
    let (status, problem) = reply(&with, TestRequest::get().uri("/v1/quixo?position=start:3&play=b2-b3"));
    assert_eq!((status, &problem["place"]), (StatusCode::BAD_REQUEST, &json!("move 1 to play first")));
    let asked = json!({"positions": ["start:3", "3/3/3 y", played["position"]]});
    let answers = batch(&with, "/v1/quixo", &asked);
    assert_eq!((&answers[0], &answers[2]), (&table, &played));
    assert_eq!(answers[1]["problem"]["place"], "player to move", "{}", answers[1]);
}

#[test]
fn the_service_answers_a_race_with_throws_from_tables_by_a_solver_and_in_a_batch() {
    let folder = scurry();
    let (with, without) = (service(&[folder.path()]), service(&[]));
    let uri = "/v1/scurry?position=start&budget_ms=30000";
    let (table, solved) = (get(&with, uri), get(&without, uri));
    assert_eq!((&table["proof"], &solved["proof"]), (&json!("table"), &json!("search")));
    let chance = |answer: &Value| answer["chance"].as_f64().expect("known");
    assert!((chance(&table) - chance(&solved)).abs() < 1e-9, "{table} {solved}");
    let weights = |throw: &Value| (throw["throw"].clone(), throw["weight"].clone());
    let throws: Vec<_> = table["throws"].as_array().expect("a list").iter().map(weights).collect();
    assert_eq!(throws.len(), 3, "{throws:?}");
    // The chance of a position is the mean of its throws, weighted by their frequency.
    let of_all: f64 = table["throws"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|throw| throw["weight"].as_f64().expect("a weight") * throw["chance"].as_f64().expect("known"))
        .sum();
    let sides: f64 = throws.iter().map(|(_, weight)| weight.as_f64().expect("a weight")).sum();
    assert!((of_all / sides - chance(&table)).abs() < 1e-8, "{table}");
    let played = get(&with, "/v1/scurry?position=start&play=3:0-3&throw=2");
    assert_eq!(played["position"], "2r7 2-3 b");
    assert_eq!(
        (&played["throws"][0]["throw"], &played["throws"][0]["moves"][0]["move"]),
        (&json!(2), &json!("0-2"))
    );
    for wrong in ["throw=6", "play=3:0-4", "line=true"] {
        let (status, problem) =
            reply(&with, TestRequest::get().uri(&format!("/v1/scurry?position=start&{wrong}")));
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}: {problem}");
    }
    let asked = json!({"positions": ["start", "10 4-3 r", "9r 0-1 b"]});
    let answers = batch(&with, "/v1/scurry", &asked);
    assert_eq!(answers[0], table);
    assert_eq!((&answers[1]["problem"]["place"], &answers[2]["proof"]), (&json!("home"), &json!("table")));
}
