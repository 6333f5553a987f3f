//! The patterns of a shape as row numbers, for both players' views.

use std::collections::BTreeMap;

use crate::inputs::{Digits, SLOTS, Shape};

/// The maximum number of slots of a pattern.
const TOGETHER: usize = 4;
/// The maximum number of patterns of a shape.
const PATTERNS: usize = 512;

/// The number of a feature and of its row of weights.
pub type FeatureRow = u32;

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

/// A pattern as one of its slots sees it.
#[derive(Clone, Copy, Debug)]
struct Touching {
    first: FeatureRow,
    /// The weight of the slot itself.
    weight: FeatureRow,
    others: [u8; TOGETHER - 1],
    weights: [FeatureRow; TOGETHER - 1],
}

/// Digits by any number of a slot, so that look-ups need no check.
type AllDigits = [u8; 1 << u8::BITS];

impl Touching {
    /// * `own`: the number of the slot in the pattern.
    fn new(pattern: &Pattern, own: usize) -> Self {
        let Pattern { first, slots, weights } = *pattern;
        let others: [usize; TOGETHER - 1] = std::array::from_fn(|other| other + usize::from(other >= own));
        Self {
            first,
            weight: weights[own],
            others: others.map(|other| slots[other]),
            weights: others.map(|other| weights[other]),
        }
    }

    /// The row without the part of the slot itself.
    #[inline(always)]
    fn rest(&self, digits: &AllDigits) -> FeatureRow {
        let mut row = self.first;
        for (&slot, &weight) in self.others.iter().zip(&self.weights) {
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
    touching: Vec<Vec<Touching>>,
    /// The active row in the other player's view if this row is active in the first player's.
    other: Vec<FeatureRow>,
}

impl Features {
    /// The features of a shape.
    ///
    /// Panics when the shape breaks a rule of [`Shape`]: a bug in the program, found by the first test of a game.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        assert!(shape.slots.len() <= SLOTS && shape.patterns.len() <= PATTERNS, "too large a shape");
        let mut patterns = Vec::new();
        let mut touching = vec![Vec::new(); shape.slots.len()];
        let mut rows = 0;
        for slots in &shape.patterns {
            assert!((1..=TOGETHER).contains(&slots.len()), "a pattern of {} slots", slots.len());
            let mut pattern = Pattern { first: rows, slots: [0; TOGETHER], weights: [0; TOGETHER] };
            let mut size = 1;
            for (i, &slot) in slots.iter().enumerate() {
                pattern.slots[i] = slot;
                pattern.weights[i] = size;
                size *= FeatureRow::from(shape.slots[usize::from(slot)].states);
            }
            for (own, &slot) in slots.iter().enumerate() {
                touching[usize::from(slot)].push(Touching::new(&pattern, own));
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

    /// Calls `change` with rows that cease to be active and those that replace them, slot by slot: a row between two
    /// changed slots comes and goes.
    #[inline(always)]
    pub(crate) fn changes(
        &self,
        before: &Digits,
        after: &Digits,
        mut change: impl FnMut(FeatureRow, FeatureRow),
    ) {
        let mut digits: AllDigits = [0; _];
        digits[..SLOTS].copy_from_slice(before);
        each_changed(
            before,
            after,
            #[inline(always)]
            |slot| {
                let (old, new) = (digits[slot], after[slot]);
                for touching in &self.touching[slot] {
                    let rest = touching.rest(&digits);
                    let row = |digit: u8| rest + touching.weight * FeatureRow::from(digit);
                    change(row(old), row(new));
                }
                digits[slot] = new;
            },
        );
    }
}

/// Calls `visit` with each slot whose digits differ.
#[inline(always)]
fn each_changed(before: &Digits, after: &Digits, mut visit: impl FnMut(usize)) {
    const { assert!(SLOTS.is_multiple_of(size_of::<u64>()), "whole words") };
    let words = before.as_chunks().0.iter().zip(after.as_chunks().0);
    for (word, (&before, &after)) in words.enumerate() {
        let mut left = u64::from_le_bytes(before) ^ u64::from_le_bytes(after);
        while left != 0 {
            let byte = left.trailing_zeros() / u8::BITS;
            visit(size_of::<u64>() * word + byte as usize);
            left &= !(0xff << (u8::BITS * byte));
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
