//! Positions in the order in which they were met, each with a note; found again by position.
//!
//! Lists grow in chunks and are never copied, so they take little more memory than they fill.

use std::hash::{BuildHasher, Hash};
use std::ops::{Index, IndexMut};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The number of a position: the count of positions met before it.
pub(crate) type MetNumber = u32;

/// Items of one chunk of a list.
pub(crate) const CHUNK: usize = 1 << 14;

/// A list that grows without copying.
#[derive(Clone, Debug)]
pub(crate) struct Chunks<T>(Vec<Vec<T>>);

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Chunks<T> {
    pub(crate) fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * CHUNK + last.len())
    }

    pub(crate) fn push(&mut self, item: T) {
        if self.0.last().is_none_or(|last| last.len() == CHUNK) {
            self.0.push(Vec::with_capacity(CHUNK));
        }
        if let Some(last) = self.0.last_mut() {
            last.push(item);
        }
    }

    fn pop(&mut self) -> Option<T> {
        let item = self.0.last_mut()?.pop();
        if self.0.last().is_some_and(Vec::is_empty) {
            self.0.pop();
        }
        item
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// The items; the memory of each chunk is released after its last item.
    pub(crate) fn into_items(self) -> impl Iterator<Item = T> {
        self.0.into_iter().flatten()
    }
}

impl<T> Index<u32> for Chunks<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        &self.0[number as usize / CHUNK][number as usize % CHUNK]
    }
}

impl<T> IndexMut<u32> for Chunks<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        &mut self.0[number as usize / CHUNK][number as usize % CHUNK]
    }
}

/// The numbers of the positions of a list, by position.
#[derive(Clone, Debug, Default)]
pub(crate) struct MetNumbers(HashTable<MetNumber>);

impl MetNumbers {
    /// The number with this hash whose position is the right one.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(MetNumber) -> bool) -> Option<MetNumber> {
        self.0.find(hash, |&id| is_it(id)).copied()
    }

    /// Adds the number of the position that was met after all others.
    ///
    /// * `hash_of`: the hash of the position with a number.
    pub(crate) fn add(&mut self, hash: u64, id: MetNumber, hash_of: impl Fn(MetNumber) -> u64) {
        if self.0.len() == self.0.capacity() {
            self.grow(id, &hash_of);
        }
        self.0.insert_unique(hash, id, |&id| hash_of(id));
    }

    /// Doubles the table, which has all numbers below `end`.
    ///
    /// A table that grows by itself reads the positions in the order of their hashes, and nearly each of them misses the
    /// cache.
    fn grow(&mut self, end: MetNumber, hash_of: &impl Fn(MetNumber) -> u64) {
        let capacity = 2 * self.0.capacity();
        // Releases the memory before it takes more.
        self.0 = HashTable::new();
        self.0 = HashTable::with_capacity(capacity);
        for id in 0..end {
            self.0.insert_unique(hash_of(id), id, |&id| hash_of(id));
        }
    }

    /// Removes a number.
    pub(crate) fn remove(&mut self, hash: u64, id: MetNumber) {
        if let Ok(entry) = self.0.find_entry(hash, |&other| other == id) {
            entry.remove();
        }
    }

    /// The memory that it will take with [`CHUNK`] more numbers, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = self.0.allocation_size();
        if self.0.len() + CHUNK > self.0.capacity() { 2 * bytes } else { bytes }
    }
}

/// Positions with notes.
#[derive(Clone, Debug)]
pub(crate) struct Met<P, T> {
    ids: MetNumbers,
    all: Chunks<(P, T)>,
}

impl<P, T> Default for Met<P, T> {
    fn default() -> Self {
        Self { ids: MetNumbers::default(), all: Chunks::default() }
    }
}

impl<P: Copy + Eq + Hash, T> Met<P, T> {
    /// The memory that it will take when the next chunk of the list is full, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        (self.len() + CHUNK) * size_of::<(P, T)>() + self.ids.bytes()
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether the next position starts a new chunk of the list, so that the caller should reserve memory.
    pub(crate) fn begins_chunk(&self) -> bool {
        self.len().is_multiple_of(CHUNK)
    }

    pub(crate) fn find(&self, position: &P) -> Option<MetNumber> {
        self.ids.find(hash_of(position), |id| self.all[id].0 == *position)
    }

    /// Adds a new position; `None` if all numbers are taken.
    pub(crate) fn add(&mut self, position: P, note: T) -> Option<MetNumber> {
        let id = MetNumber::try_from(self.len()).ok()?;
        let all = &self.all;
        self.ids.add(hash_of(&position), id, |id| hash_of(&all[id].0));
        self.all.push((position, note));
        Some(id)
    }

    /// Forgets the positions from this number on.
    pub(crate) fn truncate(&mut self, from: MetNumber) {
        while self.len() > from as usize {
            let last = (self.len() - 1) as MetNumber;
            let Some((position, _)) = self.all.pop() else { return };
            self.ids.remove(hash_of(&position), last);
        }
    }

    pub(crate) fn position(&self, id: MetNumber) -> P {
        self.all[id].0
    }

    pub(crate) fn note(&self, id: MetNumber) -> &T {
        &self.all[id].1
    }

    pub(crate) fn note_mut(&mut self, id: MetNumber) -> &mut T {
        &mut self.all[id].1
    }

    /// The positions with their notes.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(P, T)> {
        self.all.iter()
    }

    /// The same, releasing memory on the way.
    pub(crate) fn into_items(self) -> impl Iterator<Item = (P, T)> {
        let Self { ids, all } = self;
        drop(ids);
        all.into_items()
    }
}

pub(crate) fn hash_of<P: Hash>(position: &P) -> u64 {
    FixedState::default().hash_one(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_is_met_anew() {
        let mut met = Met::<u64, u32>::default();
        let most = 2 * CHUNK as u64 + 5;
        for position in 0..most {
            assert_eq!(met.add(position, position as u32), Some(position as MetNumber));
        }
        assert_eq!(met.find(&7).map(|id| *met.note(id)), Some(7));
        met.truncate(CHUNK as MetNumber - 1);
        assert_eq!(met.len(), CHUNK - 1);
        assert!((CHUNK as u64 - 1..most).all(|position| met.find(&position).is_none()));
        assert!((0..CHUNK as u64 - 1).all(|position| met.find(&position) == Some(position as MetNumber)));
        assert_eq!(met.add(most, 1), Some(CHUNK as MetNumber - 1));
        assert_eq!(met.position(met.find(&most).expect("it was added")), most);
    }
}
