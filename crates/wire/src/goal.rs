//! The goal at which an answer may stop.

use std::str::FromStr;

use marquis_core::TextError;

/// The requested detail of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// The value of the position.
    Value,
    /// Also the value of every move.
    Moves,
    /// Also the plies to the end.
    #[default]
    Plies,
}

impl Goal {
    /// `value`, `moves` or `plies`; parsing reverses it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Moves => "moves",
            Self::Plies => "plies",
        }
    }
}

impl FromStr for Goal {
    type Err = TextError;

    /// Reads `value`, `moves` or `plies`.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let found = [Self::Value, Self::Moves, Self::Plies].into_iter().find(|goal| goal.name() == text);
        found.ok_or_else(|| TextError::new("until", "`value`, `moves` or `plies`", text))
    }
}
