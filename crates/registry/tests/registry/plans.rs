//! Plans of all games on all boards: each is a refusal with sensible numbers, or has parts that add up to its totals.

use std::path::Path;

use marquis_core::GameId;
use marquis_engine::tables::plan;
use marquis_engine::{BuildQuery, EngineError};
use marquis_registry::official;
use marquis_wire::reports::BuildPlan;

/// More bytes than any machine has, and more slots than any build.
const ABSURD: u128 = 1 << 62;

/// The numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = u128> + '_ {
    let digits = text.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty());
    digits.map(|digits| digits.parse().expect("digits"))
}

fn is_sound(plan: &BuildPlan, place: &str) {
    let BuildPlan { layers, slots, memory_bytes, least_memory_bytes, disk_bytes, .. } = plan;
    let sum: u128 = layers.iter().map(|layer| u128::from(layer.slots)).sum();
    assert_eq!(u128::from(*slots), sum, "{place}");
    let largest = layers.iter().map(|layer| layer.slots).max().expect("layers");
    assert!(least_memory_bytes <= memory_bytes, "{place}: {memory_bytes} of memory");
    assert!(*memory_bytes >= largest / 8, "{place}: {memory_bytes} bytes of memory for {largest} slots");
    for number in [slots, memory_bytes, least_memory_bytes, disk_bytes] {
        assert!(u128::from(*number) < ABSURD, "{place}: {number}");
    }
}

/// Possible queries of a game: boards with all pieces or some, and starts.
fn queries(game: GameId) -> Vec<BuildQuery> {
    let query = || BuildQuery::new(game);
    let mut all = vec![query()];
    for side in 1..=9 {
        all.push(BuildQuery { side: Some(side), ..query() });
        // Between these, the numbering alone takes long, and fits into memory.
        for (most, beads) in [(1, None), (2, Some(1)), (3, Some(2)), (20, None), (200, Some(60))] {
            let pieces = Some(format!("{most}v{most}"));
            all.push(BuildQuery { side: Some(side), pieces, beads, ..query() });
        }
    }
    for size in ["", ":2", ":3", ":4", ":5", ":2x2", ":3x4", ":4x4x2", ":6x6", ":8x8", ":8x8x3", ":8x1"] {
        all.push(BuildQuery { from: Some(format!("start{size}")), ..query() });
    }
    for pieces in ["1v1", "5v5", "9v9"] {
        all.push(BuildQuery { pieces: Some(pieces.to_owned()), ..query() });
    }
    all
}

/// The numbers of large layers can lie on disk. The figure is that of version 0.1.
#[test]
fn a_build_of_chances_is_planned_with_the_memory_that_it_takes_on_disk() {
    let pieces = Some("5v5".to_owned());
    let query = BuildQuery { pieces, ..BuildQuery::new(GameId::new("senet")) };
    let BuildPlan { memory_bytes, least_memory_bytes, .. } =
        plan(&official(), &query, Path::new("nowhere")).expect("a plan");
    assert_eq!((memory_bytes, least_memory_bytes), (24_667_559_312, 24_667_559_312));
}

#[test]
fn no_plan_and_no_refusal_of_one_has_a_number_that_cannot_be() {
    let (registry, mut planned, mut vast) = (official(), 0, 0);
    for game in registry.games() {
        for query in queries(game.id()) {
            let BuildQuery { side, pieces, beads, from, .. } = &query;
            let place = format!("{} {side:?} {pieces:?} {beads:?} {from:?}", game.id());
            match plan(&registry, &query, Path::new("nowhere")) {
                Ok(plan) => {
                    is_sound(&plan, &place);
                    planned += 1;
                }
                Err(refused) => {
                    vast += usize::from(matches!(refused, EngineError::NeverFits { .. }));
                    let words = refused.to_string();
                    assert!(numbers(&words).all(|number| number < ABSURD), "{place}: {words}");
                }
            }
        }
    }
    assert!(planned > 40 && vast > 10, "{planned} plans, {vast} that never fit");
}
