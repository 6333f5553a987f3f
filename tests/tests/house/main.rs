//! A third-party game joins through the public interface: one folder, one line of a registry.

mod resumed;
mod service;

use std::path::Path;

use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate, plan};
use marquis_engine::{
    BuildQuery, Control, Engine, EngineOptions, GameEntry, Limits, Query, Registry, StartPosition,
};
use marquis_tests::guests::{quixo, scurry};
use marquis_wire::answer::Answer;
use marquis_wire::reports::LineEnd;
use marquis_wire::words::word;
use tempfile::TempDir;

const QUIXO: GameId = GameId::new("quixo");

/// Twelve of sixteen cubes bear a sign: few enough positions remain for a test.
const LATE: &str = "xo1x/oxxo/1oxo/x1o1 x";

fn registry() -> Registry {
    Registry::new([GameEntry::exact::<quixo::Adapter>(), GameEntry::chance::<scurry::Adapter>()])
}

fn engine(tables: &Path) -> Engine {
    let options = EngineOptions { tables: vec![tables.to_owned()], ..EngineOptions::default() };
    let (engine, problems) = Engine::open(registry(), options).expect("the folder can be read");
    assert!(problems.is_empty(), "{problems:?}");
    engine
}

fn exact(answer: Answer) -> marquis_wire::answer::ExactAnswer {
    match answer {
        Answer::Exact(answer) => answer,
        Answer::Chance(_) => panic!("Quixo has no throws"),
    }
}

/// Builds the layers that a position leads to; returns their number.
fn build(from: &str, out: &Path) -> usize {
    let query = BuildQuery { from: Some(from.to_owned()), ..BuildQuery::new(QUIXO) };
    let layers = plan(&registry(), &query, out).expect("planned").layers.len();
    let report = generate(&registry(), &query, out, CHECKPOINT_EVERY, &Limits::default(), &Control::none());
    assert_eq!(report.expect("built").tables.len(), layers);
    layers
}

#[test]
fn a_strange_game_is_listed_with_its_starts_and_moves() {
    let registry = registry();
    let names: Vec<GameId> = registry.games().map(GameEntry::id).collect();
    assert_eq!(names, [QUIXO, SCURRY]);
    let start = |name: &str, position: &str, is_usual| StartPosition {
        name: name.to_owned(),
        position: position.to_owned(),
        is_usual,
    };
    let starts = registry.game("quixo").expect("listed").starts();
    assert_eq!(starts[1], start("start:4", "4/4/4/4 x", true));
    assert!(!starts[0].is_usual);
    let starts = registry.game("scurry").expect("listed").starts();
    assert_eq!(starts, [start("start:3", "10 3-3 r", true)]);
    let posed = registry.pose(&Query::new(QUIXO, "start:4")).expect("a start");
    // Twelve cubes of the border; those in corners go to two ends, the others to three.
    assert_eq!(posed.moves().len(), 4 * 2 + 8 * 3);
    let query = Query { play: Some("a1-a4 d1-a1".to_owned()), ..Query::new(QUIXO, "start") };
    let played = registry.pose(&query).expect("legal");
    assert_eq!(played.text(), "x3/4/4/o3 x");
    let refused = Query { play: Some("a1-b2".to_owned()), ..Query::new(QUIXO, "start") };
    assert!(registry.pose(&refused).is_err());
}

#[test]
fn all_images_of_a_position_have_equal_test_vectors() {
    let folder = TempDir::new().expect("a folder");
    let engine = engine(folder.path());
    for (game, start) in [(QUIXO, "start:3"), (SCURRY, "start")] {
        let vectors = engine.vectors(&Query::new(game, start), 60, 1, |vector| vector).expect("a start");
        let vectors: Vec<_> = vectors.collect::<Result<_, _>>().expect("vectors");
        assert!(vectors.len() == 60 && vectors.iter().any(|own| own.over.is_some()), "{game}");
        assert!(vectors.iter().any(|own| own.images.len() > 1), "{game}");
        for own in &vectors {
            assert!(own.images.contains(&own.position), "{game} {}", own.position);
            for image in &own.images {
                let seen = engine.vector(&Query::new(game, image)).expect("a vector");
                assert_eq!((&seen.images, &seen.known), (&own.images, &own.known), "{game} {image}");
                assert_eq!(seen.moves.len(), own.moves.len(), "{game} {image}");
                assert_eq!(seen.over.is_some(), own.over.is_some(), "{game} {image}");
            }
        }
    }
}

