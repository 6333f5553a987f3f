//! The patterns of a shape as row numbers, for both players' views.

use std::collections::BTreeMap;

use crate::inputs::{Digits, SLOTS, Shape};

/// The maximum number of slots of a pattern.
const TOGETHER: usize = 4;
/// The maximum number of patterns of a shape, in 64-bit words.
const WORDS: usize = 8;

/// The number of a feature and of its row of weights.
pub type FeatureRow = u32;

/// A set of patterns.
type Patterns = [u64; WORDS];

#[derive(Clone, Copy, Debug)]
struct Pattern {
    first: FeatureRow,
    slots: [u8; TOGETHER],
    weights: [FeatureRow; TOGETHER],
}

impl Pattern {
    /// The active row; slots that the pattern does not have contribute nothing.
    #[inline(always)]
    fn row(&self, digits: &Digits) -> FeatureRow {
        let mut row = self.first;
        for (&slot, &weight) in self.slots.iter().zip(&self.weights) {
            row += weight * FeatureRow::from(digits[usize::from(slot)]);
        }
        row
    }
}

/// The features of a shape: each pattern has one row for every combination of its digits.
#[derive(Clone, Debug)]
pub struct Features {
    shape: Shape,
    patterns: Vec<Pattern>,
    /// The patterns of each slot.
    touching: Vec<Patterns>,
    /// The active row in the other player's view if this row is active in the first player's.
    other: Vec<FeatureRow>,
}

impl Features {
    /// The features of a shape.
    ///
    /// Panics when the shape breaks a rule of [`Shape`]: a bug in the program, found by the first test of a game.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        assert!(shape.slots.len() <= SLOTS && shape.patterns.len() <= 64 * WORDS, "too large a shape");
        let mut patterns = Vec::new();
        let mut touching = vec![[0; WORDS]; shape.slots.len()];
        let mut rows = 0;
        for (number, slots) in shape.patterns.iter().enumerate() {
            assert!((1..=TOGETHER).contains(&slots.len()), "a pattern of {} slots", slots.len());
            let mut pattern = Pattern { first: rows, slots: [0; TOGETHER], weights: [0; TOGETHER] };
            let mut size = 1;
            for (i, &slot) in slots.iter().enumerate() {
                pattern.slots[i] = slot;
                pattern.weights[i] = size;
                size *= FeatureRow::from(shape.slots[usize::from(slot)].states);
                touching[usize::from(slot)][number / 64] |= 1 << (number % 64);
            }
            patterns.push(pattern);
            rows += size;
        }
        let other = other_rows(&shape, &patterns, rows);
        Self { shape, patterns, touching, other }
    }

    /// The shape of these features.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.other.len()
    }

    /// The first row of each pattern.
    pub fn firsts(&self) -> impl Iterator<Item = FeatureRow> {
        self.patterns.iter().map(|pattern| pattern.first)
    }

    /// The active rows in the first player's view, one for each pattern.
    pub fn active(&self, digits: &Digits) -> impl Iterator<Item = FeatureRow> {
        self.patterns.iter().map(|pattern| pattern.row(digits))
    }

    /// The same feature in the other player's view.
    #[inline(always)]
    #[must_use]
    pub fn other(&self, row: FeatureRow) -> FeatureRow {
        self.other[row as usize]
    }

    /// Calls `change` with each row that ceases to be active and the row that replaces it.
    #[inline(always)]
    pub(crate) fn changes(
        &self,
        before: &Digits,
        after: &Digits,
        mut change: impl FnMut(FeatureRow, FeatureRow),
    ) {
        let mut changed = [0_u64; WORDS];
        for (slot, touching) in self.touching.iter().enumerate() {
            if before[slot] != after[slot] {
                for (all, some) in changed.iter_mut().zip(touching) {
                    *all |= some;
                }
            }
        }
        for (word, mut left) in changed.into_iter().enumerate() {
            while left != 0 {
                let pattern = &self.patterns[64 * word + left.trailing_zeros() as usize];
                left &= left - 1;
                change(pattern.row(before), pattern.row(after));
            }
        }
    }
}

/// For each row, the row that is active in the other player's view.
fn other_rows(shape: &Shape, patterns: &[Pattern], rows: FeatureRow) -> Vec<FeatureRow> {
    let sorted = |slots: &[u8]| {
        let mut slots = slots.to_vec();
        slots.sort_unstable();
        slots
    };
    let by_slots: BTreeMap<Vec<u8>, &Pattern> =
        shape.patterns.iter().map(|slots| sorted(slots)).zip(patterns).collect();
    let mut other = Vec::with_capacity(rows as usize);
    for slots in &shape.patterns {
        let opposite = |slot: u8| shape.slots[usize::from(slot)].opposite;
        let turned: Vec<u8> = slots.iter().map(|&slot| opposite(slot)).collect();
        let image = by_slots.get(&sorted(&turned)).expect("the image of each pattern is a pattern");
        let states = |slot: u8| shape.slots[usize::from(slot)].states;
        let size: u32 = slots.iter().map(|&slot| u32::from(states(slot))).product();
        for number in 0..size {
            let mut digits = [0; SLOTS];
            let mut left = number;
            for (&slot, &opposite) in slots.iter().zip(&turned) {
                let digit = (left % u32::from(states(slot))) as u8;
                digits[usize::from(opposite)] = shape.slots[usize::from(slot)].swapped(digit);
                left /= u32::from(states(slot));
            }
            other.push(image.row(&digits));
        }
    }
    other
}
