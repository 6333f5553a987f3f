//! The basic operations of a rank.

use std::time::Duration;

use crate::error::Error;
use crate::rank::{Rank, Ranks};

/// Bytes for one rank; at most [`most_bytes`] of them.
pub type RankBytes = Vec<u8>;

/// Traffic of a rank, and its waiting times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes to other ranks.
    pub sent_bytes: u64,
    /// Batches to other ranks that were not empty.
    pub messages: u64,
    /// Calls of all kinds.
    pub rounds: u64,
    /// Time spent waiting for other ranks.
    pub waited: Duration,
    /// Time spent sending and receiving when all were ready.
    pub sending: Duration,
}

/// The connection of a rank to the others.
///
/// Every rank makes the same calls in the same order.
pub trait Peers: Send + Sync {
    /// Its own number.
    fn rank(&self) -> Rank;

    /// The number of ranks.
    fn ranks(&self) -> Ranks;

    /// Sends each rank its batch and returns the batches that all ranks sent to this one, in order.
    ///
    /// * `batches`: one per rank, including this one.
    ///
    /// # Panics
    /// If their number is wrong, or if one has more than [`most_bytes`].
    ///
    /// # Errors
    /// A rank was lost.
    fn swap(&self, batches: Vec<RankBytes>) -> Result<Vec<RankBytes>, Error>;

    /// The largest of the numbers given by all ranks.
    ///
    /// # Errors
    /// A rank was lost.
    fn largest(&self, own: u64) -> Result<u64, Error>;

    /// The traffic so far.
    fn traffic(&self) -> Traffic;
}

/// Bytes that a rank receives at a time, from all others together: MPI offsets are signed numbers of four bytes.
const MOST_RECEIVED: usize = 1 << 30;
/// The most bytes of a single batch.
const MOST_BATCH: usize = 16 << 20;

/// The most bytes of a batch among `ranks` ranks.
#[must_use]
pub fn most_bytes(ranks: Ranks) -> usize {
    MOST_BATCH.min(MOST_RECEIVED / ranks.get() as usize)
}

/// Checks the batches of [`Peers::swap`], and panics as described there.
pub fn expect_bounded(ranks: Ranks, batches: &[RankBytes]) {
    assert_eq!(batches.len(), ranks.get() as usize, "one batch a rank");
    let most = most_bytes(ranks);
    let largest = batches.iter().map(Vec::len).max().unwrap_or(0);
    assert!(largest <= most, "a batch of {largest} bytes, at most {most} are allowed");
}

/// Batches being filled.
#[derive(Debug)]
pub struct Outbox {
    batches: Vec<RankBytes>,
    most: usize,
}

impl Outbox {
    /// An empty batch for each rank.
    ///
    /// * `most`: bytes per batch, limited to [`most_bytes`].
    #[must_use]
    pub fn new(ranks: Ranks, most: usize) -> Self {
        let batches = ranks.all().map(|_| RankBytes::new()).collect();
        Self { batches, most: most.min(most_bytes(ranks)) }
    }

    /// The room left in the batch for a rank, in bytes.
    #[must_use]
    pub fn room(&self, to: Rank) -> usize {
        self.most - self.batches[to.index()].len()
    }

    /// Adds bytes to the batch for a rank; panics if it has no room.
    pub fn put(&mut self, to: Rank, bytes: &[u8]) {
        assert!(bytes.len() <= self.room(to), "the batch for {to} is full");
        self.batches[to.index()].extend_from_slice(bytes);
    }

    /// Swaps the batches.
    ///
    /// # Errors
    /// A rank was lost.
    pub fn swap(self, peers: &dyn Peers) -> Result<Vec<RankBytes>, Error> {
        peers.swap(self.batches)
    }
}

/// One rank without others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Peers for Alone {
    fn rank(&self) -> Rank {
        Rank::FIRST
    }

    fn ranks(&self) -> Ranks {
        Ranks::ONE
    }

    fn swap(&self, batches: Vec<RankBytes>) -> Result<Vec<RankBytes>, Error> {
        expect_bounded(Ranks::ONE, &batches);
        Ok(batches)
    }

    fn largest(&self, own: u64) -> Result<u64, Error> {
        Ok(own)
    }

    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}
