//! Checks finished layers by the rules alone.
//!
//! The score of a position must be the best that its moves offer, plies included. For wins and losses the plies fall
//! with every move, so a cycle of positions cannot justify itself. Each win has a successor that is lost in exactly
//! one ply less and none lost sooner. Each loss has only wins and the longest is one less. Each draw has no lost
//! successor and a drawn one.

use marquis_core::{Indexed, Score};
use rayon::prelude::*;

use crate::cell::Entry;
use crate::limits::{SolveLimits, SolveProgress};
use crate::offers::{NearLayers, Offered, offers};
use crate::probe::{Counts, Layers};
use crate::scanned::{Scanned, scan_layer};
use crate::tasks::Tasks;

pub use crate::tasks::Unfinished;

/// The most faults that are reported.
pub const MOST_FAULTS: usize = 16;

/// An entry that contradicts the entries of its successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction<P> {
    /// The position.
    pub position: P,
    /// The entry in the table.
    pub found: Entry,
    /// The score according to the rules and the successors' entries; `None` if a successor is an unused index.
    pub expected: Option<Score>,
}

/// The result of checking a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified<P> {
    /// The figures of the checked entries; a slot without a position counts as unused, whatever its cell holds.
    pub counts: Counts,
    /// The first faults by slot, at most [`MOST_FAULTS`].
    pub faults: Vec<Contradiction<P>>,
}

/// The result of a task.
type TaskResult<G> = Result<Verified<<G as marquis_core::Game>::Position>, Unfinished<<G as Indexed>::Layer>>;

/// Checks the entries of a layer against those of their successors.
///
/// * `tables`: holds the component of the layer and its child layers.
/// * `every`: 1 checks every entry, `n` about every n-th, always the same ones.
/// * Result: excludes unused indices, which a table may fill with anything.
///
/// # Errors
/// A limit, or a missing layer that a move leads to.
pub fn verify_layer<G: Indexed>(
    game: &G,
    layer: G::Layer,
    tables: &Layers<G::Layer>,
    every: u64,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Verified<G::Position>, Unfinished<G::Layer>> {
    // A fault is reported with its position by the check of each slot.
    if every <= 1
        && let Some(Scanned::Sound(counts)) = scan_layer(game, layer, tables, limits, progress)?
    {
        return Ok(Verified { counts, faults: Vec::new() });
    }
    verify_slots(game, layer, tables, every, limits, progress)
}

/// The same as [`verify_layer`], slot by slot.
///
/// # Errors
/// A limit, or a missing layer that a move leads to.
pub fn verify_slots<G: Indexed>(
    game: &G,
    layer: G::Layer,
    tables: &Layers<G::Layer>,
    every: u64,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Verified<G::Position>, Unfinished<G::Layer>> {
    let near = NearLayers::of(game, layer, tables);
    let tasks = Tasks::by_slots(game.slots(layer), limits, progress);
    let check = |task: u64| -> TaskResult<G> {
        let range = tasks.begin(task).map_err(Unfinished::Stopped)?;
        check_slots(game, layer, &near, range.filter(|&slot| is_picked(slot, every)))
            .map_err(Unfinished::Missing)
    };
    let parts: Result<Vec<_>, _> = (0..tasks.count()).into_par_iter().map(check).collect();
    let mut verified = Verified { counts: Counts::default(), faults: Vec::new() };
    for part in parts? {
        verified.counts = verified.counts.and(part.counts);
        verified.faults.extend(part.faults.into_iter().take(MOST_FAULTS - verified.faults.len()));
    }
    Ok(verified)
}

/// Returns whether a slot is among about every n-th (multiplicative hash, so that no pattern of slots is missed).
const fn is_picked(slot: u64, every: u64) -> bool {
    every <= 1 || slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) <= u64::MAX / every
}

fn check_slots<G: Indexed>(
    game: &G,
    layer: G::Layer,
    tables: &NearLayers<'_, G::Layer>,
    slots: impl Iterator<Item = u64>,
) -> Result<Verified<G::Position>, G::Layer> {
    let mut verified = Verified { counts: Counts::default(), faults: Vec::new() };
    let cells = tables.cells(layer)?;
    offers(game, layer, tables, slots, |slot, offered| {
        let Offered::Best(position, expected) = offered else {
            return verified.counts.count(Entry::Unused);
        };
        let found = cells.entry(slot);
        verified.counts.count(found);
        if (found.score() != expected || expected.is_none()) && verified.faults.len() < MOST_FAULTS {
            verified.faults.push(Contradiction { position, found, expected });
        }
    })?;
    Ok(verified)
}
