//! The best line of an answer, compared with the answers along it.

use std::path::Path;

use actix_web::web::Data;
use marquis_api::AppState;
use marquis_core::GameId;
use marquis_engine::{Control, Engine, EngineOptions, Limits, Query};
use marquis_registry::official;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::service::{encoded, generated, get, ready, settings};

/// The tables cover this set-up of Swish and Squeeze completely.
const SETUP: &str = "w1/1o1/1b w 0-0 1";

/// Small tables of four games.
fn with_tables() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for game in [GameId::new("squish"), GameId::new("flowish")] {
        generated(folder.path(), game, |query| {
            (query.side, query.pieces) = (Some(3), Some("3v2".to_owned()));
        });
    }
    for game in [GameId::new("swish"), GameId::new("squeeze")] {
        generated(folder.path(), game, |query| query.from = Some(SETUP.to_owned()));
    }
    folder
}

/// A service on these tables and an engine, neither of which has answered anything.
fn opened(folder: &Path) -> (Data<AppState>, Engine) {
    let open = || {
        let tables = vec![folder.to_owned()];
        Engine::open(official(), EngineOptions { tables, ..EngineOptions::default() }).unwrap().0
    };
    let state = AppState::starting(official(), settings()).unwrap();
    state.open(open());
    (Data::new(state), open())
}

/// The position after a walk from the start: each step takes one of the legal moves.
fn walk(game: GameId, start: String, steps: &[prop::sample::Index]) -> String {
    steps.iter().fold(start, |position, step| {
        let listed = official().pose(&Query::new(game, position.clone())).unwrap().moves();
        if listed.is_empty() { position } else { step.get(&listed).position.clone() }
    })
}

/// A placement of up to three pieces per side on side 3, with White or Black to move.
fn placement() -> impl Strategy<Value = String> {
    let cells = prop::sample::subsequence((0..19).collect::<Vec<usize>>(), 2..=5).prop_shuffle();
    (cells, any::<bool>()).prop_map(|(cells, white)| {
        let mut board = ['1'; 19];
        for (number, cell) in cells.into_iter().enumerate() {
            board[cell] = if number % 2 == 0 { 'w' } else { 'b' };
        }
        let (mut rows, mut rest) = (Vec::new(), &board[..]);
        for length in [3, 4, 5, 4, 3] {
            let (row, after) = rest.split_at(length);
            rows.push(row.iter().collect::<String>());
            rest = after;
        }
        // A gap is written as one number.
        let mut text = rows.join("/");
        for count in (2..=5).rev() {
            text = text.replace(&"1".repeat(count), &count.to_string());
        }
        format!("{text} {}", if white { 'w' } else { 'b' })
    })
}

fn asked() -> impl Strategy<Value = (GameId, String)> {
    let steps = || prop::collection::vec(any::<prop::sample::Index>(), 0..12);
    let placed = (prop_oneof![Just(GameId::new("squish")), Just(GameId::new("flowish"))], placement());
    let beads = (prop_oneof![Just(GameId::new("swish")), Just(GameId::new("squeeze"))], steps())
        .prop_map(|(game, steps)| (game, walk(game, SETUP.to_owned(), &steps)));
    let squinch = steps().prop_map(|steps| {
        (GameId::new("squinch"), walk(GameId::new("squinch"), "start:3x3x1".to_owned(), &steps))
    });
    prop_oneof![4 => placed, 4 => beads, 1 => squinch]
}

async fn answer(state: &Data<AppState>, game: GameId, position: &str, more: &str) -> Value {
    let uri = format!("/v1/{game}?position={}&budget_ms=30000{more}", encoded(position));
    let reply = get(state, &uri).await;
    assert_eq!(reply.status, 200, "{uri}: {}", reply.text);
    reply.json()
}

/// Plays the line: every move is the first of the answer at that position, and brings the end one ply nearer.
async fn follows(state: &Data<AppState>, engine: &Engine, game: GameId, position: &str) -> usize {
    let first = answer(state, game, position, "&line=true").await;
    let line: Vec<String> = serde_json::from_value(first["line"].clone()).unwrap();
    let control = Control::none();
    let own = engine.line(&Query::new(game, position.to_owned()), &Limits::default(), &control).unwrap();
    assert_eq!(line, own.moves.into_iter().map(|mv| mv.mv).collect::<Vec<_>>(), "{game} {position}: {first}");
    let mut here = answer(state, game, position, "").await;
    assert!(here.get("line").is_none(), "{here}");
    for (number, mv) in line.iter().enumerate() {
        let best = &here["moves"][0];
        assert_eq!(&best["move"], mv, "{game} {position}: move {number} of {line:?}");
        let left = first["plies"].as_u64().unwrap() - number as u64;
        assert_eq!((&here["plies"], &best["plies"]), (&json!(left), &json!(left)), "{here}");
        let next = answer(state, game, best["position"].as_str().unwrap(), "").await;
        let same = next["turn"] == here["turn"];
        let value = match here["value"].as_str().unwrap() {
            value if same => value,
            "win" => "loss",
            _ => "win",
        };
        assert_eq!(next["value"], value, "{game} {position}: after {mv}");
        here = next;
    }
    let ended = first["value"] == "draw" || !here["over"].is_null();
    assert!(ended, "{game} {position}: {line:?} stops before the end");
    line.len()
}

#[test]
fn the_best_line_is_the_best_move_of_the_answer_at_every_step() {
    let folder = with_tables();
    let system = actix_web::rt::System::new();
    let moves = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    runner
        .run(&asked(), |(game, position)| {
            // Of moves that are equally good an earlier request may have counted one alone, which then comes first.
            let (state, engine) = opened(folder.path());
            moves.set(moves.get() + system.block_on(follows(&state, &engine, game, &position)));
            state.stop();
            Ok(())
        })
        .unwrap();
    assert!(moves.get() > 60, "only {} moves were looked at", moves.get());
}

#[actix_web::test]
async fn a_line_goes_to_the_end_of_a_game_that_an_earlier_question_has_counted() {
    let state = ready(settings());
    let (game, position) = (GameId::new("squinch"), "w1,w1,w1/1,r1,1/r1,r1,1 w");
    let plies = answer(&state, game, position, "").await["plies"].as_u64().unwrap();
    let told = answer(&state, game, position, "&line=true").await;
    assert_eq!(told["line"].as_array().unwrap().len() as u64, plies, "{told}");
}

#[actix_web::test]
async fn senet_has_no_line_and_a_line_is_true_or_false() {
    let state = ready(settings());
    for uri in ["/v1/senet?position=start:2&line=true", "/v1/squish?position=start:3&line=yes"] {
        let reply = get(&state, uri).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["place"]), (400, &json!("line")), "{}", reply.text);
    }
}
