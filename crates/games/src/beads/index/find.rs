//! From a set of beads to its board.

use marquis_core::Cells;
use marquis_rank::{Element, Ranker, SubsetRank};

/// Bits of a place that hold the element.
const ELEMENT_BITS: u32 = 4;
/// The most cells for one table of all sets, which then takes four megabytes.
const MOST_PACKED: u32 = 20;

/// A set of beads, by its number among those of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardNumber(pub(super) usize);

/// The number of a board, and an element that takes a set there, as one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardElement(u32);

impl BoardElement {
    /// The place of a set that play does not lead to.
    pub(super) const NOWHERE: Self = Self(u32::MAX);

    /// Panics with 2²⁸ boards.
    pub(super) fn new(BoardNumber(number): BoardNumber, Element(element): Element) -> Self {
        assert!(number < 1 << (u32::BITS - ELEMENT_BITS), "too many sets of beads");
        Self((number as u32) << ELEMENT_BITS | u32::from(element))
    }

    #[inline]
    fn read(self) -> Option<(BoardNumber, Element)> {
        let Self(word) = self;
        let element = Element((word & ((1 << ELEMENT_BITS) - 1)) as u8);
        (self != Self::NOWHERE).then_some((BoardNumber((word >> ELEMENT_BITS) as usize), element))
    }
}

/// Finds the boards of all sets of some cells.
#[derive(Clone, Debug)]
pub(super) enum Finder {
    /// Few cells: one table of all sets.
    Packed {
        /// For each byte of a set that can hold a bead, its part of the set's number.
        bytes: Vec<(u32, [u32; 256])>,
        /// By number.
        places: Vec<BoardElement>,
    },
    /// Many cells: a table for each size, by rank.
    Ranked {
        /// Ranks sets of any size.
        ranker: Ranker,
        /// By size and rank; empty for a size without boards.
        places: Vec<Vec<BoardElement>>,
    },
}

impl Finder {
    /// * `cells`: where beads can be.
    pub(super) fn new(cells: Cells) -> Self {
        if cells.len() > MOST_PACKED {
            let places = vec![Vec::new(); cells.len() as usize + 1];
            return Self::Ranked { ranker: Ranker::new(cells), places };
        }
        let shifts = (0..u64::BITS).step_by(8).filter(|shift| cells.0 >> shift & 0xff != 0);
        let byte = |shift: u32| {
            let before = Cells(cells.0 & ((1_u64 << shift) - 1)).len();
            let members = || Cells(cells.0 >> shift & 0xff).zip(before..);
            let add = |value: usize| {
                members().filter(|(cell, _)| value >> cell.0 & 1 != 0).map(|(_, bit)| 1 << bit).sum()
            };
            (shift, std::array::from_fn(add))
        };
        Self::Packed {
            bytes: shifts.map(byte).collect(),
            places: vec![BoardElement::NOWHERE; 1 << cells.len()],
        }
    }

    /// Notes the place of each set of one size.
    ///
    /// * `sets`: all of them, in the order of their ranks.
    pub(super) fn note(&mut self, size: u32, sets: impl Iterator<Item = (Cells, BoardElement)>) {
        match self {
            Self::Packed { bytes, places } => {
                sets.for_each(|(set, place)| places[packed(bytes, set)] = place);
            }
            Self::Ranked { places, .. } => places[size as usize] = sets.map(|(_, place)| place).collect(),
        }
    }

    /// The board of a set of `size` beads, and an element that takes the set to the board's.
    ///
    /// * Result: `None` if play does not lead to the set.
    #[inline]
    pub(super) fn find(&self, beads: Cells, size: u8) -> Option<(BoardNumber, Element)> {
        match self {
            Self::Packed { bytes, places } => places[packed(bytes, beads)].read(),
            Self::Ranked { ranker, places } => {
                let SubsetRank(rank) = ranker.rank(beads);
                places[usize::from(size)].get(rank as usize)?.read()
            }
        }
    }
}

/// The bits of a set at the cells where beads can be, moved together.
#[inline]
fn packed(bytes: &[(u32, [u32; 256])], set: Cells) -> usize {
    bytes.iter().map(|(shift, adds)| adds[(set.0 >> shift & 0xff) as usize]).sum::<u32>() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use marquis_rank::{set_beside, sets_of};

    #[test]
    fn a_set_is_found_in_either_kind_of_table() {
        for cells in [Cells(0b1_0010_0000_0110_0001), Cells(0x1_00ff_8000_ff0f)] {
            let outside = Cells(!cells.0);
            let mut finder = Finder::new(cells);
            let sets = |size| sets_of(cells.len(), size).map(|set| set_beside(set, outside)).enumerate();
            for size in [0, 2, 3] {
                let place = |(number, set)| {
                    let place = BoardElement::new(BoardNumber(number), Element(size as u8));
                    (set, if number == 1 { BoardElement::NOWHERE } else { place })
                };
                finder.note(size, sets(size).map(place));
            }
            for size in [0, 2, 3] {
                for (number, set) in sets(size) {
                    let found = finder.find(set, size as u8);
                    let expected = (number != 1).then_some((BoardNumber(number), Element(size as u8)));
                    assert_eq!(found, expected, "{set:?}");
                }
            }
            let (_, one) = sets(1).next().unwrap();
            assert_eq!(finder.find(one, 1), None);
        }
    }
}
