//! Layers from those that their moves lead to.

use std::sync::atomic::AtomicBool;

use marquis_core::{Indexed, Retract, Slot};
use marquis_games::beads::{BeadIndex, Capture, Immobile, Leap, Sandwich};
use marquis_games::unification::{Approach, Flow, Material, Stepping};
use marquis_retro::ahead::one_ply_ahead;
use marquis_retro::verify::Unfinished;
use marquis_retro::{LayerCells, Layers, SolveLimits, Stopped};

use crate::beads::{layers, parsed};
use crate::common::{built, quiet};
use crate::layered::{index, materials};

fn ahead<G: Indexed>(
    game: &G,
    layer: G::Layer,
    tables: &Layers<G::Layer>,
) -> Result<LayerCells, Unfinished<G::Layer>> {
    one_ply_ahead(game, layer, tables, &SolveLimits::until(&AtomicBool::new(false)), &quiet)
}

/// The layers that a table may omit get the same cells as from the solver.
fn check<G: Retract>(game: &G, wanted: &[G::Layer], is_told: impl Fn(G::Layer) -> bool) -> usize {
    let layers = built(game, wanted.iter().copied());
    let mut others = layers.clone();
    others.retain(|layer| !is_told(layer));
    let told: Vec<G::Layer> = layers.layers().filter(|&layer| is_told(layer)).collect();
    for &layer in &told {
        assert_eq!(ahead(game, layer, &others).as_ref(), Ok(layers.get(layer).unwrap()), "{layer:?}");
    }
    told.len()
}

#[test]
fn layers_of_a_mover_with_more_pieces_follow_from_the_others() {
    fn both<R: Stepping>(side: u8, most: u8) -> usize {
        check(&index::<R>(side, most), &materials(side, most), |layer: Material| layer.mover > layer.opponent)
    }
    assert_eq!(both::<Approach>(3, 3), 3);
    assert_eq!(both::<Flow>(3, 3), 3);
    assert_eq!(both::<Approach>(2, 6), both::<Flow>(2, 6));
}

#[test]
fn layers_of_a_mover_who_is_ahead_in_rooks_or_beads_follow_from_the_others() {
    fn all<R: Capture>() -> usize {
        let (index, _): (BeadIndex<R>, _) = parsed("w1w/4/1ooo1/4/b1b w", Immobile::Loss);
        check(&index, &layers(&index), |layer| {
            (layer.mover_rooks, layer.opponent_needs) > (layer.opponent_rooks, layer.mover_needs)
        })
    }
    assert_eq!([all::<Leap>(), all::<Sandwich>()], [6, 5]);
}

#[test]
fn plies_beyond_a_byte_are_worked_out_in_wider_cells() {
    let index = index::<Approach>(3, 3);
    let (layer, next) = (Material { mover: 3, opponent: 2 }, Material { mover: 2, opponent: 3 });
    let mut layers = built(&index, [layer]);
    let slots = index.slots(next) as usize;
    // Losses in 126 plies, whatever the position: 2 + 2 · 126.
    layers.insert(next, LayerCells::Wide(vec![254; slots]));
    let cells = ahead(&index, layer, &layers).unwrap();
    let wide = (0..cells.len() as u64).filter(|&slot| cells.entry(Slot(slot)).code() == 3 + 2 * 127).count();
    assert!(matches!(cells, LayerCells::Wide(_)) && wide > 0);
}

#[test]
fn a_missing_layer_is_named_and_an_interruption_ends_the_work() {
    let index = index::<Approach>(3, 3);
    let (layer, next) = (Material { mover: 3, opponent: 2 }, Material { mover: 2, opponent: 3 });
    let mut layers = built(&index, [layer]);
    let stop = AtomicBool::new(true);
    let stopped = one_ply_ahead(&index, layer, &layers, &SolveLimits::until(&stop), &quiet);
    assert_eq!(stopped, Err(Unfinished::Stopped(Stopped::Interrupted)));
    layers.remove(next);
    assert_eq!(ahead(&index, layer, &layers), Err(Unfinished::Missing(next)));
}
