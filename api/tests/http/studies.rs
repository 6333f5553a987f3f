//! The studies that an operator shows: the state of each, and its tree.

use std::num::NonZeroU64;
use std::path::Path;

use marquis_api::Config;
use marquis_core::GameId;
use marquis_engine::{BalanceQuery, Control, Engine, EngineOptions, Limits, Pie, Query, StudyOptions, Until};
use marquis_registry::official;
use serde_json::{Value, json};

use crate::service::{get, ready, settings};

/// A loss for White in 12 plies.
const LOST: &str = "w1w/4/1ooo1/4/b1b w 0-0 2";

fn engine() -> Engine {
    Engine::open(official(), EngineOptions::default()).unwrap().0
}

fn options(folder: &Path) -> StudyOptions {
    let job_nodes = NonZeroU64::new(100).unwrap();
    StudyOptions { job_nodes, ..StudyOptions::in_folder(folder.to_owned()) }
}

fn limits(nodes: Option<u64>) -> Limits {
    Limits { nodes, threads: Some(1), ..Limits::default() }
}

/// Studies `LOST` in a folder, limited to `nodes` positions.
fn study(folder: &Path, nodes: Option<u64>) {
    let query = Query::new(GameId::new("swish"), LOST.to_owned());
    engine().study(&query, &options(folder), &limits(nodes), &Control::none()).unwrap();
}

/// A service that shows the studies in a folder.
fn showing(folder: &Path) -> actix_web::web::Data<marquis_api::AppState> {
    ready(Config { studies: Some(folder.to_owned()), ..settings() })
}

#[actix_web::test]
async fn a_study_is_shown_with_the_tree_that_it_went_through() {
    let folder = tempfile::tempdir().unwrap();
    study(&folder.path().join("small"), Some(2000));
    let state = showing(folder.path());
    let listed = get(&state, "/v1/studies").await;
    assert_eq!(listed.status, 200, "{}", listed.text);
    let listed = &listed.json()["studies"];
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let expected = json!([["small", "swish", LOST, "unknown", "nodes"]]);
    let told = |one: &Value| ["name", "game", "position", "value", "ended"].map(|name| one[name].clone());
    assert_eq!(json!([told(&listed[0])]), expected);
    assert!(!listed.to_string().contains(folder.path().to_str().unwrap()), "{listed}");
    let shown = get(&state, "/v1/studies/small").await.json();
    assert_eq!(told(&shown), told(&listed[0]));
    assert_follows_the_rules(&state, &shown["tree"]).await;
    // The study continues, and the shown state is updated.
    study(&folder.path().join("small"), None);
    let done = get(&state, "/v1/studies/small").await.json();
    assert_eq!(
        (&done["value"], &done["proof"], &done["ended"]),
        (&json!("loss"), &json!("search"), &json!("answered"))
    );
    let root = &done["tree"]["positions"][0];
    assert_eq!(
        (&root["found"], &root["jobs"], &root["nodes"]),
        (&json!("loss"), &done["jobs"], &done["nodes"])
    );
    assert_eq!((&root["to_win"], &root["to_lose"]), (&Value::Null, &Value::Null));
}

/// Asserts that each position of the tree follows from the one above by the move that it names, according to the
/// service.
async fn assert_follows_the_rules(state: &actix_web::web::Data<marquis_api::AppState>, tree: &Value) {
    let positions = tree["positions"].as_array().unwrap();
    assert_eq!((&positions[0]["position"], &positions[0]["from"]), (&json!(LOST), &Value::Null));
    assert!(
        positions.len() > 10 && positions.len() as u64 <= tree["all"].as_u64().unwrap(),
        "{}",
        positions.len()
    );
    for position in positions.iter().skip(1).step_by(7) {
        let above = positions.iter().find(|above| above["number"] == position["from"]).unwrap();
        let text = above["position"].as_str().unwrap().replace(' ', "_");
        let legal = get(state, &format!("/v1/swish/moves?position={text}")).await.json();
        let mut moves = legal["moves"].as_array().unwrap().iter();
        let played = moves.find(|one| one["move"] == position["move"]).unwrap();
        assert_eq!(played["position"], position["position"], "{position}");
        assert!(position["nodes"].as_u64() <= above["nodes"].as_u64(), "{position} {above}");
    }
}

#[actix_web::test]
async fn a_set_up_is_a_study_for_each_colour() {
    let folder = tempfile::tempdir().unwrap();
    let query = BalanceQuery {
        game: GameId::new("swish"),
        board: "w1w/4/1ooo1/4/b1b".to_owned(),
        bait: 0,
        pie: Pie::Marquisian,
        target: Some(2),
        immobile: Default::default(),
        until: Until::BothColours,
    };
    let own = folder.path().join("laid-out");
    engine().study_set_up(&query, &options(&own), &limits(Some(4000)), &Control::none()).unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no study").unwrap();
    let state = showing(folder.path());
    let listed = get(&state, "/v1/studies").await.json();
    let names: Vec<_> = listed["studies"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["laid-out:b", "laid-out:w"]);
    let black = get(&state, "/v1/studies/laid-out:b").await.json();
    assert_eq!((&black["turn"], &black["tree"]["positions"][0]["turn"]), (&json!("b"), &json!("b")));
}

#[actix_web::test]
async fn what_is_no_study_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    study(&folder.path().join("small"), Some(200));
    let state = showing(folder.path());
    for wrong in ["large", "..", "small%2F..%2Fsmall", "small:b", "."] {
        let reply = get(&state, &format!("/v1/studies/{wrong}")).await;
        assert_eq!(reply.status, 404, "{wrong}: {}", reply.text);
    }
    // A truncated tree is left out; an unreadable study is left out altogether.
    let tree = folder.path().join("small/tree.json");
    let text = std::fs::read(&tree).unwrap();
    std::fs::write(&tree, &text[..text.len() / 2]).unwrap();
    let shown = get(&state, "/v1/studies/small").await.json();
    assert_eq!((&shown["name"], &shown["tree"]), (&json!("small"), &Value::Null));
    std::fs::write(folder.path().join("small/status.json"), "{").unwrap();
    assert_eq!(get(&state, "/v1/studies").await.json()["studies"], json!([]));
    assert_eq!(get(&state, "/v1/studies/small").await.status, 404);
}

#[actix_web::test]
async fn without_a_folder_no_studies_are_shown_and_a_folder_that_is_gone_is_an_error() {
    let state = ready(settings());
    assert_eq!(get(&state, "/v1/studies").await.json()["studies"], json!([]));
    assert_eq!(get(&state, "/v1/studies/small").await.status, 404);
    let gone = showing(Path::new("/nowhere/at/all"));
    assert_eq!(get(&gone, "/v1/studies").await.status, 500);
}
