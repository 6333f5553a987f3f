//! Bounds of the chances in all cells of a grid.

use std::ops::Range;

use rayon::prelude::*;

use super::cell::Cell;

/// A lower and an upper bound for each cell.
///
/// The cells of a band of columns lie together, row after row, so that rows worked on together are neighbours.
#[derive(Clone, Debug, Default)]
pub struct Plane<C> {
    rows: usize,
    bands: Vec<Strip<C>>,
}

/// All rows of a band of columns: of each row the lower bounds, then the upper ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip<C> {
    pub(super) columns: Range<usize>,
    pub(super) cells: Vec<C>,
}

/// Bounds of one row in a band of columns.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a, C> {
    /// The lower bounds.
    pub lower: &'a [C],
    /// The upper bounds.
    pub upper: &'a [C],
}

impl<'a, C> Row<'a, C> {
    /// The bounds whose lower half comes first.
    #[inline(always)]
    pub(super) fn of(cells: &'a [C]) -> Self {
        let (lower, upper) = cells.split_at(cells.len() / 2);
        Self { lower, upper }
    }
}

impl<C> Strip<C> {
    /// Cells from the beginning of a row to that of the next.
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        2 * self.columns.len()
    }

    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> Row<'_, C> {
        let stride = self.stride();
        Row::of(&self.cells[row * stride..(row + 1) * stride])
    }
}

impl<C: Cell> Plane<C> {
    /// Nothing is known of any cell.
    #[must_use]
    pub fn unknown(rows: usize, bands: &[Range<usize>]) -> Self {
        Self::filled(rows, bands, C::default(), C::ONE)
    }

    /// The mover has won in every cell.
    #[must_use]
    pub fn won(rows: usize, bands: &[Range<usize>]) -> Self {
        Self::filled(rows, bands, C::ONE, C::ONE)
    }

    fn filled(rows: usize, bands: &[Range<usize>], lower: C, upper: C) -> Self {
        let strip = |columns: &Range<usize>| {
            let mut cells = vec![lower; 2 * rows * columns.len()];
            if lower != upper && !columns.is_empty() {
                cells.par_chunks_mut(2 * columns.len()).for_each(|row| row[columns.len()..].fill(upper));
            }
            Strip { columns: columns.clone(), cells }
        };
        Self { rows, bands: bands.iter().map(strip).collect() }
    }

    /// How many rows there are.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The bands of columns.
    pub fn bands(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.bands.iter().map(|strip| strip.columns.clone())
    }

    /// The bounds of a row in a band.
    ///
    /// Panics when there is no such row or band.
    #[must_use]
    pub fn row(&self, band: usize, row: usize) -> Row<'_, C> {
        self.bands[band].row(row)
    }

    /// The bounds of one cell.
    ///
    /// Panics when there is no such cell.
    #[must_use]
    pub fn bounds(&self, row: usize, column: usize) -> (C, C) {
        let band = self.bands.partition_point(|strip| strip.columns.end <= column);
        let strip = &self.bands[band];
        let (row, place) = (strip.row(row), column - strip.columns.start);
        (row.lower[place], row.upper[place])
    }

    /// All cells of a band: of each row the lower bounds, then the upper ones.
    ///
    /// Panics when there is no such band.
    #[must_use]
    pub fn cells(&self, band: usize) -> &[C] {
        &self.bands[band].cells
    }

    /// The bounds of a row in all bands, in order of the columns.
    ///
    /// Panics when there is no such row.
    pub fn whole_row(&self, row: usize) -> impl Iterator<Item = (C, C)> + '_ {
        let rows = self.bands.iter().map(move |strip| strip.row(row));
        rows.flat_map(|row| row.lower.iter().copied().zip(row.upper.iter().copied()))
    }

    /// Sets lower and upper bounds: `of` is asked for each row and column.
    pub fn set(&mut self, of: impl Fn(usize, usize) -> (C, C) + Sync) {
        for strip in &mut self.bands {
            let (columns, stride) = (strip.columns.clone(), strip.stride());
            strip.cells.par_chunks_mut(stride.max(1)).enumerate().for_each(|(row, cells)| {
                let (lower, upper) = cells.split_at_mut(columns.len());
                for ((lower, upper), column) in lower.iter_mut().zip(upper).zip(columns.clone()) {
                    (*lower, *upper) = of(row, column);
                }
            });
        }
    }

    /// Some of the rows, in another type, rounded outward.
    #[must_use]
    pub fn pick<D: Cell>(&self, rows: &[usize]) -> Plane<D> {
        let strip = |strip: &Strip<C>| {
            let mut cells = Vec::with_capacity(rows.len() * strip.stride());
            for &row in rows {
                let row = strip.row(row);
                cells.extend(row.lower.iter().map(|&cell| D::floor_of(cell)));
                cells.extend(row.upper.iter().map(|&cell| D::ceil_of(cell)));
            }
            Strip { columns: strip.columns.clone(), cells }
        };
        Plane { rows: rows.len(), bands: self.bands.iter().map(strip).collect() }
    }

    /// All rows in another type, rounded outward.
    #[must_use]
    pub fn to<D: Cell>(&self) -> Plane<D> {
        self.pick(&(0..self.rows).collect::<Vec<_>>())
    }

    #[inline(always)]
    pub(super) fn strip(&self, band: usize) -> &Strip<C> {
        &self.bands[band]
    }

    pub(super) fn strip_mut(&mut self, band: usize) -> &mut Strip<C> {
        &mut self.bands[band]
    }

    /// Takes over a tile of the grid of the other player's positions, as columns seen from this side.
    ///
    /// * `rows`, `columns`: bands of `other`, whose rows are the columns of this plane and the other way round.
    pub(super) fn take_turned(&mut self, other: &Self, rows: usize, columns: usize) {
        let from = &other.bands[columns];
        let to = &mut self.bands[rows];
        let (width, stride, from_stride) = (to.columns.len(), to.stride(), from.stride());
        let tile = &from.cells[to.columns.start * from_stride..to.columns.end * from_stride];
        let place = from.columns.start * stride..from.columns.end * stride;
        let chunks = to.cells[place].par_chunks_mut(stride * LINE).enumerate();
        chunks.with_min_len(TASK_CELLS.div_ceil(LINE * width)).for_each(|(chunk, out)| {
            let first = chunk * LINE;
            let here = out.len() / stride;
            for (row, cells) in tile.chunks_exact(from_stride).enumerate() {
                let cells = Row::of(cells);
                let (lower, upper) = (&cells.lower[first..first + here], &cells.upper[first..first + here]);
                for ((out, &lower), &upper) in out.chunks_exact_mut(stride).zip(lower).zip(upper) {
                    out[row] = upper.complement();
                    out[width + row] = lower.complement();
                }
            }
        });
    }
}

/// How many cells fill a line of the cache, about.
const LINE: usize = 16;
/// Cells of which a thread turns at least so many at a time.
const TASK_CELLS: usize = 1 << 16;
