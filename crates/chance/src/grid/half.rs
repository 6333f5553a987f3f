//! The positions of one kind, and the backup of some of their rows.

use std::ops::Range;

use pulp::Arch;
use rayon::prelude::*;

use super::cell::ChanceCell;
use super::kernel::{BackupInputs, Change, MeanRounding, Scratch};
use super::layout::Layout;
use super::packed::Places;
use super::plane::{BandStrip, Plane};
use super::plans::Plans;

/// Rows that a thread works on at a time, span by span, so that shared data stays in the cache.
const BUNDLE: usize = 32;
/// The least number of cells that a thread backs up at a time: smaller tasks cost more than they save.
const TASK_CELLS: usize = 1 << 12;

/// The positions in which the player with the pieces of the rows is to throw.
pub struct Half<'a, C, const N: usize> {
    pub(super) layout: &'a dyn Layout,
    pub(super) plans: Plans,
    pub(super) places: Places,
    pub(super) finished_again: Plane<C, N>,
    pub(super) finished_turned: Plane<C, N>,
}

impl<'a, C: ChanceCell, const N: usize> Half<'a, C, N> {
    /// A grid above finished rows.
    #[must_use]
    pub fn new(layout: &'a dyn Layout, finished_again: Plane<C, N>, finished_turned: Plane<C, N>) -> Self {
        Self {
            layout,
            plans: Plans::new(layout),
            places: Places::new(layout),
            finished_again,
            finished_turned,
        }
    }
}

/// The order in which the positions of a layer and of its colour swap are backed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupOrder {
    /// Tiles of rows and columns, those with most progress first: few sweeps, with the whole layer unpacked in
    /// memory.
    Tiles,
    /// Whole strips of columns, those with most progress first: a few strips unpacked at a time.
    Strips,
}

/// Bands of rows of a strip that are backed up one after the other.
#[derive(Clone, Debug)]
pub(super) struct BandTurn {
    pub(super) half: usize,
    pub(super) band: usize,
    pub(super) rows: Range<usize>,
}

/// The unpacked strips of a half.
pub(super) struct Grid<C, const N: usize> {
    /// The chance of the player of the rows, who is to throw.
    pub(super) again: Plane<C, N>,
    /// The chance of the player of the rows when the opponent is to throw.
    pub(super) turned: Plane<C, N>,
}

impl<C: ChanceCell, const N: usize> Half<'_, C, N> {
    /// Backs up bands of rows of a strip.
    pub(super) fn back_up(&self, grid: &mut Grid<C, N>, turn: &BandTurn, step: MeanRounding) -> Change<C> {
        let mut strip = std::mem::take(grid.again.strip_mut(turn.band));
        let mut change = Change::default();
        for band in &self.layout.bands()[turn.rows.clone()] {
            for rows in &band.groups {
                change = change.and(self.group(grid, &mut strip, turn.band, rows, step));
            }
        }
        *grid.again.strip_mut(turn.band) = strip;
        change
    }

    /// Backs up the rows of a group in a band.
    fn group(
        &self,
        grid: &Grid<C, N>,
        strip: &mut BandStrip<C, N>,
        band: usize,
        rows: &Range<usize>,
        step: MeanRounding,
    ) -> Change<C> {
        let (columns, stride) = (self.layout.columns(), strip.stride());
        let range = strip.columns.clone();
        let (before, rest) = strip.cells.split_at_mut(rows.start * stride);
        let (own, after) = rest.split_at_mut(rows.len() * stride);
        let known = BackupInputs {
            band,
            first: range.start,
            stride,
            before,
            after,
            after_row: rows.end,
            again: &grid.again,
            turned: &grid.turned,
            finished_again: &self.finished_again,
            finished_turned: &self.finished_turned,
        };
        let arch = Arch::new();
        let rows_each = BUNDLE.min(rows.len().div_ceil(4)).max(TASK_CELLS.div_ceil(range.len()));
        let bundles = own.par_chunks_mut(stride * rows_each).enumerate();
        let changes = bundles.map(|(bundle, cells)| {
            let first = rows.start + bundle * rows_each;
            let mut scratch = Scratch::new();
            let mut change = Change::default();
            for span in columns.band(band) {
                let span_columns = columns.span(span);
                let places = span_columns.start - range.start..span_columns.end - range.start;
                for (row, cells) in (first..).zip(cells.chunks_exact_mut(stride)) {
                    let mut lanes = cells.chunks_exact_mut(range.len());
                    let out = std::array::from_fn(|_| {
                        lanes.next().map_or(&mut [][..], |lane| &mut lane[places.clone()])
                    });
                    let changed = arch.dispatch(
                        #[inline(always)]
                        || scratch.back_up(columns, self.plans.row(row), &known, span, step, out),
                    );
                    change = change.and(changed);
                }
            }
            change
        });
        changes.reduce(Change::default, Change::and)
    }
}
