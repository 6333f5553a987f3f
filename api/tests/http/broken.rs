//! Tables that are cut short, damaged, removed or added under a running service.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use actix_web::web::Data;
use marquis_api::AppState;
use marquis_engine::{Engine, EngineOptions, GameId};
use serde_json::json;

use crate::service::{generated, get, settings};

/// White wins in one (README).
const POSITION: &str = "/v1/squish?position=3/wb2/5/1w1b/3_w";

/// A service whose tables hold all positions of Squish on side 3 with two pieces each, and its folder.
fn with_tables() -> (Data<AppState>, tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    generated(folder.path(), GameId::Squish, |query| {
        (query.side, query.pieces) = (Some(3), Some("2v2".to_owned()));
    });
    let state = AppState::starting(settings()).unwrap();
    state.open(open(folder.path()));
    let files = tables(folder.path());
    assert!(!files.is_empty());
    (Data::new(state), folder, files)
}

fn open(folder: &Path) -> Engine {
    Engine::open(EngineOptions { tables: vec![folder.to_owned()], ..EngineOptions::default() }).unwrap().0
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
async fn a_table_that_is_cut_short_is_let_go_of_and_the_search_answers() {
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
async fn a_table_that_is_damaged_is_never_believed() {
    let (state, _folder, files) = with_tables();
    for file in files {
        let mut bytes = fs::read(&file).unwrap();
        let from = bytes.len() / 2;
        bytes[from..].iter_mut().for_each(|byte| *byte ^= 0x55);
        // Written over and not replaced, so that the open file changes.
        fs::write(&file, bytes).unwrap();
    }
    let reply = get(&state, &format!("{POSITION}&budget_ms=30000")).await;
    let answer = reply.json();
    assert!(reply.status == 503 || (answer["value"] == "win" && answer["plies"] == 1), "{answer}");
}

#[actix_web::test]
async fn tables_that_are_removed_are_no_fault() {
    let (state, folder, _) = with_tables();
    fs::remove_dir_all(folder.path()).unwrap();
    let answer = get(&state, &format!("{POSITION}&budget_ms=30000")).await.json();
    assert_eq!((&answer["value"], &answer["plies"]), (&json!("win"), &json!(1)), "{answer}");
}
