//! What a search asks of an evaluation.

use marquis_core::Game;

use crate::Leaning;

/// An evaluation that carries a state along the moves of a search.
pub trait Evaluate<G: Game>: Sync {
    /// What is known of a position besides the position.
    type State: Clone + Send;

    /// The state of a position.
    fn see(&self, game: &G, position: &G::Position) -> Self::State;

    /// The state of the position after a move, from that of the one before it: equal to what [`see`](Self::see)
    /// gives, sooner.
    ///
    /// * `state`: whatever it was, it is overwritten.
    fn follow(
        &self,
        game: &G,
        before: (&G::Position, &Self::State),
        position: &G::Position,
        state: &mut Self::State,
    );

    /// How far a position leans to the player to move; ask only where the game is not over.
    fn leaning(&self, game: &G, position: &G::Position, state: &Self::State) -> Leaning;

    /// Whether it was learned from games; what was guessed by hand, or knows nothing, was not.
    fn is_learned(&self) -> bool {
        false
    }
}
