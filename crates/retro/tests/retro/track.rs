//! A race of two counters, which may also step back: a game of long wins whose one layer is a matrix.

use std::ops::ControlFlow;

use marquis_core::{
    Column, Game, Indexed, Outcome, Over, Player, Reason, Retract, Row, Rowed, Rows, Slot, Value,
};

/// The player who reaches the last cell first has won.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track {
    /// At least two.
    pub(crate) cells: u32,
}

/// The cells of the counters: that of the player to move, and the other one.
pub(crate) type Counters = (u32, u32);

impl Track {
    fn last(self) -> u32 {
        self.cells - 1
    }

    /// Both counters cannot have arrived.
    fn can_be(self, (mover, other): Counters) -> bool {
        mover != self.last() || other != self.last()
    }

    /// The cells that a step from a cell leads to; the same cells lead back to it.
    fn near(self, cell: u32) -> impl Iterator<Item = u32> {
        [cell.checked_sub(1), Some(cell + 1)].into_iter().flatten().filter(move |&cell| cell < self.cells)
    }

    fn counters(self, slot: Slot) -> Counters {
        let (row, column) = (slot.0 / u64::from(self.cells), slot.0 % u64::from(self.cells));
        (row as u32, column as u32)
    }
}

impl Game for Track {
    type Position = Counters;
    /// The cell that the counter steps to.
    type Move = u32;

    fn turn(&self, _: &Counters) -> Player {
        Player::First
    }

    fn over(&self, &(mover, other): &Counters) -> Option<Over> {
        let over = |winner| Over { reason: Reason::Stuck, outcome: Outcome::Winner(winner) };
        if other == self.last() {
            return Some(over(Player::Second));
        }
        (mover == self.last()).then(|| over(Player::First))
    }

    fn moves(&self, &(mover, _): &Counters, out: &mut Vec<u32>) {
        out.extend(self.near(mover));
    }

    fn play(&self, &(_, other): &Counters, to: u32) -> Counters {
        (other, to)
    }
}

impl Indexed for Track {
    type Layer = ();

    fn slots(&self, (): ()) -> u64 {
        u64::from(self.cells).pow(2)
    }

    fn slot(&self, &(mover, other): &Counters) -> ((), Slot) {
        ((), Slot(u64::from(mover) * u64::from(self.cells) + u64::from(other)))
    }

    fn position(&self, (): (), slot: Slot) -> Option<Counters> {
        Some(self.counters(slot)).filter(|&counters| self.can_be(counters))
    }

    fn component(&self, (): ()) -> Vec<()> {
        vec![()]
    }

    fn child_layers(&self, (): ()) -> Vec<()> {
        Vec::new()
    }
}

impl Retract for Track {
    fn predecessors(&self, &(mover, other): &Counters, mut visit: impl FnMut((), Slot, &Counters)) {
        for from in self.near(other) {
            let before = (from, mover);
            if self.can_be(before) {
                visit((), self.slot(&before).1, &before);
            }
        }
    }
}

impl Rowed for Track {
    type Rows<'g> = Lane;

    fn facing(&self, (): ()) {}

    fn rows(&self, (): ()) -> Lane {
        Lane { track: *self, row: 0 }
    }

    fn rows_bytes(&self, (): (), copies: u64) -> u64 {
        copies * size_of::<Lane>() as u64
    }
}

/// A row: the counter of one player stands, that of the other is moved.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    track: Track,
    row: u32,
}

impl Lane {
    /// The counters that face a column.
    fn counters(&self, Column(column): Column) -> Counters {
        (column, self.row)
    }

    fn near(&self, Column(column): Column) -> impl Iterator<Item = Column> {
        self.track.near(column).map(Column).filter(|&column| self.has_position(column))
    }
}

impl Rows for Lane {
    type Layer = ();

    fn count(&self) -> u64 {
        u64::from(self.track.cells)
    }

    fn columns(&self) -> u32 {
        self.track.cells
    }

    fn enter(&mut self, Row(row): Row) {
        self.row = row as u32;
    }

    fn has_position(&self, column: Column) -> bool {
        self.track.can_be(self.counters(column))
    }

    fn facing(&self, column: Column) -> Slot {
        self.track.slot(&self.counters(column)).1
    }

    fn over(&self, column: Column) -> Option<Value> {
        let counters = self.counters(column);
        self.track.over(&counters).map(|over| over.outcome.for_mover(Player::First))
    }

    fn along<B>(&self, column: Column, visit: impl FnMut(Column) -> ControlFlow<B>) -> ControlFlow<B> {
        self.near(column).try_for_each(visit)
    }

    fn leaving<B>(&self, _: Column, _: impl FnMut((), Slot) -> ControlFlow<B>) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }

    fn back(&self, column: Column, visit: impl FnMut(Column)) {
        self.near(column).for_each(visit);
    }
}
