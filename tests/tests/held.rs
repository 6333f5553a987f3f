//! Solved positions are won by the highest level: the small version of the example `held`.

use std::time::Duration;

use marquis_engine::EngineOptions;
use marquis_registry::official;
use marquis_tests::answers::asked::engine;
use marquis_tests::answers::case::Budget;
use marquis_tests::draw::Draw;
use marquis_tests::held::{Rival, play, won_by_white};

/// The time of a move of the highest level: a delay that people do not notice.
const BUDGET: Budget = Budget::Time(50);

#[test]
fn the_highest_level_wins_what_is_proved_won() {
    let engine = engine(&official(), &EngineOptions::default()).expect("an engine");
    let starts = won_by_white(&engine);
    assert_eq!(starts.len(), 10, "{starts:?}");
    let mut draw = Draw::new(59);
    for start in &starts {
        for rival in [Rival::Random, Rival::Level(8, 1_000)] {
            let held = play(&engine, start, rival, BUDGET, &mut draw);
            assert!(held.is_won, "{} against {rival:?}: {:?}", start.position, held.moves);
            assert_eq!(held.unproved, Vec::<String>::new(), "{} against {rival:?}", start.position);
            let slow = held.times.iter().filter(|time| **time > Duration::from_secs(2)).count();
            assert_eq!(slow, 0, "{} against {rival:?}: {:?}", start.position, held.times);
        }
    }
}
