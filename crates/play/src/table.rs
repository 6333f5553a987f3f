//! The transposition table of a search, in bounded memory.
//!
//! Entries store the position itself, so that two positions with one key are never mixed up and proofs stay valid.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use marquis_core::Hashed;

use crate::Worth;

/// The kind of a stored worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoundKind {
    /// The exact worth.
    Exact,
    /// A lower bound.
    AtLeast,
    /// An upper bound.
    AtMost,
}

/// The stored result for a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredResult<P, M> {
    position: P,
    /// The best move, or one that caused a cutoff.
    pub(crate) best: Option<M>,
    /// Relative to the position.
    pub(crate) worth: Worth,
    pub(crate) kind: BoundKind,
    /// The depth, in plies.
    pub(crate) depth: i8,
    /// The generation of the search that wrote it.
    age: u8,
}

impl<P, M> StoredResult<P, M> {
    /// Whether it holds at every depth and on every path: a lower bound that is a win, or an upper bound that is a
    /// loss.
    pub(crate) fn is_proof(&self) -> bool {
        self.worth.is_decided()
            && match self.kind {
                BoundKind::Exact => true,
                BoundKind::AtLeast => self.worth > Worth::DRAW,
                BoundKind::AtMost => self.worth < Worth::DRAW,
            }
    }
}

/// Two entries: the first is kept while it is deeper, the second is always replaced.
type Pair<P, M> = [Option<StoredResult<P, M>>; 2];

/// The transposition table of a search, or of several that search one position together.
///
/// Locks never block: if another thread holds the lock of a pair, the pair is skipped.
#[derive(Debug)]
pub struct TranspositionTable<G: Hashed> {
    pairs: Vec<Mutex<Pair<G::Position, G::Move>>>,
    age: AtomicU8,
}

impl<G: Hashed> TranspositionTable<G> {
    /// A table of at most `bytes` bytes, but at least two entries.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Mutex<Pair<G::Position, G::Move>>>()).max(1);
        let pairs = (0..1_usize << most.ilog2()).map(|_| Mutex::new([None; 2])).collect();
        Self { pairs, age: AtomicU8::new(0) }
    }

    /// Clears the table.
    pub fn clear(&self) {
        for pair in &self.pairs {
            *pair.lock().unwrap_or_else(PoisonError::into_inner) = [None; 2];
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// Starts a new generation: older entries may be replaced.
    pub(crate) fn turn_page(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    /// The pair of a key, unless another thread holds it.
    #[inline]
    fn pair(&self, key: u64) -> Option<MutexGuard<'_, Pair<G::Position, G::Move>>> {
        // The number of pairs is a power of two.
        self.pairs[key as usize & (self.pairs.len() - 1)].try_lock().ok()
    }

    #[inline]
    pub(crate) fn get(&self, key: u64, position: &G::Position) -> Option<StoredResult<G::Position, G::Move>> {
        self.pair(key)?.iter().flatten().find(|entry| entry.position == *position).copied()
    }

    pub(crate) fn put(
        &self,
        key: u64,
        position: &G::Position,
        best: Option<G::Move>,
        (worth, kind): (Worth, BoundKind),
        depth: i8,
    ) {
        let Some(mut pair) = self.pair(key) else { return };
        let age = self.age.load(Ordering::Relaxed);
        let same = pair.iter().position(|entry| entry.is_some_and(|entry| entry.position == *position));
        let entry = StoredResult { position: *position, best, worth, kind, depth, age };
        if let Some(same) = same {
            let old = pair[same].expect("it was just found");
            // A proof is never replaced by an estimate.
            if !old.is_proof() || entry.is_proof() {
                pair[same] = Some(StoredResult { best: best.or(old.best), ..entry });
            }
            return;
        }
        let keeps = pair[0]
            .is_some_and(|old| old.age == age && (old.is_proof(), old.depth) > (entry.is_proof(), depth));
        if keeps {
            pair[1] = Some(entry);
        } else {
            pair[1] = pair[0];
            pair[0] = Some(entry);
        }
    }
}
