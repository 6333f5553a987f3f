//! Long questions have the same answers as those of the command line.

use std::sync::Mutex;

use marquis_core::Immobile;
use marquis_engine::record::{read_record, replay};
use marquis_engine::{BalanceQuery, Control, Engine, EngineOptions, Limits, Pie, Until};
use marquis_wire::answer::Balance;
use marquis_wire::review::Review;
use serde_json::{Value, json};

use crate::offline::OfflineEngine;

/// The events of a question, each with its name.
type Events = Mutex<Vec<(String, Value)>>;

/// The engine of the command line, by default.
fn engine() -> Engine {
    Engine::open(marquis_registry::official(), EngineOptions::default()).unwrap().0
}

/// `--nodes` and `--threads 1`.
fn limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), threads: Some(1), ..Limits::NONE }
}

/// Adds an event to a list.
fn told(events: &Events) -> impl Fn(&str, &str) + '_ {
    |name, data| events.lock().unwrap().push((name.to_owned(), serde_json::from_str(data).unwrap()))
}

#[test]
fn a_game_has_the_review_of_the_command_line_and_each_move_is_an_event() {
    let (offline, engine) = (OfflineEngine::open().unwrap(), engine());
    for (game, record) in [
        ("squish", "[Position \"start:3\"] 1. c4-c3 b3xc3 2. a3-b3 *"),
        ("squinch", "1. a2-a3 a6-a5 *"),
        ("swish", "[Position \"w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10\"] 1. a1-a2 *"),
        ("senet", "1. 1:11-12 *"),
    ] {
        for nodes in [500, 5_000] {
            let id = engine.registry().game(game).unwrap().id();
            let played = replay(engine.registry(), &read_record(record).unwrap(), Some(id));
            let played = played.unwrap_or_else(|error| panic!("{game}: {error}")).into();
            let expected = engine.review(&played, &limits(nodes), &Control::none(), &mut |_| {}).unwrap();
            let events = Events::default();
            let asked = json!({"game": game, "record": record, "nodes": nodes}).to_string();
            let found = offline.review(&asked, &told(&events)).unwrap();
            assert_eq!(serde_json::from_str::<Review>(&found).unwrap(), expected, "{game} {nodes}");
            let moves = events.into_inner().unwrap().into_iter().filter(|(name, _)| name == "move");
            assert_eq!(moves.count(), expected.plies, "{game} {nodes}");
        }
    }
}

#[test]
fn a_set_up_has_the_balance_of_the_command_line_and_its_progress_the_shape_of_the_service() {
    let (offline, engine) = (OfflineEngine::open().unwrap(), engine());
    let events = Events::default();
    let large = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    for (game, board, pie, bait, nodes) in [
        ("swish", "w1w/4/1ooo1/4/b1b", Pie::Marquisian, 0, 1_000_000),
        ("squeeze", "w1w/4/1ooo1/4/b1b", Pie::Bait, 1, 3_000_000),
        // In the book.
        ("swish", "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b", Pie::Marquisian, 0, 20_000),
        ("squeeze", large, Pie::Marquisian, 0, 20_000),
    ] {
        let query = BalanceQuery {
            game: engine.registry().game(game).unwrap().id(),
            board: board.to_owned(),
            bait,
            pie,
            target: None,
            immobile: Immobile::default(),
            until: Until::Choice,
        };
        let expected = engine.balance(&query, &limits(nodes), &Control::none()).unwrap();
        let asked = json!({"game": game, "board": board, "pie": pie.name(), "bait": bait, "nodes": nodes});
        let found = offline.balance(&asked.to_string(), &told(&events)).unwrap();
        assert_eq!(serde_json::from_str::<Balance>(&found).unwrap(), expected, "{game} {board}");
        assert_eq!(expected.balanced.is_none(), board == large, "{game} {board}: {expected:?}");
    }
    let events = events.into_inner().unwrap();
    let (name, last) = events.last().unwrap();
    assert_eq!((name.as_str(), &last["state"]), ("progress", &json!("running")));
    assert!(last["nodes"].is_u64() && last["seconds"].is_f64() && last["phase"].is_string(), "{last}");
}

#[test]
fn a_wrong_long_question_is_refused_with_its_reason() {
    let offline = OfflineEngine::open().unwrap();
    let review = |asked: Value| offline.review(&asked.to_string(), &|_, _| {}).unwrap_err().to_string();
    let balance = |asked: Value| offline.balance(&asked.to_string(), &|_, _| {}).unwrap_err().to_string();
    let said = [
        review(json!({"game": "squish", "record": "1. a1-a1 *"})),
        balance(json!({"game": "squish", "board": "b1w"})),
        balance(json!({"game": "swish", "board": "w1w/4/1ooo1/4/b1b", "pie": "apple"})),
        balance(json!({"game": "swish", "board": "w1w/4/1ooo1/4/b1b", "depth": 3})),
    ];
    for (said, expected) in said.iter().zip(["a1-a1", "balance", "apple", "depth"]) {
        assert!(said.contains(expected), "{said}");
    }
}
