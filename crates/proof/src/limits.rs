//! How long a search may go on, and why it stopped.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Positions searched between two looks at the clock.
pub(crate) const SLICE: u64 = 1024;

/// What ends a search that has not found its answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Positions to expand, for search and proof together.
    pub nodes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set by somebody else to stop at once.
    pub stop: Option<&'a AtomicBool>,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The value is proved.
    Answered,
    /// The nodes are spent.
    Nodes,
    /// The deadline has passed.
    Deadline,
    /// The stop flag was set.
    Stopped,
    /// A proof did not fit its share of the memory.
    Memory,
}

/// Counts nodes and watches the limits.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    limits: Limits<'a>,
    nodes: u64,
    unchecked: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: Limits<'a>) -> Self {
        Self { limits, nodes: 0, unchecked: 0 }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes that may be spent before the next check.
    pub(crate) fn slice(&self) -> u64 {
        self.limits.nodes.map_or(SLICE, |limit| limit.saturating_sub(self.nodes).clamp(1, SLICE))
    }

    /// Books nodes, and says why to stop if there is a reason.
    pub(crate) fn spend(&mut self, nodes: u64) -> Result<(), Ended> {
        self.nodes += nodes;
        self.unchecked += nodes;
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            return Err(Ended::Nodes);
        }
        if self.unchecked < SLICE / 2 {
            return Ok(());
        }
        self.check()
    }

    /// Says why to stop if there is a reason, looking at the clock.
    pub(crate) fn check(&mut self) -> Result<(), Ended> {
        self.unchecked = 0;
        if self.limits.stop.is_some_and(|stop| stop.load(Relaxed)) {
            return Err(Ended::Stopped);
        }
        match self.limits.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Ended::Deadline),
            _ => Ok(()),
        }
    }
}
