//! A layer out of those that its moves lead to: one ply ahead, by the rules alone.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use marquis_core::{Indexed, Slot};
use rayon::prelude::*;

use crate::cell::{Cells, Entry};
use crate::limits::{Phase, SolveLimits, SolveProgress};
use crate::probe::Layers;
use crate::verify::{Near, Scratch, Unfinished};

/// Slots that one task looks at between two looks at the limits.
const TASK: usize = 4096;
/// Tasks between two reports of progress.
const TASKS_A_REPORT: usize = 64;

/// The cells of a layer of which no position leads to another one of it, each the best that its moves offer.
///
/// * `tables`: holds every layer that a move leads to.
/// * Result: a position of which a move leads to an unused index counts as unused itself.
///
/// # Errors
/// A limit, or a layer that a move leads to and that is not there.
pub fn one_ply_ahead<G: Indexed>(
    game: &G,
    layer: G::Layer,
    tables: &Layers<G::Layer>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Cells, Unfinished<G::Layer>> {
    let near = Near::of(game, layer, tables);
    let done = AtomicU64::new(0);
    let look = |(task, cells): (usize, &mut [u16])| {
        limits.check().map_err(Unfinished::Stopped)?;
        let before = done.fetch_add(cells.len() as u64, Relaxed);
        if task.is_multiple_of(TASKS_A_REPORT) {
            progress(SolveProgress { phase: Phase::Exploring, done: before, of: game.slots(layer) });
        }
        let mut scratch = Scratch::default();
        for (cell, slot) in cells.iter_mut().zip((task * TASK) as u64..) {
            let entry = match game.position(layer, Slot(slot)) {
                None => Entry::Unused,
                Some(position) => {
                    let best = scratch.expected(game, &position, &near).map_err(Unfinished::Missing)?;
                    best.map_or(Entry::Unused, Entry::Score)
                }
            };
            *cell = entry.code() as u16;
        }
        Ok(())
    };
    let mut cells = vec![0_u16; game.slots(layer) as usize];
    cells.par_chunks_mut(TASK).enumerate().try_for_each(look)?;
    Ok(Cells::narrowed(cells))
}
