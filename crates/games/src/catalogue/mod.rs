//! The closed set of games, for whoever has a name and a text.

mod about;
mod asked;
mod start;

pub use about::About;
pub use asked::{Asked, Notation, Playable};
pub use start::start;

use std::fmt;
use std::str::FromStr;

use marquis_core::{ByPlayer, Player};

use crate::notation::TextError;
use crate::{senet, squinch};

/// One of the six games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameId {
    /// RULES.md §1.
    Squish,
    /// RULES.md §2.
    Flowish,
    /// RULES.md §3.
    Swish,
    /// RULES.md §4.
    Squeeze,
    /// RULES.md §5.
    Squinch,
    /// RULES.md §6.
    Senet,
}

impl GameId {
    /// All six, in the order of the rules.
    pub const ALL: [Self; 6] =
        [Self::Squish, Self::Flowish, Self::Swish, Self::Squeeze, Self::Squinch, Self::Senet];

    /// The name in commands and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Squish => "squish",
            Self::Flowish => "flowish",
            Self::Swish => "swish",
            Self::Squeeze => "squeeze",
            Self::Squinch => "squinch",
            Self::Senet => "senet",
        }
    }

    /// The letters of the players in position texts.
    #[must_use]
    pub const fn letters(self) -> ByPlayer<char> {
        match self {
            Self::Squinch => squinch::notation::LETTERS,
            Self::Senet => senet::notation::LETTERS,
            _ => ByPlayer::new('w', 'b'),
        }
    }

    /// The name of a player's colour.
    #[must_use]
    pub const fn colour(self, player: Player) -> &'static str {
        match (self, player) {
            (Self::Squinch, Player::First) => "Red",
            (Self::Squinch, Player::Second) | (Self::Senet, Player::Second) => "White",
            (Self::Senet, Player::First) | (_, Player::Second) => "Black",
            (_, Player::First) => "White",
        }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = TextError;

    fn from_str(name: &str) -> Result<Self, TextError> {
        let known = Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|id| id.name() == name).ok_or_else(|| TextError::new("game", known, name))
    }
}
