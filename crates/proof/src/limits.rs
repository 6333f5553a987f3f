//! When a search has to stop, and why it stopped.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use marquis_core::Sharing;
use web_time::Instant;

/// Positions searched between two checks of the clock.
pub(crate) const SLICE: u64 = 1024;

/// Ends a search that has not found its answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchLimits<'a> {
    /// Positions to expand, in search and proof together.
    pub nodes: Option<u64>,
    /// When to stop, on the clock of `sharing`.
    pub deadline: Option<Instant>,
    /// How the work shares the processors.
    pub sharing: &'a Sharing,
    /// Set by the caller to stop at once.
    pub stop: Option<&'a AtomicBool>,
}

impl SearchLimits<'_> {
    /// An error if the deadline has passed or the flag is set; lets other threads run first.
    pub(crate) fn check(&self) -> Result<(), Ended> {
        self.sharing.yield_now();
        // A stop request after the deadline does not change why the search ended.
        if self.sharing.is_past(self.deadline, Instant::now) {
            return Err(Ended::Deadline);
        }
        match self.stop {
            Some(stop) if stop.load(Relaxed) => Err(Ended::Stopped),
            _ => Ok(()),
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The value is proved.
    Answered,
    /// The node limit is reached.
    Nodes,
    /// The deadline has passed.
    Deadline,
    /// The stop flag was set.
    Stopped,
    /// A proof did not fit in its share of the memory.
    Memory,
}

/// The nodes spent by all workers of one search, and whether they should stop.
#[derive(Debug, Default)]
pub(crate) struct Account {
    spent: AtomicU64,
    halt: AtomicBool,
}

impl Account {
    pub(crate) fn nodes(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    pub(crate) fn halted(&self) -> bool {
        self.halt.load(Relaxed)
    }

    /// Stops all workers: the search is complete, or one of them reached a limit.
    pub(crate) fn halt(&self) {
        self.halt.store(true, Relaxed);
    }
}

/// Counts the nodes of one worker and watches the limits.
#[derive(Debug)]
pub(crate) struct NodeMeter<'a> {
    limits: SearchLimits<'a>,
    account: &'a Account,
    /// Set when this worker's task is no longer needed.
    settled: Option<&'a AtomicBool>,
    reserved: u64,
    unchecked: u64,
    booked: u64,
}

impl<'a> NodeMeter<'a> {
    pub(crate) fn new(limits: SearchLimits<'a>, account: &'a Account) -> Self {
        Self { limits, account, settled: None, reserved: 0, unchecked: 0, booked: 0 }
    }

    /// From now on, also stops with [`Ended::Answered`] once this is set.
    pub(crate) fn attend(&mut self, settled: &'a AtomicBool) {
        self.settled = Some(settled);
    }

    /// Undoes [`attend`](Self::attend).
    pub(crate) fn attend_to_all(&mut self) {
        self.settled = None;
    }

    /// How the search shares the processors.
    pub(crate) fn sharing(&self) -> &'a Sharing {
        self.limits.sharing
    }

    /// Nodes booked by this worker in total.
    pub(crate) fn booked(&self) -> u64 {
        self.booked
    }

    /// Nodes that may be spent before the next check; reserved until they are booked.
    pub(crate) fn slice(&mut self) -> u64 {
        let left =
            |spent: u64| self.limits.nodes.map_or(SLICE, |limit| limit.saturating_sub(spent).clamp(1, SLICE));
        let before = self.account.spent.fetch_update(Relaxed, Relaxed, |spent| Some(spent + left(spent)));
        let slice = left(before.unwrap_or_else(|spent| spent));
        self.reserved = slice;
        slice
    }

    /// Books nodes; an error if the search has to stop.
    pub(crate) fn spend(&mut self, nodes: u64) -> Result<(), Ended> {
        let unused = std::mem::take(&mut self.reserved);
        self.account.spent.fetch_sub(unused, Relaxed);
        let spent = self.account.spent.fetch_add(nodes, Relaxed) + nodes;
        self.unchecked += nodes;
        self.booked += nodes;
        if self.limits.nodes.is_some_and(|limit| spent >= limit) {
            return Err(Ended::Nodes);
        }
        if self.unchecked < SLICE / 2 {
            return Ok(());
        }
        self.check()
    }

    /// An error if the search has to stop; checks the clock.
    pub(crate) fn check(&mut self) -> Result<(), Ended> {
        self.unchecked = 0;
        let settled = self.settled.is_some_and(|settled| settled.load(Relaxed));
        if settled || self.account.halted() {
            return Err(Ended::Answered);
        }
        self.limits.check()
    }
}
