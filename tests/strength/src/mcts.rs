//! The Monte Carlo tree search of the crate `minimax`, through an adapter for our rules.

use std::marker::PhantomData;
use std::time::Duration;

use marquis_core::{Game, Value};
use marquis_play::arena::{Choice, Contestant};
use minimax::{MCTSOptions, MonteCarloTreeSearch, Strategy as _, Winner};

/// The adapter of a game for `minimax`; its states hold the rules with the position.
pub struct Adapter<G>(PhantomData<fn() -> G>);

impl<G: Game + 'static> minimax::Game for Adapter<G> {
    type S = (G, G::Position);
    type M = G::Move;

    fn generate_moves((game, position): &Self::S, moves: &mut Vec<G::Move>) -> Option<Winner> {
        let over = game.over(position);
        if over.is_none() {
            game.moves(position, moves);
        }
        over.map(|over| winner(over.outcome.for_mover(game.turn(position))))
    }

    fn apply((game, position): &mut Self::S, mv: G::Move) -> Option<Self::S> {
        Some((game.clone(), game.play(position, mv)))
    }

    fn get_winner((game, position): &Self::S) -> Option<Winner> {
        game.over(position).map(|over| winner(over.outcome.for_mover(game.turn(position))))
    }
}

fn winner(value: Value) -> Winner {
    match value {
        Value::Loss => Winner::PlayerJustMoved,
        Value::Draw => Winner::Draw,
        Value::Win => Winner::PlayerToMove,
    }
}

/// The budget of a search per move.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// Random games played to their ends.
    Rollouts(u32),
    /// Time.
    Time(Duration),
}

/// The Monte Carlo tree search of `minimax`, on one thread, with default settings.
pub struct TreeSearch<G: Game + 'static>(MonteCarloTreeSearch<Adapter<G>>);

impl<G: Game + 'static> TreeSearch<G> {
    /// The search with a budget per move.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        let options = MCTSOptions::default().with_num_threads(1).with_max_rollout_depth(300);
        let mut search = MonteCarloTreeSearch::new(options);
        match budget {
            Budget::Rollouts(rollouts) => search.set_max_rollouts(rollouts),
            Budget::Time(time) => search.set_timeout(time),
        }
        Self(search)
    }
}

impl<G: Game + 'static> Contestant<G> for TreeSearch<G> {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &G, _: &[G::Position], position: &G::Position) -> Choice<G::Move> {
        let mv = self.0.choose_move(&(game.clone(), *position));
        let mut legal = Vec::new();
        game.moves(position, &mut legal);
        Choice { mv: mv.unwrap_or(legal[0]), proved: None, expected: None }
    }
}

#[cfg(test)]
mod tests {
    use marquis_games::Squish;

    use super::*;

    #[test]
    fn the_tree_search_takes_a_win_that_is_there() {
        let (game, position) = Squish::parse("3/1w1w/5/b2b/b2 w").expect("a position");
        let mut search = TreeSearch::new(Budget::Rollouts(500));
        let choice = search.choose(&game, &[], &position);
        let over = game.over(&game.play(&position, choice.mv)).expect("one step joins White's two pieces");
        assert_eq!(over.outcome.for_mover(marquis_core::Player::First), Value::Win);
    }
}
