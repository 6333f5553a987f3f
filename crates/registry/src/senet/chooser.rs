//! Whoever plays Senet: the tables, a network, both.

use marquis_core::{Chance, Throw};
use marquis_games::senet::{Move, Position, Senet};

use super::memory::SenetChances;

/// Somebody who chooses moves and has a notion of the chances.
pub trait Chooser: Sync {
    /// A legal move for a throw; the game is not over.
    fn choose(&self, position: &Position, throw: Throw) -> Move;

    /// The chance of the player who is to throw.
    fn chance(&self, position: &Position) -> f64;

    /// Whether that chance is known, and those of all positions after this one.
    fn knows(&self, position: &Position) -> bool;
}

/// The best move, and of equals that of the rearmost piece.
///
/// Panics when the position has more pieces than were read.
impl Chooser for SenetChances {
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
