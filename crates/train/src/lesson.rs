//! What is learned: one game on one board.

use marquis_core::{Hashed, Notation, TextError};
use marquis_eval::file::Identity;
use marquis_eval::{Inputs, Terms};
use marquis_play::Guide;
use marquis_play::arena::{LONGEST, Openings};

/// A game on one board, as the trainer asks about it.
pub trait Lesson: Openings<Self::Game> + Sync {
    /// The rules.
    type Game: Hashed + Notation;
    /// Inputs, terms and order of moves of the game.
    type Sense: Inputs<Rules = Self::Game, Position = <Self::Game as marquis_core::Game>::Position>
        + Terms<Rules = Self::Game>
        + Guide<Self::Game>
        + Clone
        + Default;

    /// Rules of this board.
    fn rules(&self) -> Self::Game;

    /// What tells its weights from others.
    fn identity(&self) -> Identity<'_>;

    /// The rules and position of a text.
    ///
    /// # Errors
    /// As the game's own.
    fn parse(
        &self,
        text: &str,
    ) -> Result<(Self::Game, <Self::Game as marquis_core::Game>::Position), TextError>;

    /// A game that is not over after so many plies is a draw.
    fn longest(&self) -> usize {
        160
    }

    /// The same in matches, where two may dawdle who would not by themselves.
    fn longest_match(&self) -> usize {
        self.longest().max(LONGEST)
    }
}
