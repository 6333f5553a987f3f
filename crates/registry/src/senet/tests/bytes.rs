//! The bytes of tables: two for each chance, and the same on every way of building.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use marquis_core::ChanceNotation as _;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, ChanceCells, Control, EngineError, Limits, Progress};
use marquis_games::senet::Senet;

use super::{Folder, SENET, build, error, first_chance, layers_below, loaded, registry, tables};

#[test]
fn two_bytes_hold_the_same_chances_within_their_error() {
    let (folder, wide) = (Folder::new("short"), Folder::new("wide"));
    let short = BuildQuery {
        pieces: Some("2v1".to_owned()),
        chances: ChanceCells::TwoBytes,
        ..BuildQuery::new(SENET)
    };
    let run = |query: &BuildQuery| {
        generate(&registry(), query, &folder.0, CHECKPOINT_EVERY, &Limits::default(), &Control::none())
            .expect("built")
    };
    assert_eq!(run(&short).kept, 0);
    assert_eq!(run(&short).kept, 3, "existing files are kept");
    build("2v1", &wide.0, &Control::none()).expect("built");
    let read = |folder: &Folder| loaded(folder, &layers_below(2, 1));
    let (found, expected) = (read(&folder), read(&wide));
    assert!(error(&found) <= 1e-5 && error(&found) > 5e-6 && error(&expected) < 1e-9);
    for layer in layers_below(2, 1) {
        for slot in 0..layer.slots() {
            let position = layer.position(marquis_core::Slot(slot));
            let apart = first_chance(&found, &position) - first_chance(&expected, &position);
            assert!(apart.abs() <= error(&found), "{}", Senet.position_text(&position));
        }
    }
    let verify = || folder.engine().verify(&folder.0, None, &Limits::default(), &Control::none());
    assert!(verify().expect("verified").faults.is_empty());

    // Larger layers are not built on rounded values.
    build("2v2", &folder.0, &Control::none()).expect("built");
    let (_, start) = marquis_games::senet::parse("wbwb6/10/10 b").expect("a position");
    let chance = first_chance(&loaded(&folder, &layers_below(2, 2)), &start);
    assert!((chance - 0.510_330_640).abs() < 1e-9);
    assert!(verify().expect("verified").faults.is_empty());
}

#[test]
fn what_senet_has_no_tables_of_is_bad_input() {
    for bad in ["6v1", "0v1", "3", "3v", "v", "03v3"] {
        let built = build(bad, Path::new("nowhere"), &Control::none());
        assert!(matches!(built, Err(EngineError::BadInput(_))), "{bad}");
    }
    let query = BuildQuery { side: Some(3), ..BuildQuery::new(SENET) };
    assert!(matches!(
        marquis_engine::tables::plan(&registry(), &query, Path::new("nowhere")),
        Err(EngineError::BadInput(_))
    ));
    let query = BuildQuery { pieces: Some("5v5".to_owned()), ..BuildQuery::new(SENET) };
    let plan = marquis_engine::tables::plan(&registry(), &query, Path::new("nowhere")).expect("planned");
    assert_eq!(plan.layers.len(), 25);
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    let built =
        generate(&registry(), &query, Path::new("nowhere"), CHECKPOINT_EVERY, &limits, &Control::none());
    assert!(matches!(built, Err(EngineError::TooLarge { .. })));
}

/// Asserts that two folders have the same tables; the message lists those that differ.
fn assert_same(found: &Folder, expected: &Folder, how: &str) {
    let (found, expected) = (tables(found), tables(expected));
    assert_eq!(found.len(), expected.len(), "{how}");
    let differ: Vec<&String> =
        found.iter().zip(&expected).filter(|(a, b)| a != b).map(|((name, _), _)| name).collect();
    assert!(differ.is_empty(), "{how}: {differ:?}");
}

#[test]
fn tables_are_the_same_bytes_by_any_way_there() {
    let whole = Folder::new("whole");
    build("2v2", &whole.0, &Control::none()).expect("built");

    let turns = Folder::new("turns");
    for pieces in ["1v1", "2v1", "2v2"] {
        build(pieces, &turns.0, &Control::none()).expect("built");
    }
    assert_same(&turns, &whole, "one after the other");

    let one = Folder::new("one-thread");
    let query = BuildQuery { pieces: Some("2v2".to_owned()), ..BuildQuery::new(SENET) };
    let limits = Limits { threads: Some(1), ..Limits::default() };
    generate(&registry(), &query, &one.0, CHECKPOINT_EVERY, &limits, &Control::none()).expect("built");
    assert_same(&one, &whole, "one thread");

    // Stopped after every `every` sweeps, of estimates and of bounds, until it is done.
    for (every, checkpoint_every) in [(1, Duration::ZERO), (7, CHECKPOINT_EVERY), (23, CHECKPOINT_EVERY)] {
        let cut = Folder::new(&format!("cut-{every}"));
        let stop = AtomicBool::new(false);
        let mut runs = 0;
        loop {
            stop.store(false, Relaxed);
            let sweeps = AtomicU32::new(0);
            let control = Control::new(&stop, |progress: &Progress| {
                let enough = every + if progress.phase.contains("of the bounds") { 40 } else { 0 };
                if progress.phase.contains("sweep") && sweeps.fetch_add(1, Relaxed) + 1 >= enough {
                    stop.store(true, Relaxed);
                }
            });
            runs += 1;
            match generate(&registry(), &query, &cut.0, checkpoint_every, &Limits::default(), &control) {
                Ok(_) => break,
                Err(EngineError::Interrupted) => assert!(runs < 1000, "it never ends"),
                Err(other) => panic!("{other}"),
            }
        }
        assert!(runs > 3, "{runs}");
        assert_same(&cut, &whole, &format!("stopped {runs} times, every {every} sweeps"));
    }
}
