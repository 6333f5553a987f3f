//! A position of whichever of the six games, for tests that ask the rules themselves.

use marquis_core::TextError;
use marquis_games::beads::{Immobile, Table};
use marquis_games::unification::Duel;
use marquis_games::{Flowish, Senet, Squeeze, Squinch, Squish, Swish, senet, squinch};

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
    /// # Errors
    /// Names the row or field that is wrong. Panics for a name that is no game.
    pub fn parse(game: &str, text: &str, immobile: Immobile) -> Result<Self, TextError> {
        Ok(match game {
            "squish" => Squish::parse(text).map(|(game, position)| Self::Squish(game, position))?,
            "flowish" => Flowish::parse(text).map(|(game, position)| Self::Flowish(game, position))?,
            "swish" => Swish::parse(text, immobile).map(|(game, table)| Self::Swish(game, table))?,
            "squeeze" => Squeeze::parse(text, immobile).map(|(game, table)| Self::Squeeze(game, table))?,
            "squinch" => squinch::parse(text).map(|(game, position)| Self::Squinch(game, position))?,
            "senet" => senet::parse(text).map(|(game, position)| Self::Senet(game, position))?,
            other => panic!("{other} is no game"),
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
const fn abilities<D: marquis_core::Acyclic, C: marquis_core::Chance>() {}
const _: () = abilities::<Squinch, Senet>();
