//! Rows side by side: a step depends on the set of the columns alone, so one list serves all rows.

use std::ops::Range;

use marquis_core::{Lane, LaneSet, Lanes, Row, SetRank, Slot, Value};
use marquis_rank::{Class, Element, SetClasses, SubsetRank};

use super::sets::{Sets, set_rank};
use super::waiting::{CELLS, WaitingSet};
use super::{Material, UnificationIndex};
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
    lanes: Vec<WaitingSet<SetRank>>,
    /// Those that are one group.
    united: LaneSet,
    /// For each cell the lanes whose set contains it.
    on: [LaneSet; CELLS],
}

impl<'g, R: Stepping> UnificationLanes<'g, R> {
    pub(super) fn new(index: &'g UnificationIndex<R>, layer: Material) -> Self {
        let sets = Sets::new(index, u32::from(layer.opponent));
        Self { index, layer, sets, classes: &index.sides[usize::from(layer.opponent)].classes }
    }

    fn rows(&self) -> &'g SetClasses {
        &self.index.sides[usize::from(self.layer.mover)].classes
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
        let lanes: Vec<_> = sets.map(|set| WaitingSet::new(self.index, set, set_rank)).collect();
        let of = |has: &dyn Fn(&WaitingSet<SetRank>) -> bool| {
            let bits = lanes.iter().enumerate().map(|(lane, row)| u32::from(has(row)) << lane);
            LaneSet(bits.sum())
        };
        let mut on = [LaneSet::default(); CELLS];
        for cell in self.index.game.board().all() {
            on[cell.index()] = of(&|row| row.cells.contains(cell));
        }
        RowSets { united: of(&|row| row.is_one_group), on, lanes }
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
        block.lanes[usize::from(lane)].captured(self.index, self.sets.cells[after as usize])
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
