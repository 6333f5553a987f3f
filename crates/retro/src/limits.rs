//! How long solving may go on, why it stopped, and how far it is.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use marquis_core::Slept;
use web_time::Instant;

/// What ends a solver that has not finished.
#[derive(Clone, Copy, Debug)]
pub struct SolveLimits<'a> {
    /// Most positions to hold; only the exhaustive solver asks.
    pub states: usize,
    /// When to stop, on the clock of `slept`.
    pub deadline: Option<Instant>,
    /// How long the work has slept.
    pub slept: &'a Slept,
    /// Set by somebody else to stop at once.
    pub stop: &'a AtomicBool,
}

impl<'a> SolveLimits<'a> {
    /// No limit but the flag.
    #[must_use]
    pub fn until(stop: &'a AtomicBool) -> Self {
        Self { states: usize::MAX, deadline: None, slept: Slept::never(), stop }
    }

    /// Looks at the flag and the clock.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) {
            return Err(Stopped::Interrupted);
        }
        match self.deadline {
            Some(deadline) if self.slept.awake(Instant::now()) >= deadline => Err(Stopped::Deadline),
            _ => Ok(()),
        }
    }
}

/// Why a solver gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// More positions than allowed.
    #[error("more than {limit} positions can be reached; raise the limit or use a table")]
    TooManyStates {
        /// How many were allowed.
        limit: usize,
    },
    /// The time is up.
    #[error("the time limit was reached; allow more time")]
    Deadline,
    /// Somebody set the flag.
    #[error("interrupted")]
    Interrupted,
    /// One of the ranks that solve it together is gone.
    #[error("another rank is gone")]
    RankLost,
    /// A forced win or loss takes more plies than cells can hold.
    #[error("a game takes more plies than a cell holds; it needs wider cells")]
    TooManyPlies,
}

/// What a solver is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Finding positions, or looking at each slot for the first time.
    Exploring,
    /// Spreading scores backwards.
    Spreading,
}

/// How far a solver is in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveProgress {
    /// The phase.
    pub phase: Phase,
    /// Positions done; while exploring, those that are expanded.
    pub done: u64,
    /// Positions known so far; while exploring reachable ones this grows.
    pub of: u64,
}
