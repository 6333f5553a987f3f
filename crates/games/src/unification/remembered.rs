//! Facts about sets of cells that a search asks for again and again: below most moves of one side, those of the other
//! side are the same.

use std::cell::Cell;

use marquis_core::Cells;

use crate::hex::Hex;

/// The logarithm of the number of sets that are remembered.
const SETS: u32 = 16;
/// A key that no set has.
const NONE: u64 = u64::MAX;
/// Most cells of a board.
const CELLS: u32 = 61;

/// A fact about the sets last asked for, by their hash, for one thread.
pub(super) struct Remembered<T>(Vec<Cell<(u64, T)>>);

impl<T: Copy + Default> Remembered<T> {
    /// Nothing yet: a mebibyte for facts of at most eight bytes.
    pub(super) fn new() -> Self {
        Self(vec![Cell::new((NONE, T::default())); 1 << SETS])
    }

    /// The fact about a set, counted if it is not remembered.
    #[inline]
    pub(super) fn get(&self, board: &Hex, own: Cells, count: impl FnOnce() -> T) -> T {
        // The largest board leaves three bits to tell the boards apart.
        let key = own.0 | (u64::from(board.side().get() - 2) << CELLS);
        let slot = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SETS);
        let entry = &self.0[slot as usize];
        let (remembered, mut fact) = entry.get();
        if remembered != key {
            fact = count();
            entry.set((key, fact));
        }
        fact
    }
}
