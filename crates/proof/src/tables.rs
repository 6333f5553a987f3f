//! The transposition tables of a search: a small one for what is soon decided, a large one for the rest.
//!
//! Memory is cleared by the system as it is touched, and a search touches its table all over from the first thousand
//! positions on: to clear some gigabytes takes longer than most positions need to be decided.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::experience::Experience;
use crate::table::Table;

/// The bytes of the small table.
const SMALL: usize = 64 << 20;
/// Nodes until it is outgrown: the work that is done again with the large one.
const OUTGROWN: u64 = 1_000_000;
/// A large table has at least so many times the bytes of the small one; otherwise it is used at once.
const LARGER: usize = 4;

/// A small table, and a large one.
#[derive(Debug)]
pub(crate) struct Tables {
    small: Option<Table>,
    /// Nodes of a search until the small table is outgrown.
    until: u64,
    large: Table,
    outgrown: AtomicBool,
}

impl Tables {
    /// Empty tables of at most `bytes` together.
    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let small = (bytes >= LARGER * SMALL).then_some(SMALL);
        Self::of(small, OUTGROWN, bytes - small.unwrap_or(0))
    }

    /// Tables of so many bytes, what is learned beside the large one counted, the small one outgrown after `until` nodes.
    pub(crate) fn of(small: Option<usize>, until: u64, large: usize) -> Self {
        let experience = Arc::new(Experience::beside(large));
        let large = Table::with_bytes(large - experience.bytes().min(large), Arc::clone(&experience));
        let small = small.map(|bytes| Table::with_bytes(bytes, experience));
        Self { small, until, large, outgrown: AtomicBool::new(false) }
    }

    /// The table to use, and the nodes of a search after which it is outgrown.
    pub(crate) fn current(&self) -> (&Table, Option<u64>) {
        match &self.small {
            Some(small) if !self.outgrown.load(Relaxed) => (small, Some(self.until)),
            _ => (&self.large, None),
        }
    }

    /// From now on the large table is used.
    pub(crate) fn outgrow(&self) {
        self.outgrown.store(true, Relaxed);
    }
}
