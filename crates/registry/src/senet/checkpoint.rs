//! The checkpoint of a half-solved layer: its estimates after a whole sweep, one container for each band of columns,
//! each with the state of the iteration.
//!
//! The iteration depends on this alone, so a resumed build writes the same bytes as an uninterrupted one. Two
//! generations of files alternate, so that one of them is always complete.

use std::cmp::Reverse;
use web_time::{Duration, Instant};

use marquis_chance::grid::{ChanceCell, Grids, StripError};
use marquis_engine::chance::{Basis, Checkpoint, fingerprint};
use marquis_table::Container;

use super::closing::Closing;
use super::convergence::Convergence;
use super::{Adapter, VARIANT};

/// The version of the solving method: another version may write other bytes for the same layer.
pub(super) const METHOD: u32 = 8;

/// Estimates that took this long are saved before bounds are tried around them.
const DEAR: Duration = Duration::from_secs(60);
const GENERATIONS: usize = 2;

/// The state of the estimates of a bundle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweepState {
    /// The attempt at bounds that the estimates are for, from 1 on; 0 for four-byte estimates before eight-byte ones.
    pub(super) attempt: usize,
    /// Sweeps of this attempt.
    pub(super) sweep: usize,
    /// Whether there are no further sweeps.
    pub(super) settled: bool,
    pub(super) course: Convergence,
}

impl SweepState {
    /// The beginning of an attempt.
    pub(super) const fn new(attempt: usize, course: Convergence) -> Self {
        Self { attempt, sweep: 0, settled: false, course }
    }

    fn order(&self) -> (usize, usize, bool) {
        (self.attempt, self.sweep, self.settled)
    }

    /// The position of the state in the order, without the course.
    fn order_words(&self) -> Vec<(&'static str, String)> {
        let Self { attempt, sweep, settled, .. } = self;
        vec![("attempt", attempt.to_string()), ("sweep", sweep.to_string()), ("settled", settled.to_string())]
    }

    fn words(&self) -> Vec<(&'static str, String)> {
        let mut words = self.order_words();
        words.push(("course", self.course.words()));
        words
    }

    fn order_of(kept: &Container) -> Option<(usize, usize, bool)> {
        let (attempt, sweep) = (kept.get("attempt")?.parse().ok()?, kept.get("sweep")?.parse().ok()?);
        Some((attempt, sweep, kept.get("settled")?.parse().ok()?))
    }

    fn of_words(kept: &Container) -> Option<Self> {
        let (attempt, sweep, settled) = Self::order_of(kept)?;
        Some(Self { attempt, sweep, settled, course: Convergence::of_words(kept.get("course")?)? })
    }
}

/// The estimates of one bundle in its checkpoint.
pub(super) struct Estimated<'a> {
    checkpoint: &'a Checkpoint,
    /// Everything that the iteration depends on.
    basis: Basis,
    words: String,
    /// The generation that is written next.
    next: usize,
}

/// The part of a checkpoint that holds a band of columns.
fn part(generation: usize, half: usize, band: usize) -> String {
    format!("{generation}.{half}.{band}")
}

impl<'a> Estimated<'a> {
    /// * `basis`: a text with everything that the iteration depends on besides rules and method.
    pub(super) fn new(checkpoint: &'a Checkpoint, basis: &str) -> Self {
        let basis = format!("{}, method {METHOD}, {basis}", fingerprint::<Adapter>(VARIANT));
        Self { checkpoint, basis: Basis::new("basis", &basis), words: basis, next: 0 }
    }

    /// The text of everything that the iteration depends on.
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// The saved stages with the same basis, the most advanced one first.
    ///
    /// * `most`: the bytes of all numbers; a part that claims to hold more is ignored.
    pub(super) fn stages(&self, most: u64) -> Vec<SweepState> {
        let parts = (0..GENERATIONS).map(|generation| part(generation, 0, 0)).chain([COURSE.to_owned()]);
        let stages =
            parts.filter_map(|part| SweepState::of_words(&self.checkpoint.load(&part, &self.basis, most)?));
        let mut stages: Vec<SweepState> = stages.collect();
        stages.sort_by_key(|stage| Reverse(stage.order()));
        stages
    }

    /// Loads the estimates of a checkpoint; returns whether they were complete.
    ///
    /// An incomplete checkpoint leaves the estimates unchanged.
    ///
    /// # Errors
    /// Strips on disk cannot be written.
    pub(super) fn load<C: ChanceCell>(
        &mut self,
        stage: &SweepState,
        grids: &mut Grids<'_, C, 1>,
    ) -> Result<bool, StripError> {
        if grids.is_on_disk() && self.step_of(stage).is_some_and(|step| grids.resume(step)) {
            return Ok(true);
        }
        let Some((generation, bands)) =
            (0..GENERATIONS).find_map(|own| Some((own, self.generation(own, stage, grids)?)))
        else {
            return Ok(false);
        };
        grids.clear();
        for (half, band, cells) in bands {
            grids.restore(half, band, &cells)?;
        }
        self.next = (generation + 1) % GENERATIONS;
        Ok(true)
    }

