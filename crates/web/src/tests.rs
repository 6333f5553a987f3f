//! Long questions have the same answers as those of the command line.

use std::fs;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use marquis_core::Immobile;
use marquis_engine::record::{read_record, replay};
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BalanceQuery, BuildQuery, Control, Engine, EngineOptions, Limits, Pie, Query, Until};
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

#[test]
fn tables_that_are_read_in_ranges_answer_as_those_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let registry = marquis_registry::official();
    let game = registry.game("squish").unwrap().id();
    let query = BuildQuery { side: Some(3), pieces: Some("3v3".to_owned()), ..BuildQuery::new(game) };
    let limits = Limits { threads: Some(2), ..Limits::NONE };
    generate(&registry, &query, folder.path(), CHECKPOINT_EVERY, &limits, &Control::none()).unwrap();
    let options = EngineOptions { tables: vec![folder.path().to_owned()], ..EngineOptions::default() };
    let (engine, _) = Engine::open(registry, options).unwrap();

    let offline = OfflineEngine::open().unwrap();
    let (root, read) = (folder.path().to_owned(), Arc::<AtomicU64>::default());
    let count = Arc::clone(&read);
    let ranges = move |path: &str, Range { start, end }: Range<u64>| {
        count.fetch_add(end - start, Ordering::Relaxed);
        let bytes = fs::read(root.join(path)).map_err(|error| error.to_string())?;
        Ok(bytes[start as usize..end as usize].to_vec())
    };
    let listed = json!(engine.tables()).to_string();
    offline.open_tables("http://localhost/v1/tables", &listed, Box::new(ranges)).unwrap();
    for position in ["b2/w3/1b3/2w1/1wb w", "3/b2w/bw1w1/1b2/3 w", "wbw/4/5/4/bwb b", "w1b/4/b1b1w/4/1w1 b"] {
        let there = engine.probe(&Query::new(game, position)).unwrap();
        let asked = json!({"game": "squish", "position": position, "budget_ms": "0"}).to_string();
        let here: Value = serde_json::from_str(&offline.ask(&asked).unwrap()).unwrap();
        assert_eq!(here, json!(there), "{position}");
        assert_eq!(here["proof"], "table", "{position}");
    }
    assert!(read.load(Ordering::Relaxed) > 0);

    // A table that cannot be read costs its answers alone.
    let gone = OfflineEngine::open().unwrap();
    let refused = |_: &str, _: Range<u64>| Err("the server does not answer".to_owned());
    assert!(gone.open_tables("http://localhost/v1/tables", &listed, Box::new(refused)).is_err());
    let asked = json!({"game": "squish", "position": "3/b2w/bw1w1/1b2/3 w", "budget_ms": "0"}).to_string();
    let here: Value = serde_json::from_str(&gone.ask(&asked).unwrap()).unwrap();
    assert_ne!(here["proof"], "table");
}
