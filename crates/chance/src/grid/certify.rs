//! Bounds that are guessed and then proved.
//!
//! Let `U` be any numbers for all positions of a layer. Sweeps with the backup of the upper bounds give the value
//! of a game that is played for a bounded number of moves and then ends with `U` of the position reached. If after
//! some sweeps every number is *strictly* below its `U`, then the player who wants it low has a way of playing by
//! which `U` falls by a unit or more on average from block of moves to block of moves, whatever the other does. Since
//! `U` cannot fall for ever, play leaves the layer, and the chance is below `U`. So `U` is an upper bound, and what
//! the sweeps made of it is one too. The same holds for lower bounds the other way round.
//!
//! Nothing is asked of the guess but that it passes this test; one that is an estimate and something more for each
//! move that is likely to be left falls from sweep to sweep.
//!
//! Source: Hartmanns and Kaminski, "Optimistic value iteration", 2020; here both players choose, and the strict fall
//! stands in for the proof that play ends.

use std::ops::Range;

use rayon::prelude::*;

use super::cell::Cell;
use super::plane::Estimates;
use super::sweep::{Grids, Half};

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
    /// They are none until sweeps have left none of them [unproved](Self::unproved).
    pub fn suppose(&mut self, guesses: &[Guess<C>]) {
        self.set(|half, row, column| guesses[half].bounds(row, column));
    }

    /// The positions that still stand against the guesses: a number of theirs is not strictly inside, nor 0 or certainty.
    /// Where there are none, what the sweeps made of the guesses proves them.
    ///
    /// * `guesses`: those that were last supposed.
    #[must_use]
    pub fn unproved(&self, guesses: &[Guess<C>]) -> u64 {
        let halves = self.halves().iter().zip(guesses);
        let of_half = |(half, guess): (&Half<'_, C, 2>, &Guess<C>)| -> u64 {
            let of_band = |(band, columns): (usize, Range<usize>)| -> u64 {
                let rows = (0..half.again().rows()).into_par_iter();
                rows.map(|row| unproved_of_row(half, guess, row, (band, columns.clone()))).sum()
            };
            half.again().bands().enumerate().map(of_band).sum()
        };
        halves.map(of_half).sum()
    }
}

fn unproved_of_row<C: Cell>(
    half: &Half<'_, C, 2>,
    guess: &Guess<C>,
    row: usize,
    (band, columns): (usize, Range<usize>),
) -> u64 {
    let positions = half.positions(row, columns.clone());
    let [lower, upper] = half.again().strip(band).row(row).lanes;
    let [estimates] = guess.estimates.strip(band).row(row).lanes;
    let cells = lower.iter().zip(upper).zip(estimates).zip(&guess.columns[columns]);
    let unproved = cells.zip(&positions).filter(|&((((&lower, &upper), &estimate), &slack), &position)| {
        let [least, most] = supposed(estimate, guess.rows[row] + slack);
        let above = lower > least || least == C::default();
        let below = upper < most || most == C::ONE;
        position != 0 && !(above && below)
    });
    unproved.count() as u64
}
