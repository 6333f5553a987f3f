//! What a search remembers of positions, in bounded memory.
//!
//! Entries hold the position itself, so that two positions with one key are never mixed up: what is proved stays
//! proved.

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

/// What a search remembers.
#[derive(Clone, Debug)]
pub struct Table<G: Hashed> {
    /// In pairs: of each the first is kept while it looked farther ahead, the second is always replaced.
    entries: Vec<Option<Entry<G::Position, G::Move>>>,
    age: u8,
}

impl<G: Hashed> Table<G> {
    /// A table of at most so many bytes, two entries at least.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Option<Entry<G::Position, G::Move>>>()).max(2);
        Self { entries: vec![None; 1 << most.ilog2()], age: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.age = 0;
    }

    /// Begins a search: what is older may be replaced.
    pub(crate) fn turn_page(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    fn pair(&self, key: u64) -> usize {
        // Half of the entries is a power of two.
        (key as usize & (self.entries.len() / 2 - 1)) * 2
    }

    #[inline]
    pub(crate) fn get(&self, key: u64, position: &G::Position) -> Option<&Entry<G::Position, G::Move>> {
        let first = self.pair(key);
        let found = self.entries[first..first + 2].iter().flatten();
        found.into_iter().find(|entry| entry.position == *position)
    }

    pub(crate) fn put(
        &mut self,
        key: u64,
        position: &G::Position,
        best: Option<G::Move>,
        (worth, kind): (Worth, Kind),
        depth: i8,
    ) {
        let first = self.pair(key);
        let pair = &mut self.entries[first..first + 2];
        let same = pair.iter().position(|entry| entry.is_some_and(|entry| entry.position == *position));
        let entry = Entry { position: *position, best, worth, kind, depth, age: self.age };
        if let Some(same) = same {
            let old = pair[same].expect("it was just found");
            // A proof is not given up for an estimate.
            if !old.is_proof() || entry.is_proof() {
                pair[same] = Some(Entry { best: best.or(old.best), ..entry });
            }
            return;
        }
        let keeps = pair[0].is_some_and(|old| {
            old.age == self.age && (old.is_proof(), old.depth) > (entry.is_proof(), depth)
        });
        if keeps {
            pair[1] = Some(entry);
        } else {
            pair[1] = pair[0];
            pair[0] = Some(entry);
        }
    }
}
