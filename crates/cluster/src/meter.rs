//! Counts the traffic of a rank.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::peers::{RankBytes, Traffic};
use crate::rank::Rank;

/// Traffic counters of a rank, usable from any thread.
#[derive(Debug, Default)]
pub struct Meter {
    sent_bytes: AtomicU64,
    messages: AtomicU64,
    rounds: AtomicU64,
    waited: AtomicU64,
    sending: AtomicU64,
}

impl Meter {
    /// Counts a round of batches.
    pub fn batches(&self, own: Rank, batches: &[RankBytes]) {
        self.round();
        let others = batches.iter().enumerate().filter(|(to, batch)| *to != own.index() && !batch.is_empty());
        for (_, batch) in others {
            self.sent_bytes.fetch_add(batch.len() as u64, Relaxed);
            self.messages.fetch_add(1, Relaxed);
        }
    }

    /// Counts a call of any kind; [`batches`](Self::batches) includes it.
    pub fn round(&self) {
        self.rounds.fetch_add(1, Relaxed);
    }

    /// Adds time spent waiting for other ranks.
    pub fn waited(&self, time: Duration) {
        self.waited.fetch_add(time.as_nanos() as u64, Relaxed);
    }

    /// Adds time spent sending when all were ready.
    pub fn sending(&self, time: Duration) {
        self.sending.fetch_add(time.as_nanos() as u64, Relaxed);
    }

    /// The current counts.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        Traffic {
            sent_bytes: self.sent_bytes.load(Relaxed),
            messages: self.messages.load(Relaxed),
            rounds: self.rounds.load(Relaxed),
            waited: Duration::from_nanos(self.waited.load(Relaxed)),
            sending: Duration::from_nanos(self.sending.load(Relaxed)),
        }
    }
}
