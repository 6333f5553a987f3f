//! Layers as matrices: a row for each class of the mover's sets, a column for each set of the opponent in the other
//! cells.
//!
//! Steps only depend on the mover's own pieces, so the list of steps from the opponent's sets is the same for all
//! rows; sets that meet the row's are captures or impossible.

use std::ops::ControlFlow;
use std::sync::Arc;

use marquis_core::{Cells, Column, Lanes, Row, Rowed, SetRank, Slot, Value};
use marquis_rank::{Class, Element, SetClasses, SubsetRank, binomial};

use super::lanes::UnificationLanes;
use super::lists::Lists;
use super::sets::{Sets, set_rank};
use super::waiting::WaitingSet;
use super::{Material, UnificationIndex};
use crate::unification::Stepping;

/// Bytes of a set in the lists, without its steps.
const BYTES_PER_SET: u64 = 24;
/// Bytes of a set in the data of one row.
const BYTES_PER_COLUMN: u64 = 8;

/// The most sets for each column of a row: entering a row visits all of them, and on a crowded board nearly all meet
/// the row's.
const MOST_SETS_PER_COLUMN: u64 = 20;

/// The most sets for each column if the rows are solved side by side: the others are memory and time for nothing.
const MOST_SETS_A_SLOT: u64 = 2;

/// The rows of a layer.
#[derive(Clone, Debug)]
pub struct UnificationRows<'g, R> {
    index: &'g UnificationIndex<R>,
    layer: Material,
    columns: u32,
    /// The sets of the columns.
    sets: Arc<Sets>,
    /// By rank the ranks of the sets before a step.
    before: Arc<Lists<SetRank>>,
    /// Their classes.
    classes: &'g SetClasses,
    /// The set of the row.
    own: WaitingSet<Cells>,
    /// For each set by rank its column: if several are images in this row, that of the smallest one.
    column_of: Vec<Column>,
    /// For each column the rank of its set.
    rank_of: Vec<u32>,
}

/// Marks a set that meets the row's.
const TAKEN: Column = Column(u32::MAX);

impl<R: Stepping> UnificationRows<'_, R> {
    #[inline]
    fn rank(&self, Column(column): Column) -> u32 {
        self.rank_of[column as usize]
    }

    /// Numbers the sets that do not meet the row's.
    fn number(&mut self, class: Class) {
        let rows = &self.index.sides[usize::from(self.layer.mover)].classes;
        self.rank_of.clear();
        if rows.is_free(class) {
            let mut next = 0;
            for (rank, (column, &set)) in (0..).zip(self.column_of.iter_mut().zip(&self.sets.cells)) {
                let is_beside = !set.meets(self.own.cells);
                *column = if is_beside { Column(next) } else { TAKEN };
                if is_beside {
                    next += 1;
                    self.rank_of.push(rank);
                }
            }
            return;
        }
        for (rank, &set) in (0..).zip(&self.sets.cells) {
            let column = if set.meets(self.own.cells) {
                TAKEN
            } else {
                let smallest = rows.smallest_beside(self.index.group, class, set);
                let next = Column(self.rank_of.len() as u32);
                self.rank_of.push(rank);
                // A smaller set has a smaller rank, and already has its column.
                if smallest == set { next } else { self.column_of[set_rank(smallest).0 as usize] }
            };
            self.column_of[rank as usize] = column;
        }
    }
}

impl<R: Stepping> marquis_core::Rows for UnificationRows<'_, R> {
    type Layer = Material;

    fn count(&self) -> u64 {
        u64::from(self.index.sides[usize::from(self.layer.mover)].classes.count())
    }

    fn columns(&self) -> u32 {
        self.columns
    }

    fn enter(&mut self, Row(row): Row) {
        let (index, class) = (self.index, Class(row as u32));
        let own = index.sides[usize::from(self.layer.mover)].classes.representative(class);
        self.own = WaitingSet::new(index, own, |image| image);
        self.number(class);
    }

    #[inline]
    fn has_position(&self, column: Column) -> bool {
        self.column_of[self.rank(column) as usize] == column
    }

    #[inline]
    fn facing(&self, column: Column) -> Slot {
        let (class, Element(element)) = self.classes.find_ranked(SubsetRank(u64::from(self.rank(column))));
        let side = &self.index.sides[usize::from(self.layer.opponent)];
        self.index.place(side, class, self.own.images[usize::from(element)]).1
    }

    #[inline]
    fn over(&self, column: Column) -> Option<Value> {
        if self.own.is_one_group { Some(Value::Loss) } else { self.sets.ends[self.rank(column) as usize] }
    }

    #[inline]
    fn along<B>(&self, column: Column, mut visit: impl FnMut(Column) -> ControlFlow<B>) -> ControlFlow<B> {
        for &SetRank(after) in self.sets.after.of(self.rank(column)) {
            let column = self.column_of[after as usize];
            if column != TAKEN {
                visit(column)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn leaving<B>(
        &self,
        column: Column,
        mut visit: impl FnMut(Material, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for &SetRank(after) in self.sets.after.of(self.rank(column)) {
            if self.column_of[after as usize] != TAKEN {
                continue;
            }
            let (layer, slot) = self.own.captured(self.index, self.sets.cells[after as usize]);
            visit(layer, slot)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn back(&self, column: Column, mut visit: impl FnMut(Column)) {
        for &SetRank(before) in self.before.of(self.rank(column)) {
            let column = self.column_of[before as usize];
            if column != TAKEN {
                visit(column);
            }
        }
    }
}

impl<R: Stepping> Rowed for UnificationIndex<R> {
    type Rows<'g> = UnificationRows<'g, R>;

    fn facing(&self, layer: Material) -> Material {
        layer.swapped()
    }

    fn columns(&self, layer: Material) -> u32 {
        self.slots_a_class(layer) as u32
    }

    fn rows(&self, layer: Material) -> UnificationRows<'_, R> {
        let sets = Sets::new(self, u32::from(layer.opponent));
        UnificationRows {
            index: self,
            layer,
            columns: self.columns(layer),
            classes: &self.sides[usize::from(layer.opponent)].classes,
            own: WaitingSet::new(self, Cells::EMPTY, |image| image),
            column_of: vec![TAKEN; sets.cells.len()],
            rank_of: Vec::new(),
            before: Arc::new(sets.before()),
            sets: Arc::new(sets),
        }
    }

    fn sets(&self, layer: Material) -> Option<u64> {
        let sets = binomial(self.game.board().count(), u32::from(layer.opponent));
        (sets <= MOST_SETS_A_SLOT * self.slots_a_class(layer)).then_some(sets)
    }

    fn lanes(&self, layer: Material) -> Option<impl Lanes<Layer = Material>> {
        self.sets(layer).map(|_| UnificationLanes::new(self, layer))
    }

    fn rows_bytes(&self, layer: Material, copies: u64) -> u64 {
        let side = &self.sides[usize::from(layer.opponent)];
        let sets = binomial(self.game.board().count(), side.classes.size());
        let steps = side.forwards.items.len() as u64 * self.group.order() as u64;
        // The lists cannot number the steps of seven pieces on side 5.
        let has_numbers = steps <= u64::from(u32::MAX);
        let pays = sets <= MOST_SETS_PER_COLUMN * self.slots_a_class(layer);
        if !has_numbers || !pays {
            return u64::MAX;
        }
        sets * (BYTES_PER_SET + BYTES_PER_COLUMN * (copies + 1)) + 2 * steps * size_of::<u32>() as u64
    }
}
