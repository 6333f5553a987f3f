//! For any limit: estimates lie within their bounds, moves have one ranking, and known results are used first and
//! last.

use std::path::PathBuf;
use std::sync::Arc;

use marquis_core::GameId;
use marquis_engine::{BookUse, Control, Engine, EngineOptions, Limits, Query};
use marquis_registry::official;
use marquis_tests::answers::asked::{advise, engine, review, solve};
use marquis_tests::answers::book::Entry;
use marquis_tests::answers::case::{Budget, Case};
use marquis_tests::answers::document::Document;
use marquis_tests::answers::judge::Judge;
use marquis_tests::answers::order::check_chosen;
use marquis_tests::answers::reviews;
use marquis_tests::answers::said::{Detail, Said};
use marquis_tests::answers::sources::Sources;
use marquis_tests::draw::Draw;
use marquis_tests::games;
use marquis_tests::reference::Immobile;
use marquis_wire::answer::Answer;
use serde_json::Value;

/// Positions per game.
const POSITIONS: usize = 40;
/// Limits that end a search at its start, in the middle, and after most have ended.
const NODES: [u64; 4] = [1, 60, 1000, 8000];

/// An engine with the book or without it.
fn opened(book: BookUse) -> Arc<Engine> {
    let options = EngineOptions { book, ..EngineOptions::default() };
    Arc::new(engine(&official(), &options).expect("an engine"))
}

/// The document of an answer, checked for consistency and against the rules.
fn checked(case: &Case, engine: &Engine, nodes: u64, judge: &mut Judge) -> Option<Document> {
    let answer = solve(engine, case, Budget::Nodes(nodes));
    match Said::checked(case, &answer, Detail::Moves, judge) {
        Some(Said::Exact(document)) => Some(document),
        _ => None,
    }
}

#[track_caller]
fn assert_no_faults(judge: &Judge, at: &str) {
    assert!(judge.faults.is_empty(), "{at}: {:#?}", judge.faults);
}

#[test]
fn estimates_lie_within_their_bounds_and_list_line_and_choice_begin_alike() {
    let sources = Sources::new(&official());
    let (plain, bare) = (opened(BookUse::Asked), opened(BookUse::LeftAlone));
    let mut draw = Draw::new(52);
    let mut lines = 0;
    for game in games::without_throws() {
        for number in 0..POSITIONS {
            // Random positions, positions near an end, and play from starts and set-ups.
            let origin = *draw.pick(&["random", "few", "end", "play", "set-up"]);
            let case = sources.draw(game, origin, &plain, &mut draw);
            if case.rules().over(&case.position).is_some() {
                continue;
            }
            let nodes = NODES[number % NODES.len()];
            for engine in [&plain, &bare] {
                let mut judge = Judge::default();
                let document = checked(&case, engine, nodes, &mut judge);
                let chosen = advise(engine, &case, 8, None, Budget::Nodes(nodes)).expect("a move");
                let advised = Document::read(&chosen["answer"]).expect("an answer");
                check_chosen(&advised, chosen["move"].as_str().expect("a move"), &mut judge);
                lines += document.map_or(0, |document| usize::from(!document.pv.is_empty()));
                assert_no_faults(&judge, &case.command("solve", Budget::Nodes(nodes)));
            }
        }
    }
    assert!(lines > games::without_throws().len() * POSITIONS / 2, "only {lines} answers had a line");
}

