//! Ranks as threads of one process, connected by channels; needs no launcher, and lets tests use several ranks.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use web_time::Instant;

use crate::Error;
use crate::meter::Meter;
use crate::peers::{Peers, RankBytes, Traffic, expect_bounded};
use crate::rank::{Rank, Ranks};

/// A rank that is a thread; when it is dropped, the others see it as lost.
#[derive(Debug)]
pub struct ThreadPeer {
    rank: Rank,
    ranks: Ranks,
    lines: Mutex<Channels>,
    meter: Meter,
}

/// Channels to and from each rank.
#[derive(Debug)]
struct Channels {
    to: Vec<Sender<RankBytes>>,
    from: Vec<Receiver<RankBytes>>,
}

impl ThreadPeer {
    /// Creates `ranks` connected ranks, one for each thread.
    #[must_use]
    pub fn some(ranks: Ranks) -> Vec<Self> {
        let mut to: Vec<Vec<Sender<RankBytes>>> = ranks.all().map(|_| Vec::new()).collect();
        let mut from: Vec<Vec<Receiver<RankBytes>>> = ranks.all().map(|_| Vec::new()).collect();
        for sender in &mut to {
            for receiver in &mut from {
                let (send, receive) = channel();
                sender.push(send);
                receiver.push(receive);
            }
        }
        let lines = to.into_iter().zip(from).map(|(to, from)| Mutex::new(Channels { to, from }));
        let peer = |(rank, lines)| Self { rank, ranks, lines, meter: Meter::default() };
        ranks.all().zip(lines).map(peer).collect()
    }

    fn pass(&self, batches: Vec<RankBytes>) -> Result<Vec<RankBytes>, Error> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        for ((rank, line), batch) in self.ranks.all().zip(&lines.to).zip(batches) {
            line.send(batch).map_err(|_| Error::Lost { rank })?;
        }
        let begun = Instant::now();
        let receive =
            |(rank, line): (Rank, &Receiver<RankBytes>)| line.recv().map_err(|_| Error::Lost { rank });
        let received = self.ranks.all().zip(&lines.from).map(receive).collect();
        self.meter.waited(begun.elapsed());
        received
    }
}

impl Peers for ThreadPeer {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn ranks(&self) -> Ranks {
        self.ranks
    }

    fn swap(&self, batches: Vec<RankBytes>) -> Result<Vec<RankBytes>, Error> {
        expect_bounded(self.ranks, &batches);
        self.meter.batches(self.rank, &batches);
        self.pass(batches)
    }

    fn largest(&self, own: u64) -> Result<u64, Error> {
        self.meter.round();
        let told = self.pass(self.ranks.all().map(|_| own.to_le_bytes().to_vec()).collect())?;
        let number = |bytes: &RankBytes| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        Ok(told.iter().map(number).max().unwrap_or(own))
    }

    fn traffic(&self) -> Traffic {
        self.meter.traffic()
    }
}
