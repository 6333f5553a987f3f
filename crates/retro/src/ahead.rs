//! A layer from those that its moves lead to: one ply ahead, by the rules alone.

use marquis_core::Indexed;
use rayon::prelude::*;

use crate::cell::{Entry, LayerCells};
use crate::limits::{SolveLimits, SolveProgress};
use crate::offers::{NearLayers, Offered, offers};
use crate::probe::Layers;
use crate::tasks::{Tasks, Unfinished};

/// The cells of a layer whose positions never lead to each other, each the best that its moves offer.
///
/// * `tables`: holds every layer that a move leads to.
/// * Result: a position with a move to an unused index counts as unused itself.
///
/// # Errors
/// A limit, or a missing layer that a move leads to.
pub fn one_ply_ahead<G: Indexed>(
    game: &G,
    layer: G::Layer,
    tables: &Layers<G::Layer>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<LayerCells, Unfinished<G::Layer>> {
    let near = NearLayers::of(game, layer, tables);
    let slots = game.slots(layer);
    let tasks = Tasks::by_slots(slots, limits, progress);
    let look = |(task, cells): (usize, &mut [u16])| {
        let range = tasks.begin(task as u64).map_err(Unfinished::Stopped)?;
        let mut cells = cells.iter_mut();
        offers(game, layer, &near, range, |_, offered| {
            let entry = match offered {
                Offered::Best(_, Some(best)) => Entry::Score(best),
                Offered::Best(_, None) | Offered::Unused => Entry::Unused,
            };
            if let Some(cell) = cells.next() {
                *cell = entry.code() as u16;
            }
        })
        .map_err(Unfinished::Missing)
    };
    let mut cells = vec![0_u16; slots as usize];
    cells.par_chunks_mut(Tasks::SLOTS as usize).enumerate().try_for_each(look)?;
    Ok(LayerCells::narrowed(cells))
}
