//! Players of Senet: the tables, a network, or both.

use marquis_core::{Chance, Throw};
use marquis_games::senet::{Move, Position, Senet};

use crate::chances::SenetChances;

/// A player that chooses moves and estimates chances.
pub(crate) trait SenetPlayer: Sync {
    /// A legal move for a throw; the game is not over.
    fn choose(&self, position: &Position, throw: Throw) -> Move;

    /// The chance of the player who is to throw.
    fn chance(&self, position: &Position) -> f64;

    /// Whether the chances of this position and of all later ones are known.
    fn knows(&self, position: &Position) -> bool;
}

/// The best move; among equals that of the rearmost piece.
///
/// Panics if the position has more pieces than were read.
impl SenetPlayer for SenetChances {
    fn choose(&self, position: &Position, throw: Throw) -> Move {
        self.moves(position, throw)[0].0
    }

    fn chance(&self, position: &Position) -> f64 {
        self.of(Senet.turn(position), position)
    }

    fn knows(&self, position: &Position) -> bool {
        self.knows(position)
    }
}
