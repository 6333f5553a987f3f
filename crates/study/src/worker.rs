//! Remote workers that do jobs of a study in addition to its threads.

use std::sync::atomic::AtomicBool;

use marquis_core::{ByPlayer, Hashed};
use marquis_proof::{Findings, Numbers, Strategy};

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Positions that it expanded; for a remote worker, at most its limit counts.
    pub nodes: u64,
    /// How far each prover's question is from its answer, according to the search.
    pub numbers: ByPlayer<Numbers>,
    /// The strategies that it proved, as bytes replayed from the position by the rules alone.
    pub strategies: Vec<Vec<u8>>,
}

impl<G: Hashed> From<Findings<G>> for Done {
    fn from(findings: Findings<G>) -> Self {
        let Findings { nodes, numbers, unproved, strategies, .. } = findings;
        // More nodes do not help a proof that did not fit in memory, but its parts may fit.
        let numbers = if unproved.is_some() { numbers.map(Numbers::open) } else { numbers };
        Self { nodes, numbers, strategies: strategies.into_iter().map(Strategy::into_bytes).collect() }
    }
}

/// A remote worker.
pub trait Worker<P>: Send {
    /// Does a job; `None` if the worker was lost or cannot be trusted. It then gets no more jobs.
    ///
    /// * `nodes`: positions that the search may expand.
    /// * `halt`: set when the job is no longer needed.
    fn search(&mut self, position: &P, nodes: u64, halt: &AtomicBool) -> Option<Done>;
}

/// A source of remote workers.
pub trait Arrivals<P>: Sync {
    /// The next new worker, if any; called several times a second, must not block.
    fn next(&self) -> Option<Box<dyn Worker<P> + '_>>;
}

/// No remote workers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl<P> Arrivals<P> for Nobody {
    fn next(&self) -> Option<Box<dyn Worker<P> + '_>> {
        None
    }
}
