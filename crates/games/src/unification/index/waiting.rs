//! The set of the player who waits: the moves of the other player lead past it, or capture one of its pieces.

use marquis_core::{Cells, Slot};
use marquis_rank::{Class, Element};

use super::{Material, UnificationIndex};
use crate::hex::SYMMETRIES;
use crate::unification::Stepping;

/// The most cells of a board.
pub(super) const CELLS: usize = 64;

/// A set that waits, with images of type `I`.
#[derive(Clone, Debug)]
pub(super) struct WaitingSet<I> {
    pub(super) cells: Cells,
    pub(super) is_one_group: bool,
    /// Its images under the symmetries of the board.
    pub(super) images: [I; SYMMETRIES],
    /// For each of its cells the class of the rest without it, and an element that takes the rest there.
    without: [(Class, Element); CELLS],
}

impl<I> WaitingSet<I> {
    /// * `image`: turns an image into the type in which it is kept.
    pub(super) fn new<R: Stepping>(
        index: &UnificationIndex<R>,
        cells: Cells,
        image: impl FnMut(Cells) -> I,
    ) -> Self {
        let mut images = [Cells::EMPTY; SYMMETRIES];
        for (image, element) in images.iter_mut().zip(index.group.elements()) {
            *image = index.group.image_of(element, cells);
        }
        let mut without = [(Class(0), Element::IDENTITY); CELLS];
        for cell in cells {
            let left = cells.without(cell);
            without[cell.index()] = index.side(left).classes.find(left);
        }
        let is_one_group = index.game.board().is_one_group(cells);
        Self { cells, is_one_group, images: images.map(image), without }
    }

    /// The layer below and the slot after a move to `after`, a set that captures one piece of this one.
    #[inline]
    pub(super) fn captured<R: Stepping>(
        &self,
        index: &UnificationIndex<R>,
        after: Cells,
    ) -> (Material, Slot) {
        let cell = (after & self.cells).nth(0).expect("a capture meets the set");
        let (class, element) = self.without[cell.index()];
        let side = &index.sides[self.cells.len() as usize - 1];
        index.place(side, class, index.group.image_of(element, after))
    }
}
