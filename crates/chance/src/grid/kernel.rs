//! The backup of one row of a grid, span by span.

use std::ops::Range;

use prefetch_index::prefetch_index;

use super::cell::{self, ChanceCell};
use super::layout::{Columns, Destination, Jump, MaskId, SPAN};
use super::plane::{BandRow, Plane};
use super::plans::{PackedMove, RowPlan};

/// The data that the backup of the rows of a group in a band reads.
pub(super) struct BackupInputs<'a, C, const N: usize> {
    /// The band of columns.
    pub(super) band: usize,
    /// Its first column.
    pub(super) first: usize,
    /// Cells from the beginning of a row of the band to that of the next.
    pub(super) stride: usize,
    /// The rows of the band before the group.
    pub(super) before: &'a [C],
    /// The rows of the band after the group.
    pub(super) after: &'a [C],
    /// The first row after the group.
    pub(super) after_row: usize,
    /// The grid, without this band.
    pub(super) again: &'a Plane<C, N>,
    pub(super) turned: &'a Plane<C, N>,
    pub(super) finished_again: &'a Plane<C, N>,
    pub(super) finished_turned: &'a Plane<C, N>,
}

impl<'a, C: ChanceCell, const N: usize> BackupInputs<'a, C, N> {
    #[inline(always)]
    fn row(&self, source: Destination) -> BandRow<'a, C, N> {
        match source {
            Destination::Again(row) => self.again(row as usize),
            Destination::Turned(row) => self.turned.strip(self.band).row(row as usize),
            Destination::FinishedAgain(row) => self.finished_again.strip(self.band).row(row as usize),
            Destination::FinishedTurned(row) => self.finished_turned.strip(self.band).row(row as usize),
        }
    }

    /// The row in another band or the same one.
    #[inline(always)]
    fn row_in(&self, band: usize, source: Destination) -> BandRow<'a, C, N> {
        match source {
            _ if band == self.band => self.row(source),
            Destination::Again(row) => self.again.strip(band).row(row as usize),
            Destination::Turned(row) => self.turned.strip(band).row(row as usize),
            Destination::FinishedAgain(row) => self.finished_again.strip(band).row(row as usize),
            Destination::FinishedTurned(row) => self.finished_turned.strip(band).row(row as usize),
        }
    }

    /// Prefetches the cells that a move will read: most of them are far from those of the moves before.
    #[inline(always)]
    fn prefetch(&self, columns: &Columns, choice: &PackedMove, span: &ColumnSpan) {
        for lane in self.row(choice.source).lanes {
            for place in span.places.clone().step_by(LINE_BYTES / size_of::<C>()) {
                prefetch_index(lane, place);
            }
        }
        let Some(jumps) = choice.jumps else { return };
        for (band, jumps) in columns.jumps_in(jumps, span.number) {
            for lane in self.row_in(band, choice.source).lanes {
                for jump in jumps {
                    prefetch_index(lane, jump.to as usize);
                }
            }
        }
    }

    #[inline(always)]
    fn again(&self, row: usize) -> BandRow<'a, C, N> {
        let (rows, row) =
            if row < self.after_row { (self.before, row) } else { (self.after, row - self.after_row) };
        BandRow::of(&rows[row * self.stride..(row + 1) * self.stride])
    }
}

/// The rounding of the mean over the throws in a backup.
#[derive(Clone, Copy, Debug)]
pub(super) enum MeanRounding {
    /// Two bounds, rounded strictly outward; the change is the gap between them.
    Bounds,
    /// One estimate, rounded to the nearest unit; the change is that of the estimate.
    Estimate,
}

/// The change of a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change<C> {
    /// The widest gap between bounds, or the greatest change of an estimate.
    pub widest: C,
    /// The number of bounds that became looser: upper ones that rose and lower ones that fell. 0 for estimates.
    pub against: u64,
}

impl<C: ChanceCell> Change<C> {
    /// The change of two backups.
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self { widest: self.widest.max(other.widest), against: self.against + other.against }
    }

    pub(super) fn in_units(self) -> Change<u64> {
        Change { widest: self.widest.units(), against: self.against }
    }

    pub(super) fn of_units(Change { widest, against }: Change<u64>) -> Self {
        Self { widest: C::of_units(widest), against }
    }
}

/// A span and its columns.
struct ColumnSpan {
    number: usize,
    columns: Range<usize>,
    /// Its columns, counted in the band.
    places: Range<usize>,
}

/// The bytes of a cache line.
const LINE_BYTES: usize = 64;

/// If fewer than one in this many columns are left, they are visited one by one.
const FEW: usize = 8;

/// Scratch space for the backup of a span.
pub(super) struct Scratch<C, const N: usize> {
    best: [[C; SPAN]; N],
    sums: [[u64; SPAN]; N],
    moved: [u8; SPAN],
    mask: [u8; SPAN],
    stuck: [u8; SPAN],
    position: [u8; SPAN],
}

