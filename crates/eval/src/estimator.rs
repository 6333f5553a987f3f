//! The evaluation of a board: its network, or the hand-made terms if none was trained.

use marquis_core::Game;

use crate::{Evaluate, HandMade, Inputs, Leaning, Learned, Sums, Terms};

/// The evaluation of a game on one board.
#[derive(Clone, Debug)]
pub enum Estimator<S> {
    /// By hand-made terms, on any board.
    Terms(HandMade<S>),
    /// By a network for this board.
    Learned(Learned<S>),
}

/// The state that an [`Estimator`] keeps for a position.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a search keeps a hundred of them, of one kind, and writes them in place"
)]
pub enum Kept {
    /// Nothing.
    Nothing,
    /// The sums of a network.
    Sums(Sums),
}

impl<G: Game, S: Inputs<Rules = G, Position = G::Position> + Terms<Rules = G>> Evaluate<G> for Estimator<S> {
    type State = Kept;

    fn see(&self, game: &G, position: &G::Position) -> Kept {
        match self {
            Self::Terms(_) => Kept::Nothing,
            Self::Learned(learned) => Kept::Sums(learned.see(game, position)),
        }
    }

    #[inline]
    fn follow(&self, game: &G, before: (&G::Position, &Kept), position: &G::Position, state: &mut Kept) {
        if let (Self::Learned(learned), Kept::Sums(sums), Kept::Sums(state)) = (self, before.1, &mut *state) {
            learned.follow(game, (before.0, sums), position, state);
        } else {
            *state = self.see(game, position);
        }
    }

    #[inline]
    fn is_learned(&self) -> bool {
        matches!(self, Self::Learned(_))
    }

    fn leaning(&self, game: &G, position: &G::Position, state: &Kept) -> Leaning {
        match (self, state) {
            (Self::Learned(learned), Kept::Sums(sums)) => learned.leaning(game, position, sums),
            (Self::Learned(learned), Kept::Nothing) => {
                learned.leaning(game, position, &learned.see(game, position))
            }
            (Self::Terms(terms), _) => terms.leaning(game, position, &()),
        }
    }
}
