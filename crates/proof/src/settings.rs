//! What a search may use, and what it tells while it goes on and where it had to give up.

use marquis_core::{Bounds, Player};

use crate::DiskTrouble;

/// How much memory and how many threads a search may take.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes of the transposition table.
    pub table_bytes: usize,
    /// Bytes, about, for working out and replaying one strategy.
    pub proof_bytes: usize,
    /// Threads that search and prove; the two questions are shared out among them.
    pub threads: usize,
}

impl Settings {
    /// The settings that keep to so many bytes altogether.
    #[must_use]
    pub fn within(bytes: usize, threads: usize) -> Self {
        let table_bytes = bytes / 8 * 5;
        Self { table_bytes, proof_bytes: bytes - table_bytes, threads }
    }
}

/// Where a search stands.
#[derive(Clone, Debug)]
pub struct SearchProgress {
    /// Positions expanded so far.
    pub nodes: u64,
    /// What is proved so far of each position that was asked about, for the player to move there.
    pub bounds: Vec<Bounds>,
}

/// What a search held for true and could not work out as a strategy in the memory that a proof may take.
///
/// It is no bound: nothing of it was replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproved {
    /// Who was believed to force a win; none where somebody was only believed not to.
    pub winner: Option<Player>,
    /// Bytes that the proof had taken when it was given up; it needs more.
    pub bytes: usize,
    /// Why the disk did not help; none where there was none to be used.
    pub disk: Option<DiskTrouble>,
}
