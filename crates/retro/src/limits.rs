//! The limits of a solver, the reasons why it stopped, and its progress.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use marquis_core::Sharing;
use web_time::Instant;

/// The limits of a solver.
#[derive(Clone, Copy, Debug)]
pub struct SolveLimits<'a> {
    /// The most positions to hold; only used by the exhaustive solver.
    pub states: usize,
    /// The deadline, on the clock of `sharing`.
    pub deadline: Option<Instant>,
    /// How the work shares the processors.
    pub sharing: &'a Sharing,
    /// Set by another thread to stop at once.
    pub stop: &'a AtomicBool,
}

impl<'a> SolveLimits<'a> {
    /// No limit but the flag.
    #[must_use]
    pub fn until(stop: &'a AtomicBool) -> Self {
        Self { states: usize::MAX, deadline: None, sharing: Sharing::alone(), stop }
    }

    /// Checks the flag and the clock.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) {
            return Err(Stopped::Interrupted);
        }
        self.sharing.yield_now();
        if self.sharing.is_past(self.deadline, Instant::now) { Err(Stopped::Deadline) } else { Ok(()) }
    }
}

/// Why a solver gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// More positions than allowed.
    #[error("more than {limit} positions are reachable; raise the limit or use a table")]
    TooManyStates {
        /// The limit.
        limit: usize,
    },
    /// The time is up.
    #[error("the time limit was reached; allow more time")]
    Deadline,
    /// The flag was set.
    #[error("interrupted")]
    Interrupted,
    /// One of the ranks that solve a bundle together is lost.
    #[error("another rank has ended")]
    RankLost,
    /// A forced win or loss takes more plies than cells can hold.
    #[error("a game takes more plies than a cell holds; it needs wider cells")]
    TooManyPlies,
}

/// The phase of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Finding positions, or visiting each slot for the first time.
    Exploring,
    /// Spreading scores backwards.
    Spreading,
}

/// The progress of a solver in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveProgress {
    /// The phase.
    pub phase: Phase,
    /// Positions done; while exploring, those that are expanded.
    pub done: u64,
    /// Positions known so far; this number grows while reachable ones are explored.
    pub of: u64,
}
