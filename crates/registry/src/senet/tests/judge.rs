//! Every state compared with the judge.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use marquis_chance::ChanceInterval;
use marquis_core::{Chance as _, ChanceNotation as _, Sharing};
use marquis_engine::{Control, Limits, Query};
use marquis_games::senet::{Senet, SenetLayer};
use marquis_wire::answer::{Answer, Proof};

use super::{Folder, SENET, build};

/// Asserts that every state reachable from a position has the judge's chance; returns the number of states in the
/// position's own layer.
pub(super) fn agrees_with_the_judge(folder: &Folder, root: &str) -> usize {
    let root = marquis_games::senet::parse(root).expect(root).1;
    let stop = AtomicBool::new(false);
    let limits = marquis_chance::IterationLimits {
        states: usize::MAX,
        deadline: None,
        sharing: Sharing::alone(),
        stop: &stop,
        gap: 1e-11,
    };
    let solved = marquis_chance::solve(&Senet, &root, &limits, &mut |_| {}).expect("no limit");
    let engine = folder.engine();
    let look_up = |position: &marquis_games::senet::Position| {
        let query = Query::new(SENET, Senet.position_text(position));
        let Answer::Chance(answer) = engine.probe_value(&query).expect("readable") else {
            panic!("no chance")
        };
        assert_eq!(answer.proof, Proof::Table);
        let (chance, error) = (answer.chance.expect("in a table"), answer.error.expect("in a table"));
        ChanceInterval { lower: chance - error, upper: chance + error }
    };
    let mut own = HashSet::new();
    for (position, expected) in solved.iter().filter(|(position, _)| Senet.over(position).is_none()) {
        let found = look_up(position);
        assert!(found.gap() <= 2.1e-9, "{}: {found:?}", Senet.position_text(position));
        let meet = found.lower <= expected.upper && expected.lower <= found.upper;
        assert!(meet, "{}: expected {expected:?}, found {found:?}", Senet.position_text(position));
        if SenetLayer::of(position) == SenetLayer::of(&root) {
            own.insert(*position);
        }
    }
    own.len()
}

#[test]
fn every_state_with_two_pieces_each_and_below_is_as_the_judge_says() {
    let folder = Folder::new("two");
    assert_eq!(build("2v2", &folder.0, &Control::none()).expect("built"), 4);
    let reached = agrees_with_the_judge(&folder, "wbwb6/10/10 b");
    assert_eq!(reached as u64, SenetLayer { mover: 2, opponent: 2 }.slots(), "all states are reached");

    let engine = folder.engine();
    let ask = |throw| {
        let query = Query { throw, ..Query::new(SENET, "wbwb6/10/10 b") };
        let Answer::Chance(answer) = engine.probe(&query).expect("known") else { panic!("not a chance") };
        answer
    };
    let answer = ask(None);
    // "Check numbers" in `games/src/senet/rules.md`.
    assert!((answer.chance.expect("known") - 0.510_330_640).abs() < 1e-9);
    assert!(answer.error.is_some_and(|error| error <= 1e-9) && answer.proof == Proof::Table);
    let throws = &answer.throws;
    let mean: f64 = throws.iter().map(|throw| f64::from(throw.weight) / 16.0 * throw.chance.unwrap()).sum();
    assert!((mean - answer.chance.unwrap()).abs() < 2e-9);
    assert_eq!(ask(Some(4)).chance, throws[3].chance);
    for throw in [None, Some(4)] {
        let mut expected = ask(throw);
        assert!(expected.throws.iter().all(|throw| !throw.moves.is_empty()));
        expected.throws.iter_mut().for_each(|throw| throw.moves.clear());
        let query = Query { throw, ..Query::new(SENET, "wbwb6/10/10 b") };
        assert_eq!(engine.probe_value(&query).expect("known"), Answer::Chance(expected));
    }

    let verified = engine.verify(&folder.0, None, &Limits::default(), &Control::none()).expect("verified");
    assert!(verified.faults.is_empty(), "{:?}", verified.faults);
    assert_eq!(verified.entries, 756 + 2 * 28 * 351 + 378 * 325);
}

#[test]
fn every_state_with_three_pieces_against_one_is_as_the_judge_says() {
    let folder = Folder::new("three");
    assert_eq!(build("3v1", &folder.0, &Control::none()).expect("built"), 5);
    assert!(agrees_with_the_judge(&folder, "bwbb6/10/10 b") > 50_000);
}
