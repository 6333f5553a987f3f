//! What a game says of layers that need not be written, against every move of small boards: what the tests of the games
//! share.

use marquis_core::{Game as _, Indexed as _, Slot};
use marquis_engine::{BuildQuery, LayerOf, Tabled};
use marquis_retro::Plan;

/// How many layers of a build are told ahead; all of their moves end the game or lead to others.
///
/// # Panics
/// One leads to a layer that is told ahead itself.
pub(crate) fn told<G: Tabled>(query: &BuildQuery) -> usize {
    let (index, wanted) = G::wanted(query).expect("a small build");
    let plan = Plan::new(&index, wanted);
    let layers: Vec<LayerOf<G>> = plan.layers().filter(|&layer| G::is_told_ahead(layer)).collect();
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
                assert!(index.over(&after).is_some() || !G::is_told_ahead(next), "{text}: {next:?}");
            }
        }
    }
    layers.len()
}
