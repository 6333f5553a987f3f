//! The queue of jobs as those see it who stand in it.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many have come, and how many have been called.
#[derive(Debug, Default)]
pub(crate) struct Line {
    come: AtomicU64,
    called: AtomicU64,
}

/// A place in the line: how many came before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

impl Line {
    /// Stands in line.
    pub(crate) fn join(&self) -> Ticket {
        Ticket(self.come.fetch_add(1, Ordering::Relaxed))
    }

    /// Calls the next one, whoever it is: they are called in their order.
    pub(crate) fn call(&self) {
        self.called.fetch_add(1, Ordering::Relaxed);
    }

    /// How many are called before this one; also those that have left and are only passed over.
    pub(crate) fn ahead(&self, Ticket(before): Ticket) -> u64 {
        before.saturating_sub(self.called.load(Ordering::Relaxed))
    }
}
