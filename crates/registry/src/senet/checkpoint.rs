//! What is kept of a layer that is half solved: its estimates after a whole sweep, a container for each band of
//! columns, and in each of them how far the iteration was.
//!
//! What comes after a sweep follows from this alone, so a build that goes on from here writes the same bytes as one
//! that was never interrupted. Two generations of files take turns, so that one of them is always whole.

use std::cmp::Reverse;
use web_time::{Duration, Instant};

use marquis_chance::grid::{Cell, Grids};
use marquis_engine::chance::{Basis, Checkpoint, fingerprint};
use marquis_table::Container;

use super::course::Course;
use super::{Adapter, VARIANT};

/// The number of the way in which layers are solved: with another one the same layer may have other bytes.
pub(super) const METHOD: u32 = 2;

/// Estimates that took so long are kept before bounds are tried around them.
const DEAR: Duration = Duration::from_secs(60);
const GENERATIONS: usize = 2;

/// How far the estimates of a bundle are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweepState {
    /// Which attempt at bounds the estimates are for, from 1 on; 0 for estimates in four bytes before those in eight.
    pub(super) attempt: usize,
    /// Sweeps of this attempt.
    pub(super) sweep: usize,
    /// Whether there are to be no more of them.
    pub(super) settled: bool,
    pub(super) course: Course,
}

impl SweepState {
    /// The beginning of an attempt.
    pub(super) const fn new(attempt: usize, course: Course) -> Self {
        Self { attempt, sweep: 0, settled: false, course }
    }

    fn order(&self) -> (usize, usize, bool) {
        (self.attempt, self.sweep, self.settled)
    }

    fn words(&self) -> [(&'static str, String); 4] {
        let Self { attempt, sweep, settled, course } = self;
        [
            ("attempt", attempt.to_string()),
            ("sweep", sweep.to_string()),
            ("settled", settled.to_string()),
            ("course", course.words()),
        ]
    }

    fn of_words(kept: &Container) -> Option<Self> {
        Some(Self {
            attempt: kept.get("attempt")?.parse().ok()?,
            sweep: kept.get("sweep")?.parse().ok()?,
            settled: kept.get("settled")?.parse().ok()?,
            course: Course::of_words(kept.get("course")?)?,
        })
    }
}

/// The estimates of one bundle in its checkpoint.
pub(super) struct Estimated<'a> {
    checkpoint: &'a Checkpoint,
    /// What the iteration depends on.
    basis: Basis,
    /// The generation that is written next.
    next: usize,
}

/// The part of a checkpoint that holds a band of columns.
fn part(generation: usize, half: usize, band: usize) -> String {
    format!("{generation}.{half}.{band}")
}

impl<'a> Estimated<'a> {
    /// * `basis`: everything that the iteration depends on besides rules and method, in words.
    pub(super) fn new(checkpoint: &'a Checkpoint, basis: &str) -> Self {
        let basis = format!("{}, method {METHOD}, {basis}", fingerprint::<Adapter>(VARIANT));
        Self { checkpoint, basis: Basis::new("basis", &basis), next: 0 }
    }

    /// The stages of which something was kept on the same basis, the farthest one first.
    pub(super) fn stages(&self) -> Vec<SweepState> {
        let stages = (0..GENERATIONS).filter_map(|generation| {
            SweepState::of_words(&self.checkpoint.load(&part(generation, 0, 0), &self.basis, u64::MAX)?)
        });
        let mut stages: Vec<SweepState> = stages.collect();
        stages.sort_by_key(|stage| Reverse(stage.order()));
        stages
    }

    /// Loads the estimates of a checkpoint; the result is whether all of them were there.
    ///
    /// What is not whole leaves the estimates as they were.
    pub(super) fn load<C: Cell>(&mut self, stage: &SweepState, grids: &mut Grids<'_, C, 1>) -> bool {
        let whole = (0..GENERATIONS).find(|&generation| {
            let read = |&(half, band, bytes): &(usize, usize, usize)| {
                let kept = self.checkpoint.load(&part(generation, half, band), &self.basis, bytes as u64)?;
                let own = SweepState::of_words(&kept).as_ref() == Some(stage);
                (own && kept.body.len() == bytes).then(|| (half, band, cells::<C>(&kept.body)))
            };
            let bands: Option<Vec<_>> = bands(grids).iter().map(read).collect();
            let Some(bands) = bands else { return false };
            bands.into_iter().all(|(half, band, cells)| grids.restore(half, band, cells))
        });
        if let Some(generation) = whole {
            self.next = (generation + 1) % GENERATIONS;
        }
        whole.is_some()
    }

    pub(super) fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    /// Writes all bands if it took long to come so far.
    pub(super) fn keep_if_dear<C: Cell>(&mut self, stage: &SweepState, grids: &Grids<'_, C, 1>) {
        if self.checkpoint.age() >= DEAR {
            self.keep(stage, grids);
        }
    }

    /// Writes all bands, between sweeps. What cannot be written costs time after an interruption, and nothing else.
    pub(super) fn keep<C: Cell>(&mut self, stage: &SweepState, grids: &Grids<'_, C, 1>) {
        let begun = Instant::now();
        let words = stage.words();
        let whole = bands(grids).into_iter().all(|(half, band, _)| {
            let cells = grids.halves()[half].again().cells(band);
            let mut body = Vec::with_capacity(size_of_val(cells));
            for cell in cells {
                body.extend_from_slice(&cell.units().to_le_bytes()[..size_of::<C>()]);
            }
            self.checkpoint.keep(&part(self.next, half, band), &self.basis, &words, &body)
        });
        if whole {
            self.next = (self.next + 1) % GENERATIONS;
        }
        self.checkpoint.kept(begun);
    }
}

fn cells<C: Cell>(body: &[u8]) -> Vec<C> {
    let unit = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    body.chunks_exact(size_of::<C>()).map(|cell| C::of_units(unit(cell).min(C::ONE.units()))).collect()
}

/// Half, band and bytes of every band.
fn bands<C: Cell>(grids: &Grids<'_, C, 1>) -> Vec<(usize, usize, usize)> {
    let halves = grids.halves().iter().enumerate();
    let bands = halves.flat_map(|(number, half)| {
        let plane = half.again();
        (0..plane.bands().count()).map(move |band| (number, band, size_of_val(plane.cells(band))))
    });
    bands.collect()
}
