//! The one object through which everything is asked.

use std::path::{Path, PathBuf};

use crate::answer::{Answer, Balance};
use crate::reports::{
    BuildPlan, BuildReport, ClaimsReport, Designed, Drawing, Line, ListedMove, ProofReport, TableInfo, VerifyReport,
};
use crate::{BalanceQuery, Control, EngineError, Limits, Query};
use marquis_games::catalogue::GameId;

/// Where tables and proofs are, and how much memory their caches may take.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Directories that hold tables.
    pub tables: Vec<PathBuf>,
    /// Proof files whose positions are answered without a search.
    pub proofs: Vec<PathBuf>,
    /// Bytes of decoded blocks that are kept.
    pub cache_bytes: u64,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { tables: Vec::new(), proofs: Vec::new(), cache_bytes: 256 << 20 }
    }
}

/// What `generate` builds, in the game's own terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildQuery {
    /// Squish or Flowish (further games follow).
    pub game: GameId,
    /// Cells along an edge.
    pub side: Option<u8>,
    /// `3v3`: that layer and all that it leads to; everything on the board where nothing is said.
    pub pieces: Option<String>,
    /// Everything that can be reached from this position.
    pub from: Option<String>,
}

/// How a set-up is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignQuery {
    /// Swish or Squeeze.
    pub game: GameId,
    /// Cells along an edge.
    pub side: u8,
    /// Rooks a colour.
    pub rooks: u8,
    /// Beads on the board.
    pub beads: u8,
    /// Where the random numbers begin.
    pub seed: u64,
    /// How many set-ups are tried.
    pub tries: u32,
    /// How many are kept, the hardest first.
    pub keep: usize,
}
