//! Why a strategy is refused.

use crate::DiskTrouble;

/// Bytes of a head.
pub(super) const HEAD_BYTES: usize = 2;

/// Why a strategy is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The bytes are not a strategy of the requested kind.
    #[error("expected the head of a strategy {expected}, found {found:?}; the file is not a proof")]
    Head {
        /// The kind requested.
        expected: &'static str,
        /// The first bytes.
        found: Vec<u8>,
    },
    /// The bytes end too early.
    #[error("expected {expected} at byte {at}, found the end; the proof is truncated")]
    Ends {
        /// The missing item.
        expected: &'static str,
        /// Offset of the missing byte.
        at: usize,
    },
    /// Bytes are left over.
    #[error("expected the end at byte {at}, found {left} more bytes; the proof has extra data")]
    Longer {
        /// Offset of the first surplus byte.
        at: usize,
        /// The number of surplus bytes.
        left: usize,
    },
    /// A move number is too large, or written in more bytes than it needs.
    #[error("expected a move number below {moves} before byte {at}, found {found} in {position}")]
    Move {
        /// The number of legal moves.
        moves: usize,
        /// Offset after the number.
        at: usize,
        /// The number.
        found: u64,
        /// The position.
        position: String,
    },
    /// An unknown mark.
    #[error("expected mark 0 or 1 before byte {at}, found {found} in {position}")]
    Mark {
        /// Offset after the mark.
        at: usize,
        /// The mark.
        found: u8,
        /// The position.
        position: String,
    },
    /// A line ends badly for the holder.
    #[error("expected a line that keeps the claimed value, found a loss of it in {position} (byte {at})")]
    Broken {
        /// Offset after the bytes that led here.
        at: usize,
        /// The position.
        position: String,
    },
    /// A line returns to a position, which no forced win may do.
    #[error("expected every line to end, found one that repeats {position} (byte {at})")]
    Circular {
        /// Offset after the bytes that led here.
        at: usize,
        /// The position.
        position: String,
    },
    /// The caller stopped the replay.
    #[error("interrupted after {positions} positions of the proof")]
    Stopped {
        /// Positions replayed so far.
        positions: usize,
    },
    /// Memory or disk is too small for all positions.
    #[error(
        "the proof exceeds the memory and disk limits after {positions} positions{}",
        disk.map(|why| format!(": {why}")).unwrap_or_default()
    )]
    Room {
        /// Positions replayed so far.
        positions: usize,
        /// The error of the disk, if any.
        disk: Option<DiskTrouble>,
    },
    /// There are more positions than a replay has numbers for.
    #[error("expected a proof of fewer positions, found more than {positions}")]
    Large {
        /// Positions replayed so far.
        positions: usize,
    },
    /// A line ends on a table, but no table holds the position.
    #[error("expected a table that holds {position} (byte {at}), found none; check with the tables used")]
    NoTable {
        /// Offset after the mark.
        at: usize,
        /// The position.
        position: String,
    },
}

impl Refusal {
    pub(super) fn head(expected: &'static str, bytes: &[u8]) -> Self {
        Self::Head { expected, found: bytes.iter().take(HEAD_BYTES).copied().collect() }
    }
}
