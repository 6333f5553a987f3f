//! A superset of the layers and the sets of beads that play can lead to.

use std::collections::BTreeSet;

use marquis_core::Cells;
use marquis_rank::{Class, Element, Group, SetClasses};

use super::layer::BeadLayer;
use crate::beads::{Capture, Immobile};
use crate::hex::{Direction, Hex};

/// The cells where beads can be, as the longest captures of one move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captures {
    /// The longest row of beads that can be enclosed or leaped over.
    longest_row: u8,
    /// The same for rooks.
    longest_rooks: u8,
    immobile: Immobile,
    most_rows: fn(u8) -> u8,
}

impl Captures {
    /// * `universe`: the cells where beads can be.
    pub(super) fn new<R: Capture>(board: &Hex, universe: Cells, immobile: Immobile) -> Self {
        let (longest_row, longest_rooks) = (longest_row(board, universe), longest_row(board, board.all()));
        Self { longest_row, longest_rooks, immobile, most_rows: R::most_rows }
    }

    /// The layers after a capture by the player to move.
    pub(super) fn after(&self, layer: BeadLayer) -> BTreeSet<BeadLayer> {
        let mut after = BTreeSet::new();
        if layer == BeadLayer::OVER {
            return after;
        }
        let most_rows = (self.most_rows)(layer.mover_rooks);
        for beads in 0..=layer.beads {
            for rooks in 0..=layer.opponent_rooks {
                let rows = rows(beads, self.longest_row).zip(rows(rooks, self.longest_rooks));
                if rows.is_some_and(|(of_beads, of_rooks)| (1..=most_rows).contains(&(of_beads + of_rooks))) {
                    after.insert(self.or_over(layer.after(beads, rooks)));
                }
            }
        }
        after
    }

    /// The layer, or [`BeadLayer::OVER`] if the game is over in all of it.
    pub(super) const fn or_over(&self, layer: BeadLayer) -> BeadLayer {
        let no_rook = layer.mover_rooks == 0 && matches!(self.immobile, Immobile::Loss);
        if layer.opponent_needs == 0 || no_rook { BeadLayer::OVER } else { layer }
    }

    /// These layers, those with the other player to move, and all that captures lead to.
    ///
    /// * `beads`: returns whether any set of this many beads is reached.
    pub(super) fn layers(
        &self,
        roots: impl IntoIterator<Item = BeadLayer>,
        beads: impl Fn(u8) -> bool,
    ) -> BTreeSet<BeadLayer> {
        let mut layers = BTreeSet::new();
        let mut open: Vec<BeadLayer> = roots.into_iter().collect();
        while let Some(layer) = open.pop() {
            if (layer == BeadLayer::OVER || beads(layer.beads)) && layers.insert(layer) {
                open.extend(self.after(layer));
                if layer != BeadLayer::OVER {
                    open.push(layer.swapped());
                }
            }
        }
        layers
    }
}

/// The number of rows that hold `count` beads; `None` if no number does.
const fn rows(count: u8, longest: u8) -> Option<u8> {
    if longest > 0 {
        Some(count.div_ceil(longest))
    } else if count == 0 {
        Some(0)
    } else {
        None
    }
}

/// Each row of cells with a cell of its line beyond both ends, from its first cell on.
fn for_each_row(board: &Hex, cells: Cells, mut visit: impl FnMut(Cells)) {
    for direction in Direction::ALL.into_iter().filter(|direction| direction.rises()) {
        for first in board.all() {
            let Some(mut next) = board.neighbour(first, direction).filter(|_| !cells.contains(first)) else {
                continue;
            };
            let mut row = Cells::EMPTY;
            while cells.contains(next) {
                row = row.with(next);
                let Some(beyond) = board.neighbour(next, direction) else {
                    row = Cells::EMPTY;
                    break;
                };
                next = beyond;
            }
            if !row.is_empty() {
                visit(row);
            }
        }
    }
}

/// The most cells in line that lie in `cells` and are not ends of a line of the board.
fn longest_row(board: &Hex, cells: Cells) -> u8 {
    let mut longest = 0;
    for (direction, back) in [(0, 3), (1, 4), (2, 5)].map(|(d, b)| (Direction::ALL[d], Direction::ALL[b])) {
        let inner =
            |cell| board.neighbour(cell, direction).is_some() && board.neighbour(cell, back).is_some();
        for first in cells {
            let mut length = 0;
            let mut next = Some(first);
            while let Some(cell) = next.filter(|&cell| cells.contains(cell) && inner(cell)) {
                length += 1;
                next = board.neighbour(cell, direction);
            }
            longest = longest.max(length);
        }
    }
    longest
}

