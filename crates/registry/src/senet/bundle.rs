//! A bundle on its way from a first guess to files.

use marquis_chance::grid::{Cell, Estimates, Grids};
use marquis_core::Slot;
use marquis_engine::EngineError;
use marquis_engine::chance::Solved;

use super::Session;
use super::checkpoint::{Estimated, SweepState};
use super::course::{Course, Ending};
use super::iterating::{close, first_guess, guesses, settle};
use super::layout::SenetLayout;
use super::solving::{Bundle, Edges, Precision, bound_grids, content_below, estimate_grids, gap_below};

/// A bundle being solved.
pub(super) struct Solving<'a> {
    pub(super) session: &'a Session<'a>,
    pub(super) bundle: Bundle,
    /// How far the bounds may stay apart.
    pub(super) goal: f64,
    /// The part of the room for the guesses that the estimates may use up at the first attempt.
    pub(super) share: f64,
    pub(super) layouts: &'a [SenetLayout<'a>],
    /// What it needs of the layers below.
    pub(super) edges: &'a Edges,
}

/// How far from the truth estimates in numbers of four bytes are worth being, where those of eight bytes follow.
const COARSE_ERROR: f64 = 1e-7;
/// The [share](Solving::share) with which nearly all guesses prove themselves.
pub(super) const ESTIMATE_SHARE: f64 = 0.1;
/// How often estimates that do not lead to bounds are improved before bounds are found without them.
const ATTEMPTS: usize = 3;

impl<'a> Solving<'a> {
    /// Solves it and writes its files, which depend on the bundle, the goal, the share and the edges alone.
    ///
    /// # Errors
    /// A file that cannot be written, an interruption, or the end of the time.
    pub(super) fn run(&self) -> Result<(), EngineError> {
        let sides = self.session.sides;
        let mut checkpoint = self.checkpoint();
        let stages = checkpoint.stages();
        let mut coarse = estimate_grids::<u32>(sides, self.layouts, self.bundle, self.edges);
        match self.bundle.precision() {
            Precision::Coarse => {
                let kept = stages.into_iter().find(|stage| checkpoint.load(stage, &mut coarse));
                if kept.is_none() {
                    first_guess(sides, self.bundle, &mut coarse);
                }
                self.finish(coarse, kept, &mut checkpoint)
            }
            Precision::Fine => {
                let mut fine = estimate_grids::<u64>(sides, self.layouts, self.bundle, self.edges);
                let kept = stages.iter().find(|stage| stage.attempt > 0 && checkpoint.load(stage, &mut fine));
                if kept.is_none() {
                    let estimates = self.prepare(coarse, &stages, &mut checkpoint)?;
                    fine.set(|half, row, column| estimates[half].at(row, column).map(u64::floor_of));
                }
                self.finish(fine, kept.cloned(), &mut checkpoint)
            }
        }
    }

    /// Estimates in numbers of four bytes, for those of eight bytes to begin with.
    fn prepare(
        &self,
        mut coarse: Grids<'a, u32, 1>,
        stages: &[SweepState],
        checkpoint: &mut Estimated<'_>,
    ) -> Result<Vec<Estimates<u32>>, EngineError> {
        let kept = stages.iter().find(|stage| stage.attempt == 0 && checkpoint.load(stage, &mut coarse));
        if kept.is_none() {
            first_guess(self.session.sides, self.bundle, &mut coarse);
        }
        let begin = || SweepState::new(0, Course::new(COARSE_ERROR, unit::<u32>()));
        let mut stage = kept.cloned().unwrap_or_else(begin);
        self.estimate(&mut coarse, &mut stage, checkpoint)?;
        Ok(coarse.into_estimates())
    }