#[test]
fn the_small_board_is_built_verified_and_answered_as_the_solvers_say() {
    let folder = TempDir::new().expect("a folder");
    let none = engine(folder.path());
    let searched = exact(
        none.solve(&Query::new(QUIXO, "start:3"), &Limits::default(), &Control::none()).expect("solved"),
    );
    assert_eq!(word(searched.verdict.value), "win");
    let query = BuildQuery { side: Some(3), ..BuildQuery::new(QUIXO) };
    generate(&registry(), &query, folder.path(), CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .expect("built");
    let with = engine(folder.path());
    let probed = exact(with.probe(&Query::new(QUIXO, "start:3")).expect("probed"));
    assert_eq!(probed.verdict.proof, marquis_wire::answer::Proof::Table);
    assert_eq!(
        (probed.verdict.value, probed.verdict.plies),
        (searched.verdict.value, searched.verdict.plies)
    );
    let report = with.verify(folder.path(), None, &Limits::default(), &Control::none()).expect("verified");
    assert_eq!((report.faults, report.files), (Vec::new(), 55));
    let line =
        with.line(&Query::new(QUIXO, "start:3"), &Limits::default(), &Control::none()).expect("a line");
    assert_eq!(
        (line.end, line.moves.len()),
        (LineEnd::Over, usize::from(probed.verdict.plies.expect("a win")))
    );
}

#[test]
fn four_by_four_is_built_from_a_position_on_and_a_damaged_table_is_found_out() {
    let folder = TempDir::new().expect("a folder");
    let layers = build(LATE, folder.path());
    assert!(layers > 10, "{layers}");
    let with = engine(folder.path());
    let probed = exact(with.probe(&Query::new(QUIXO, LATE)).expect("probed"));
    let empty = TempDir::new().expect("a folder");
    let searched = engine(empty.path()).solve(&Query::new(QUIXO, LATE), &Limits::default(), &Control::none());
    let searched = exact(searched.expect("solved"));
    // The search proves values, the table also plies.
    assert_eq!(probed.verdict.value, searched.verdict.value);
    assert!(probed.verdict.plies.is_some(), "{probed:?}");
    let verify = || with.verify(folder.path(), None, &Limits::default(), &Control::none()).expect("verified");
    assert_eq!((verify().faults, verify().files), (Vec::new(), layers));
    let table = folder.path().join("quixo-e4/06v06.mqt");
    let mut bytes = std::fs::read(&table).expect("a table");
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    std::fs::write(&table, bytes).expect("written");
    assert!(!verify().faults.is_empty());
}

const SCURRY: GameId = GameId::new("scurry");

fn chance(answer: Answer) -> marquis_wire::answer::ChanceAnswer {
    match answer {
        Answer::Chance(answer) => answer,
        Answer::Exact(_) => panic!("Scurry has throws"),
    }
}

/// A folder with every layer of Scurry.
fn scurry() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let query = BuildQuery { pieces: Some("3v3".to_owned()), ..BuildQuery::new(SCURRY) };
    let report =
        generate(&registry(), &query, folder.path(), CHECKPOINT_EVERY, &Limits::default(), &Control::none());
    assert_eq!(report.expect("built").tables.len(), 9);
    folder
}

#[test]
fn a_strange_game_with_throws_lists_its_moves_and_says_what_it_has_not() {
    let posed = |play: Option<&str>, throw| {
        registry().pose(&Query { play: play.map(str::to_owned), throw, ..Query::new(SCURRY, "start") })
    };
    assert_eq!(posed(None, None).expect("a start").text(), "10 3-3 r");
    let listed = posed(Some("3:0-3"), Some(2)).expect("legal").moves();
    assert_eq!(listed.len(), 1, "from home alone: {listed:?}");
    assert_eq!((listed[0].throw, listed[0].mv.as_str()), (Some(2), "0-2"));
    assert!(posed(None, Some(6)).is_err(), "the die has no six");
    let (folder, none) = (TempDir::new().expect("a folder"), Control::none());
    let line = engine(folder.path()).line(&Query::new(SCURRY, "start"), &Limits::default(), &none);
    assert!(matches!(line, Err(marquis_engine::EngineError::NotForThisGame(_))), "{line:?}");
    assert!(posed(None, None).expect("a start").perft(2, &Limits::default(), &none).is_err());
}

#[test]
fn tables_of_chances_are_certified_and_say_what_the_solver_says() {
    let folder = scurry();
    let (with, none) = (engine(folder.path()), Control::none());
    let report = with.verify(folder.path(), None, &Limits::default(), &none).expect("verified");
    assert_eq!((report.faults, report.files), (Vec::new(), 9));
    assert_eq!((report.proved.len(), report.unproved), (9, Vec::new()), "the stated errors are proved");
    let empty = TempDir::new().expect("a folder");
    for text in ["start", "2r3b3 2-2 b", "9r 0-1 b", "3rb5 1-0 r"] {
        let query = Query::new(SCURRY, text);
        let by_table = chance(with.probe(&query).expect("probed"));
        let solved = engine(empty.path()).solve(&query, &Limits::default(), &none).expect("solved");
        let solved = chance(solved);
        assert_eq!(
            (by_table.proof, solved.proof),
            (marquis_wire::answer::Proof::Table, marquis_wire::answer::Proof::Search)
        );
        let apart = (by_table.chance.expect("known") - solved.chance.expect("known")).abs();
        assert!(apart < 1e-9, "{text}: {by_table:?} {solved:?}");
        assert!(by_table.error.is_some_and(|error| error < 1e-8), "{text}: {by_table:?}");
    }
}

#[test]
fn a_table_of_chances_that_was_changed_is_found_out() {
    let folder = scurry();
    let table = folder.path().join("scurry/2v2.mqt");
    let mut bytes = std::fs::read(&table).expect("a table");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&table, bytes).expect("written");
    let verified = engine(folder.path()).verify(folder.path(), None, &Limits::default(), &Control::none());
    assert!(!verified.expect("verified").faults.is_empty());
}
