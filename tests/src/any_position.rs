//! A position of any of the six games, for tests that use the rules directly.

use marquis_core::TextError;
use marquis_core::{ChanceNotation as _, Notation as _};
use marquis_games::beads::Immobile;
use marquis_games::senet::{self, Senet};
use marquis_games::squinch::{self, Squinch};
use marquis_games::{Flowish, Squeeze, Squish, Swish, beads, unification};

use crate::games::lacks;

/// A game and one of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyPosition {
    /// A position of Squish.
    Squish(Squish, unification::Position),
    /// A position of Flowish.
    Flowish(Flowish, unification::Position),
    /// A position of Swish.
    Swish(Swish, beads::Position),
    /// A position of Squeeze.
    Squeeze(Squeeze, beads::Position),
    /// A position of Squinch.
    Squinch(Squinch, squinch::Position),
    /// A position of Senet.
    Senet(Senet, senet::Position),
}

impl AnyPosition {
    /// Parses a position.
    ///
    /// # Errors
    /// Names the invalid row or field. Panics for an unknown game.
    pub fn parse(game: &str, text: &str, immobile: Immobile) -> Result<Self, TextError> {
        Ok(match game {
            "squish" => Squish::parse(text).map(|(game, position)| Self::Squish(game, position))?,
            "flowish" => Flowish::parse(text).map(|(game, position)| Self::Flowish(game, position))?,
            "swish" => Swish::parse(text, immobile).map(|(game, position)| Self::Swish(game, position))?,
            "squeeze" => {
                Squeeze::parse(text, immobile).map(|(game, position)| Self::Squeeze(game, position))?
            }
            "squinch" => squinch::parse(text).map(|(game, position)| Self::Squinch(game, position))?,
            "senet" => senet::parse(text).map(|(game, position)| Self::Senet(game, position))?,
            _ => lacks(game),
        })
    }

    /// The canonical text of the position.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Squish(game, position) => game.position_text(position),
            Self::Flowish(game, position) => game.position_text(position),
            Self::Swish(game, position) => game.position_text(position),
            Self::Squeeze(game, position) => game.position_text(position),
            Self::Squinch(game, position) => game.position_text(position),
            Self::Senet(game, position) => game.position_text(position),
        }
    }
}

/// Compile-time check of the abilities of the games.
const fn abilities<D: marquis_core::Acyclic, C: marquis_core::Chance>() {}
const _: () = abilities::<Squinch, Senet>();
