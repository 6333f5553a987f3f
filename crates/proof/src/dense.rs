//! Positions in the order in which they were met, packed: a [`Met`](crate::met::Met) in at most half the memory.
//!
//! Of each position it stores the bytes that are not zero in some position, the same ones for all: about a third for
//! boards smaller than the largest one.

use std::hash::Hash;
use std::marker::PhantomData;

use marquis_core::Packed;

use crate::met::{CHUNK, MetNumber, MetNumbers, hash_of};

/// Positions with notes.
#[derive(Debug)]
pub(crate) struct Dense<P, T> {
    ids: MetNumbers,
    rows: DenseRows<P, T>,
}

impl<P, T> Default for Dense<P, T> {
    fn default() -> Self {
        Self { ids: MetNumbers::default(), rows: DenseRows::default() }
    }
}

impl<P: Copy + Eq + Hash + Packed, T: Packed> Dense<P, T> {
    /// The memory that it will take after some thousand more positions, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        (self.len() + CHUNK) * self.rows.width() + self.ids.bytes()
    }

    pub(crate) const fn len(&self) -> usize {
        self.rows.len
    }

    pub(crate) fn find(&self, position: &P) -> Option<MetNumber> {
        self.ids.find(hash_of(position), |id| self.rows.position(id) == *position)
    }

    /// Adds a new position and returns its number, or `None` if all numbers are taken.
    pub(crate) fn add(&mut self, position: &P, note: &T) -> Option<MetNumber> {
        let id = MetNumber::try_from(self.len()).ok()?;
        self.rows.push(position, note);
        let rows = &self.rows;
        self.ids.add(hash_of(position), id, |id| hash_of(&rows.position(id)));
        Some(id)
    }

    /// Forgets the positions from this number on.
    pub(crate) fn truncate(&mut self, from: MetNumber) {
        while self.len() > from as usize {
            let last = (self.len() - 1) as MetNumber;
            self.ids.remove(hash_of(&self.rows.position(last)), last);
            self.rows.pop();
        }
    }

    /// A position and its note.
    ///
    /// Panics if there is no position with this number.
    pub(crate) fn get(&self, id: MetNumber) -> (P, T) {
        (self.rows.position(id), self.rows.note(id))
    }

    pub(crate) fn set_note(&mut self, id: MetNumber, note: &T) {
        self.rows.set_note(id, note);
    }

    /// The positions with their notes, in their order.
    pub(crate) fn items(&self) -> impl Iterator<Item = (P, T)> {
        (0..self.len() as MetNumber).map(|id| self.get(id))
    }
}

/// Rows of equal width in chunks, copied only to widen them: the stored bytes of a position, then those of its note.
#[derive(Debug)]
struct DenseRows<P, T> {
    /// Which bytes of a position are stored.
    columns: Vec<usize>,
    pieces: Vec<Vec<u8>>,
    len: usize,
    of: PhantomData<fn() -> (P, T)>,
}

impl<P, T> Default for DenseRows<P, T> {
    fn default() -> Self {
        Self { columns: Vec::new(), pieces: Vec::new(), len: 0, of: PhantomData }
    }
}

impl<P: Packed, T: Packed> DenseRows<P, T> {
    fn width(&self) -> usize {
        self.columns.len() + T::BYTES
    }

    fn push(&mut self, position: &P, note: &T) {
        let all = packed(position);
        let is_new = |column: &usize| all[*column] != 0 && !self.columns.contains(column);
        let new: Vec<usize> = (0..P::BYTES).filter(is_new).collect();
        if !new.is_empty() {
            self.widen(new);
        }
        if self.len.is_multiple_of(CHUNK) {
            self.pieces.push(Vec::with_capacity(CHUNK * self.width()));
        }
        let row = self.columns.iter().map(|&column| all[column]).chain(packed(note));
        if let Some(piece) = self.pieces.last_mut() {
            piece.extend(row);
            self.len += 1;
        }
    }

    /// Stores more bytes of every position, zero in earlier rows. This soon stops, because boards do not grow.
    fn widen(&mut self, new: Vec<usize>) {
        let (before, zeros) = (self.columns.len(), vec![0; new.len()]);
        let width = self.width();
        self.columns.extend(new);
        for piece in &mut self.pieces {
            let mut wider = Vec::with_capacity(CHUNK * (width + zeros.len()));
            for row in piece.chunks_exact(width) {
                wider.extend_from_slice(&row[..before]);
                wider.extend_from_slice(&zeros);
                wider.extend_from_slice(&row[before..]);
            }
            *piece = wider;
        }
    }

    fn pop(&mut self) {
        let Some(last) = self.len.checked_sub(1) else { return };
        self.len = last;
        let width = self.width();
        if let Some(piece) = self.pieces.last_mut() {
            piece.truncate(piece.len() - width);
        }
        self.pieces.pop_if(|piece| piece.is_empty());
    }

    fn row(&self, id: MetNumber) -> &[u8] {
        let (piece, at) = (id as usize / CHUNK, id as usize % CHUNK * self.width());
        &self.pieces[piece][at..at + self.width()]
    }

    fn position(&self, id: MetNumber) -> P {
        let mut all = [0; MOST_BYTES];
        for (&column, &byte) in self.columns.iter().zip(self.row(id)) {
            all[column] = byte;
        }
        P::unpack(&mut &all[..P::BYTES]).expect("a packed value")
    }

    fn note(&self, id: MetNumber) -> T {
        T::unpack(&mut &self.row(id)[self.columns.len()..]).expect("a packed value")
    }

    fn set_note(&mut self, id: MetNumber, note: &T) {
        let at = id as usize % CHUNK * self.width() + self.columns.len();
        self.pieces[id as usize / CHUNK][at..at + T::BYTES].copy_from_slice(&packed(note));
    }
}

/// No position takes more bytes than this.
const MOST_BYTES: usize = 256;

fn packed<T: Packed>(item: &T) -> Vec<u8> {
    const { assert!(T::BYTES <= MOST_BYTES, "no position takes as much") };
    let mut bytes = Vec::with_capacity(T::BYTES);
    item.pack(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_met_is_found_with_its_latest_note() {
        let mut dense = Dense::<u64, u32>::default();
        // More and more bytes are not zero.
        let position = |number: u64| (number * number) << (number / 2_000);
        for number in 0..40_000 {
            let known = dense.find(&position(number));
            let id = known.or_else(|| dense.add(&position(number), &0)).expect("there is room");
            dense.set_note(id, &(number as u32));
            assert_eq!(dense.get(id), (position(number), number as u32));
        }
        let all: Vec<(u64, u32)> = dense.items().collect();
        assert_eq!(all.len(), dense.len());
        for (id, (position, note)) in (0..).zip(all) {
            assert_eq!((dense.find(&position), dense.get(id)), (Some(id), (position, note)));
        }
        assert_eq!(dense.find(&u64::MAX), None);
        dense.truncate(7);
        assert_eq!((dense.len(), dense.find(&position(3)).is_some()), (7, true));
        assert_eq!(dense.find(&position(39_999)), None);
    }
}
