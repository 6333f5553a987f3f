//! A position that somebody asks about, together with the game that it belongs to.

use marquis_core::{Acyclic, Chance, Game, Hashed, Symmetric};

use super::GameId;
use crate::beads::{Immobile, Table};
use crate::notation::TextError;
use crate::unification::Duel;
use crate::{Flowish, Senet, Squeeze, Squinch, Squish, Swish, senet, squinch};

/// Texts of the positions and moves of a game without chance.
pub trait Notation: Game {
    /// Which game it is.
    fn id(&self) -> GameId;

    /// The canonical text of a position.
    fn position_text(&self, position: &Self::Position) -> String;

    /// A legal move as players write it.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The legal move that has this text.
    ///
    /// # Errors
    /// Names the `move` when no legal move is written so.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;
}

/// Everything that the five games without chance have in common.
pub trait Playable: Game + Hashed + Symmetric + Notation {}

impl<G: Game + Hashed + Symmetric + Notation> Playable for G {}

macro_rules! notation {
    ($game:ty, $id:expr) => {
        impl Notation for $game {
            fn id(&self) -> GameId {
                $id
            }

            fn position_text(&self, position: &Self::Position) -> String {
                self.text(position)
            }

            fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
                self.move_text(position, mv)
            }

            fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError> {
                self.parse_move(position, text)
            }
        }
    };
}

notation!(Squish, GameId::Squish);
notation!(Flowish, GameId::Flowish);
notation!(Swish, GameId::Swish);
notation!(Squeeze, GameId::Squeeze);
notation!(Squinch, GameId::Squinch);

/// A game and a position of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A position of Squish.
    Squish(Squish, Duel),
    /// A position of Flowish.
    Flowish(Flowish, Duel),
    /// A position of Swish.
    Swish(Swish, Table),
    /// A position of Squeeze.
    Squeeze(Squeeze, Table),
    /// A position of Squinch.
    Squinch(Squinch, squinch::Position),
    /// A position of Senet.
    Senet(Senet, senet::Position),
}

impl Asked {
    /// The position that a text describes.
    ///
    /// * `immobile`: for Swish and Squeeze, what happens to a player who cannot move.
    ///
    /// # Errors
    /// Names the row or field that is wrong, what was expected there and what was found.
    pub fn parse(id: GameId, text: &str, immobile: Immobile) -> Result<Self, TextError> {
        Ok(match id {
            GameId::Squish => Squish::parse(text).map(|(game, position)| Self::Squish(game, position))?,
            GameId::Flowish => Flowish::parse(text).map(|(game, position)| Self::Flowish(game, position))?,
            GameId::Swish => Swish::parse(text, immobile).map(|(game, table)| Self::Swish(game, table))?,
            GameId::Squeeze => {
                Squeeze::parse(text, immobile).map(|(game, table)| Self::Squeeze(game, table))?
            }
            GameId::Squinch => squinch::parse(text).map(|(game, position)| Self::Squinch(game, position))?,
            GameId::Senet => senet::parse(text).map(|(game, position)| Self::Senet(game, position))?,
        })
    }

    /// The position after the move of this text; for Senet the text is `THROW:MOVE`.
    ///
    /// # Errors
    /// Names the `move` when it is not legal, and the `throw` when there is no such throw.
    pub fn play(&self, text: &str) -> Result<Self, TextError> {
        fn after<G: Notation>(
            game: &G,
            position: &G::Position,
            text: &str,
        ) -> Result<G::Position, TextError> {
            Ok(game.play(position, game.parse_move(position, text)?))
        }
        Ok(match self {
            Self::Squish(game, position) => Self::Squish(*game, after(game, position, text)?),
            Self::Flowish(game, position) => Self::Flowish(*game, after(game, position, text)?),
            Self::Swish(game, table) => Self::Swish(*game, after(game, table, text)?),
            Self::Squeeze(game, table) => Self::Squeeze(*game, after(game, table, text)?),
            Self::Squinch(game, position) => Self::Squinch(*game, after(game, position, text)?),
            Self::Senet(game, position) => {
                let (throw, mv) = text
                    .split_once(':')
                    .ok_or_else(|| TextError::new("move", "THROW:MOVE, such as `4:24-28`", text))?;
                let throw = senet::notation::parse_throw(throw)?;
                Self::Senet(*game, game.play(position, throw, game.parse_move(position, throw, mv)?))
            }
        })
    }

    /// The canonical text of the position.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Squish(game, position) => game.text(position),
            Self::Flowish(game, position) => game.text(position),
            Self::Swish(game, table) => game.text(table),
            Self::Squeeze(game, table) => game.text(table),
            Self::Squinch(game, position) => game.text(position),
            Self::Senet(game, position) => game.text(position),
        }
    }
}

/// Compile-time proof of which abilities the games have.
const fn abilities<D: Acyclic, C: Chance>() {}
const _: () = abilities::<Squinch, Senet>();
