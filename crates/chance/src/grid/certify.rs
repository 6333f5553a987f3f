//! Bounds that are guessed and then prove themselves.
//!
//! Let `U` be any numbers for all positions of a layer. A sweep puts in place of each the least number *strictly*
//! above its backup, certainty aside. Once no number rises in a whole sweep, the numbers that the sweep leaves are
//! above their own backups: each was made from numbers that are no less than those that stand there now. So the
//! player who wants `U` low has a way of playing by which it falls by a part of a unit or more on average with each
//! throw, whatever the other does. Since `U` cannot fall for ever, play leaves the layer, and the chance is below
//! `U`. The same holds for lower bounds the other way round, and after every further sweep.
//!
//! That can be seen again from the numbers alone, one step from each position: they are their own certificate.
//! Nothing is asked of the guess; one that is an estimate and something more for each move that is likely to be left
//! comes to fall after some sweeps.
//!
//! Source: Hartmanns and Kaminski, "Optimistic value iteration", 2020; here both players choose, and the strict fall
//! stands in for the proof that play ends.

use super::cell::Cell;
use super::plane::Estimates;
use super::sweep::Grids;

/// Supposed bounds of a half: estimates, and how far they may be wrong.
pub struct Guess<C> {
    /// What the chances are thought to be.
    pub estimates: Estimates<C>,
    /// Units by which the estimates of a row may be wrong.
    pub rows: Vec<u64>,
    /// Units that a column adds to that.
    pub columns: Vec<u64>,
}

impl<C: Cell> Guess<C> {
    fn bounds(&self, row: usize, column: usize) -> [C; 2] {
        let [estimate] = self.estimates.at(row, column);
        supposed(estimate, self.rows[row] + self.columns[column])
    }
}

/// The bounds that are so many units from an estimate.
#[inline(always)]
fn supposed<C: Cell>(estimate: C, slack: u64) -> [C; 2] {
    let upper = estimate.units().saturating_add(slack).min(C::ONE.units());
    [C::of_units(estimate.units().saturating_sub(slack)), C::of_units(upper)]
}

impl<C: Cell> Grids<'_, C, 2> {
    /// Takes guesses for bounds, one for each half.
    ///
    /// They are none until a sweep has left nothing [against](super::Change::against) them.
    pub fn suppose(&mut self, guesses: &[Guess<C>]) {
        self.set(|half, row, column| guesses[half].bounds(row, column));
    }
}