    /// The step of the strips on disk at a stage.
    fn step_of(&self, stage: &SweepState) -> Option<u64> {
        let kept = self.checkpoint.load(COURSE, &self.basis, 0)?;
        (SweepState::of_words(&kept).as_ref() == Some(stage)).then(|| kept.get(STEP)?.parse().ok())?
    }

    /// The cells of all bands of a generation, if it is complete and of this stage.
    fn generation<C: ChanceCell>(
        &self,
        generation: usize,
        stage: &SweepState,
        grids: &Grids<'_, C, 1>,
    ) -> Option<Vec<(usize, usize, Vec<C>)>> {
        let read = |(half, band): (usize, usize)| {
            let bytes = grids.numbers(half, band) * size_of::<C>();
            let kept = self.checkpoint.load(&part(generation, half, band), &self.basis, bytes as u64)?;
            let own = SweepState::order_of(&kept) == Some(stage.order());
            let cells = || kept.body.chunks_exact(size_of::<C>()).map(C::of_le_bytes).collect();
            (own && kept.body.len() == bytes).then(|| (half, band, cells()))
        };
        bands(grids).into_iter().map(read).collect()
    }

    pub(super) fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    /// Writes all bands if the work so far took long.
    pub(super) fn keep_if_dear<C: ChanceCell>(&mut self, stage: &SweepState, grids: &Grids<'_, C, 1>) {
        if self.checkpoint.age() >= DEAR {
            self.keep(stage, grids);
        }
    }

    /// Writes all bands, between sweeps. A write error is ignored: it only costs time after an interruption.
    pub(super) fn keep<C: ChanceCell>(&mut self, stage: &SweepState, grids: &Grids<'_, C, 1>) {
        let begun = Instant::now();
        if grids.is_on_disk() {
            let mut words = stage.words();
            words.push((STEP, grids.step().to_string()));
            let _ = self.checkpoint.keep(COURSE, &self.basis, &words, &[&[]]);
            return;
        }
        let whole = bands(grids).into_iter().all(|(half, band)| {
            let Ok(cells) = grids.cells(half, band) else { return false };
            let mut body = Vec::with_capacity(size_of_val(cells.as_slice()));
            for cell in cells {
                body.extend_from_slice(&cell.units().to_le_bytes()[..size_of::<C>()]);
            }
            // The course is long, so one part holds it.
            let words = if (half, band) == (0, 0) { stage.words() } else { stage.order_words() };
            self.checkpoint.keep(&part(self.next, half, band), &self.basis, &words, &[&body]).is_ok()
        });
        if whole {
            self.next = (self.next + 1) % GENERATIONS;
        }
        self.checkpoint.kept(begun);
    }

    /// The attempt and the state of bounds on disk.
    pub(super) fn closing<C: ChanceCell>(&self, grids: &mut Grids<'_, C, 2>) -> Option<(usize, Closing)> {
        let kept = grids.is_on_disk().then(|| self.checkpoint.load(CLOSING, &self.basis, 0))??;
        let attempt = kept.get("attempt")?.parse().ok()?;
        let closing = Closing::of_words(kept.get(CLOSING)?)?;
        grids.resume(kept.get(STEP)?.parse().ok()?).then_some((attempt, closing))
    }

    /// The state of the bounds of an attempt, if their strips are on disk.
    pub(super) fn closing_of<C: ChanceCell>(
        &self,
        attempt: usize,
        grids: &mut Grids<'_, C, 2>,
    ) -> Option<Closing> {
        self.closing(grids).and_then(|(own, closing)| (own == attempt).then_some(closing))
    }

    /// Records the state of bounds on disk.
    pub(super) fn keep_closing<C: ChanceCell>(
        &self,
        attempt: usize,
        closing: &Closing,
        grids: &Grids<'_, C, 2>,
    ) {
        if grids.is_on_disk() {
            let step = grids.step().to_string();
            let words = [("attempt", attempt.to_string()), (STEP, step), (CLOSING, closing.words())];
            // A write error is ignored: it only costs sweeps after an interruption.
            let _ = self.checkpoint.keep(CLOSING, &self.basis, &words, &[&[]]);
        }
    }
}

/// The parts of a checkpoint with the state of estimates on disk and of bounds on disk.
const COURSE: &str = "course";
const CLOSING: &str = "closing";
/// The key of the step of the strips on disk.
const STEP: &str = "step";

/// Half and band of every strip.
fn bands<C: ChanceCell>(grids: &Grids<'_, C, 1>) -> Vec<(usize, usize)> {
    (0..grids.halves()).flat_map(|half| (0..grids.bands(half)).map(move |band| (half, band))).collect()
}
