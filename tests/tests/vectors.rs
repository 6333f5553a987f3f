//! Test vectors against the second implementation of the rules: what another program is tested by must be right.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use marquis_core::Immobile;
use marquis_engine::{Control, Engine, EngineOptions, Limits, Query};
use marquis_registry::official;
use marquis_tests::games;
use marquis_tests::reference::{self, Moves, Rules, solver, symmetry};
use marquis_wire::answer::Proof;
use marquis_wire::vectors::{GameEnd, KnownValue, MOST_VECTORS, TestVector};
use marquis_wire::words::word;

use crate::sources::root;

/// A small set-up of Swish and Squeeze, and a full-size one.
const SMALL: &str = "w1w/4/1ooo1/4/b1b w 0-0 2";
const FULL: &str = "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10";
const SEEDS: [u64; 3] = [1, 2, 77];

fn engine() -> Engine {
    Engine::open(official(), EngineOptions::default()).expect("an engine").0
}

/// Where the random games of a game begin: a small board, and the usual one.
fn starts(game: &str) -> [String; 2] {
    match game {
        "swish" | "squeeze" => [SMALL, FULL].map(str::to_owned),
        "squinch" => ["start:3x4", "start"].map(str::to_owned),
        _ => [games::starts(game)[0].name.clone(), "start".to_owned()],
    }
}

fn query(game: &str, position: &str, immobile: Immobile) -> Query {
    let game = official().game(game).expect("a game").id();
    Query { immobile, ..Query::new(game, position) }
}

fn drawn(engine: &Engine, query: &Query, count: u64, seed: u64) -> Vec<TestVector> {
    let vectors = engine.vectors(query, count, seed, |vector| vector).expect("a start");
    vectors.collect::<Result<_, _>>().expect("vectors")
}

/// The rules of the second implementation, with the rule for a player who cannot move that a vector names.
fn rules(vector: &TestVector) -> Rules {
    let immobile = match vector.immobile.as_deref() {
        Some("pass") => reference::Immobile::Pass,
        _ => reference::Immobile::Loss,
    };
    Rules::of(&vector.game, immobile)
}

/// The value for the player to move of a game that has ended so.
fn value(end: &GameEnd, turn: char) -> &'static str {
    match end.outcome.as_str() {
        "draw" => "draw",
        winner if winner == turn.to_string() => "win",
        _ => "loss",
    }
}

/// The moves of a vector for a throw, each once.
fn moves(vector: &TestVector, throw: Option<i32>) -> Moves {
    let own: Vec<_> = vector.moves.iter().filter(|own| own.throw.map(i32::from) == throw).collect();
    let moves: Moves = own.iter().map(|own| (own.mv.clone(), own.position.clone())).collect();
    assert_eq!(moves.len(), own.len(), "a move twice in {} {}", vector.game, vector.position);
    moves
}

fn check(vector: &TestVector) {
    let TestVector { game, position, turn, over, images, .. } = vector;
    let (rules, at) = (rules(vector), format!("{game} {position} {:?}", vector.immobile));
    assert!(position.split(' ').nth(1) == Some(&turn.to_string()), "turn {turn} of {at}");
    let end = rules.over(position);
    let told = over.as_ref().map(|over| (over.reason.as_str(), value(over, *turn)));
    assert_eq!(told, end.map(|end| (end.reason, end.value)), "end of {at}");
    for throw in rules.throws() {
        assert_eq!(moves(vector, throw), rules.moves(position, throw), "moves of {at} throw {throw:?}");
    }
    let expected: BTreeSet<String> =
        symmetry::images(game).iter().map(|image| image.position(game, position)).collect();
    assert_eq!(*images, expected.into_iter().collect::<Vec<_>>(), "images of {at}");
    if let Some(end) = end {
        check_known_end(vector, end.value);
    }
}

/// A finished game has the value that the rules give it, in no plies.
fn check_known_end(vector: &TestVector, expected: &str) {
    let at = &vector.position;
    match &vector.known {
        KnownValue::Value { value, plies, proof } => {
            let counted = (expected != "draw").then_some(0);
            assert_eq!((word(*value), *plies, *proof), (expected, counted, Proof::Rules), "{at}");
        }
        KnownValue::Chance { chance, error, proof } => {
            let certain = if expected == "win" { 1.0 } else { 0.0 };
            assert_eq!((*chance, *error, *proof), (Some(certain), Some(0.0), Proof::Rules), "{at}");
        }
    }
}

