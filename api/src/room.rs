//! Limits on the work under way: bytes of responses and requests, and positions of batches.
//!
//! A response in pieces is counted by its maximum memory, not by its current memory, so that everything that was
//! started can finish.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;
use crate::problem::Problem;

/// The bytes of one semaphore permit.
const UNIT: u64 = 1 << 10;

/// The limits for all work under way.
pub(crate) struct WorkLimits {
    replies: Arc<Semaphore>,
    requests: Arc<Semaphore>,
    positions: Arc<Semaphore>,
    most_bytes: u64,
    most_request_bytes: u64,
    most_positions: usize,
    /// Data that connections could not send yet.
    unsent: Arc<Unsent>,
}

/// Bytes that wait in connections for slow clients, and the number of connections that were closed for that.
#[derive(Default)]
pub(crate) struct Unsent {
    pub(crate) bytes: AtomicU64,
    pub(crate) cut_off: AtomicU64,
}

/// The current work under way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnderWay {
    pub(crate) most_bytes: u64,
    pub(crate) reply_bytes: u64,
    pub(crate) request_bytes: u64,
    pub(crate) unsent_bytes: u64,
    pub(crate) positions: u64,
    pub(crate) cut_off: u64,
}

/// A part of the bytes, released when dropped.
pub(crate) struct Bytes(OwnedSemaphorePermit);

/// A batch's part of the bytes and positions, released when dropped.
pub(crate) struct Reservation {
    _bytes: OwnedSemaphorePermit,
    positions: OwnedSemaphorePermit,
}

impl WorkLimits {
    pub(crate) fn new(config: &Config) -> Self {
        let (most_bytes, most_request_bytes) = (config.reply_memory().0, config.request_memory().0);
        let room = |bytes| Arc::new(Semaphore::new(units(bytes) as usize));
        let positions = Arc::new(Semaphore::new(config.batch_positions.min(Semaphore::MAX_PERMITS)));
        let most_positions = config.batch_positions.min(Semaphore::MAX_PERMITS);
        Self {
            replies: room(most_bytes),
            requests: room(most_request_bytes),
            positions,
            most_bytes,
            most_request_bytes,
            most_positions,
            unsent: Arc::default(),
        }
    }

    /// Reserves room for a batch.
    ///
    /// * `bytes`: its maximum memory while it is under way.
    ///
    /// # Errors
    /// 503 if other batches use up the room.
    pub(crate) fn place(&self, bytes: u64, positions: usize) -> Result<Reservation, Problem> {
        let count = u32::try_from(positions).unwrap_or(u32::MAX);
        let bytes = Arc::clone(&self.replies).try_acquire_many_owned(units(bytes));
        let positions = Arc::clone(&self.positions).try_acquire_many_owned(count);
        match (bytes, positions) {
            (Ok(bytes), Ok(positions)) => Ok(Reservation { _bytes: bytes, positions }),
            _ => Err(Problem::no_room("the batches")),
        }
    }

    /// Reserves room for a request that is about to be read.
    ///
    /// # Errors
    /// 503 if other requests use up the room.
    pub(crate) fn request(&self, bytes: u64) -> Result<Bytes, Problem> {
        let permit = Arc::clone(&self.requests).try_acquire_many_owned(units(bytes));
        permit.map(Bytes).map_err(|_| Problem::no_room("the requests"))
    }

    /// Whether slow clients hold too much unsent data to accept more requests.
    pub(crate) fn is_full(&self) -> bool {
        self.unsent.bytes.load(Ordering::Relaxed) >= self.most_bytes
    }

    pub(crate) const fn unsent(&self) -> &Arc<Unsent> {
        &self.unsent
    }

    pub(crate) fn under_way(&self) -> UnderWay {
        let used = |of: &Semaphore, most: u64| most.saturating_sub(of.available_permits() as u64 * UNIT);
        UnderWay {
            most_bytes: self.most_bytes,
            reply_bytes: used(&self.replies, self.most_bytes),
            request_bytes: used(&self.requests, self.most_request_bytes),
            unsent_bytes: self.unsent.bytes.load(Ordering::Relaxed),
            positions: self.most_positions.saturating_sub(self.positions.available_permits()) as u64,
            cut_off: self.unsent.cut_off.load(Ordering::Relaxed),
        }
    }
}

impl Bytes {
    /// Reserves more bytes.
    ///
    /// # Errors
    /// 503 if other requests use up the room.
    pub(crate) fn grow(&mut self, room: &WorkLimits, bytes: u64) -> Result<(), Problem> {
        self.0.merge(room.request(bytes)?.0);
        Ok(())
    }
}

impl Reservation {
    /// Releases the room of `positions` answered positions.
    pub(crate) fn answered(&mut self, positions: usize) {
        drop(self.positions.split(positions));
    }
}

/// The number of permits for `bytes`.
fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use marquis_wire::MemorySize;

    #[test]
    fn what_is_taken_is_given_back_and_no_more_is_taken_than_there_is() {
        let replies = Some(MemorySize(8 << 20));
        let room = WorkLimits::new(&Config { replies, batch_positions: 1500, ..Config::default() });
        let mut first = room.place(4 << 20, 1000).unwrap();
        assert!(room.place(5 << 20, 1).is_err(), "bytes");
        assert!(room.place(1, 501).is_err(), "positions");
        assert_eq!((room.under_way().reply_bytes, room.under_way().positions), (4 << 20, 1000));
        first.answered(400);
        let second = room.place(4 << 20, 900).unwrap();
        drop((first, second));
        assert_eq!((room.under_way().reply_bytes, room.under_way().positions), (0, 0));
    }
}
