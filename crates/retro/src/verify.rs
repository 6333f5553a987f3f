//! Every entry of finished layers against its successors, by the rules alone.
//!
//! Labels without distances would vouch for each other around a cycle; with distances they cannot: a win
//! has a successor that is lost in exactly one ply less and none lost sooner, a loss has only wins and
//! the longest is one ply less, a draw has no lost successor and at least one drawn one.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use marquis_core::{Game, Indexed, Score, Slot};
use rayon::prelude::*;

use crate::cell::Entry;
use crate::limits::{Limits, Phase, Progress, Stopped};

/// Slots that one task verifies.
const TASK: u64 = 1024;

/// Finished layers that can be read.
pub trait Probe<L>: Sync {
    /// Why a slot cannot be read.
    type Error: Send;

    /// What a slot holds; for a hole anything.
    fn entry(&self, layer: L, slot: Slot) -> Result<Entry, Self::Error>;
}

/// An entry that the rules contradict.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault<P> {
    /// The position.
    pub position: P,
    /// What the table says.
    pub found: Entry,
    /// What its successors say.
    pub expected: Score,
}

/// Why a verification did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished<E> {
    /// A limit was reached.
    Stopped(Stopped),
    /// A slot could not be read.
    Unreadable(E),
}

/// What a verification found.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified<P> {
    /// Entries that were checked, holes left out.
    pub entries: u64,
    /// The first faults by slot, at most [`MOST_FAULTS`].
    pub faults: Vec<Fault<P>>,
}

/// Most faults that are reported.
pub const MOST_FAULTS: usize = 16;

/// Checks the entries of a layer.
///
/// * `every`: 1 checks every entry, `n` about every n-th.
///
/// # Errors
/// A limit, or a slot that cannot be read.
pub fn verify_layer<G: Indexed, T: Probe<G::Layer>>(
    game: &G,
    layer: G::Layer,
    tables: &T,
    every: u64,
    limits: &Limits<'_>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Verified<G::Position>, Unfinished<T::Error>> {
    let slots = game.slots(layer);
    let (done, every) = (AtomicU64::new(0), every.max(1));
    let task = |task: u64| -> Result<Verified<G::Position>, Unfinished<T::Error>> {
        limits.check().map_err(Unfinished::Stopped)?;
        let mut verified = Verified { entries: 0, faults: Vec::new() };
        let range = task * TASK..((task + 1) * TASK).min(slots);
        let before = done.fetch_add(range.end - range.start, Relaxed);
        if task.is_multiple_of(64) {
            progress(Progress { phase: Phase::Exploring, done: before, of: slots });
        }
        for slot in range.filter(|slot| slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 < (1 << 32) / every) {
            let Some(position) = game.position(layer, Slot(slot)) else { continue };
            verified.entries += 1;
            let expected = expected(game, &position, tables).map_err(Unfinished::Unreadable)?;
            let found = tables.entry(layer, Slot(slot)).map_err(Unfinished::Unreadable)?;
            if found != Entry::Score(expected) && verified.faults.len() < MOST_FAULTS {
                verified.faults.push(Fault { position, found, expected });
            }
        }
        Ok(verified)
    };
    let parts: Result<Vec<_>, _> = (0..slots.div_ceil(TASK)).into_par_iter().map(task).collect();
    let parts = parts?;
    let entries = parts.iter().map(|part| part.entries).sum();
    let faults = parts.into_iter().flat_map(|part| part.faults).take(MOST_FAULTS).collect();
    Ok(Verified { entries, faults })
}

/// What the rules and the entries of its successors say about a position.
fn expected<G: Indexed, T: Probe<G::Layer>>(
    game: &G,
    position: &G::Position,
    tables: &T,
) -> Result<Score, T::Error> {
    if let Some(over) = Game::over(game, position) {
        return Ok(Score::finished(over.outcome.for_mover(game.turn(position))));
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut best: Option<Score> = None;
    for mv in moves {
        let (layer, slot) = game.slot(&game.play(position, mv));
        let score = tables.entry(layer, slot)?.score();
        best = best.max(score.map(Score::before_move));
    }
    // Without a successor that has an entry nothing can be right: a loss in no plies is never found here.
    Ok(best.unwrap_or(Score::Loss(marquis_core::Plies::ZERO)))
}
