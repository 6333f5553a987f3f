//! Facts about sets of cells that a search asks for again and again: below most moves of one side, those of the other
//! side are the same.

use std::cell::Cell;

use marquis_core::Cells;

use crate::hex::Hex;

/// A key that no set has.
const NONE: u64 = u64::MAX;
/// Most cells of a board.
const CELLS: u32 = 61;

/// A fact about the sets last asked for, by their hash, for one thread.
pub(super) struct Remembered<T> {
    facts: Vec<Cell<(u64, T)>>,
    /// The logarithm of their number.
    bits: u32,
}

impl<T: Copy + Default> Remembered<T> {
    /// Nothing yet.
    ///
    /// * `bits`: the logarithm of the number of sets that are remembered.
    pub(super) fn new(bits: u32) -> Self {
        Self { facts: vec![Cell::new((NONE, T::default())); 1 << bits], bits }
    }

    /// The fact about a set, counted if it is not remembered.
    #[inline]
    pub(super) fn get(&self, board: &Hex, own: Cells, count: impl FnOnce() -> T) -> T {
        // The largest board leaves three bits to tell the boards apart.
        let key = own.0 | (u64::from(board.side().get() - 2) << CELLS);
        let slot = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - self.bits);
        let entry = &self.facts[slot as usize];
        let (remembered, mut fact) = entry.get();
        if remembered != key {
            fact = count();
            entry.set((key, fact));
        }
        fact
    }
}
