//! Who does the jobs of a study beside the threads that it begins with.

use std::sync::atomic::AtomicBool;

use marquis_core::{ByPlayer, Hashed};
use marquis_proof::{Findings, Numbers, Strategy};

/// What a job came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Positions that it expanded; of a worker elsewhere no more count than it was given.
    pub nodes: u64,
    /// How far the question of each prover is from its answer, as the search sees it.
    pub numbers: ByPlayer<Numbers>,
    /// What it proved, as bytes that were replayed from the position by the rules alone.
    pub strategies: Vec<Vec<u8>>,
}

impl<G: Hashed> From<Findings<G>> for Done {
    fn from(findings: Findings<G>) -> Self {
        let Findings { nodes, numbers, unproved, strategies, .. } = findings;
        // What did not fit the memory will not fit it with more nodes: its parts may.
        let numbers = if unproved.is_some() { numbers.map(Numbers::open) } else { numbers };
        Self { nodes, numbers, strategies: strategies.into_iter().map(Strategy::into_bytes).collect() }
    }
}

/// Somebody who does jobs elsewhere.
pub trait Worker<P>: Send {
    /// Does a job; nothing where the worker was lost, or is not to be believed: nobody asks him again.
    ///
    /// * `nodes`: positions that the search may expand.
    /// * `halt`: set when the job is not wanted any more.
    fn search(&mut self, position: &P, nodes: u64, halt: &AtomicBool) -> Option<Done>;
}

/// Where such workers come from.
pub trait Arrivals<P>: Sync {
    /// One who has come since, if one has; asked some times a second, and answers at once.
    fn next(&self) -> Option<Box<dyn Worker<P> + '_>>;
}

/// Nobody comes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl<P> Arrivals<P> for Nobody {
    fn next(&self) -> Option<Box<dyn Worker<P> + '_>> {
        None
    }
}
