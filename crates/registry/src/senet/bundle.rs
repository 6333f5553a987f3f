//! The solving of a bundle, from the first guess to its files.

use marquis_chance::grid::{BackupOrder, ChanceCell, GridStore, Grids};
use marquis_core::Slot;
use marquis_engine::EngineError;
use marquis_engine::chance::{LayerChances, grid_files};
use marquis_games::senet::{SenetLayer, index};
use rayon::prelude::*;

use super::SolveSession;
use super::checkpoint::{Estimated, SweepState};
use super::closing::Closing;
use super::convergence::{Convergence, PhaseEnd};
use super::iterating::{close, first_guess, settle, slack};
use super::layout::SenetLayout;
use super::slots::Slots;
use super::solving::{Edges, Precision, SwapPair, bound_grids, content_below, estimate_grids, gap_below};

/// The storage of the numbers of a bundle between sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    Memory,
    Disk,
}

/// A bundle being solved.
pub(super) struct BundleSolver<'a> {
    pub(super) session: &'a SolveSession<'a>,
    pub(super) bundle: SwapPair,
    /// The largest gap between the bounds.
    pub(super) goal: f64,
    /// The fraction of the available gap that the estimates may use up at the first attempt.
    pub(super) share: f64,
    pub(super) layouts: &'a [SenetLayout<'a>],
    /// The edges of the layers below.
    pub(super) edges: &'a Edges,
    pub(super) order: BackupOrder,
    pub(super) ground: Storage,
}

/// The error to which four-byte estimates are worth refining if eight-byte ones follow.
const COARSE_ERROR: f64 = 1e-7;
/// The [share](Solving::share) with which nearly all guesses lead to certified bounds.
pub(super) const ESTIMATE_SHARE: f64 = 0.1;
/// The number of times that estimates are refined if they do not lead to bounds, before bounds are found without
/// them.
const ATTEMPTS: usize = 3;

impl<'a> BundleSolver<'a> {
    /// Solves the bundle and writes its files. They depend only on the bundle, the goal, the share and the edges.
    ///
    /// # Errors
    /// A file cannot be written, an interruption, or the deadline.
    pub(super) fn run(&self) -> Result<(), EngineError> {
        let written = match self.bundle.precision() {
            Precision::Coarse => self.write_met::<u32>()?,
            Precision::Fine => self.write_met::<u64>()?,
        };
        if written {
            return Ok(());
        }
        let mut checkpoint = self.checkpoint();
        let stages = checkpoint.stages(self.bundle.slots() * size_of::<u64>() as u64);
        match self.bundle.precision() {
            Precision::Coarse => {
                let mut coarse = self.estimates::<u32>("estimates")?;
                let mut kept = None;
                for stage in stages {
                    if kept.is_none() && checkpoint.load(&stage, &mut coarse)? {
                        kept = Some(stage);
                    }
                }
                if kept.is_none() {
                    coarse.clear();
                    first_guess(self.session.sides, self.bundle, &mut coarse)?;
                }
                self.finish(coarse, kept, &mut checkpoint)
            }
            Precision::Fine => {
                let mut fine = self.estimates::<u64>("estimates")?;
                let mut kept = None;
                for stage in stages.iter().filter(|stage| stage.attempt > 0) {
                    if kept.is_none() && checkpoint.load(stage, &mut fine)? {
                        kept = Some(stage.clone());
                    }
                }
                if kept.is_none() {
                    fine.clear();
                    fine.take(&self.prepare(&stages, &mut checkpoint)?)?;
                }
                self.finish(fine, kept, &mut checkpoint)
            }
        }
    }

    /// Grids for estimates, in memory or on disk as requested.
    fn estimates<C: ChanceCell>(&self, part: &'static str) -> Result<Grids<'a, C, 1>, EngineError> {
        let grids =
            estimate_grids::<C>(self.session.sides, self.layouts, self.bundle, self.edges, self.order);
        Ok(match self.ground {
            Storage::Memory => grids,
            Storage::Disk => grids.on_disk(self.files::<C, 1>(part))?,
        })
    }

    /// Grids for bounds, in memory or on disk as requested.
    fn bounds<C: ChanceCell>(&self) -> Result<Grids<'a, C, 2>, EngineError> {
        let grids = bound_grids::<C>(self.session.sides, self.layouts, self.bundle, self.edges, self.order);
        Ok(match self.ground {
            Storage::Memory => grids,
            Storage::Disk => grids.on_disk(self.files::<C, 2>("bounds"))?,
        })
    }

