//! The slots of a layer as tasks of several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};

/// Calls `work` with each number below `count` on the threads of the pool, until an error.
///
/// Not generic, so that the division among the threads is compiled once.
pub(crate) fn try_each(
    count: usize,
    work: &(dyn Fn(usize) -> Result<(), Stopped> + Sync),
) -> Result<(), Stopped> {
    (0..count).into_par_iter().try_for_each(work)
}

/// Why a check did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished<L> {
    /// A limit was reached.
    Stopped(Stopped),
    /// A layer that a move leads to is missing.
    Missing(L),
}

/// The slots of a layer, or groups of them, as tasks of several threads, and their progress.
pub(crate) struct Tasks<'a> {
    /// The number of slots or groups.
    pub(crate) units: u64,
    /// Units that one task visits between two checks of the limits; the last task has fewer.
    pub(crate) a_task: u64,
    /// The number of slots.
    pub(crate) slots: u64,
    /// Units of the started tasks.
    pub(crate) done: AtomicU64,
    pub(crate) limits: &'a SolveLimits<'a>,
    pub(crate) progress: &'a (dyn Fn(SolveProgress) + Sync),
}

impl<'a> Tasks<'a> {
    /// About the slots of a task.
    pub(crate) const SLOTS: u64 = 4096;
    /// Tasks between two reports of progress.
    const A_REPORT: u64 = 64;

    /// Tasks of single slots.
    pub(crate) fn by_slots(
        slots: u64,
        limits: &'a SolveLimits<'a>,
        progress: &'a (dyn Fn(SolveProgress) + Sync),
    ) -> Self {
        Self { units: slots, a_task: Self::SLOTS, slots, done: AtomicU64::new(0), limits, progress }
    }

    pub(crate) fn count(&self) -> u64 {
        self.units.div_ceil(self.a_task)
    }

    /// The units of a task, counted from 0, unless a limit is reached.
    pub(crate) fn begin(&self, task: u64) -> Result<Range<u64>, Stopped> {
        self.limits.check()?;
        let range = task * self.a_task..self.units.min((task + 1) * self.a_task);
        let done = self.done.fetch_add(range.end - range.start, Relaxed);
        if task.is_multiple_of(Self::A_REPORT) {
            let done = (u128::from(done) * u128::from(self.slots) / u128::from(self.units)) as u64;
            (self.progress)(SolveProgress { phase: Phase::Exploring, done, of: self.slots });
        }
        Ok(range)
    }
}
