//! The abilities of a game with throws.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Over, Player};

/// A throw of the sticks: its score and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Throw {
    /// The score of the throw.
    pub score: u8,
    /// Its chance, in units of one over the sum of all weights.
    pub weight: u8,
}

/// The rules of a game in which the player to move throws before each move.
pub trait Chance: Clone + Debug + Send + Sync {
    /// A position with the player to throw.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// A move for a throw, or a forced pass.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// All throws, by rising score.
    fn throws(&self) -> &[Throw];

    /// The player to throw.
    fn turn(&self, position: &Self::Position) -> Player;

    /// The reason and the outcome if the game is over, otherwise `None`.
    fn over(&self, position: &Self::Position) -> Option<Over>;

    /// Appends the legal moves for a throw, in an order that is fixed for a position.
    ///
    /// Call only if the game is not [`over`](Self::over); there is then at least one move, a pass if nothing else is
    /// legal.
    fn moves(&self, position: &Self::Position, throw: Throw, out: &mut Vec<Self::Move>);

    /// The position after a move from [`moves`](Self::moves) for the same throw.
    fn play(&self, position: &Self::Position, throw: Throw, mv: Self::Move) -> Self::Position;

    /// The position with the colours exchanged, including the player to throw; both have the same chances.
    fn swapped(&self, position: &Self::Position) -> Self::Position;

    /// The position seen from the player to throw: a position and its colour swap share it.
    #[inline]
    fn as_mover(&self, position: &Self::Position) -> Self::Position {
        match self.turn(position) {
            Player::First => *position,
            Player::Second => self.swapped(position),
        }
    }
}