    /// Writes the files if finished bounds are on disk, whose estimates are already deleted. Returns whether there
    /// were any.
    fn write_met<C: ChanceCell>(&self) -> Result<bool, EngineError> {
        if self.ground == Storage::Memory {
            return Ok(false);
        }
        let mut bounds = self.bounds::<C>()?;
        let closing = self.checkpoint().closing(&mut bounds);
        let Some(gap) = closing.and_then(|(_, closing)| closing.met()) else { return Ok(false) };
        self.write(&bounds, gap)?;
        Ok(true)
    }

    /// The files of `N` numbers a cell.
    fn files<C: ChanceCell, const N: usize>(&self, part: &'static str) -> Box<dyn GridStore + 'a> {
        let basis = format!("{}, {N} numbers of {} bytes", self.checkpoint().words(), size_of::<C>());
        grid_files(self.session.work.checkpoint, part, &basis)
    }

    /// Four-byte estimates as a start for eight-byte ones.
    fn prepare(
        &self,
        stages: &[SweepState],
        checkpoint: &mut Estimated<'_>,
    ) -> Result<Grids<'a, u32, 1>, EngineError> {
        let mut coarse = self.estimates::<u32>("coarse")?;
        let mut kept = None;
        for stage in stages.iter().filter(|stage| stage.attempt == 0) {
            if kept.is_none() && checkpoint.load(stage, &mut coarse)? {
                kept = Some(stage.clone());
            }
        }
        if kept.is_none() {
            coarse.clear();
            first_guess(self.session.sides, self.bundle, &mut coarse)?;
        }
        let begin = || SweepState::new(0, Convergence::new(COARSE_ERROR, unit::<u32>()));
        let mut stage = kept.unwrap_or_else(begin);
        self.estimate(&mut coarse, &mut stage, checkpoint)?;
        Ok(coarse)
    }

