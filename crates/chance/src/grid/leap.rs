//! A leap to where many sweeps over estimates would lead.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::cell::ChanceCell;
use super::grid_store::StripError;
use super::half::BandTurn;
use super::kernel::{Change, MeanRounding};
use super::packed::PackedStrip;
use super::strip_store::Before;
use super::sweep::{Grids, Swept};

/// The least number of cells that a thread extrapolates at a time.
const TASK_CELLS: usize = 1 << 14;
/// Tiles of a strip from which a sample is taken, and numbers from each.
const SAMPLED_TILES: usize = 4;
const SAMPLED_CELLS: usize = 10;

impl<C: ChanceCell> Grids<'_, C, 1> {
    /// Some of the numbers, in units, always those of the same positions: a few from each strip.
    ///
    /// # Errors
    /// A strip that cannot be read.
    pub fn sample(&self) -> Result<Vec<f64>, StripError> {
        let mut sample = Vec::new();
        for half in 0..self.halves() {
            let places = &self.halves[half].places;
            let tiles = places.row_bands();
            let parts = SAMPLED_TILES.min(tiles);
            for band in 0..places.bands() {
                for part in 0..parts {
                    // Other rows in each strip, and rows that are far apart in each.
                    let tile = (band + part * tiles / parts) % tiles;
                    let numbers = places.range(band, places.band_rows(tile)).len();
                    if numbers == 0 {
                        continue;
                    }
                    let piece = self.strips.read(places, (half, band), None, tile..tile + 1)?;
                    let [lane] = piece.lanes();
                    let apart = numbers.div_ceil(SAMPLED_CELLS);
                    sample.extend(lane[..numbers].iter().step_by(apart).map(|cell| cell.units() as f64));
                }
            }
        }
        Ok(sample)
    }

    /// Sweeps, then extrapolates to the limit of further sweeps, each changing the numbers by the same part of the
    /// change before; the result is the greatest change of the sweep.
    ///
    /// * `rate`: that part, from 0 to below 1.
    ///
    /// # Errors
    /// A strip that cannot be read or written.
    pub fn leap(&mut self, rate: f64, stop: &AtomicBool) -> Result<Swept<C>, StripError> {
        let begun = self.step();
        let swept = self.sweep_by(MeanRounding::Estimate, Before::Kept, stop)?;
        if swept != Swept::Stopped {
            let times = rate / (1.0 - rate);
            self.make(Before::Dropped, |grids, turn| grids.go_on(turn, begun, times))?;
        }
        Ok(swept)
    }

    /// The strip after a sweep, moved on by `times` the change of the sweep.
    fn go_on(
        &self,
        turn: &BandTurn,
        begun: u64,
        times: f64,
    ) -> Result<(PackedStrip<C, 1>, Change<C>), StripError> {
        let (places, name) = (&self.halves[turn.half].places, (turn.half, turn.band));
        let all = 0..places.row_bands();
        let before = self.strips.read(places, name, Some(begun), all.clone())?;
        let after = self.strips.read(places, name, Some(begun + 1), all)?;
        let ([before], [after]) = (before.lanes(), after.lanes());
        let onward = |(before, after): (&C, &C)| {
            let units = after.units().cast_signed();
            let onward = ((units - before.units().cast_signed()) as f64 * times) as i64;
            C::of_units(units.saturating_add(onward).clamp(0, C::ONE.units().cast_signed()).cast_unsigned())
        };
        let cells = before.par_iter().zip(after).with_min_len(TASK_CELLS).map(onward).collect();
        Ok((PackedStrip { lanes: [cells] }, self.changed(turn)))
    }
}
