//! The embedded book of known results: every entry is correct, and a wrong one is detected.

use std::collections::BTreeMap;
use std::path::Path;

use marquis_core::GameId;
use marquis_core::{Notation as _, Symmetric as _};
use marquis_engine::{BookUse, Control, Engine, EngineOptions, Level, Limits, Opponent, Query, check_book};
use marquis_games::unification::{Flow, Unification};
use marquis_registry::official;
use marquis_wire::answer::{Answer, ExactAnswer, Proof};
use marquis_wire::book::{BookCheck, BookVerdict, Made};
use marquis_wire::words::word;

const BOOK: &str = include_str!("../../../../tablebases/book/results.tsv");
const FLOWISH: GameId = GameId::new("flowish");
const SQUINCH: GameId = GameId::new("squinch");
const SENET: GameId = GameId::new("senet");

fn proofs() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tablebases/proofs"))
}

fn engine(book: BookUse) -> Engine {
    Engine::open(official(), EngineOptions { book, ..EngineOptions::default() }).expect("an engine").0
}

fn exact(answer: Answer) -> ExactAnswer {
    let Answer::Exact(answer) = answer else { panic!("no throws here") };
    answer
}

/// Checks the book with `from` replaced by `to` in the one line that contains it.
fn checked(from: &str, to: &str, game: GameId) -> BookCheck {
    let mut lines = BOOK.lines().filter(|line| line.contains(from));
    let (Some(line), None) = (lines.next(), lines.next()) else {
        panic!("{from} is not in one line of the book")
    };
    assert_eq!(line.matches(from).count(), 1, "{from} is not in the line once");
    let registry = official().with_book(&(line.replace(from, to) + "\n"));
    check_book(&registry, Some(game), proofs(), &Control::none()).expect("checked")
}

#[test]
fn every_known_result_holds() {
    let check = check_book(&official(), None, proofs(), &Control::none()).expect("checked");
    assert_eq!(check.left_out, Vec::<String>::new());
    let mut found = BTreeMap::new();
    for own in &check.entries {
        let expected = match (&own.entry.proof, own.entry.made) {
            (Some(_), _) => BookVerdict::Replayed,
            (None, Made::Listed) => BookVerdict::Solved,
            (None, Made::Tables | Made::Search) => BookVerdict::Unchecked,
        };
        assert_eq!(own.verdict, expected, "{} {}: {:?}", own.entry.game, own.entry.position, own.why);
        *found.entry((own.entry.game.as_str(), own.verdict.name())).or_insert(0) += 1;
    }
    let expected = [
        (("flowish", "replayed"), 31),
        (("flowish", "solved"), 1),
        (("senet", "solved"), 1),
        (("senet", "unchecked"), 2),
        (("squeeze", "replayed"), 12),
        (("squeeze", "solved"), 2),
        (("squinch", "replayed"), 3),
        (("squinch", "solved"), 3),
        (("squinch", "unchecked"), 11),
        (("squish", "replayed"), 1),
        (("squish", "solved"), 1),
        (("swish", "replayed"), 16),
        (("swish", "solved"), 2),
    ];
    assert_eq!(found, BTreeMap::from(expected));
    let lines: Vec<&str> = BOOK.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.is_sorted(), "the lines of the book are in order");
}

#[test]
fn a_wrong_result_is_found_whatever_is_wrong_with_it() {
    let loses = "\t1wb1/1b1wb/bwwb1w/1wb1wb1/b1wb1w/wb1wb/1wb1 b\t";
    let seal = "a37b5182b38ecb275c5ad081e517c302ef68ff9f12fdc76f0b0f1075ba0d42b9";
    for (from, to, game, why) in [
        (&*format!("{loses}win"), &*format!("{loses}loss"), FLOWISH, "the proof says win to win"),
        (seal, &"0".repeat(64), FLOWISH, "expected a file with the seal 000"),
        ("flowish-4.proof\ta37b", "flowish-4/f4xe4.proof\ta37b", FLOWISH, "expected a file with the seal"),
        ("\tb4xc4 c3xc4", "\tb4-c5 c3xc4", FLOWISH, "no proof shows that b4-c5 keeps the value"),
        ("\t13\ta1-b2 b1-b2", "\t15\ta1-b2 b1-b2", SQUINCH, "a new search finds win in 13 plies"),
        (
            "\t13\ta1-b2 b1-b2",
            "\t13\ta1-a2 b1-b2",
            SQUINCH,
            "a new search does not find a1-a2 among the best moves",
        ),
        ("chance=0.510330640", "chance=0.510330650", SENET, "expected a chance within 0.51033065 ± 1e-9"),
        ("±1e-9", "±1e-13", SENET, "expected a chance within 0.51033064 ± 1e-13"),
    ] {
        let check = checked(from, to, game);
        assert!(!check.holds(), "{to}");
        let wrong: Vec<_> = check.entries.iter().filter(|own| own.verdict == BookVerdict::Wrong).collect();
        assert!(
            wrong.iter().any(|own| own.why.as_ref().is_some_and(|said| said.contains(why))),
            "{why}: {:?}",
            wrong.iter().map(|own| &own.why).collect::<Vec<_>>()
        );
    }
    // Illegal moves and results by other rules are left out at loading.
    let check = checked("\tf1xf2\t", "\tf1xf9\t", GameId::new("squish"));
    assert!(!check.holds() && check.left_out[0].contains("f1xf9"), "{:?}", check.left_out);
}