    fn checkpoint(&self) -> Estimated<'a> {
        let (goal, share) = (self.goal.to_bits(), self.share.to_bits());
        let below = content_below(self.bundle, self.edges);
        let basis = format!("goal {goal:x}, share {share:x}, below {below}");
        Estimated::new(self.session.work.checkpoint, &basis)
    }

    /// Sweeps until the estimates seem to be as good as asked for, or as they get.
    fn estimate<C: Cell>(
        &self,
        grids: &mut Grids<'a, C, 1>,
        stage: &mut SweepState,
        checkpoint: &mut Estimated<'_>,
    ) -> Result<(), EngineError> {
        if stage.settled {
            return Ok(());
        }
        let ending = settle(grids, stage, &mut |grids, stage, error| {
            if checkpoint.is_due() {
                checkpoint.keep(stage, grids);
            }
            self.tell(&format!("sweep {}, estimates off by some {error:.1e}", stage.sweep))
                && !self.session.work.control.stopped()
        });
        if ending == Ending::Stopped {
            checkpoint.keep(stage, grids);
            return Err(self.stopped());
        }
        Ok(())
    }

    /// Brings estimates to their end, finds bounds and writes the files.
    ///
    /// * `kept`: how far the estimates are, where they are from a checkpoint.
    fn finish<C: Cell>(
        &self,
        mut grids: Grids<'a, C, 1>,
        mut kept: Option<SweepState>,
        checkpoint: &mut Estimated<'_>,
    ) -> Result<(), EngineError> {
        let sides = self.session.sides;
        let (goal, below) = (self.goal, gap_below(self.bundle, self.edges));
        for attempt in kept.as_ref().map_or(1, |stage| stage.attempt)..=ATTEMPTS {
            let share = (1..attempt).fold(self.share, |share, _| share / 10.0);
            let begin =
                || SweepState::new(attempt, Course::new(share * (goal - below).max(0.0), unit::<C>()));
            let mut stage = kept.take().unwrap_or_else(begin);
            self.estimate(&mut grids, &mut stage, checkpoint)?;
            checkpoint.keep_if_dear(&stage, &grids);
            let guesses = guesses(sides, self.bundle, grids.into_estimates(), below, goal);
            let mut bounds = bound_grids::<C>(sides, self.layouts, self.bundle, self.edges);
            bounds.suppose(&guesses);
            if let Some(gap) = self.close(&mut bounds, goal)? {
                return self.write(&bounds, gap);
            }
            drop(bounds);
            grids = estimate_grids::<C>(sides, self.layouts, self.bundle, self.edges);
            grids.set(|half, row, column| guesses[half].estimates.at(row, column));
        }
        drop(grids);
        // Slow, and right whatever the estimates were.
        let mut bounds = bound_grids::<C>(sides, self.layouts, self.bundle, self.edges);
        let gap = self.close(&mut bounds, goal)?.unwrap_or(1.0);
        self.write(&bounds, gap)
    }

    /// Brings bounds close; the result is how far they are apart, or none where they do not prove themselves.
    fn close<C: Cell>(&self, bounds: &mut Grids<'a, C, 2>, goal: f64) -> Result<Option<f64>, EngineError> {
        let flag = self.session.work.control.flag();
        let mut tell = |sweep, gap| self.tell(&format!("sweep {sweep} of the bounds, {gap:.1e} apart"));
        match close(bounds, goal, flag, &mut tell) {
            Ending::Met(gap) => Ok(Some(gap)),
            Ending::Stalled => Ok(None),
            Ending::Stopped => Err(self.stopped()),
        }
    }

    /// Tells how far the work is; the result is whether to go on.
    fn tell(&self, what: &str) -> bool {
        let work = self.session.work;
        (work.tell)(what);
        !work.control.is_past(work.deadline)
    }

    fn stopped(&self) -> EngineError {
        self.session.work.check().err().unwrap_or(EngineError::Interrupted)
    }

    /// Writes the files.
    fn write<C: Cell>(&self, grids: &Grids<'a, C, 2>, gap: f64) -> Result<(), EngineError> {
        let Session { work, sides } = *self.session;
        let parts = (C::ONE.units() / u64::from(u32::MAX)).max(1);
        for (layer, half) in self.bundle.layers().into_iter().zip(grids.halves()) {
            let (rows, columns) = (sides.placements(layer.mover), sides.placements(layer.opponent));
            let plane = half.again();
            let bounds = |slot: Slot| {
                let (own, other) = layer.sets(slot);
                let [lower, upper] = plane.at(rows.number(own) as usize, columns.number(other) as usize);
                [u64::floor_of(lower), u64::ceil_of(upper)]
            };
            work.write(layer, &Solved { bounds: &bounds, parts, gap })?;
        }
        Ok(())
    }
}

/// The difference between two numbers that follow each other.
fn unit<C: Cell>() -> f64 {
    1.0 / C::ONE.units() as f64
}
