//! Estimates mixed from those of the last sweeps, so that several slow modes come to their end at once.
//!
//! What estimates lack to the truth is a sum of modes, each of which a sweep makes smaller by its own factor. Let
//! `x₀ … x₃` be the estimates of successive sweeps and `fᵢ = xᵢ₊₁ - xᵢ`. The mixture is `x₃ - Σ wⱼ (xⱼ₊₂ - xⱼ₊₁)`, with
//! the weights that make the sum of the squares of `f₂ - Σ wⱼ (fⱼ₊₁ - fⱼ)` least: as many modes as there are weights
//! are gone. Each square counts as much as that of `f₂` there, since the farthest position is what matters: where all
//! count alike, the many that are nearly right decide.
//!
//! Source: Walker and Ni, "Anderson acceleration for fixed-point iterations", 2011; here it starts afresh each time.

use rayon::prelude::*;

use super::cell::Cell;
use super::disk::Fault;
use super::half::Turn;
use super::kernel::Change;
use super::packed::{Packed, Piece};
use super::sweep::Grids;

/// How many modes a mixture ends.
pub const MODES: usize = 2;
/// The sweeps that have to [keep](super::Before::Kept) what was before them for a mixture.
pub const MIXED_SWEEPS: usize = MODES + 1;

/// How much of the difference of two successive changes is taken away, the oldest one first.
pub type Weights = [f64; MODES];

/// Weighted sums over positions: of each two differences of changes, and of each with the last change.
type Sums = [[f64; MODES + 1]; MODES];

/// Positions that are added up at a time: sums of floats must not depend on the threads.
const TOGETHER: usize = 1 << 16;

impl<C: Cell> Grids<'_, C, 1> {
    /// The weights of the mixture of the estimates of the last [`MIXED_SWEEPS`] sweeps and of those before them; none
    /// where they have not all been kept.
    ///
    /// # Errors
    /// A strip that cannot be read.
    pub fn weights(&self) -> Result<Option<Weights>, Fault> {
        let mut sums = Sums::default();
        for turn in self.whole() {
            let Some(estimates) = self.successive(turn)? else { return Ok(None) };
            let all = estimates.each_ref().map(|piece| piece.lanes()[0]);
            let starts: Vec<usize> = (0..all[0].len()).step_by(TOGETHER).collect();
            let parts: Vec<Sums> = starts.into_par_iter().map(|start| added_up(all, start)).collect();
            for part in parts {
                sums.iter_mut()
                    .flatten()
                    .zip(part.into_iter().flatten())
                    .for_each(|(sum, part)| *sum += part);
            }
        }
        Ok(Some(least_squares(sums)))
    }

    /// Puts the mixture in place of the estimates; the result is the greatest difference.
    ///
    /// * `weights`: those that [`weights`](Self::weights) gave after the last sweep.
    ///
    /// # Errors
    /// A strip that cannot be read or written.
    pub fn mix(&mut self, weights: &Weights) -> Result<C, Fault> {
        self.make(|grids, turn| {
            let places = &grids.halves[turn.half].places;
            let Some(estimates) = grids.successive(turn)? else {
                // Without those before the last estimates stay as they are.
                let last = grids.shelf.read(places, (turn.half, turn.band), None, 0..places.row_bands())?;
                return Ok((Packed { lanes: [last.lanes()[0].to_vec()] }, Change::default()));
            };
            let all = estimates.each_ref().map(|piece| piece.lanes()[0]);
            let mixture = (0..all[0].len()).into_par_iter().with_min_len(TOGETHER).map(|place| {
                let at = all.map(|estimates| estimates[place].units() as f64);
                let less: f64 = (0..MODES).map(|mode| weights[mode] * (at[mode + 2] - at[mode + 1])).sum();
                C::of_units((at[MODES + 1] - less).clamp(0.0, C::ONE.units() as f64) as u64)
            });
            let mixture: Vec<C> = mixture.collect();
            let steps = mixture.par_iter().zip(all[MODES + 1]).with_min_len(TOGETHER);
            let steps = steps.map(|(&after, &before)| after.max(before).units() - after.min(before).units());
            let widest = C::of_units(steps.max().unwrap_or(0));
            Ok((Packed { lanes: [mixture] }, Change { widest, against: 0 }))
        })?;
        // Those that were there already when it was gone on with have theirs in their labels.
        let steps = self.whole().filter_map(|turn| self.shelf.label(turn.half, turn.band));
        Ok(steps.map(|label| label.change.widest).max().unwrap_or_default())
    }

    /// The estimates of a strip before the last sweeps and after each of them; none where not all were kept.
    fn successive(&self, turn: &Turn) -> Result<Option<[Piece<C, 1>; MODES + 2]>, Fault> {
        let (places, name) = (&self.halves[turn.half].places, (turn.half, turn.band));
        let Some(first) = self.step().checked_sub(MIXED_SWEEPS as u64) else { return Ok(None) };
        let mut estimates = Vec::with_capacity(MODES + 2);
        for step in first..=self.step() {
            if !self.shelf.holds(name, step) {
                return Ok(None);
            }
            estimates.push(self.shelf.read(places, name, Some(step), 0..places.row_bands())?);
        }
        Ok(estimates.try_into().ok())
    }
}

/// The sums over some positions from a place on.
fn added_up<C: Cell>(estimates: [&[C]; MODES + 2], start: usize) -> Sums {
    let mut sums = Sums::default();
    for place in start..estimates[0].len().min(start + TOGETHER) {
        let at = estimates.map(|estimates| estimates[place].units().cast_signed());
        let change: [f64; MODES + 1] = std::array::from_fn(|sweep| (at[sweep + 1] - at[sweep]) as f64);
        let difference: Weights = std::array::from_fn(|mode| change[mode + 1] - change[mode]);
        let weight = change[MODES] * change[MODES];
        for (sums, own) in sums.iter_mut().zip(difference) {
            for (sum, other) in sums.iter_mut().zip(difference.into_iter().chain([change[MODES]])) {
                *sum += weight * own * other;
            }
        }
    }
    sums
}

/// What is added to each square, as a part of it: differences may be nearly the same.
const RIDGE: f64 = 1e-10;

/// The weights with which the sum of squares is least: the solution of the normal equations, by elimination.
fn least_squares(mut sums: Sums) -> Weights {
    for mode in 0..MODES {
        sums[mode][mode] *= 1.0 + RIDGE;
    }
    for mode in 0..MODES {
        let size = |&row: &usize| sums[row][mode].abs();
        let largest = (mode..MODES).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(mode);
        sums.swap(mode, largest);
        let pivot = sums[mode];
        if !pivot[mode].is_normal() {
            // Nothing changes any more.
            return Weights::default();
        }
        for (_, row) in sums.iter_mut().enumerate().filter(|(row, _)| *row != mode) {
            let part = row[mode] / pivot[mode];
            row.iter_mut().zip(pivot).for_each(|(own, pivot)| *own -= part * pivot);
        }
    }
    std::array::from_fn(|mode| sums[mode][MODES] / sums[mode][mode])
}