#[test]
fn a_review_gives_no_chance_that_its_bounds_exclude() {
    let sources = Sources::new(&official());
    let (plain, bare) = (opened(BookUse::Asked), opened(BookUse::LeftAlone));
    let mut draw = Draw::new(21);
    let (mut reviewed, mut half_known) = (0, 0);
    let named = Case {
        game: "swish",
        immobile: Immobile::Loss,
        position: "1o/1w1/b1 b 0-1 2".to_owned(),
        origin: "issue",
    };
    let drawn = games::without_throws().into_iter().flat_map(|game| std::iter::repeat_n(game, 12));
    let drawn: Vec<Case> = drawn.map(|game| sources.draw(game, "few", &plain, &mut draw)).collect();
    for case in [named].into_iter().chain(drawn) {
        let rules = case.rules();
        let (mut here, mut moves) = (case.position.clone(), Vec::new());
        while moves.len() < 6 && rules.over(&here).is_none() {
            let (mv, next) = draw.pick(&rules.moves(&here, None)).clone();
            moves.push(mv);
            here = next;
        }
        if moves.is_empty() {
            continue;
        }
        for budget in [60, 600, 3000].map(Budget::Nodes) {
            let first = Document::read(&solve(&bare, &case, budget).expect("an answer")).expect("a document");
            let told = review(&bare, &case, &moves, budget).expect("a review");
            let mut judge = Judge::default();
            reviews::check(&told, &first, &mut judge);
            // Other tests check the marks.
            judge
                .faults
                .retain(|fault| ["P3", "R.chance"].iter().any(|name| fault.property.starts_with(name)));
            assert_no_faults(&judge, &format!("{} {moves:?}", case.command("solve", budget)));
            reviewed += moves.len();
            half_known += half_known_of(&told);
        }
    }
    assert!(reviewed > 300 && half_known > 5, "{reviewed} moves, {half_known} with one bound");
}

/// The number of moves in a review that are only known not to win or not to lose.
fn half_known_of(review: &Value) -> usize {
    let bounds = review["moves"].as_array().into_iter().flatten().map(|own| &own["bounds"]);
    let is_half = |bounds: &&Value| {
        bounds[0] != bounds[1] && (bounds[0].as_str(), bounds[1].as_str()) != (Some("loss"), Some("win"))
    };
    bounds.filter(is_half).count()
}

#[test]
fn every_known_result_is_answered_whatever_the_limit() {
    let sources = Sources::new(&official());
    let plain = opened(BookUse::Asked);
    let mut judge = Judge::default();
    let mut entries = 0;
    for game in games::without_throws() {
        // Each proof of Flowish takes most of a second to load, a large one many seconds.
        let every = if game == "flowish" { 4 } else { 1 };
        let bytes = |file: &PathBuf| std::fs::metadata(file).map_or(0, |data| data.len());
        let is_small = |entry: &&Entry| entry.proof.as_ref().is_none_or(|file| bytes(file) < 400_000);
        for entry in sources.book.of(game).filter(is_small).step_by(every) {
            let position = entry.position.clone();
            let case = Case { game, immobile: Immobile::Loss, position, origin: "book" };
            entries += 1;
            for nodes in [0, 1, 60, 1000] {
                if let Some(document) = checked(&case, &plain, nodes, &mut judge) {
                    sources.book.check(&document, game, &case.rules(), &mut judge);
                }
                assert_no_faults(&judge, &case.command("solve", Budget::Nodes(nodes)));
            }
        }
    }
    assert_eq!(judge.checked.get("P2.book"), Some(&(4 * entries)));
    assert!(entries > 55, "only {entries} known results");
}

#[test]
fn a_game_that_certainly_lasts_long_leaves_its_limit_to_the_judge() {
    // The judge finds them lopsided, which is a reason to search for a proof where a game may end soon.
    let texts = [
        "w1,1,w1,4,r1/1,r1,r1,w1,r1,3/2,w2,1,r1,1,w1,1/w1,r1,w2,w2,r1,w1,w2,r2/r1,r2,r1,r2,2,r2,w2/\
         w1,w1,4,r4,1/1,r2,w1,1,w1,w1,w1,1/2,w1,5 w",
        "2,r2,r1,3,r1/w2,6,w1/r2,w1,1,r1,w2,1,w2,r1/r1,2,w1,1,w2,1,w2/1,w1,r3,1,r2,w1,r1,r1/\
         r1,1,w1,r2,2,r3,r1/w1,2,w1,4/w1,2,w1,2,w1,w1 r",
    ];
    let engine = opened(BookUse::Asked);
    let limits = Limits { nodes: Some(60_000), threads: Some(1), ..Limits::default() };
    for text in texts {
        let query = Query::new(GameId::new("squinch"), text);
        let Ok(Answer::Exact(answer)) = engine.solve(&query, &limits, &Control::none()) else {
            panic!("an answer: {text}")
        };
        let judged = answer.insight.expect("an estimate").nodes;
        assert!(judged > 40_000, "{judged} positions of 60,000 are the judge's: {text}");
    }
}
