//! Positions outside all tables: a table built for the query answers them, with plies and every move.

use std::path::PathBuf;

use marquis_core::{GameId, Value};
use marquis_engine::{BookUse, Control, Engine, EngineOptions, Limits, Query, check_proof};
use marquis_registry::official;
use marquis_wire::MemorySize;
use marquis_wire::answer::{Answer, ExactAnswer, Proof};
use marquis_wire::words::word;

const SWISH: GameId = GameId::new("swish");
/// Half a million positions can be reached.
const START: &str = "w1w/4/1ooo1/4/b1b w 0-0 2";
/// As many, all of them different.
const OTHER: &str = "w1w/4/2oo1/2o1/b1b w 0-0 2";

fn engine(sub_table_bytes: u64) -> Engine {
    Engine::open(
        official(),
        EngineOptions { sub_table_bytes, book: BookUse::LeftAlone, ..EngineOptions::default() },
    )
    .expect("opened")
    .0
}

fn exact(answer: Answer) -> ExactAnswer {
    let Answer::Exact(answer) = answer else { panic!("no throws in this game") };
    answer
}

fn solved(engine: &Engine, position: &str, limits: &Limits) -> ExactAnswer {
    exact(engine.solve(&Query::new(SWISH, position), limits, &Control::none()).expect(position))
}

fn probed(engine: &Engine, position: &str) -> ExactAnswer {
    exact(engine.probe(&Query::new(SWISH, position)).expect(position))
}

#[test]
fn a_table_is_built_for_a_question_and_answers_the_next_ones_without_a_search() {
    let engine = engine(64 << 20);
    let answer = solved(&engine, START, &Limits::default());
    assert_eq!((word(answer.verdict.value), answer.verdict.plies), ("loss", Some(12)));
    let figures = engine.sub_tables();
    assert_eq!(figures.tables, 1);
    assert!(figures.bytes > 0 && figures.bytes <= 64 << 20, "{figures:?}");
    assert!(!answer.moves.is_empty());
    for mv in &answer.moves {
        let after = probed(&engine, &mv.position);
        let told = (word(mv.verdict.value), mv.verdict.plies.map(|plies| plies - 1));
        let opposite = match word(after.verdict.value) {
            "win" => "loss",
            "loss" => "win",
            value => value,
        };
        assert_eq!((opposite, after.verdict.plies), told, "{}", mv.mv);
        assert_ne!(after.verdict.proof, Proof::Table, "no file holds it");
    }
    assert_eq!(engine.sub_tables(), figures);
}

#[test]
fn the_oldest_table_makes_room_and_the_bound_is_kept() {
    let first = engine(u64::MAX);
    solved(&first, START, &Limits::default());
    let one = first.sub_tables().bytes;
    let engine = engine(one + one / 2);
    solved(&engine, START, &Limits::default());
    assert_eq!(probed(&engine, START).verdict.value, Some(Value::Loss));
    let other = solved(&engine, OTHER, &Limits::default());
    let figures = engine.sub_tables();
    assert!(figures.tables == 1 && figures.bytes <= one + one / 2, "{figures:?}");
    // Answers stay known; all other positions of the table were evicted with it.
    assert_eq!(probed(&engine, START).verdict.value, Some(Value::Loss));
    assert_eq!(probed(&engine, OTHER).verdict, other.verdict);
}

#[test]
fn without_room_no_table_is_kept_and_without_memory_none_is_built() {
    let engine = engine(0);
    assert_eq!(solved(&engine, START, &Limits::default()).verdict.plies, Some(12));
    assert_eq!(engine.sub_tables().tables, 0);
    let engine = self::engine(64 << 20);
    let little = Limits { memory: Some(MemorySize(1 << 20)), nodes: Some(1000), ..Limits::default() };
    solved(&engine, START, &little);
    assert_eq!(engine.sub_tables().tables, 0);
}

#[test]
fn a_proof_that_comes_of_a_table_is_replayed_by_the_rules_alone() {
    let file = std::env::temp_dir().join(format!("marquis-sub-table-{}.proof", std::process::id()));
    let (engine, query) = (engine(64 << 20), Query::new(SWISH, START));
    let proved = engine.solve_with_proof(&query, &Limits::default(), &Control::none(), &file);
    let (answer, written) = proved.expect("solved");
    assert_eq!(exact(answer).verdict.plies, Some(12));
    assert_eq!(engine.sub_tables().tables, 1);
    assert!(written.written && written.complete, "{written:?}");
    let checked = check_proof(&official(), &PathBuf::from(&file));
    let _ = std::fs::remove_file(&file);
    assert_eq!(checked.expect("a proof file").refused, None);
}
