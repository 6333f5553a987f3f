//! Rows side by side: a step depends on the set of the columns alone, so one list serves all rows.

use std::ops::Range;

use marquis_core::{Cells, Lane, LaneSet, Lanes, Row, SetRank, Slot, Value};
use marquis_rank::{Class, Element, SetClasses, SubsetRank, rank_set};

use super::sets::Sets;
use super::{CELLS, Material, SYMMETRIES, UnificationIndex};
use crate::unification::Stepping;

/// The rows of a layer side by side.
#[derive(Debug)]
pub(super) struct UnificationLanes<'g, R> {
    index: &'g UnificationIndex<R>,
    layer: Material,
    /// All sets of the columns.
    sets: Sets,
    /// Their classes: the rows of the facing layer.
    classes: &'g SetClasses,
}

/// The sets of some rows.
#[derive(Debug)]
pub(super) struct RowSets {
    lanes: Vec<RowSet>,
    /// Those that are one group.
    united: LaneSet,
    /// For each cell the lanes whose set contains it.
    on: [LaneSet; CELLS],
}

/// The set of a row.
#[derive(Debug)]
struct RowSet {
    own: Cells,
    /// Its images under the symmetries of the board.
    images: [SetRank; SYMMETRIES],
    /// For each cell of it the class of the rest without it, and an element that takes the rest there.
    without: [(Class, Element); CELLS],
}

/// The rank of a set as a number of 32 bits, of which a layer with lanes has fewer.
fn set_rank(set: Cells) -> SetRank {
    let SubsetRank(rank) = rank_set(set);
    SetRank(rank as u32)
}

impl<'g, R: Stepping> UnificationLanes<'g, R> {
    pub(super) fn new(index: &'g UnificationIndex<R>, layer: Material) -> Self {
        let sets = Sets::new(index, u32::from(layer.opponent));
        Self { index, layer, sets, classes: &index.sides[usize::from(layer.opponent)].classes }
    }

    fn rows(&self) -> &'g SetClasses {
        &self.index.sides[usize::from(self.layer.mover)].classes
    }

    fn row_set(&self, own: Cells) -> RowSet {
        let index = self.index;
        let mut images = [SetRank(0); SYMMETRIES];
        for (image, element) in images.iter_mut().zip(index.group.elements()) {
            *image = set_rank(index.group.image_of(element, own));
        }
        let mut without = [(Class(0), Element::IDENTITY); CELLS];
        for cell in own {
            let left = own.without(cell);
            without[cell.index()] = index.side(left).classes.find(left);
        }
        RowSet { own, images, without }
    }
}

impl<R: Stepping> Lanes for UnificationLanes<'_, R> {
    type Layer = Material;
    type Block = RowSets;

    fn sets(&self) -> u32 {
        self.sets.cells.len() as u32
    }

    #[inline]
    fn after(&self, SetRank(set): SetRank) -> &[SetRank] {
        self.sets.after.of(set)
    }

    fn block(&self, rows: Range<u64>) -> RowSets {
        let sets = rows.map(|row| self.rows().representative(Class(row as u32)));
        let lanes: Vec<RowSet> = sets.map(|set| self.row_set(set)).collect();
        let of = |has: &dyn Fn(Cells) -> bool| {
            let bits = lanes.iter().enumerate().map(|(lane, row)| u32::from(has(row.own)) << lane);
            LaneSet(bits.sum())
        };
        let board = self.index.game.board();
        let mut on = [LaneSet::default(); CELLS];
        for cell in board.all() {
            on[cell.index()] = of(&|own| own.contains(cell));
        }
        RowSets { united: of(&|own| board.is_one_group(own)), on, lanes }
    }

    #[inline]
    fn taken(&self, block: &RowSets, SetRank(set): SetRank) -> LaneSet {
        let cells = self.sets.cells[set as usize];
        cells.fold(LaneSet::default(), |lanes, cell| lanes.or(block.on[cell.index() % CELLS]))
    }

    #[inline]
    fn lost(&self, block: &RowSets) -> LaneSet {
        block.united
    }

    #[inline]
    fn end(&self, SetRank(set): SetRank) -> Option<Value> {
        self.sets.ends[set as usize]
    }

    #[inline]
    fn below(&self, block: &RowSets, Lane(lane): Lane, SetRank(after): SetRank) -> (Material, Slot) {
        let (row, after) = (&block.lanes[usize::from(lane)], self.sets.cells[after as usize]);
        let cell = (after & row.own).nth(0).expect("a capture meets the row's set");
        let (class, element) = row.without[cell.index()];
        let side = &self.index.sides[usize::from(self.layer.mover) - 1];
        self.index.place(side, class, self.index.group.image_of(element, after))
    }

    #[inline]
    fn facing(
        &self,
        block: &RowSets,
        Lane(lane): Lane,
        SetRank(set): SetRank,
        mut visit: impl FnMut(Row, SetRank),
    ) {
        let images = &block.lanes[usize::from(lane)].images;
        let (class, Element(element)) = self.classes.find_ranked(SubsetRank(set.into()));
        let row = Row(class.0.into());
        if self.classes.is_free(class) {
            return visit(row, images[usize::from(element)]);
        }
        let (group, cells) = (self.index.group, self.sets.cells[set as usize]);
        let representative = self.classes.representative(class);
        let takes_there = |&element: &Element| group.image_of(element, cells) == representative;
        group
            .elements()
            .filter(takes_there)
            .for_each(|Element(element)| visit(row, images[usize::from(element)]));
    }

    fn columns(&self, Row(row): Row, mut visit: impl FnMut(SetRank, SetRank)) {
        let (rows, class) = (self.rows(), Class(row as u32));
        let own = rows.representative(class);
        for (rank, &set) in (0..).map(SetRank).zip(&self.sets.cells) {
            if set.meets(own) {
                continue;
            }
            let smallest = rows.smallest_beside(self.index.group, class, set);
            visit(rank, if smallest == set { rank } else { set_rank(smallest) });
        }
    }
}
