//! What a search remembers of positions, in bounded memory.
//!
//! Entries hold the position itself, so that two positions with one key are never mixed up: what is proved stays
//! proved.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use marquis_core::Hashed;

use crate::Worth;

/// What is known of the worth of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is this.
    Exact,
    /// At least this.
    AtLeast,
    /// At most this.
    AtMost,
}

/// What a search found out about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<P, M> {
    position: P,
    /// The move that was best, or good enough.
    pub(crate) best: Option<M>,
    /// As the position says it of itself.
    pub(crate) worth: Worth,
    pub(crate) kind: Kind,
    /// Plies looked ahead.
    pub(crate) depth: i8,
    /// The search that it is of.
    age: u8,
}

impl<P, M> Entry<P, M> {
    /// Whether it holds at every depth and on every path: a win is at least what it is, a loss at most.
    pub(crate) fn is_proof(&self) -> bool {
        self.worth.is_decided()
            && match self.kind {
                Kind::Exact => true,
                Kind::AtLeast => self.worth > Worth::DRAW,
                Kind::AtMost => self.worth < Worth::DRAW,
            }
    }
}

/// Two entries: the first is kept while it looked farther ahead, the second is always replaced.
type Pair<P, M> = [Option<Entry<P, M>>; 2];

/// What a search remembers, or several that look at one position together.
///
/// Each pair has a lock that nobody waits for: what another one is writing at the moment is not remembered.
#[derive(Debug)]
pub struct Table<G: Hashed> {
    pairs: Vec<Mutex<Pair<G::Position, G::Move>>>,
    age: AtomicU8,
}

impl<G: Hashed> Table<G> {
    /// A table of at most so many bytes, two entries at least.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Mutex<Pair<G::Position, G::Move>>>()).max(1);
        let pairs = (0..1_usize << most.ilog2()).map(|_| Mutex::new([None; 2])).collect();
        Self { pairs, age: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for pair in &self.pairs {
            *pair.lock().unwrap_or_else(PoisonError::into_inner) = [None; 2];
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// Begins a search: what is older may be replaced.
    pub(crate) fn turn_page(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    /// The pair of a key, unless another one is at it.
    #[inline]
    fn pair(&self, key: u64) -> Option<MutexGuard<'_, Pair<G::Position, G::Move>>> {
        // The number of pairs is a power of two.
        self.pairs[key as usize & (self.pairs.len() - 1)].try_lock().ok()
    }

    #[inline]
    pub(crate) fn get(&self, key: u64, position: &G::Position) -> Option<Entry<G::Position, G::Move>> {
        self.pair(key)?.iter().flatten().find(|entry| entry.position == *position).copied()
    }

    pub(crate) fn put(
        &self,
        key: u64,
        position: &G::Position,
        best: Option<G::Move>,
        (worth, kind): (Worth, Kind),
        depth: i8,
    ) {
        let Some(mut pair) = self.pair(key) else { return };
        let age = self.age.load(Ordering::Relaxed);
        let same = pair.iter().position(|entry| entry.is_some_and(|entry| entry.position == *position));
        let entry = Entry { position: *position, best, worth, kind, depth, age };
        if let Some(same) = same {
            let old = pair[same].expect("it was just found");
            // A proof is not given up for an estimate.
            if !old.is_proof() || entry.is_proof() {
                pair[same] = Some(Entry { best: best.or(old.best), ..entry });
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
