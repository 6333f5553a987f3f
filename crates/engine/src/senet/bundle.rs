//! A bundle on its way from a first guess to files.

use std::time::Instant;

use marquis_chance::grid::{Cell, Grids, Guess};

use super::build::Session;
use super::checkpoint::Checkpoint;
use super::file::{GAME, layer_name, layer_path, write};
use super::iterating::{Ending, close, first_guess, guesses, settle};
use super::layout::SenetLayout;
use super::solving::{Bundle, Edges, Precision, bound_grids, edges, estimate_grids, gap_below};
use crate::facade::file_error;
use crate::{EngineError, Progress};

/// A bundle being solved.
pub(super) struct Solving<'a> {
    pub(super) session: &'a Session<'a>,
    pub(super) bundle: Bundle,
    /// How far the bounds may stay apart.
    pub(super) goal: f64,
    /// The part of the room for the guesses that the estimates may use up at the first attempt.
    pub(super) share: f64,
    pub(super) layouts: &'a [SenetLayout<'a>],
}

/// How far from the truth estimates in numbers of four bytes are worth being, where those of eight bytes follow.
const COARSE_ERROR: f64 = 1e-7;
/// The [share](Solving::share) with which nearly all guesses prove themselves.
pub(super) const ESTIMATE_SHARE: f64 = 0.1;
/// How often estimates that do not lead to bounds are improved before bounds are found without them.
const ATTEMPTS: usize = 3;

impl<'a> Solving<'a> {
    /// What other layers need of it; its files are written.
    ///
    /// # Errors
    /// A file that cannot be written, an interruption, or the end of the time.
    pub(super) fn run(&self) -> Result<Edges, EngineError> {
        let Session { sides, edges, .. } = self.session;
        let mut coarse = estimate_grids::<u32>(sides, self.layouts, self.bundle, edges);
        first_guess(sides, self.bundle, &mut coarse);
        match self.bundle.precision() {
            Precision::Coarse => {
                let mut checkpoint = self.checkpoint();
                checkpoint.load(&mut coarse);
                self.finish(coarse, &mut checkpoint)
            }
            Precision::Fine => {
                let mut fine = estimate_grids::<u64>(sides, self.layouts, self.bundle, edges);
                let mut checkpoint = self.checkpoint();
                if !checkpoint.load(&mut fine) {
                    checkpoint.load(&mut coarse);
                    self.estimate(&mut coarse, COARSE_ERROR, &mut checkpoint)?;
                    let estimates = coarse.into_estimates();
                    fine.set(|half, row, column| estimates[half].at(row, column).map(u64::floor_of));
                }
                self.finish(fine, &mut checkpoint)
            }
        }
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint::new(self.bundle, self.session.out, self.session.checkpoint_every)
    }

    /// Sweeps until the estimates seem to be as good as asked for, or as they get.
    fn estimate<C: Cell>(
        &self,
        grids: &mut Grids<'a, C, 1>,
        goal: f64,
        checkpoint: &mut Checkpoint,
    ) -> Result<(), EngineError> {
        let ending = settle(grids, goal, self.session.control.flag(), &mut |grids, sweep, error| {
            if checkpoint.is_due() {
                checkpoint.keep(grids);
            }
            self.tell(&format!("sweep {sweep}, estimates off by some {error:.1e}"))
        });
        if ending == Ending::Stopped {
            checkpoint.keep(grids);
            return Err(self.stopped());
        }
        Ok(())
    }

    /// Brings estimates to their end, finds bounds and writes the files.
    fn finish<C: Cell>(
        &self,
        mut grids: Grids<'a, C, 1>,
        checkpoint: &mut Checkpoint,
    ) -> Result<Edges, EngineError> {
        let Session { sides, edges, .. } = self.session;
        let (goal, below) = (self.goal, gap_below(self.bundle, edges));
        let mut share = self.share;
        for _ in 0..ATTEMPTS {
            self.estimate(&mut grids, share * (goal - below).max(0.0), checkpoint)?;
            checkpoint.keep_if_dear(&grids);
            let guesses = guesses(sides, self.bundle, grids.into_estimates(), below, goal);
            let mut bounds = bound_grids::<C>(sides, self.layouts, self.bundle, edges);
            bounds.suppose(&guesses);
            if let Some(gap) = self.close(&mut bounds, Some(&guesses), goal)? {
                return self.write(&bounds, gap, checkpoint);
            }
            drop(bounds);
            share /= 10.0;
            grids = estimate_grids::<C>(sides, self.layouts, self.bundle, edges);
            grids.set(|half, row, column| guesses[half].estimates.at(row, column));
        }
        drop(grids);
        // Slow, and right whatever the estimates were.
        let mut bounds = bound_grids::<C>(sides, self.layouts, self.bundle, edges);
        let gap = self.close(&mut bounds, None, goal)?.unwrap_or(1.0);
        self.write(&bounds, gap, checkpoint)
    }

    /// Brings bounds close; the result is how far they are apart, or none where guesses were not confirmed.
    fn close<C: Cell>(
        &self,
        bounds: &mut Grids<'a, C, 2>,
        guesses: Option<&[Guess<C>]>,
        goal: f64,
    ) -> Result<Option<f64>, EngineError> {
        let flag = self.session.control.flag();
        let mut tell = |sweep, gap| self.tell(&format!("sweep {sweep} of the bounds, {gap:.1e} apart"));
        match close(bounds, guesses, goal, flag, &mut tell) {
            Ending::Met(gap) => Ok(Some(gap)),
            Ending::Stalled => Ok(None),
            Ending::Stopped => Err(self.stopped()),
        }
    }

    /// Tells how far the work is; the result is whether to go on.
    fn tell(&self, what: &str) -> bool {
        let Session { control, deadline, done, total, .. } = *self.session;
        let phase = format!("{GAME} {}, {what}", layer_name(self.bundle.layer));
        control.tell(&Progress { phase, done, total: Some(total), bounds: None });
        deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    fn stopped(&self) -> EngineError {
        if self.session.control.stopped() {
            EngineError::Interrupted
        } else {
            let name = layer_name(self.bundle.layer);
            EngineError::LimitReached(format!("time is up at layer {name}; what was finished is kept"))
        }
    }

    /// Writes the files; the result is what other layers need.
    fn write<C: Cell>(
        &self,
        grids: &Grids<'a, C, 2>,
        gap: f64,
        checkpoint: &Checkpoint,
    ) -> Result<Edges, EngineError> {
        let sides = &self.session.sides;
        for (layer, half) in self.bundle.layers().into_iter().zip(grids.halves()) {
            let path = self.session.out.join(layer_path(layer));
            let sets = (sides.placements(layer.mover), sides.placements(layer.waiter));
            write(&path, layer, half.again(), sets, gap).map_err(|error| file_error(&path, &error))?;
        }
        checkpoint.remove();
        Ok(edges(sides, self.bundle, grids, gap))
    }
}
