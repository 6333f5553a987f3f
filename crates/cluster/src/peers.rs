//! What a rank can do.

use std::time::Duration;

use crate::error::Error;
use crate::rank::{Rank, Ranks};

/// Bytes for one rank; at most [`most_bytes`] of them.
pub type Batch = Vec<u8>;

/// What ranks have sent and waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes to other ranks.
    pub sent_bytes: u64,
    /// Batches to other ranks that were not empty.
    pub messages: u64,
    /// Calls of all kinds.
    pub rounds: u64,
    /// How long other ranks were waited for.
    pub waited: Duration,
    /// How long it took to send and to receive when all were there.
    pub sending: Duration,
}

/// A rank as it sees the others.
///
/// Every rank makes the same calls in the same order.
pub trait Peers: Send + Sync {
    /// Its own number.
    fn rank(&self) -> Rank;

    /// How many ranks there are.
    fn ranks(&self) -> Ranks;

    /// Gives each rank its batch; the result is what each rank had for this one, in their order.
    ///
    /// * `batches`: one a rank, the own one included. Panics where there are not as many, or where one has more than
    ///   [`most_bytes`].
    ///
    /// # Errors
    /// A rank that is gone.
    fn swap(&self, batches: Vec<Batch>) -> Result<Vec<Batch>, Error>;

    /// The largest of the numbers that the ranks say.
    ///
    /// # Errors
    /// A rank that is gone.
    fn largest(&self, own: u64) -> Result<u64, Error>;

    /// What was sent so far.
    fn traffic(&self) -> Traffic;
}

/// Bytes that a rank receives at a time, however many others there are: places in them are signed numbers of four bytes.
const MOST_RECEIVED: usize = 1 << 30;
/// The most bytes of a single batch.
const MOST_BATCH: usize = 16 << 20;

/// The most bytes of a batch among so many ranks.
#[must_use]
pub fn most_bytes(ranks: Ranks) -> usize {
    MOST_BATCH.min(MOST_RECEIVED / ranks.get() as usize)
}

/// Panics where somebody swaps what must not be swapped: see [`Peers::swap`].
pub fn expect_bounded(ranks: Ranks, batches: &[Batch]) {
    assert_eq!(batches.len(), ranks.get() as usize, "one batch a rank");
    let most = most_bytes(ranks);
    let largest = batches.iter().map(Vec::len).max().unwrap_or(0);
    assert!(largest <= most, "a batch of {largest} bytes, at most {most} are allowed");
}

/// Batches while they are filled.
#[derive(Debug)]
pub struct Outbox {
    batches: Vec<Batch>,
    most: usize,
}

impl Outbox {
    /// An empty batch for each rank.
    ///
    /// * `most`: bytes a batch, which are less where [`most_bytes`] are.
    #[must_use]
    pub fn new(ranks: Ranks, most: usize) -> Self {
        let batches = ranks.all().map(|_| Batch::new()).collect();
        Self { batches, most: most.min(most_bytes(ranks)) }
    }

    /// Bytes that the batch for a rank has room for.
    #[must_use]
    pub fn room(&self, to: Rank) -> usize {
        self.most - self.batches[to.index()].len()
    }

    /// Adds bytes to the batch for a rank; panics where it has no room.
    pub fn put(&mut self, to: Rank, bytes: &[u8]) {
        assert!(bytes.len() <= self.room(to), "the batch for {to} is full");
        self.batches[to.index()].extend_from_slice(bytes);
    }

    /// Gives the batches to their ranks.
    ///
    /// # Errors
    /// A rank that is gone.
    pub fn swap(self, peers: &dyn Peers) -> Result<Vec<Batch>, Error> {
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

    fn swap(&self, batches: Vec<Batch>) -> Result<Vec<Batch>, Error> {
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
