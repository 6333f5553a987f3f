//! Why a strategy is refused.

use crate::DiskTrouble;

/// Bytes of a head.
pub(super) const HEAD_BYTES: usize = 2;

/// Why a strategy is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The bytes are no strategy of the kind asked for.
    #[error("expected the head of a strategy {expected}, found {found:?}; the file is no such proof")]
    Head {
        /// What was asked for.
        expected: &'static str,
        /// The first bytes.
        found: Vec<u8>,
    },
    /// The bytes end too soon.
    #[error("expected {expected} at byte {at}, found the end; the proof is cut short")]
    Ends {
        /// What was to be read.
        expected: &'static str,
        /// Offset of the missing byte.
        at: usize,
    },
    /// Bytes are left over.
    #[error("expected the end at byte {at}, found {left} more bytes; the proof was added to")]
    Longer {
        /// Offset of the first byte too many.
        at: usize,
        /// How many there are.
        left: usize,
    },
    /// A move number is too large, or written in more bytes than it needs.
    #[error("expected the number of one of {moves} moves before byte {at}, found {found} in {position}")]
    Move {
        /// How many moves there are.
        moves: usize,
        /// Offset after the number.
        at: usize,
        /// The number.
        found: u64,
        /// Where.
        position: String,
    },
    /// An unknown mark.
    #[error("expected mark 0 or 1 before byte {at}, found {found} in {position}")]
    Mark {
        /// Offset after the mark.
        at: usize,
        /// The mark.
        found: u8,
        /// Where.
        position: String,
    },
    /// A line ends badly for the holder.
    #[error("expected a line that keeps the promise, found it broken in {position} (byte {at})")]
    Broken {
        /// Offset after what led here.
        at: usize,
        /// Where.
        position: String,
    },
    /// A line returns to a position, which no forced win may rest on.
    #[error("expected a line that ends, found one that returns to {position} (byte {at})")]
    Circular {
        /// Offset after what led here.
        at: usize,
        /// Where.
        position: String,
    },
    /// Whoever asked for the replay does not want it any more.
    #[error("expected to replay the proof to its end, found a request to stop after {positions} positions")]
    Stopped {
        /// Positions replayed so far.
        positions: usize,
    },
    /// There is no room for all positions, in memory or on disk.
    #[error(
        "expected memory or disk for the whole proof, found no more after {positions} positions{}",
        disk.map(|why| format!(": {why}")).unwrap_or_default()
    )]
    Room {
        /// Positions replayed so far.
        positions: usize,
        /// What was wrong with the disk.
        disk: Option<DiskTrouble>,
    },
    /// There are more positions than a replay has numbers for.
    #[error("expected a proof of fewer positions, found more than {positions}")]
    Large {
        /// Positions replayed so far.
        positions: usize,
    },
    /// A table is named that does not hold the position.
    #[error("expected a table that holds {position} (byte {at}), found none; check with the tables used")]
    NoTable {
        /// Offset after the mark.
        at: usize,
        /// Where.
        position: String,
    },
}

impl Refusal {
    pub(super) fn head(expected: &'static str, bytes: &[u8]) -> Self {
        Self::Head { expected, found: bytes.iter().take(HEAD_BYTES).copied().collect() }
    }
}
