//! Several threads that search one position together.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::Builder;

use marquis_core::Hashed;
use marquis_eval::Evaluate;

use super::{Candidate, LegalMoves, Searcher, Thought, sorted};
use crate::guide::{Guide, NoOracle, Oracle};
use crate::{Budget, Level};

/// Searches that share a table: one whose answer counts, and others that search the same position ahead of it and
/// fill the table.
///
/// With one thread the result is deterministic. With more threads lines and nodes may vary; proofs are equally
/// certain.
pub struct Team<G: Hashed, E: Evaluate<G>, H, O = NoOracle> {
    first: Searcher<G, E, H, O>,
    others: Vec<Searcher<G, E, H, O>>,
}

impl<G, E, H, O> Team<G, E, H, O>
where
    G: Hashed,
    E: Evaluate<G> + Clone + Send,
    H: Guide<G> + Clone + Send,
    O: Oracle<G> + Clone + Send,
{
    /// This search with companions, for `threads` threads in total.
    #[must_use]
    pub fn new(first: Searcher<G, E, H, O>, threads: std::num::NonZero<usize>) -> Self {
        let others = (1..threads.get()).map(|_| first.companion()).collect();
        Self { first, others }
    }

    /// This search alone, on the thread of the caller.
    #[must_use]
    pub const fn alone(first: Searcher<G, E, H, O>) -> Self {
        Self { first, others: Vec::new() }
    }

    /// The search whose answer counts.
    pub const fn first(&mut self) -> &mut Searcher<G, E, H, O> {
        &mut self.first
    }

    /// Resets the search to its initial state.
    pub fn forget(&mut self) {
        self.first.forget();
        self.others.iter_mut().for_each(Searcher::forget_order);
    }

    /// Searches a position like [`Searcher::think`]; positions are counted over all threads.
    ///
    /// * `budget`: each thread searches an equal share of the positions.
    pub fn think(
        &mut self,
        game: &G,
        past: &[G::Position],
        root: &G::Position,
        budget: &Budget<'_>,
        report: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Thought<G::Move> {
        if self.others.is_empty() {
            return self.first.think(game, past, root, budget, report);
        }
        self.first.table.turn_page();
        let nodes = (budget.nodes / (1 + self.others.len() as u64)).max(1);
        let (stop, by_others) = (AtomicBool::new(false), AtomicU64::new(0));
        let (first, others) = (&mut self.first, &mut self.others);
        let mut thought = std::thread::scope(|scope| {
            for (number, other) in (1_u64..).zip(others) {
                let (stop, by_others) = (&stop, &by_others);
                let theirs = Budget { nodes, depth: u8::MAX, stop: Some(stop), ..*budget };
                let look = move || {
                    // Every second thread starts a ply deeper, so that they differ.
                    let thought =
                        other.think_from(1 + (number % 2) as u8, game, past, root, &theirs, &mut |_| {});
                    by_others.fetch_add(thought.nodes, Ordering::Relaxed);
                };
                // The limit may be reached already, and the system may refuse more threads.
                if budget.called_off() || Builder::new().spawn_scoped(scope, look).is_err() {
                    break;
                }
            }
            let _stops = StopsAtEnd(&stop);
            first.think_from(1, game, past, root, &Budget { nodes, ..*budget }, report)
        });
        thought.nodes += by_others.into_inner();
        thought
    }

    /// Like [`Searcher::candidates`]; each thread takes the next move when it finishes one.
    pub fn candidates(
        &mut self,
        game: &G,
        past: &[G::Position],
        root: &G::Position,
        budget: &Budget<'_>,
    ) -> Vec<Candidate<G::Move>> {
        if self.others.is_empty() {
            return self.first.candidates(game, past, root, budget);
        }
        let moves = LegalMoves::of(game, past, root, 1 + self.others.len());
        let next = AtomicUsize::new(0);
        let look = |searcher: &mut Searcher<G, E, H, O>| {
            let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
            let taken = numbers.take_while(|&number| number < moves.legal.len());
            taken.map(|number| (number, searcher.candidate(game, &moves, number, budget))).collect()
        };
        let (first, others) = (&mut self.first, &mut self.others);
        let mut found: Vec<(usize, Candidate<G::Move>)> = std::thread::scope(|scope| {
            let look = &look;
            let begin = |other| Builder::new().spawn_scoped(scope, || look(other)).ok();
            let working: Vec<_> = others.iter_mut().map_while(begin).collect();
            let mut found: Vec<_> = look(first);
            for thread in working {
                found.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            found
        });
        found.sort_unstable_by_key(|&(number, _)| number);
        sorted(found.into_iter().map(|(_, candidate)| candidate).collect())
    }

    /// The move of a player of a given level, like [`Searcher::play`]; the highest level uses all threads.
    pub fn play(
        &mut self,
        level: Level,
        seed: u64,
        game: &G,
        past: &[G::Position],
        root: &G::Position,
        budget: &Budget<'_>,
    ) -> Candidate<G::Move> {
        if level == Level::MAX {
            return Candidate::of_thought(self.think(game, past, root, budget, &mut |_| {}));
        }
        self.first.play(level, seed, game, past, root, budget)
    }
}

/// Stops the other threads when the main search ends, even by a panic.
struct StopsAtEnd<'a>(&'a AtomicBool);

impl Drop for StopsAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
