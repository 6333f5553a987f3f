//! The numbers of all cells of a grid.

use std::ops::Range;

use rayon::prelude::*;

use super::cell::ChanceCell;

/// `N` numbers for each cell: an estimate of its chance, or a lower and an upper bound of it.
///
/// The cells of a band of columns lie together, row after row, so that rows worked on together are neighbours.
#[derive(Clone, Debug, Default)]
pub struct Plane<C, const N: usize> {
    rows: usize,
    bands: Vec<BandStrip<C, N>>,
}

/// A chance for each cell, without a bound on its error.
pub type Estimates<C> = Plane<C, 1>;

/// A lower and an upper bound for each cell.
pub type BoundsPlane<C> = Plane<C, 2>;

/// All rows of a band of columns: of each row the first numbers of all cells, then the second ones.
#[derive(Clone, Debug, Default)]
pub(super) struct BandStrip<C, const N: usize> {
    pub(super) columns: Range<usize>,
    pub(super) cells: Vec<C>,
}

/// One row in a band of columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct BandRow<'a, C, const N: usize> {
    pub(super) lanes: [&'a [C]; N],
}

impl<'a, C, const N: usize> BandRow<'a, C, N> {
    #[inline(always)]
    pub(super) fn of(cells: &'a [C]) -> Self {
        let width = cells.len() / N;
        Self { lanes: std::array::from_fn(|lane| &cells[lane * width..(lane + 1) * width]) }
    }
}

impl<C, const N: usize> BandStrip<C, N> {
    /// Cells from the beginning of a row to that of the next.
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        N * self.columns.len()
    }

    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> BandRow<'_, C, N> {
        let stride = self.stride();
        BandRow::of(&self.cells[row * stride..(row + 1) * stride])
    }
}

impl<C: ChanceCell, const N: usize> Plane<C, N> {
    fn filled(rows: usize, bands: &[Range<usize>], cell: [C; N]) -> Self {
        let strip = |columns: &Range<usize>| {
            let width = columns.len();
            let mut cells = vec![cell[0]; N * rows * width];
            if cell.iter().any(|&own| own != cell[0]) {
                cells.par_chunks_mut((N * width).max(1)).for_each(|row| {
                    row.chunks_exact_mut(width).zip(cell).for_each(|(lane, cell)| lane.fill(cell));
                });
            }
            BandStrip { columns: columns.clone(), cells }
        };
        Self { rows, bands: bands.iter().map(strip).collect() }
    }

    /// A plane without any knowledge: a bound is the worst, an estimate is 0.
    #[must_use]
    pub fn unknown(rows: usize, bands: &[Range<usize>]) -> Self {
        Self::filled(rows, bands, std::array::from_fn(|lane| if lane == 0 { C::default() } else { C::ONE }))
    }

    /// A plane without any strip.
    pub(super) fn absent(rows: usize, bands: &[Range<usize>]) -> Self {
        let strip = |columns: &Range<usize>| BandStrip { columns: columns.clone(), cells: Vec::new() };
        Self { rows, bands: bands.iter().map(strip).collect() }
    }

    /// A plane in which the mover has won in every cell.
    #[must_use]
    pub fn won(rows: usize, bands: &[Range<usize>]) -> Self {
        Self::filled(rows, bands, [C::ONE; N])
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The bands of columns.
    pub fn bands(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.bands.iter().map(|strip| strip.columns.clone())
    }

    /// The numbers of one cell.
    ///
    /// Panics if there is no such cell.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> [C; N] {
        let band = self.bands.partition_point(|strip| strip.columns.end <= column);
        let strip = &self.bands[band];
        let (row, place) = (strip.row(row), column - strip.columns.start);
        row.lanes.map(|lane| lane[place])
    }

    /// Sets the numbers of every cell: `of` receives row and column.
    pub fn set(&mut self, of: impl Fn(usize, usize) -> [C; N] + Sync) {
        for strip in &mut self.bands {
            let (columns, stride) = (strip.columns.clone(), strip.stride());
            strip.cells.par_chunks_mut(stride.max(1)).enumerate().for_each(|(row, cells)| {
                for (place, column) in columns.clone().enumerate() {
                    for (lane, cell) in of(row, column).into_iter().enumerate() {
                        cells[lane * columns.len() + place] = cell;
                    }
                }
            });
        }
    }

    #[inline(always)]
    pub(super) fn strip(&self, band: usize) -> &BandStrip<C, N> {
        &self.bands[band]
    }

    pub(super) fn strip_mut(&mut self, band: usize) -> &mut BandStrip<C, N> {
        &mut self.bands[band]
    }

    /// Copies a tile of the grid of the other player's positions, as columns seen from this side.
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
                // An upper bound of a chance is a lower bound of the opponent's.
                let lanes = BandRow::<C, N>::of(cells).lanes.map(|lane| &lane[first..first + here]);
                for (lane, cells) in lanes.into_iter().rev().enumerate() {
                    for (out, &cell) in out.chunks_exact_mut(stride).zip(cells) {
                        out[lane * width + row] = cell.complement();
                    }
                }
            }
        });
    }
}

impl<C: ChanceCell> BoundsPlane<C> {
    /// Some of the rows, in another type, rounded outward.
    #[must_use]
    pub fn pick<D: ChanceCell>(&self, rows: &[usize]) -> BoundsPlane<D> {
        let strip = |strip: &BandStrip<C, 2>| {
            let mut cells = Vec::with_capacity(rows.len() * strip.stride());
            for &row in rows {
                let [lower, upper] = strip.row(row).lanes;
                cells.extend(lower.iter().map(|&cell| D::floor_of(cell)));
                cells.extend(upper.iter().map(|&cell| D::ceil_of(cell)));
            }
            BandStrip { columns: strip.columns.clone(), cells }
        };
        Plane { rows: rows.len(), bands: self.bands.iter().map(strip).collect() }
    }

    /// All rows in another type, rounded outward.
    #[must_use]
    pub fn to<D: ChanceCell>(&self) -> BoundsPlane<D> {
        self.pick(&(0..self.rows).collect::<Vec<_>>())
    }

    /// The middle of the bounds of every cell.
    #[must_use]
    pub fn middle(&self) -> Estimates<C> {
        let strip = |strip: &BandStrip<C, 2>| {
            let mut cells = Vec::with_capacity(self.rows * strip.columns.len());
            for row in 0..self.rows {
                let [lower, upper] = strip.row(row).lanes;
                let middle = |(&lower, &upper): (&C, &C)| C::of_units(lower.units().midpoint(upper.units()));
                cells.extend(lower.iter().zip(upper).map(middle));
            }
            BandStrip { columns: strip.columns.clone(), cells }
        };
        Plane { rows: self.rows, bands: self.bands.iter().map(strip).collect() }
    }
}

/// About the number of cells in a cache line.
const LINE: usize = 16;
/// The least number of cells that a thread turns at a time.
const TASK_CELLS: usize = 1 << 14;
