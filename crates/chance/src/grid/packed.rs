//! Strips without the cells that are not positions: the form in memory and on disk between two sweeps.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::cell::ChanceCell;
use super::layout::Layout;
use super::plane::BandStrip;

/// The cells of a half that are positions, and their places in a strip without the others.
pub(super) struct Places {
    /// The columns of each band.
    bands: Vec<Range<usize>>,
    /// The rows of each band.
    row_bands: Vec<Range<usize>>,
    /// The first word of bits of each band, and the end of the last one.
    words: Vec<usize>,
    /// The bits of all columns, band after band; each band starts a new word.
    all: Vec<u64>,
    /// By mask, the bits of the columns in which it is set; empty for masks that no row uses.
    bits: Vec<Vec<u64>>,
    /// The masks of all rows, and where those of each row begin.
    masks: Vec<u32>,
    mask_starts: Vec<u32>,
    /// By band and row: the number of positions before; at the end that of the whole band.
    starts: Vec<Vec<u32>>,
}

const WORD: usize = u64::BITS as usize;

impl Places {
    pub(super) fn new(layout: &dyn Layout) -> Self {
        let bands = layout.columns().bands();
        let mut words = vec![0];
        for band in &bands {
            words.push(words[words.len() - 1] + band.len().div_ceil(WORD));
        }
        let (mut masks, mut mask_starts, mut found) = (Vec::new(), vec![0], Vec::new());
        for row in 0..layout.rows() {
            found.clear();
            layout.position_masks(row, &mut found);
            masks.extend(found.iter().map(|mask| mask.0));
            mask_starts.push(masks.len() as u32);
        }
        let row_bands = layout.bands().iter().map(super::layout::Band::rows).collect();
        let (all, bits, starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut places = Self { bands, row_bands, words, all, bits, masks, mask_starts, starts };
        places.all = places.bits_where(|_| true);
        places.bits = vec![Vec::new(); places.masks.iter().max().map_or(0, |&most| most as usize + 1)];
        for &mask in &places.masks {
            if places.bits[mask as usize].is_empty() {
                let bytes = layout.columns().mask(super::layout::MaskId(mask));
                places.bits[mask as usize] = places.bits_where(|column| bytes[column] != 0);
            }
        }
        places.starts = (0..places.bands.len()).into_par_iter().map(|band| places.starts_of(band)).collect();
        places
    }

    fn bits_where(&self, has: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut bits = vec![0; self.words[self.bands.len()]];
        for (band, &first) in self.bands.iter().zip(&self.words) {
            for (place, column) in band.clone().enumerate() {
                bits[first + place / WORD] |= u64::from(has(column)) << (place % WORD);
            }
        }
        bits
    }

    fn starts_of(&self, band: usize) -> Vec<u32> {
        let mut starts = vec![0_u32];
        for row in 0..self.rows() {
            let here: u32 = self.words_of(row, band).map(u64::count_ones).sum();
            let before = starts[row];
            starts.push(before.checked_add(here).expect("positions of a strip are counted in four bytes"));
        }
        starts
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.mask_starts.len() - 1
    }

    /// The number of bands of columns.
    pub(super) fn bands(&self) -> usize {
        self.bands.len()
    }

    /// The columns of a band.
    pub(super) fn columns(&self, band: usize) -> Range<usize> {
        self.bands[band].clone()
    }

    /// The rows of a band of rows.
    pub(super) fn band_rows(&self, band: usize) -> Range<usize> {
        self.row_bands[band].clone()
    }

    /// The number of bands of rows.
    pub(super) fn row_bands(&self) -> usize {
        self.row_bands.len()
    }

    /// The places of the positions of these rows in a strip.
    pub(super) fn range(&self, band: usize, rows: Range<usize>) -> Range<usize> {
        let starts = &self.starts[band];
        starts[rows.start] as usize..starts[rows.end] as usize
    }

    /// The place of a position in a strip.
    ///
    /// * `column`: counted in the band.
    pub(super) fn place(&self, row: usize, band: usize, column: usize) -> usize {
        let (word, bit) = (column / WORD, column % WORD);
        let masks = &self.masks[self.mask_starts[row] as usize..self.mask_starts[row + 1] as usize];
        let bits = |word: usize| {
            let word = self.words[band] + word;
            masks.iter().fold(self.all[word], |left, &mask| left & self.bits[mask as usize][word])
        };
        let before: u32 = (0..word).map(|word| bits(word).count_ones()).sum();
        let here = (bits(word) & !(u64::MAX << bit)).count_ones();
        self.starts[band][row] as usize + (before + here) as usize
    }

    /// The bits of the positions of a row in a band, word by word.
    #[inline(always)]
    fn words_of(&self, row: usize, band: usize) -> impl Iterator<Item = u64> + '_ {
        let masks = &self.masks[self.mask_starts[row] as usize..self.mask_starts[row + 1] as usize];
        (self.words[band]..self.words[band + 1]).map(move |word| {
            masks.iter().fold(self.all[word], |left, &mask| left & self.bits[mask as usize][word])
        })
    }

