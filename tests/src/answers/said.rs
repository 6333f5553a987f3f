//! An answer of any game, read and checked.

use serde_json::Value;

use super::asked::Asked;
use super::case::Case;
use super::closure;
use super::compare::{Pair, knows_at_least, knows_at_least_of_throws};
use super::document::Document;
use super::images;
use super::judge::Judge;
use super::throws::{self, ThrowsDocument};

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// For a game without chance.
    Exact(Document),
    /// For a game with throws.
    Chance(ThrowsDocument),
}

/// Whether an answer lists moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// With moves.
    Moves,
    /// Without moves.
    Value,
}

impl Said {
    /// Reads an answer about a position and checks it for consistency and against the rules; `None` if it cannot be
    /// read.
    pub fn checked(case: &Case, answer: &Asked, detail: Detail, judge: &mut Judge) -> Option<Self> {
        let read = answer.as_ref().map_err(Clone::clone).and_then(|json| Self::read(case, json, detail));
        let said = match read {
            Ok(said) => said,
            Err(error) => {
                judge.expect("P0.answered", false, || error);
                return None;
            }
        };
        judge.expect("P0.answered", said.position() == case.position, || said.position().to_owned());
        match &said {
            Self::Exact(document) => {
                closure::check(document, &case.rules(), judge);
                images::check_moves(document, case.game, judge);
            }
            Self::Chance(document) => throws::check(document, &case.rules(), judge),
        }
        Some(said)
    }

    fn read(case: &Case, json: &Value, detail: Detail) -> Result<Self, String> {
        Ok(match (case.has_throws(), detail) {
            (true, _) => Self::Chance(ThrowsDocument::read(json)?),
            (false, Detail::Moves) => Self::Exact(Document::read(json)?),
            (false, Detail::Value) => Self::Exact(Document::read_value(json)?),
        })
    }

    /// The position of the answer.
    #[must_use]
    pub fn position(&self) -> &str {
        match self {
            Self::Exact(document) => &document.position,
            Self::Chance(document) => &document.position,
        }
    }

    /// The answer, if the game has no throws.
    #[must_use]
    pub const fn exact(&self) -> Option<&Document> {
        match self {
            Self::Exact(document) => Some(document),
            Self::Chance(_) => None,
        }
    }

    /// Checks that another answer about the same position knows at least as much.
    pub fn is_kept_by(&self, other: &Self, pair: Pair, judge: &mut Judge) {
        match (self, other) {
            (Self::Exact(own), Self::Exact(other)) => knows_at_least(own, other, pair, judge),
            (Self::Chance(own), Self::Chance(other)) => knows_at_least_of_throws(own, other, pair, judge),
            _ => {}
        }
    }
}
