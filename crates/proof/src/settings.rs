//! Memory and threads of a search, its progress, and its unproved results.

use marquis_core::{Bounds, Player};

use crate::DiskTrouble;

/// The memory and the threads of a search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes of the transposition table.
    pub table_bytes: usize,
    /// Approximate bytes for building and replaying one strategy.
    pub proof_bytes: usize,
    /// Threads that search and prove; the two questions share them.
    pub threads: usize,
}

impl Settings {
    /// Settings that use `bytes` bytes in total.
    #[must_use]
    pub fn within(bytes: usize, threads: usize) -> Self {
        let table_bytes = bytes / 8 * 5;
        Self { table_bytes, proof_bytes: bytes - table_bytes, threads }
    }
}

/// The progress of a search.
#[derive(Clone, Debug)]
pub struct SearchProgress {
    /// Positions expanded so far.
    pub nodes: u64,
    /// The proved bounds of each requested position, for the player to move.
    pub bounds: Vec<Bounds>,
}

/// A result that a search believed but could not turn into a strategy within its proof memory.
///
/// It is not a bound: nothing was replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproved {
    /// The player believed to force a win; `None` if the search only believed that a player cannot.
    pub winner: Option<Player>,
    /// Bytes that the proof had taken when it was abandoned; it needs more.
    pub bytes: usize,
    /// Why the disk did not help; `None` if no disk was available.
    pub disk: Option<DiskTrouble>,
}