    /// Visits the positions of a row in a band, as columns counted in the band.
    #[inline(always)]
    pub(super) fn each(&self, row: usize, band: usize, mut visit: impl FnMut(usize)) {
        for (number, mut left) in self.words_of(row, band).enumerate() {
            while left != 0 {
                visit(number * WORD + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

/// The positions of a strip, or of some of its rows: by number of a cell, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackedStrip<C, const N: usize> {
    pub(super) lanes: [Vec<C>; N],
}

/// Some rows of a strip, possibly out of a complete one.
#[derive(Clone, Debug)]
pub(super) struct StripPiece<C, const N: usize> {
    packed: Arc<PackedStrip<C, N>>,
    /// Where the first of the rows begins.
    first: usize,
}

impl<C: ChanceCell, const N: usize> StripPiece<C, N> {
    pub(super) const fn new(packed: Arc<PackedStrip<C, N>>, first: usize) -> Self {
        Self { packed, first }
    }

    pub(super) fn lanes(&self) -> [&[C]; N] {
        std::array::from_fn(|lane| &self.packed.lanes[lane][self.first..])
    }
}

/// Rows that a thread packs or unpacks at a time.
const ROWS: usize = 64;

impl<C: ChanceCell, const N: usize> PackedStrip<C, N> {
    /// A strip of `positions` unknown positions; a bound is the worst, an estimate is 0.
    pub(super) fn unknown(positions: usize) -> Self {
        let fill = |lane| if lane == 0 { C::default() } else { C::ONE };
        Self { lanes: std::array::from_fn(|lane| vec![fill(lane); positions]) }
    }

    /// The positions of a whole strip.
    pub(super) fn of(strip: &BandStrip<C, N>, places: &Places, band: usize) -> Self {
        let (stride, width) = (strip.stride(), strip.columns.len());
        Self::made(places, band, |rows, mut out| {
            let mut next = 0;
            for row in rows {
                let cells = &strip.cells[row * stride..(row + 1) * stride];
                places.each(row, band, |column| {
                    for (lane, out) in out.iter_mut().enumerate() {
                        out[next] = cells[lane * width + column];
                    }
                    next += 1;
                });
            }
        })
    }

    /// A strip that is made some rows at a time.
    pub(super) fn made(
        places: &Places,
        band: usize,
        make: impl Fn(Range<usize>, [&mut [C]; N]) + Sync,
    ) -> Self {
        let mut packed = Self::unknown(places.range(band, 0..places.rows()).len());
        let mut rest = packed.lanes.each_mut().map(Vec::as_mut_slice);
        let mut pieces = Vec::new();
        for first in (0..places.rows()).step_by(ROWS) {
            let rows = first..places.rows().min(first + ROWS);
            let here = places.range(band, rows.clone()).len();
            let cut = rest.map(|lane| lane.split_at_mut(here));
            let mut after = Vec::with_capacity(N);
            let own = cut.map(|(own, left)| {
                after.push(left);
                own
            });
            let mut after = after.into_iter();
            rest = std::array::from_fn(|_| after.next().unwrap_or_default());
            pieces.push((rows, own));
        }
        pieces.into_par_iter().for_each(|(rows, out)| make(rows, out));
        packed
    }
}

/// The bytes of a strip, tile by tile: of each the first numbers of all its positions, then the second ones.
impl<C: ChanceCell, const N: usize> PackedStrip<C, N> {
    /// Appends a tile.
    pub(super) fn add(&mut self, tile: &[u8]) {
        for (lane, bytes) in self.lanes.iter_mut().zip(tile.chunks_exact((tile.len() / N).max(1))) {
            lane.extend(bytes.chunks_exact(size_of::<C>()).map(C::of_le_bytes));
        }
    }

    /// Replaces `bytes` by those of a tile.
    pub(super) fn tile(&self, positions: Range<usize>, bytes: &mut Vec<u8>) {
        bytes.resize(positions.len() * N * size_of::<C>(), 0);
        let cells = self.lanes.iter().flat_map(|lane| &lane[positions.clone()]);
        for (bytes, cell) in bytes.chunks_exact_mut(size_of::<C>()).zip(cells) {
            bytes.copy_from_slice(&cell.units().to_le_bytes()[..size_of::<C>()]);
        }
    }
}

impl<C: ChanceCell, const N: usize> StripPiece<C, N> {
    /// Unpacks the positions of some rows; cells without a position become 0.
    ///
    /// * `rows`: those of the piece; `out`: all their cells.
    pub(super) fn unpack(&self, places: &Places, band: usize, rows: Range<usize>, out: &mut [C]) {
        let (lanes, base) = (self.lanes(), places.range(band, rows.clone()).start);
        let width = places.columns(band).len();
        let stride = N * width;
        out.par_chunks_mut(stride * ROWS).enumerate().for_each(|(chunk, out)| {
            for (row, out) in (rows.start + chunk * ROWS..).zip(out.chunks_exact_mut(stride)) {
                out.fill(C::default());
                let mut next = places.range(band, row..row).start - base;
                places.each(row, band, |column| {
                    for (lane, cells) in lanes.iter().enumerate() {
                        out[lane * width + column] = cells[next];
                    }
                    next += 1;
                });
            }
        });
    }

    /// Writes a tile as the other player's grid sees it, with rows and columns exchanged.
    ///
    /// * `rows`, `band`: the band of rows and that of columns of the tile in the grid of `from`.
    /// * `out`: the band `rows` of columns in the grid of `to`, of which the rows of the tile are written.
    pub(super) fn turn(
        &self,
        from: &Places,
        rows: usize,
        band: usize,
        to: &Places,
        out: &mut PackedStrip<C, N>,
    ) {
        let starts = &to.starts[rows][from.columns(band)];
        // An upper bound of a chance is a lower bound of the opponent's.
        for (out, cells) in out.lanes.iter_mut().zip(self.lanes().into_iter().rev()) {
            let mut next = starts.to_vec();
            let mut cells = cells.iter();
            for row in from.band_rows(rows) {
                from.each(row, band, |column| {
                    // Takes as many positions as the tile has, in the order of the tile.
                    if let Some(&cell) = cells.next() {
                        out[next[column] as usize] = cell.complement();
                        next[column] += 1;
                    }
                });
            }
        }
    }
}
