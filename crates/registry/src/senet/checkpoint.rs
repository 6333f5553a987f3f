//! What is kept of a layer that is half solved: its estimates after a whole sweep, a container for each band of
//! columns, and in each of them how far the iteration was.
//!
//! What comes after a sweep follows from this alone, so a build that goes on from here writes the same bytes as one
//! that was never interrupted. Two generations of files take turns, so that one of them is always whole.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use marquis_chance::grid::{Cell, Grids};
use marquis_engine::chance::fingerprint;
use marquis_table::{Container, Fingerprint, read_container, write_container};

use super::course::Course;
use super::solving::Bundle;
use super::{Adapter, GAME, VARIANT, layer_name};

/// The number of the way in which layers are solved: with another one the same layer may have other bytes.
pub(super) const METHOD: u32 = 2;

const KIND: &str = "checkpoint";
/// Writing may take one part in so many of the time.
const WORK_PER_WRITING: u32 = 20;
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

    fn words(&self) -> [(String, String); 4] {
        let Self { attempt, sweep, settled, course } = self;
        let words = [
            ("attempt", attempt.to_string()),
            ("sweep", sweep.to_string()),
            ("settled", settled.to_string()),
            ("course", course.words()),
        ];
        words.map(|(name, words)| (name.to_owned(), words))
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

/// The checkpoint of one bundle: files beside those of its layers.
pub(super) struct Checkpoint {
    folder: PathBuf,
    name: String,
    /// What the iteration depends on.
    basis: String,
    every: Duration,
    last: Instant,
    /// The generation that is written next.
    next: usize,
}

impl Checkpoint {
    /// * `basis`: everything that the iteration depends on besides rules and method, in words.
    pub(super) fn new(bundle: Bundle, out: &Path, every: Duration, basis: &str) -> Self {
        let basis = format!("{}, method {METHOD}, {basis}", fingerprint::<Adapter>(VARIANT));
        let (folder, name) = (out.join(GAME), prefix(bundle));
        let basis = Fingerprint::of(&basis).to_string();
        Self { folder, name, basis, every, last: Instant::now(), next: 0 }
    }

    fn path(&self, generation: usize, half: usize, band: usize) -> PathBuf {
        self.folder.join(format!("{}.{generation}.{half}.{band}.checkpoint", self.name))
    }

    /// The stages of which something was kept on the same basis, the farthest one first.
    pub(super) fn stages(&self) -> Vec<SweepState> {
        let stages = (0..GENERATIONS).filter_map(|generation| {
            let kept = read_container(&self.path(generation, 0, 0), KIND, u64::MAX).ok()?;
            SweepState::of_words(&kept).filter(|_| kept.get("basis") == Some(&self.basis))
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
                let kept = read_container(&self.path(generation, half, band), KIND, bytes as u64).ok()?;
                let own = kept.get("basis") == Some(&self.basis)
                    && SweepState::of_words(&kept).as_ref() == Some(stage);
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
        self.last.elapsed() >= self.every
    }

    /// Writes all bands if it took long to come so far.
    pub(super) fn keep_if_dear<C: Cell>(&mut self, stage: &SweepState, grids: &Grids<'_, C, 1>) {
        if self.last.elapsed() >= DEAR {
            self.keep(stage, grids);
        }
    }

    /// Writes all bands, between sweeps. What cannot be written costs time after an interruption, and nothing else.
    pub(super) fn keep<C: Cell>(&mut self, stage: &SweepState, grids: &Grids<'_, C, 1>) {
        let begun = Instant::now();
        let mut meta = stage.words().to_vec();
        meta.push(("basis".to_owned(), self.basis.clone()));
        let whole = bands(grids).into_iter().all(|(half, band, _)| {
            let cells = grids.halves()[half].again().cells(band);
            let mut body = Vec::with_capacity(size_of_val(cells));
            for cell in cells {
                body.extend_from_slice(&cell.units().to_le_bytes()[..size_of::<C>()]);
            }
            write_container(&self.path(self.next, half, band), KIND, &meta, &body).is_ok()
        });
        if whole {
            self.next = (self.next + 1) % GENERATIONS;
        }
        self.every = self.every.max(begun.elapsed() * WORK_PER_WRITING);
        self.last = Instant::now();
    }

    /// Takes the files of a bundle away, when its layers are finished.
    pub(super) fn remove(bundle: Bundle, out: &Path) {
        let Ok(files) = std::fs::read_dir(out.join(GAME)) else { return };
        for file in files.flatten() {
            let name = file.file_name();
            let own = name.to_str().and_then(|name| name.strip_prefix(&prefix(bundle)));
            if own.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".checkpoint")) {
                // Where it cannot be removed it is of no use and does no harm.
                let _ = std::fs::remove_file(file.path());
            }
        }
    }
}

fn prefix(bundle: Bundle) -> String {
    format!(".{}", layer_name(bundle.layer))
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
