//! One row of a layer and its mirror: all data of a step, except its messages to others.
//!
//! The rules of what may be read when are in [`strips`](super::strips).

use std::ops::ControlFlow;

use marquis_core::{Column, Plies, Row, Rows, Score, Slot};

use super::layers_below::{LayersBelow, can_gain, is_settled_in, score_inside};
use super::sink::{Code, Sink};
use crate::cell::{CellWidth, UNDECIDED, UNUSED, score_of};

/// A row of a layer, entered on first use.
pub(super) struct InRow<'r, 'a, R: Rows, W, S> {
    pub(super) ground: &'r LayersBelow<'a, R::Layer>,
    pub(super) rows: &'r mut R,
    pub(super) row: Row,
    pub(super) is_entered: bool,
    /// The cells of the row.
    pub(super) own: &'r [W],
    /// Those of the positions that face them.
    pub(super) mirror: &'r [W],
    /// Takes the codes written to `mirror`, for their own places.
    pub(super) sink: &'r S,
    /// A bit a column: whether the column was checked again in this step.
    pub(super) looked: &'r mut Vec<u64>,
}

impl<L, R, W, S> InRow<'_, '_, R, W, S>
where
    L: Copy + Ord + std::hash::Hash,
    R: Rows<Layer = L>,
    W: CellWidth,
    S: Sink,
{
    #[inline]
    fn enter(&mut self) {
        if !self.is_entered {
            self.rows.enter(self.row);
            self.is_entered = true;
        }
    }

    fn columns(&self) -> impl Iterator<Item = Column> + use<L, R, W, S> {
        (0..self.own.len() as u32).map(Column)
    }

    /// Writes the score of the position that faces a column.
    #[inline]
    fn write(&self, column: Column, score: Score) {
        if let Some(code) = self.ground.code::<W>(score) {
            self.mirror[column.0 as usize].store(code);
            self.sink.put(self.rows.facing(column), Code(code as u16));
        }
    }

    /// Fills the mirror from the cells in their own places, which `read` returns.
    pub(super) fn reflect_from(&mut self, read: impl Fn(Slot) -> u32) {
        self.enter();
        for column in self.columns() {
            let code = if self.rows.has_position(column) { read(self.rows.facing(column)) } else { UNUSED };
            self.mirror[column.0 as usize].store(code);
        }
    }

    /// Sends the decided cells of this row to the mirrors of others.
    pub(super) fn reflect(&mut self) {
        self.enter();
        for (column, cell) in self.columns().zip(self.own) {
            let code = cell.load();
            if !self.rows.has_position(column) {
                self.mirror[column.0 as usize].store(UNUSED);
            } else if code != UNDECIDED {
                self.sink.put(self.rows.facing(column), Code(code as u16));
            }
        }
    }

    /// Step 1 for the positions that face this row.
    pub(super) fn look(&mut self) {
        self.enter();
        for column in self.columns() {
            if !self.rows.has_position(column) {
                self.own[column.0 as usize].store(UNUSED);
                self.mirror[column.0 as usize].store(UNUSED);
            } else if let Some(score) = self.first_look(column) {
                self.write(column, score);
            }
        }
    }

    /// Like that of the solver by positions, for the position that faces a column.
    fn first_look(&self, column: Column) -> Option<Score> {
        if let Some(value) = self.rows.over(column) {
            return Some(Score::finished(value));
        }
        let mut best = None;
        let _ = self.rows.leaving::<()>(column, |layer, slot| {
            best = best.max(Some(self.ground.score_below(layer, slot).before_move()));
            ControlFlow::Continue(())
        });
        let won = matches!(best, Some(Score::Win(_)));
        let stays = || self.rows.along(column, |_| ControlFlow::Break(())).is_break();
        if won || !stays() { best } else { None }
    }

    /// Step 2 for this row; returns the number of its cells settled in this ply.
    pub(super) fn step(&mut self, ply: Plies) -> u64 {
        let mut settled = 0;
        let mut looked = std::mem::take(self.looked);
        for (column, cell) in (0..).map(Column).zip(self.own) {
            let code = cell.load();
            if !is_settled_in(code, ply) {
                continue;
            }
            if settled == 0 {
                self.enter();
                looked.clear();
                looked.resize(self.own.len().div_ceil(64), 0);
            }
            settled += 1;
            self.tell(column, score_of(code), &mut looked);
        }
        *self.looked = looked;
        settled
    }

    /// Decides the positions from which a move leads to a column, as far as its score decides them.
    fn tell(&self, column: Column, score: Score, looked: &mut [u64]) {
        self.rows.back(column, |before| {
            let code = self.mirror[before.0 as usize].load();
            match score {
                Score::Loss(ply) if can_gain::<W>(code, ply) => {
                    self.write(before, score.before_move());
                }
                Score::Win(ply) if code == UNDECIDED && is_new(looked, before) => {
                    if let Some(score) = self.look_again(before, ply) {
                        self.write(before, score);
                    }
                }
                _ => (),
            }
        });
    }

    /// The loss of the position that faces a column, if all its successors are wins by step `ply`.
    fn look_again(&self, column: Column, ply: Plies) -> Option<Score> {
        let mut worst = Plies::ZERO;
        let mut is_lost = |score, is_settled: fn(Plies, Plies) -> bool| match score {
            Score::Win(plies) if is_settled(plies, ply) => {
                worst = worst.max(plies);
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(()),
        };
        let inside = |after: Column| score_inside::<W>(self.own[after.0 as usize].load());
        let seen = self.rows.along(column, |after| is_lost(inside(after), |plies, ply| plies <= ply));
        if seen.is_continue() {
            let below = |layer, slot| self.ground.score_below(layer, slot);
            let seen = self.rows.leaving(column, |layer, slot| is_lost(below(layer, slot), |_, _| true));
            return seen.is_continue().then(|| Score::Win(worst).before_move());
        }
        None
    }
}

/// Marks a column; returns whether it was unmarked.
#[inline]
fn is_new(marks: &mut [u64], Column(column): Column) -> bool {
    let (word, bit) = (&mut marks[column as usize / 64], 1 << (column % 64));
    let is_new = *word & bit == 0;
    *word |= bit;
    is_new
}
