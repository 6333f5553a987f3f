//! Tables that are truncated, damaged, removed or added while the service runs.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use actix_web::web::Data;
use marquis_api::AppState;
use marquis_core::GameId;
use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;
use serde_json::json;

use crate::service::{generated, get, post, settings};

/// White wins in one (README).
const POSITION: &str = "/v1/squish?position=3/wb2/5/1w1b/3_w";

/// A service whose tables hold all positions of Squish on side 3 with two pieces each, and its folder.
fn with_tables() -> (Data<AppState>, tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    generated(folder.path(), GameId::new("squish"), |query| {
        (query.side, query.pieces) = (Some(3), Some("2v2".to_owned()));
    });
    let state = AppState::starting(official(), settings()).unwrap();
    state.open(open(folder.path()));
    let files = tables(folder.path());
    assert!(!files.is_empty());
    (Data::new(state), folder, files)
}

fn open(folder: &Path) -> Engine {
    Engine::open(official(), EngineOptions { tables: vec![folder.to_owned()], ..EngineOptions::default() })
        .unwrap()
        .0
}

fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| if path.is_dir() { tables(&path) } else { vec![path] })
        .filter(|path| is_table(path))
        .collect()
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "mqt")
}

#[actix_web::test]
async fn a_table_that_is_cut_short_is_evicted_and_the_search_answers() {
    let (state, _folder, files) = with_tables();
    for file in files {
        OpenOptions::new().write(true).open(file).unwrap().set_len(100).unwrap();
    }
    let reply = get(&state, &format!("{POSITION}&budget_ms=30000")).await;
    let answer = reply.json();
    assert_eq!((reply.status.as_u16(), &answer["value"], &answer["plies"]), (200, &json!("win"), &json!(1)));
    assert_eq!(answer["proof"], "search", "{answer}");
    assert_eq!(get(&state, "/v1/tables").await.json(), json!({"tables": []}));
}

#[actix_web::test]
async fn tables_that_are_removed_are_no_fault() {
    let (state, folder, _) = with_tables();
    fs::remove_dir_all(folder.path()).unwrap();
    let answer = get(&state, &format!("{POSITION}&budget_ms=30000")).await.json();
    assert_eq!((&answer["value"], &answer["plies"]), (&json!("win"), &json!(1)), "{answer}");
}

/// Damages the blocks of the table in place, and leaves its header intact.
fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let from = bytes.len() / 2;
    bytes[from..].iter_mut().for_each(|byte| *byte ^= 0x55);
    fs::write(file, bytes).unwrap();
}

#[actix_web::test]
async fn a_damaged_table_is_named_and_left_out_and_searches_answer_for_it() {
    let (state, folder, files) = with_tables();
    files.iter().for_each(|file| damage(file));
    // A search that needs it works as well as a look-up.
    let answer = get(&state, &format!("{POSITION}&budget_ms=30000")).await;
    let (status, answer) = (answer.status.as_u16(), answer.json());
    assert_eq!((status, &answer["value"], &answer["plies"]), (200, &json!("win"), &json!(1)), "{answer}");
    assert_eq!(answer["proof"], "search", "{answer}");
    let body = json!({"positions": ["3/wb2/5/1w1b/3 w"], "budget_ms": 30000});
    let batch = post(&state, "/v1/squish", &body).await.json();
    assert_eq!(batch["answers"][0]["proof"], "search", "{batch}");
    for health in ["/readyz", "/healthz"] {
        let health = get(&state, health).await;
        assert_eq!(health.status, 200);
        let damaged = health.json()["damaged"].clone();
        assert_eq!(damaged[0]["thing"], "table", "{damaged}");
        assert!(damaged[0]["name"].as_str().unwrap().ends_with(".mqt"), "{damaged}");
        assert!(!health.text.contains(&*folder.path().to_string_lossy()), "paths are not for clients");
    }
    let metrics = get(&state, "/metrics").await.text;
    let found = metrics.lines().find_map(|line| line.strip_prefix("marquis_faults ")).unwrap();
    assert!(
        (1..=files.len()).contains(&found.trim().parse::<usize>().unwrap()),
        "each is counted once: {found}"
    );
}

#[actix_web::test]
async fn a_table_that_was_evicted_is_used_again_once_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    generated(folder.path(), GameId::new("squish"), |query| {
        (query.side, query.pieces) = (Some(3), Some("2v2".to_owned()));
    });
    let engine = open(folder.path());
    let (all, files) = (engine.tables().len(), tables(folder.path()));
    let (file, whole) = (&files[0], fs::read(&files[0]).unwrap());
    assert!(!engine.let_go(&folder.path().join("no-table.mqt")), "there is no such table");
    damage(file);
    assert!(engine.let_go(file) && engine.let_go(file), "also for the second who comes upon it");
    assert_eq!((engine.tables().len(), engine.damaged_tables()), (all - 1, vec![file.clone()]));
    engine.rescan();
    assert_eq!(engine.tables().len(), all - 1, "it is as damaged as before");
    fs::write(file, whole).unwrap();
    OpenOptions::new().append(true).open(file).unwrap().set_modified(std::time::SystemTime::now()).unwrap();
    engine.rescan();
    assert_eq!((engine.tables().len(), engine.damaged_tables().len()), (all, 0));
}
