//! The moves of players who are weaker than the search.

use marquis_core::Hashed;
use marquis_eval::Evaluate;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::{Candidate, Searcher};
use crate::guide::{Guide, Oracle};
use crate::{Budget, Level, Strength};

impl<G: Hashed, E: Evaluate<G>, H: Guide<G>, O: Oracle<G>> Searcher<G, E, H, O> {
    /// The move of a player of a given level in a position where the game is not over.
    ///
    /// Below the highest level the search is reset first, so that the same seed gives the same move: a table of one
    /// megabyte is sufficient.
    ///
    /// * `seed`: the random choices depend on it and on the position.
    /// * `budget`: applies at every level; below the highest, the level usually allows fewer positions.
    /// * Result: the move and its search result.
    pub fn play(
        &mut self,
        level: Level,
        seed: u64,
        game: &G,
        past: &[G::Position],
        root: &G::Position,
        budget: &Budget<'_>,
    ) -> Candidate<G::Move> {
        match self.guide.ladder(game).strength(level) {
            Some(strength) => self.play_with(strength, seed, game, past, root, budget),
            None => Candidate::of_thought(self.think(game, past, root, budget, &mut |_| {})),
        }
    }

    /// Like [`play`](Self::play), for a player of this strength below the highest level.
    pub fn play_with(
        &mut self,
        strength: Strength,
        seed: u64,
        game: &G,
        past: &[G::Position],
        root: &G::Position,
        budget: &Budget<'_>,
    ) -> Candidate<G::Move> {
        self.forget();
        let mut legal = Vec::new();
        game.moves(root, &mut legal);
        let nodes = strength.nodes_a_move * legal.len() as u64;
        let budget = Budget { nodes: budget.nodes.min(nodes), ..*budget };
        let mut candidates = self.candidates(game, past, root, &budget);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ game.key(root));
        let leaning = |candidate: &Candidate<G::Move>| f64::from(candidate.thought.leaning.hundredths());
        let number = strength.pick(candidates.iter().map(leaning), &mut random);
        candidates.swap_remove(number)
    }
}
