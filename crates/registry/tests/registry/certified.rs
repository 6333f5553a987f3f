//! Certified chances of Senet's starts, and estimates for all other chances.

use marquis_core::GameId;
use marquis_engine::{Control, Engine, EngineOptions, Level, Limits, Opponent, Query};
use marquis_registry::official;
use marquis_wire::answer::{Answer, ChanceAnswer, Proof, Source};

const SENET: GameId = GameId::new("senet");
/// Positions and colour swaps of starts with two, three and four pieces, with chance and error.
const STARTS: [(&str, &str, f64, f64); 3] = [
    ("start:2", "bwbw6/10/10 w", 0.510_330_640, 1e-9),
    ("start:3", "bwbwbw4/10/10 w", 0.511_044_404, 1.3e-9),
    ("start:4", "bwbwbwbw2/10/10 w", 0.505_162_715, 9.3e-7),
];

fn engine() -> Engine {
    Engine::open(official(), EngineOptions::default()).expect("an engine").0
}

fn chance(answer: Answer) -> ChanceAnswer {
    let Answer::Chance(answer) = answer else { panic!("Senet has throws") };
    answer
}

/// Checks that every throw and every move has an estimate, whose mean is the chance of the position.
fn check_estimates(answer: &ChanceAnswer) {
    let at = &answer.position;
    let mut mean = 0.0;
    for thrown in &answer.throws {
        let best = thrown.moves.first().expect("a move, or a pass");
        assert_eq!(
            (thrown.source, thrown.error, thrown.chance),
            (Some(Source::Estimate), None, best.chance),
            "{at}"
        );
        for own in &thrown.moves {
            assert!(own.chance.is_some_and(|chance| (0.0..=1.0).contains(&chance)), "{at}: {own:?}");
            assert_eq!((own.source, own.error), (Some(Source::Estimate), None), "{at}: {own:?}");
        }
        mean += f64::from(thrown.weight) / 16.0 * thrown.chance.expect("an estimate");
    }
    let chance = answer.chance.expect("a chance");
    assert!((mean - chance).abs() < 1e-9, "{at}: throws come to {mean}, the position to {chance}");
}

#[test]
fn certified_starts_are_answered_by_the_book_with_estimates_for_their_moves() {
    let engine = engine();
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    for (start, swapped, expected, error) in STARTS {
        for position in [start, swapped] {
            let query = Query::new(SENET, position);
            let probed = engine.probe(&query).expect("asked");
            let value = chance(engine.probe_value(&query).expect("asked"));
            let solved = engine.solve(&query, &limits, &Control::none()).expect("asked");
            assert_eq!(probed, solved, "{position}");
            for answer in [chance(probed), value.clone()] {
                assert_eq!((answer.chance, answer.proof), (Some(expected), Proof::Book), "{position}");
                assert!(answer.error.is_some_and(|own| own >= error && own < 1.01 * error), "{answer:?}");
                assert_eq!((answer.source, answer.book.is_some()), (Some(Source::Exact), true), "{position}");
            }
            check_estimates(&chance(solved));
        }
    }
}

#[test]
fn a_position_without_a_certified_chance_has_estimates_at_first_sight() {
    let engine = engine();
    for position in ["start:5", "wbwbwbwb1w/b9/10 b", "4bw1b2/3w6/10 w", "wb6w1/b9/10 w"] {
        let answer = chance(engine.probe(&Query::new(SENET, position)).expect("asked"));
        assert_eq!((answer.source, answer.error, answer.proof), (Some(Source::Estimate), None, Proof::None));
        check_estimates(&answer);
    }
}

#[test]
fn the_time_that_a_limit_of_positions_may_take_changes_no_estimate() {
    let engine = engine();
    for (nodes, position) in [(100, "start:4"), (100, "start:5"), (50_000, "start:5")] {
        let [without, with] = [None, Some(web_time::Duration::from_secs(30))].map(|time| {
            let limits = Limits { nodes: Some(nodes), time, ..Limits::default() };
            engine.solve(&Query::new(SENET, position), &limits, &Control::none()).expect("asked")
        });
        assert_eq!(without, with, "{position} with {nodes} positions");
    }
}

#[test]
fn beside_a_certified_chance_each_level_names_where_it_comes_from() {
    let engine = engine();
    // A solved position stays known.
    engine.solve(&Query::new(SENET, "wb8/10/10 b"), &Limits::default(), &Control::none()).expect("solved");
    for (position, throw) in [("10/10/5b2w1 w", 1), ("wb8/10/10 b", 2), ("start:3", 2)] {
        for level in 1..=8 {
            let query = Query { throw: Some(throw), ..Query::new(SENET, position) };
            let opponent = Opponent { level: Level::new(level).expect("a level"), seed: 3 };
            let limits = Limits { nodes: Some(100), ..Limits::default() };
            let advice = engine.advise(&query, opponent, &limits, &Control::none()).expect("a move");
            let answer = chance(advice.answer);
            let is_certified = answer.source == Some(Source::Exact);
            assert_eq!(answer.proof == Proof::None, !is_certified, "{position}, level {level}: {answer:?}");
            assert_eq!(is_certified, position != "start:3", "{position}, level {level}: {answer:?}");
            assert!(answer.throws[0].moves.iter().any(|own| own.mv == advice.mv), "{answer:?}");
        }
    }
}