impl<C: ChanceCell, const N: usize> Scratch<C, N> {
    pub(super) fn new() -> Self {
        Self {
            best: [[C::default(); SPAN]; N],
            sums: [[0; SPAN]; N],
            moved: [0; SPAN],
            mask: [0; SPAN],
            stuck: [0; SPAN],
            position: [0; SPAN],
        }
    }

    /// Writes a span of a row, which held the old numbers; returns the change as `step` defines it.
    #[inline(always)]
    pub(super) fn back_up(
        &mut self,
        columns: &Columns,
        plan: RowPlan<'_>,
        known: &BackupInputs<'_, C, N>,
        span: usize,
        step: MeanRounding,
        mut out: [&mut [C]; N],
    ) -> Change<C> {
        let range = columns.span(span);
        let places = range.start - known.first..range.end - known.first;
        let span = ColumnSpan { number: span, columns: range, places };
        let width = span.columns.len();
        let first = span.columns.start;
        for sums in &mut self.sums {
            sums[..width].fill(0);
        }
        self.position[..width].fill(0xff);
        and_masks(&mut self.position[..width], columns, plan.position(), first);
        for (throw, weight) in plan.weights().iter().enumerate() {
            self.throw(columns, plan, throw, known, &span);
            for (sums, best) in self.sums.iter_mut().zip(&self.best) {
                add(&mut sums[..width], &best[..width], *weight);
            }
        }
        self.finish(step, &mut out)
    }

    /// The best chance for one throw in each column of a span.
    #[inline(always)]
    fn throw(
        &mut self,
        columns: &Columns,
        plan: RowPlan<'_>,
        throw: usize,
        known: &BackupInputs<'_, C, N>,
        span: &ColumnSpan,
    ) {
        let width = span.columns.len();
        for best in &mut self.best {
            best[..width].fill(C::default());
        }
        self.moved[..width].fill(0);
        for (number, choice) in plan.moves(2 * throw).iter().enumerate() {
            if let Some(next) = plan.next_first(throw, number) {
                known.prefetch(columns, next, span);
            }
            self.first(columns, choice, plan.more(choice), known, span);
        }
        for ((stuck, moved), position) in
            self.stuck[..width].iter_mut().zip(&self.moved[..width]).zip(&self.position[..width])
        {
            *stuck = position & !moved;
        }
        let mut stuck: u32 = 0;
        for &mask in &self.stuck[..width] {
            stuck += u32::from(mask & 1);
        }
        match stuck as usize {
            0 => {}
            few if few * FEW < width => self.otherwise_one_by_one(columns, plan, throw, known, span),
            _ => self.otherwise(columns, plan, throw, known, span),
        }
    }

    #[inline(always)]
    fn first(
        &mut self,
        columns: &Columns,
        choice: &PackedMove,
        more: &[MaskId],
        known: &BackupInputs<'_, C, N>,
        span: &ColumnSpan,
    ) {
        self.straight(columns, choice, more, known, span);
        let Some(jumps) = choice.jumps else { return };
        for (band, jumps) in columns.jumps_in(jumps, span.number) {
            let row = known.row_in(band, choice.source);
            for &Jump { from, to } in jumps {
                let (from, to) = (from as usize % SPAN, to as usize);
                for (best, lane) in self.best.iter_mut().zip(row.lanes) {
                    best[from] = best[from].max(lane[to]);
                }
                self.moved[from] = 0xff;
            }
        }
    }

    /// The columns in which a move leaves the opponent's pieces where they are.
    #[inline(always)]
    fn straight(
        &mut self,
        columns: &Columns,
        choice: &PackedMove,
        more: &[MaskId],
        known: &BackupInputs<'_, C, N>,
        span: &ColumnSpan,
    ) {
        let width = span.columns.len();
        let mut mask = &columns.mask(choice.mask)[span.columns.clone()];
        if !more.is_empty() {
            self.mask[..width].copy_from_slice(mask);
            if !and_masks(&mut self.mask[..width], columns, more, span.columns.start) {
                return;
            }
            mask = &self.mask[..width];
        }
        let row = known.row(choice.source);
        for (best, lane) in self.best.iter_mut().zip(row.lanes) {
            take_better(&mut best[..width], &lane[span.places.clone()], mask);
        }
        for (moved, mask) in self.moved[..width].iter_mut().zip(mask) {
            *moved |= mask;
        }
    }

