//! One backup of every position of a layer and of its colour swap.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pulp::Arch;
use rayon::prelude::*;

use super::cell::Cell;
use super::kernel::{Change, Known, Scratch, Step};
use super::layout::Layout;
use super::plane::{Estimates, Plane, Strip};
use super::plans::Plans;

/// Rows that a thread works on at a time, span by span, so that what they share stays in the cache.
const BUNDLE: usize = 32;
/// Cells of which a thread backs up at least so many at a time: handing over fewer costs more than it saves.
const TASK_CELLS: usize = 1 << 14;

/// The positions in which the player with the pieces of the rows is to throw.
pub struct Half<'a, C, const N: usize> {
    layout: &'a dyn Layout,
    plans: Plans,
    /// The chance of the player of the rows, who is to throw.
    again: Plane<C, N>,
    /// The chance of the player of the rows when the opponent is to throw.
    turned: Plane<C, N>,
    finished_again: Plane<C, N>,
    finished_turned: Plane<C, N>,
}

impl<'a, C: Cell, const N: usize> Half<'a, C, N> {
    /// A grid of which nothing is known, above finished rows.
    #[must_use]
    pub fn new(layout: &'a dyn Layout, finished_again: Plane<C, N>, finished_turned: Plane<C, N>) -> Self {
        let bands = layout.columns().bands();
        let again = Plane::unknown(layout.rows(), &bands);
        let turned = Plane::unknown(layout.rows(), &bands);
        Self { layout, plans: Plans::new(layout), again, turned, finished_again, finished_turned }
    }

    /// The chance of the player of the rows, who is to throw.
    #[must_use]
    pub const fn again(&self) -> &Plane<C, N> {
        &self.again
    }

    /// The chance of the player of the rows when the opponent is to throw.
    #[must_use]
    pub const fn turned(&self) -> &Plane<C, N> {
        &self.turned
    }
}

/// A layer with its colour swap: one half where both players have as many pieces, else two.
pub struct Grids<'a, C, const N: usize> {
    halves: Vec<Half<'a, C, N>>,
    /// Those farthest on first.
    tiles: Vec<Tile>,
}

/// A band of rows and a band of columns of a half.
#[derive(Clone, Copy, Debug)]
struct Tile {
    half: usize,
    rows: usize,
    columns: usize,
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swept<C> {
    /// All positions were backed up.
    All(Change<C>),
    /// It was stopped in between.
    Stopped,
}

impl<'a, C: Cell, const N: usize> Grids<'a, C, N> {
    /// A layer whose colour swap is itself.
    ///
    /// Panics unless rows and columns are as many.
    #[must_use]
    pub fn own(half: Half<'a, C, N>) -> Self {
        assert_eq!(
            half.layout.rows(),
            half.layout.columns().count(),
            "rows and columns of a layer of its own"
        );
        Self::new(vec![half])
    }

    /// A layer and its colour swap.
    ///
    /// Panics unless the rows of the one are the columns of the other.
    #[must_use]
    pub fn pair(half: Half<'a, C, N>, other: Half<'a, C, N>) -> Self {
        assert_eq!(half.layout.rows(), other.layout.columns().count(), "rows of the first half");
        assert_eq!(other.layout.rows(), half.layout.columns().count(), "rows of the second half");
        Self::new(vec![half, other])
    }

    fn new(halves: Vec<Half<'a, C, N>>) -> Self {
        let mut tiles = Vec::new();
        for (number, half) in halves.iter().enumerate() {
            for (columns, progress) in half.layout.column_progress().into_iter().enumerate() {
                for (rows, band) in half.layout.bands().iter().enumerate() {
                    tiles.push((band.progress + progress, Tile { half: number, rows, columns }));
                }
            }
        }
        tiles.sort_by_key(|&(progress, _)| std::cmp::Reverse(progress));
        Self { halves, tiles: tiles.into_iter().map(|(_, tile)| tile).collect() }
    }

    /// The one or two halves.
    #[must_use]
    pub fn halves(&self) -> &[Half<'a, C, N>] {
        &self.halves
    }