/// The sets of beads of one size: their classes, and those that play can lead to.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub(super) classes: SetClasses,
    pub(super) listed: Vec<bool>,
}

impl Reached {
    /// The classes of all sets of `size` cells of `universe`.
    ///
    /// * `elements`: those that leave the universe in place.
    pub(super) fn all(group: &Group, elements: &[Element], universe: Cells, size: u32) -> Self {
        let outside = Cells::first(group.cells()) - universe;
        let classes = SetClasses::beside(group, elements, outside, size);
        let listed = vec![true; classes.count() as usize];
        Self { classes, listed }
    }

    /// The sets that are left after rows are taken from the universe one by one, by size.
    ///
    /// If one move of Squeeze takes several rows, taking them one after the other is enough: they share no cell, and
    /// the cells between them are vacant.
    ///
    /// * `least`: the smallest size needed.
    pub(super) fn by_rows(
        board: &Hex,
        group: &Group,
        elements: &[Element],
        universe: Cells,
        least: u32,
    ) -> Vec<Self> {
        let mut sizes: Vec<Self> = (least..=universe.len())
            .map(|size| {
                let all = Self::all(group, elements, universe, size);
                Self { listed: vec![false; all.listed.len()], ..all }
            })
            .collect();
        if let Some(Self { listed, .. }) = sizes.last_mut() {
            listed.fill(true);
        }
        for at in (0..sizes.len()).rev() {
            let (smaller, own) = sizes.split_at_mut(at);
            let Self { classes, listed } = &own[0];
            for class in (0..classes.count()).map(Class).filter(|class| listed[class.0 as usize]) {
                let beads = classes.representative(class);
                for_each_row(board, beads, |row| {
                    let Some(size) = at.checked_sub(row.len() as usize) else { return };
                    let Self { classes, listed } = &mut smaller[size];
                    listed[classes.find(beads - row).0.0 as usize] = true;
                });
            }
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beads::{Leap, Sandwich};
    use crate::hex::Side;
    use marquis_core::Cell;

    fn cells(numbers: &[u8]) -> Cells {
        numbers.iter().copied().map(Cell).collect()
    }

    #[test]
    fn rows_have_a_cell_beyond_either_end() {
        let board = Side::new(3).map(Side::board).unwrap();
        // The middle row is cells 7 to 11.
        let mut rows = Vec::new();
        for_each_row(board, cells(&[7, 9, 10]), |row| rows.push(row));
        // Each bead is a separate row in the other two lines; the end of the row is not one in its own line.
        assert_eq!(rows.iter().filter(|row| row.len() == 2).count(), 1);
        assert!(!rows.iter().any(|row| row.len() > 2));
        assert_eq!(longest_row(board, board.all()), 3);
        assert_eq!(longest_row(board, cells(&[7, 8])), 1);
        assert_eq!(longest_row(board, board.edge()), 1);
    }

    #[test]
    fn of_seven_beads_in_a_hexagon_two_or_three_are_taken_first() {
        let board = Side::new(3).map(Side::board).unwrap();
        let (group, inner) = (board.symmetries(), board.all() - board.edge());
        let elements: Vec<Element> = group.elements().collect();
        let sizes = Reached::by_rows(board, group, &elements, inner, 4);
        let counts: Vec<usize> = sizes.iter().map(|r| r.listed.iter().filter(|&&l| l).count()).collect();
        // Two neighbours on the rim; or a diameter; or a bead of the rim next to two that were taken.
        assert_eq!(counts, [2, 1, 0, 1]);
    }

    #[test]
    fn squeeze_takes_a_row_a_rook_and_swish_one() {
        let board = Side::new(3).map(Side::board).unwrap();
        let inner = board.all() - board.edge();
        let layer =
            BeadLayer { beads: 7, mover_rooks: 3, opponent_rooks: 2, mover_needs: 4, opponent_needs: 4 };
        let swish = Captures::new::<Leap>(board, inner, Immobile::Loss).after(layer);
        let taken = |after: &BeadLayer| (7 - after.beads, 2 - after.mover_rooks);
        let found: BTreeSet<_> = swish.iter().filter(|l| **l != BeadLayer::OVER).map(taken).collect();
        assert_eq!(found, [(0, 1), (1, 0), (2, 0), (3, 0)].into());
        assert!(swish.contains(&BeadLayer::OVER), "two rooks in a row");
        let squeeze = Captures::new::<Sandwich>(board, inner, Immobile::Loss).after(layer);
        assert!(squeeze.contains(&layer.after(3, 1)) && squeeze.contains(&BeadLayer::OVER));
        let lone = BeadLayer { mover_rooks: 1, ..layer };
        assert!(Captures::new::<Sandwich>(board, inner, Immobile::Loss).after(lone).is_empty());
    }
}
