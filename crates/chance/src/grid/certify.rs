//! Bounds that are guessed and then certify themselves.
//!
//! Let `U` be any numbers for all positions of a layer. A sweep replaces each by the least number *strictly* above
//! its backup, except certainty. Once no number rises in a whole sweep, all numbers are above their own backups: each
//! was made from numbers that are no less than the current ones. So the player who wants `U` low has a strategy by
//! which it falls on average by a part of a unit or more with each throw, whatever the other plays. Since `U` cannot
//! fall for ever, play leaves the layer, and the chance is below `U`. The same holds for lower bounds the other way
//! round, and after every further sweep.
//!
//! The numbers alone prove this, one step from each position: they are their own certificate. The guess may be
//! anything; an estimate plus a margin for each move that is likely to be left starts to fall after some sweeps.
//!
//! Source: Hartmanns and Kaminski, "Optimistic value iteration", 2020; here both players choose, and the strict fall
//! stands in for the proof that play ends.

use super::cell::ChanceCell;
use super::grid_store::StripError;
use super::kernel::Change;
use super::packed::PackedStrip;
use super::strip_store::Before;
use super::sweep::Grids;

/// The assumed errors of the estimates of a half.
pub struct Slack {
    /// Units by which the estimates of a row may be wrong.
    pub rows: Vec<u64>,
    /// Units that a column adds to that.
    pub columns: Vec<u64>,
}

/// The bounds at a distance of `slack` units from an estimate.
#[inline(always)]
fn supposed<C: ChanceCell>(estimate: C, slack: u64) -> [C; 2] {
    let upper = estimate.units().saturating_add(slack).min(C::ONE.units());
    [C::of_units(estimate.units().saturating_sub(slack)), C::of_units(upper)]
}

impl<C: ChanceCell> Grids<'_, C, 2> {
    /// Takes numbers around estimates as supposed bounds.
    ///
    /// They prove nothing until a sweep has left nothing [against](super::Change::against) them.
    ///
    /// * `slack`: one for each half.
    ///
    /// # Errors
    /// A strip that cannot be read or written.
    pub fn suppose(&mut self, estimates: &Grids<'_, C, 1>, slack: &[Slack]) -> Result<(), StripError> {
        self.make(Before::Dropped, |grids, turn| {
            let (half, band) = (turn.half, turn.band);
            let (places, slack) = (&grids.halves[half].places, &slack[half]);
            let known = estimates.strips.read(places, (half, band), None, 0..places.row_bands())?;
            let ([known], columns) = (known.lanes(), &slack.columns[places.columns(band)]);
            let packed = PackedStrip::made(places, band, |rows, [lower, upper]| {
                let mut known = known[places.range(band, 0..rows.start).len()..].iter();
                let mut out = lower.iter_mut().zip(upper);
                for row in rows {
                    places.each(row, band, |column| {
                        if let (Some(&estimate), Some((lower, upper))) = (known.next(), out.next()) {
                            [*lower, *upper] = supposed(estimate, slack.rows[row] + columns[column]);
                        }
                    });
                }
            });
            Ok((packed, Change::default()))
        })
    }
}

impl<C: ChanceCell> Grids<'_, C, 1> {
    /// Copies estimates of another type, rounded down.
    ///
    /// # Errors
    /// A strip that cannot be read or written.
    pub fn take<D: ChanceCell>(&mut self, others: &Grids<'_, D, 1>) -> Result<(), StripError> {
        self.make(Before::Dropped, |grids, turn| {
            let places = &grids.halves[turn.half].places;
            let all = 0..places.row_bands();
            let known = others.strips.read(places, (turn.half, turn.band), None, all)?;
            let [known] = known.lanes();
            let cells = known.iter().map(|&cell| C::floor_of(cell)).collect();
            Ok((PackedStrip { lanes: [cells] }, Change::default()))
        })
    }
}