#[test]
fn a_result_by_other_rules_is_left_out_and_not_answered_from() {
    let other = BOOK.lines().map(|line| match line.rsplit_once('\t') {
        Some((rest, fingerprint)) if !line.starts_with('#') => {
            format!("{rest}\t{}\n", fingerprint.chars().rev().collect::<String>())
        }
        _ => format!("{line}\n"),
    });
    let registry = official().with_book(&other.collect::<String>());
    assert_eq!((registry.book(None).entries.len(), registry.book(None).left_out.len()), (0, 86));
    let (engine, _) = Engine::open(registry, EngineOptions::default()).expect("an engine");
    let answer = exact(engine.probe(&Query::new(FLOWISH, "start:4")).expect("asked"));
    assert_eq!(word(answer.verdict.value), "unknown");
}

#[test]
fn every_image_of_a_known_start_is_answered_with_all_its_first_moves() {
    let (with, without) = (engine(BookUse::Asked), engine(BookUse::LeftAlone));
    let (rules, start) = Unification::<Flow>::parse(&text("start:4")).expect("a position");
    let mut texts = Vec::new();
    for image in 0..rules.images() {
        let position = rules.position_text(&rules.image(&start, image));
        let query = Query::new(FLOWISH, position.clone());
        let answer = exact(
            with.solve(&query, &Limits { nodes: Some(0), ..Limits::default() }, &Control::none())
                .expect("solved"),
        );
        assert_eq!((word(answer.verdict.value), answer.verdict.proof), ("win", Proof::Book), "{position}");
        let source = answer.book.expect("where it comes from");
        assert_eq!(source.proof_file.as_deref(), Some("flowish-4.proof"));
        let count = |value: &str| answer.moves.iter().filter(|own| word(own.verdict.value) == value).count();
        assert_eq!((count("win"), count("loss"), count("unknown")), (9, 21, 0), "{position}");
        let blank = exact(without.probe(&query).expect("asked"));
        assert_eq!((word(blank.verdict.value), blank.verdict.proof), ("unknown", Proof::None));
        texts.push(position);
    }
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 1, "{texts:?}");
}

fn text(start: &str) -> String {
    exact(engine(BookUse::LeftAlone).probe(&Query::new(FLOWISH, start)).expect("asked")).position
}

#[test]
fn a_player_makes_a_move_that_is_known_to_win_and_the_position_after_it_is_known_too() {
    let engine = engine(BookUse::Asked);
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    for (game, start) in [("squish", "start:4"), ("flowish", "start:4"), ("squinch", "start:4x4")] {
        let game = GameId::new(game);
        let query = Query::new(game, start);
        let best = Opponent { level: Level::MAX, seed: 0 };
        let advice = engine.advise(&query, best, &limits, &Control::none()).expect("a move");
        let known = engine.registry().book(None).entries;
        let answer = exact(advice.answer);
        // The starts are symmetric: an image of a best move is as good.
        let chosen = answer.moves.iter().find(|own| own.mv == advice.mv).expect("a move");
        assert_eq!((word(chosen.verdict.value), chosen.verdict.proof), ("win", Proof::Book), "{game}");
        let here = answer.position;
        let entry = known.iter().find(|entry| entry.position == here).expect("in the book");
        let after = exact(engine.probe(&Query::new(game, advice.position)).expect("asked"));
        assert_eq!((word(after.verdict.value), after.verdict.proof), ("loss", Proof::Book), "{game}");
        assert_eq!(after.verdict.plies, entry.plies.map(|plies| plies - 1), "{game}");
    }
}

#[test]
fn a_win_in_the_book_names_a_move_and_level_8_plays_it() {
    let (engine, registry) = (engine(BookUse::Asked), official());
    let entries = registry.book(None).entries;
    for entry in entries.into_iter().filter(|entry| word(entry.value) == "win") {
        assert!(!entry.best.is_empty(), "{} {}", entry.game, entry.position);
        let limits = Limits { nodes: Some(1_000), threads: Some(1), ..Limits::default() };
        let query = Query::new(registry.game(&entry.game).expect("a game").id(), entry.position.clone());
        let advice = engine.advise(&query, Opponent::default(), &limits, &Control::none()).expect("a move");
        let answer = exact(advice.answer);
        let chosen = answer.moves.iter().find(|own| own.mv == advice.mv).expect("a move");
        assert_eq!(
            (word(answer.verdict.value), word(chosen.verdict.value)),
            ("win", "win"),
            "{}",
            entry.position
        );
        assert!(entry.plies.is_none() || chosen.verdict.plies == entry.plies, "{}", entry.position);
    }
}

#[test]
fn tables_and_everything_reachable_say_what_the_book_says() {
    let (with, without) = (engine(BookUse::Asked), engine(BookUse::LeftAlone));
    let query = Query::new(SQUINCH, "start:3x6");
    let known = exact(with.probe(&query).expect("known"));
    let solved = exact(without.solve(&query, &Limits::default(), &Control::none()).expect("solved"));
    assert_eq!((known.verdict.proof, solved.verdict.proof), (Proof::Book, Proof::Search));
    assert_eq!((&known.verdict.value, known.verdict.plies), (&solved.verdict.value, solved.verdict.plies));
    let soonest = |answer: &ExactAnswer| -> Vec<String> {
        let best = answer.moves.iter().filter(|own| own.verdict.plies == answer.verdict.plies);
        best.map(|own| own.mv.clone()).collect()
    };
    let sorted = |mut moves: Vec<String>| {
        moves.sort();
        moves
    };
    assert_eq!(sorted(soonest(&known)), sorted(soonest(&solved)));
}