#[test]
fn every_vector_agrees_with_the_second_implementation() {
    let engine = engine();
    for game in games::all() {
        let variants = match game {
            "swish" | "squeeze" => &[Immobile::Loss, Immobile::Pass][..],
            _ => &[Immobile::Loss],
        };
        let (mut ends, mut passes) = (0, 0);
        for (&immobile, seed) in variants.iter().flat_map(|own| SEEDS.map(|seed| (own, seed))) {
            for start in starts(game) {
                let vectors = drawn(&engine, &query(game, &start, immobile), 60, seed);
                assert_eq!(vectors.len(), 60, "{game} {start}");
                vectors.iter().for_each(check);
                let named = (variants.len() > 1).then(|| immobile.name().to_owned());
                assert!(vectors.iter().all(|own| own.game == game && own.immobile == named), "{game}");
                ends += vectors.iter().filter(|own| own.over.is_some()).count();
                passes += vectors.iter().flat_map(|own| &own.moves).filter(|own| own.mv == "pass").count();
            }
        }
        println!("{game}: {ends} ends, {passes} passes");
        assert!(ends > 10, "{game}: only {ends} ends");
        assert!(passes > 0 || !["senet", "swish"].contains(&game), "{game}: no pass");
    }
}

/// The vectors of a file that `tests/data/vectors/make.sh` wrote.
fn unpacked(file: &Path) -> Vec<TestVector> {
    let lines = BufReader::new(GzDecoder::new(File::open(file).expect("a sample"))).lines();
    let vector = |line: String| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
    lines.map(|line| vector(line.expect("a line"))).collect()
}

/// Other implementations of the rules are tested by these files: the checker in Python, the theorems in Rocq.
#[test]
fn the_committed_vectors_agree_with_the_second_implementation() {
    let folder = fs::read_dir(root().join("tests/data/vectors")).expect("a folder");
    let files: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    let samples: Vec<_> =
        files.iter().filter(|path| path.extension().is_some_and(|kind| kind == "gz")).collect();
    assert_eq!(samples.len(), 6, "{samples:?}");
    for path in samples {
        let vectors = unpacked(path);
        assert!(vectors.len() >= 1000, "{}: {}", path.display(), vectors.len());
        vectors.iter().for_each(check);
    }
}

#[test]
fn positions_do_not_repeat_and_follow_from_the_seed() {
    let engine = engine();
    for game in games::all() {
        let query = query(game, &starts(game)[1], Immobile::Loss);
        let [first, again, other] = [5, 5, 6].map(|seed| drawn(&engine, &query, 40, seed));
        assert_eq!(first, again, "{game}");
        assert_ne!(first, other, "{game}");
        let texts: BTreeSet<&str> = first.iter().map(|own| own.position.as_str()).collect();
        assert_eq!(texts.len(), first.len(), "{game}: a position twice");
        let start = engine.registry().pose(&query).expect("a start").text();
        assert_eq!(first[0].position, start, "{game}");
    }
}

#[test]
fn there_are_no_more_vectors_than_positions() {
    let engine = engine();
    let asked = query("squish", "b2/1ww1/wbwb1/1ww1/b2 b", Immobile::Loss);
    let vectors = drawn(&engine, &asked, u64::MAX, 1);
    let all = solver::solve(Rules::of("squish", reference::Immobile::Loss).plain(), &asked.position).scores;
    let texts: BTreeSet<_> = vectors.into_iter().map(|own| own.position).collect();
    assert_eq!(texts, all.into_keys().collect::<BTreeSet<_>>());
    assert!((texts.len() as u64) < MOST_VECTORS);
}

#[test]
fn known_values_are_those_of_the_slow_solver_and_open_positions_are_unknown() {
    let engine = engine();
    let asked = query("squish", "b1w/1wb1/wb1wb/1wb1/b1w w", Immobile::Loss);
    let unknown = KnownValue::Value { value: None, plies: None, proof: Proof::None };
    let open = drawn(&engine, &query("squeeze", FULL, Immobile::Loss), 1, 1);
    assert_eq!(open[0].known, unknown);
    let unknown = KnownValue::Chance { chance: None, error: None, proof: Proof::None };
    let open = engine.vector(&query("senet", "wbwbw5/b1b7/3w1b4 b", Immobile::Loss)).expect("a vector");
    assert_eq!(open.known, unknown);
    engine.solve(&asked, &Limits::default(), &Control::none()).expect("solved");
    let scores =
        solver::solve(Rules::of("squish", reference::Immobile::Loss).plain(), &asked.position).scores;
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for vector in drawn(&engine, &asked, 300, 3) {
        let KnownValue::Value { value, plies, .. } = &vector.known else { panic!("Squish has no throws") };
        let (expected, counted) = scores[&vector.position];
        if value.is_some() {
            assert_eq!(word(*value), expected, "{}", vector.position);
            assert!(plies.is_none() || plies.map(u32::from) == counted, "{}: {plies:?}", vector.position);
            *counts.entry(expected).or_default() += u32::from(vector.over.is_none());
        }
    }
    println!("known values of positions that are not over: {counts:?}");
    assert!(counts["win"] > 10 && counts["loss"] > 10, "{counts:?}");
}
