//! Check of the layers that a game does not write, by every move of small boards; shared by the tests of the games.

use marquis_core::{Game as _, Indexed as _, Slot};
use marquis_engine::BuildQuery;
use marquis_engine::game::{LayerOf, Tabled};
use marquis_retro::BundlePlan;

/// The number of layers of a build that are read one ply ahead. All of their moves must end the game or lead to other
/// layers.
///
/// # Panics
/// A move leads to a layer that is itself read one ply ahead.
pub(crate) fn count_unwritten<G: Tabled>(query: &BuildQuery) -> usize {
    let (index, wanted) = G::wanted(query).expect("a small build");
    let plan = BundlePlan::new(&index, wanted);
    let layers: Vec<LayerOf<G>> = plan.layers().filter(|&layer| G::is_implied(layer)).collect();
    for &layer in &layers {
        let mut moves = Vec::new();
        for position in (0..index.slots(layer)).filter_map(|slot| index.position(layer, Slot(slot))) {
            if index.over(&position).is_some() {
                continue;
            }
            moves.clear();
            index.moves(&position, &mut moves);
            for after in moves.iter().map(|&mv| index.play(&position, mv)) {
                let next = index.slot(&after).0;
                let text = G::text(&index, &position);
                assert!(index.over(&after).is_some() || !G::is_implied(next), "{text}: {next:?}");
            }
        }
    }
    layers.len()
}