    /// Puts numbers in place of those of a band, as [`Plane::cells`] gives them.
    ///
    /// * Result: whether there are as many as the band has.
    pub fn restore(&mut self, half: usize, band: usize, cells: Vec<C>) -> bool {
        let strip = self.halves[half].again.strip_mut(band);
        if strip.cells.len() != cells.len() {
            return false;
        }
        strip.cells = cells;
        for rows in 0..self.halves[half].layout.bands().len() {
            self.turn(Tile { half, rows, columns: band });
        }
        true
    }

    /// Backs up every position once; the result is what the step tells of.
    fn sweep_by(&mut self, step: Step, stop: &AtomicBool) -> Swept<C> {
        let mut change = Change::default();
        for number in 0..self.tiles.len() {
            if stop.load(Relaxed) {
                return Swept::Stopped;
            }
            let tile = self.tiles[number];
            change = change.and(self.halves[tile.half].back_up(tile, step));
            self.turn(tile);
        }
        Swept::All(change)
    }

    /// Sets every cell: `of` is asked for half, row and column.
    pub fn set(&mut self, of: impl Fn(usize, usize, usize) -> [C; N] + Sync) {
        for (number, half) in self.halves.iter_mut().enumerate() {
            half.again.set(|row, column| of(number, row, column));
        }
        self.turn_all();
    }

    fn turn_all(&mut self) {
        for number in 0..self.tiles.len() {
            self.turn(self.tiles[number]);
        }
    }

    /// Lets the other half see what a tile of this half has become.
    fn turn(&mut self, tile: Tile) {
        let again = std::mem::take(&mut self.halves[tile.half].again);
        let other = self.halves.len() - 1 - tile.half;
        self.halves[other].turned.take_turned(&again, tile.rows, tile.columns);
        self.halves[tile.half].again = again;
    }
}

impl<'a, C: Cell> Grids<'a, C, 1> {
    /// Backs up every position once; the result is the greatest change.
    ///
    /// * `stop`: looked at now and then.
    pub fn sweep(&mut self, stop: &AtomicBool) -> Swept<C> {
        self.sweep_by(Step::Estimate, stop)
    }

    /// Sweeps, and then goes on in the same direction to where sweeps would lead if each made the same part of the
    /// change of the one before; the result is the greatest change of the sweep.
    ///
    /// * `rate`: that part, from 0 to below 1.
    pub fn leap(&mut self, rate: f64, stop: &AtomicBool) -> Swept<C> {
        let before: Vec<Estimates<C>> = self.halves.iter().map(|half| half.again.clone()).collect();
        let swept = self.sweep(stop);
        if swept != Swept::Stopped {
            for (half, before) in self.halves.iter_mut().zip(&before) {
                half.again.go_on(before, rate / (1.0 - rate));
            }
            self.turn_all();
        }
        swept
    }

    /// The estimates of both halves.
    #[must_use]
    pub fn into_estimates(self) -> Vec<Estimates<C>> {
        self.halves.into_iter().map(|half| half.again).collect()
    }
}

impl<'a, C: Cell> Grids<'a, C, 2> {
    /// Backs up every position once; the result is the widest gap between bounds.
    ///
    /// * `stop`: looked at now and then; a sweep that was stopped leaves bounds that hold.
    pub fn sweep(&mut self, stop: &AtomicBool) -> Swept<C> {
        self.sweep_by(Step::Bounds, stop)
    }
}

impl<C: Cell, const N: usize> Half<'_, C, N> {
    /// Backs up a tile.
    fn back_up(&mut self, tile: Tile, step: Step) -> Change<C> {
        let mut strip = std::mem::take(self.again.strip_mut(tile.columns));
        let mut change = Change::default();
        for rows in &self.layout.bands()[tile.rows].groups {
            change = change.and(self.group(&mut strip, tile.columns, rows, step));
        }
        *self.again.strip_mut(tile.columns) = strip;
        change
    }

    /// Backs up the rows of a group in a band.
    fn group(&self, strip: &mut Strip<C, N>, band: usize, rows: &Range<usize>, step: Step) -> Change<C> {
        let (columns, stride) = (self.layout.columns(), strip.stride());
        let range = strip.columns.clone();
        let (before, rest) = strip.cells.split_at_mut(rows.start * stride);
        let (own, after) = rest.split_at_mut(rows.len() * stride);
        let known = Known {
            band,
            first: range.start,
            stride,
            before,
            after,
            after_row: rows.end,
            again: &self.again,
            turned: &self.turned,
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