    /// The columns in which no first move is legal, if there are many.
    #[inline(always)]
    fn otherwise(
        &mut self,
        columns: &Columns,
        plan: RowPlan<'_>,
        throw: usize,
        known: &BackupInputs<'_, C, N>,
        span: &ColumnSpan,
    ) {
        let (width, first, range) = (span.columns.len(), span.columns.start, span.places.clone());
        for choice in plan.moves(2 * throw + 1) {
            let source = known.row(choice.source);
            self.mask[..width].copy_from_slice(&columns.mask(choice.mask)[span.columns.clone()]);
            and_masks(&mut self.mask[..width], columns, plan.more(choice), first);
            for ((mask, stuck), moved) in
                self.mask[..width].iter_mut().zip(&self.stuck[..width]).zip(&mut self.moved[..width])
            {
                *mask &= stuck;
                *moved |= *mask;
            }
            for (best, lane) in self.best.iter_mut().zip(source.lanes) {
                take_better(&mut best[..width], &lane[range.clone()], &self.mask[..width]);
            }
        }
        for (stuck, moved) in self.stuck[..width].iter_mut().zip(&self.moved[..width]) {
            *stuck &= !moved;
        }
        let turned = known.turned.strip(known.band).row(plan.row());
        for (best, lane) in self.best.iter_mut().zip(turned.lanes) {
            take_better(&mut best[..width], &lane[range.clone()], &self.stuck[..width]);
        }
    }

    /// The columns in which no first move is legal, if there are few.
    fn otherwise_one_by_one(
        &mut self,
        columns: &Columns,
        plan: RowPlan<'_>,
        throw: usize,
        known: &BackupInputs<'_, C, N>,
        span: &ColumnSpan,
    ) {
        let turned = known.turned.strip(known.band).row(plan.row());
        for (place, column) in span.columns.clone().enumerate() {
            if self.stuck[place] == 0 {
                continue;
            }
            let mut best: Option<[C; N]> = None;
            let cell = span.places.start + place;
            for choice in plan.moves(2 * throw + 1) {
                let more = plan.more(choice);
                let mut masks = std::iter::once(&choice.mask).chain(more);
                if masks.all(|&mask| columns.mask(mask)[column] != 0) {
                    let row = known.row(choice.source);
                    let found = row.lanes.map(|lane| lane[cell]);
                    best = Some(best.map_or(found, |best| std::array::from_fn(|i| best[i].max(found[i]))));
                }
            }
            let best = best.unwrap_or_else(|| turned.lanes.map(|lane| lane[cell]));
            for (lane, best) in self.best.iter_mut().zip(best) {
                lane[place] = best;
            }
        }
    }

    /// Writes the means of the sums.
    #[inline(always)]
    fn finish(&mut self, step: MeanRounding, out: &mut [&mut [C]; N]) -> Change<C> {
        let width = out[0].len();
        let (mut widest, mut against) = (C::default(), 0);
        match step {
            MeanRounding::Bounds => {
                let lower = out[0].iter_mut().zip(&self.sums[0][..width]).zip(&self.position[..width]);
                for ((cell, &sum), &mask) in lower {
                    let (before, now) = (*cell, cell::below(sum));
                    against += u32::from(now < before) & u32::from(mask);
                    *cell = now;
                }
                let upper =
                    out[N - 1].iter_mut().zip(&self.sums[N - 1][..width]).zip(&self.position[..width]);
                for ((cell, &sum), &mask) in upper {
                    let (before, now) = (*cell, cell::above(sum));
                    against += u32::from(now > before) & u32::from(mask);
                    *cell = now;
                }
                for ((lower, upper), &mask) in out[0].iter().zip(&*out[N - 1]).zip(&self.position[..width]) {
                    let gap = C::of_units(upper.units().wrapping_sub(lower.units())).keep(mask);
                    widest = widest.max(gap);
                }
            }
            MeanRounding::Estimate => {
                let cells = out[0].iter_mut().zip(&self.sums[0][..width]).zip(&self.position[..width]);
                for ((cell, &sum), &mask) in cells {
                    let (before, mean) = (*cell, cell::nearest::<C>(sum));
                    let change = before.max(mean).units() - before.min(mean).units();
                    widest = widest.max(C::of_units(change).keep(mask));
                    *cell = mean;
                }
            }
        }
        Change { widest, against: u64::from(against) }
    }
}

/// Intersects `out` with all masks; returns whether any column is left.
#[inline(always)]
fn and_masks(out: &mut [u8], columns: &Columns, masks: &[MaskId], first: usize) -> bool {
    let width = out.len();
    for &id in masks {
        for (out, mask) in out.iter_mut().zip(&columns.mask(id)[first..first + width]) {
            *out &= mask;
        }
    }
    let mut any = 0;
    for &out in &*out {
        any |= out;
    }
    any != 0
}

#[inline(always)]
fn take_better<C: ChanceCell>(best: &mut [C], source: &[C], mask: &[u8]) {
    for ((best, &cell), &mask) in best.iter_mut().zip(source).zip(mask) {
        *best = (*best).max(cell.keep(mask));
    }
}

#[inline(always)]
fn add<C: ChanceCell>(sums: &mut [u64], best: &[C], weight: u32) {
    for (sum, best) in sums.iter_mut().zip(best) {
        *sum += best.units() * u64::from(weight);
    }
}
