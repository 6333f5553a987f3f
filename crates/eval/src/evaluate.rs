//! The evaluation as a search uses it.

use marquis_core::Game;

use crate::Leaning;

/// An evaluation that carries a state along the moves of a search.
pub trait Evaluate<G: Game>: Sync {
    /// The state kept with a position.
    type State: Clone + Send;

    /// The state of a position.
    fn see(&self, game: &G, position: &G::Position) -> Self::State;

    /// The state of the position after a move, from the state before it: equal to the result of [`see`](Self::see),
    /// but faster.
    ///
    /// * `state`: overwritten, whatever its value.
    fn follow(
        &self,
        game: &G,
        before: (&G::Position, &Self::State),
        position: &G::Position,
        state: &mut Self::State,
    );

    /// How far a position leans to the player to move; the game must not be over.
    fn leaning(&self, game: &G, position: &G::Position, state: &Self::State) -> Leaning;

    /// Whether it was trained on games; hand-made and empty evaluations were not.
    fn is_learned(&self) -> bool {
        false
    }
}
