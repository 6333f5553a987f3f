//! The subject of training: one game on one board.

use marquis_core::{Hashed, Notation, TextError};
use marquis_eval::file::WeightsIdentity;
use marquis_eval::{Inputs, Terms};
use marquis_play::Guide;
use marquis_play::arena::{LONGEST, Openings};

/// A game on one board, for the trainer.
pub trait Lesson: Openings<Self::Game> + Sync {
    /// The rules.
    type Game: Hashed + Notation;
    /// Inputs, terms and move ordering of the game.
    type Sense: Inputs<Rules = Self::Game, Position = <Self::Game as marquis_core::Game>::Position>
        + Terms<Rules = Self::Game>
        + Guide<Self::Game>
        + Clone
        + Default;

    /// The rules of this board.
    fn rules(&self) -> Self::Game;

    /// The identity of its weights.
    fn identity(&self) -> WeightsIdentity<'_>;

    /// Parses the rules and the position.
    ///
    /// # Errors
    /// Like those of the game.
    fn parse(
        &self,
        text: &str,
    ) -> Result<(Self::Game, <Self::Game as marquis_core::Game>::Position), TextError>;

    /// The number of plies after which an unfinished game is a draw.
    fn longest(&self) -> usize {
        160
    }

    /// The limit in matches, where two different players may take longer than one against itself.
    fn longest_match(&self) -> usize {
        self.longest().max(LONGEST)
    }
}