    fn checkpoint(&self) -> Estimated<'a> {
        let (goal, share) = (self.goal.to_bits(), self.share.to_bits());
        let below = content_below(self.bundle, self.edges);
        let basis = format!("goal {goal:x}, share {share:x}, below {below}");
        Estimated::new(self.session.work.checkpoint, &basis)
    }

    /// Sweeps until the estimates seem to be accurate enough, or cannot improve.
    fn estimate<C: ChanceCell>(
        &self,
        grids: &mut Grids<'a, C, 1>,
        stage: &mut SweepState,
        checkpoint: &mut Estimated<'_>,
    ) -> Result<(), EngineError> {
        if stage.settled {
            return Ok(());
        }
        let flag = self.session.work.control.flag();
        let ending = settle(grids, stage, flag, &mut |grids, stage, error| {
            if grids.is_on_disk() || checkpoint.is_due() {
                checkpoint.keep(stage, grids);
            }
            self.tell(&format!("sweep {}, estimates off by some {error:.1e}", stage.sweep))
                && !self.session.work.control.stopped()
        })?;
        if ending == PhaseEnd::Stopped {
            checkpoint.keep(stage, grids);
            return Err(self.stopped());
        }
        grids.rest();
        Ok(())
    }

    /// Refines estimates to the end, finds bounds and writes the files.
    ///
    /// * `kept`: the state of the estimates, if they come from a checkpoint.
    fn finish<C: ChanceCell>(
        &self,
        mut grids: Grids<'a, C, 1>,
        mut kept: Option<SweepState>,
        checkpoint: &mut Estimated<'_>,
    ) -> Result<(), EngineError> {
        let (goal, below) = (self.goal, gap_below(self.bundle, self.edges));
        for attempt in kept.as_ref().map_or(1, |stage| stage.attempt)..=ATTEMPTS {
            let share = (1..attempt).fold(self.share, |share, _| share / 10.0);
            let begin =
                || SweepState::new(attempt, Convergence::new(share * (goal - below).max(0.0), unit::<C>()));
            let mut stage = kept.take().unwrap_or_else(begin);
            self.estimate(&mut grids, &mut stage, checkpoint)?;
            checkpoint.keep_if_dear(&stage, &grids);
            let mut bounds = self.bounds::<C>()?;
            let closing = checkpoint.closing_of(attempt, &mut bounds);
            if closing.is_none() {
                bounds.clear();
                bounds.suppose(&grids, &slack::<C>(self.session.sides, self.bundle, below, goal))?;
            }
            if let Some(gap) = self.close(&mut bounds, attempt, closing, checkpoint)? {
                // The files take the space that the estimates had.
                grids.clear();
                drop(grids);
                return self.write(&bounds, gap);
            }
            bounds.clear();
        }
        drop(grids);
        // Slow, but correct for any estimates.
        let mut bounds = self.bounds::<C>()?;
        let closing = checkpoint.closing_of(ATTEMPTS + 1, &mut bounds);
        if closing.is_none() {
            bounds.clear();
        }
        let gap = self.close(&mut bounds, ATTEMPTS + 1, closing, checkpoint)?.unwrap_or(1.0);
        self.write(&bounds, gap)
    }

    /// Tightens bounds; returns the gap between them, or `None` if they cannot be certified.
    fn close<C: ChanceCell>(
        &self,
        bounds: &mut Grids<'a, C, 2>,
        attempt: usize,
        closing: Option<Closing>,
        checkpoint: &Estimated<'_>,
    ) -> Result<Option<f64>, EngineError> {
        let flag = self.session.work.control.flag();
        let mut tell = |bounds: &Grids<'_, C, 2>, closing: &Closing, gap: f64| {
            checkpoint.keep_closing(attempt, closing, bounds);
            self.tell(&format!("sweep {} of the bounds, {gap:.1e} apart", closing.sweep()))
        };
        let ending = close(bounds, &mut closing.unwrap_or_default(), self.goal, flag, &mut tell)?;
        // Writing the files needs memory too.
        bounds.rest();
        match ending {
            PhaseEnd::Met(gap) => Ok(Some(gap)),
            PhaseEnd::Stalled => Ok(None),
            PhaseEnd::Stopped => Err(self.stopped()),
        }
    }

    /// Reports progress; returns whether to continue.
    fn tell(&self, what: &str) -> bool {
        let work = self.session.work;
        (work.tell)(what);
        !work.control.is_past(work.deadline)
    }

    fn stopped(&self) -> EngineError {
        self.session.work.check().err().unwrap_or(EngineError::Interrupted)
    }

    /// Writes the files.
    fn write<C: ChanceCell>(&self, grids: &Grids<'a, C, 2>, gap: f64) -> Result<(), EngineError> {
        let parts = (C::ONE.units() / u64::from(u32::MAX)).max(1);
        for (half, layer) in self.bundle.layers().into_iter().enumerate() {
            let slots = self.slots(grids, half, layer)?;
            let bounds = |first: Slot, out: &mut [[u64; 2]]| {
                let some = slots.some(first.0, out.len())?;
                let widened = some.iter().map(|&[lower, upper]| [u64::floor_of(lower), u64::ceil_of(upper)]);
                out.iter_mut().zip(widened).for_each(|(out, bounds)| *out = bounds);
                Ok(())
            };
            self.session.work.write(layer, &LayerChances { bounds: &bounds, parts, gap })?;
        }
        Ok(())
    }

    /// The bounds of a layer, slot after slot.
    fn slots<C: ChanceCell>(
        &self,
        grids: &Grids<'a, C, 2>,
        half: usize,
        layer: SenetLayer,
    ) -> Result<Slots<C>, EngineError> {
        let sides = self.session.sides;
        let (rows, columns) = (sides.placements(layer.mover), sides.placements(layer.opponent));
        let mut slots = match self.ground {
            Storage::Memory => Slots::in_memory(layer.slots()),
            Storage::Disk => Slots::on_disk(self.session.work.checkpoint.path(&format!("slots.{half}")))?,
        };
        for (band, own) in rows.bands().iter().enumerate() {
            let plane = grids.rows(half, band)?;
            let sets: Vec<_> = rows.sets()[own.rows()].iter().enumerate().collect();
            for some in sets.chunks(ROWS) {
                // The rows of a band are contiguous by their squares, but scattered by their slots.
                let row = |&(row, &set): &(usize, &_)| {
                    let first = index::rank(set) * layer.beside();
                    let bounds = (first..first + layer.beside()).map(|slot| {
                        let (_, other) = layer.sets(Slot(slot));
                        plane.at(row, columns.number(other) as usize)
                    });
                    (first, bounds.collect::<Vec<_>>())
                };
                let made: Vec<_> = some.par_iter().map(row).collect();
                made.iter().try_for_each(|(first, bounds)| slots.put(*first, bounds))?;
            }
        }
        Ok(slots)
    }
}

/// Rows that are sorted by slot at a time.
const ROWS: usize = 64;

/// The difference between two consecutive numbers.
fn unit<C: ChanceCell>() -> f64 {
    1.0 / C::ONE.units() as f64
}
