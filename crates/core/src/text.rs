//! Names and texts of games, positions and moves.

use std::error::Error;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::{Chance, Game, Hashed, Immobile, Symmetric, Throw};

/// The name of a game in commands and responses: `squish`.
///
/// Any name is allowed here; a registry lists the games that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(&'static str);

impl GameId {
    /// The game of this name, registered or not.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The number of characters of a faulty text that an error quotes.
const QUOTED: usize = 40;

/// Why a text is not a position (or move) of the game: the place, what was expected, what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// The place in the text: `row 2`, `player to move`.
    pub place: String,
    /// What would have been accepted there.
    pub expected: String,
    /// The text at that place, quoted, shortened and free of control characters.
    pub found: String,
}

impl TextError {
    /// The error for `found` at `place` instead of `expected`.
    ///
    /// * `found`: raw input of any length; the error quotes at most 40 characters of it, with everything but
    ///   printable ASCII escaped. Empty input is called `nothing`.
    pub fn new(place: impl Into<String>, expected: impl Into<String>, found: impl AsRef<str>) -> Self {
        Self { place: place.into(), expected: expected.into(), found: quoted(found.as_ref()) }
    }

    /// The same error if `found` is a description, not a piece of the input.
    pub fn fact(place: impl Into<String>, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { place: place.into(), expected: expected.into(), found: found.into() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, expected, found } = self;
        write!(f, "{place}: expected {expected}, found {found}")
    }
}

impl Error for TextError {}

/// The text in backquotes, shortened, in printable ASCII.
fn quoted(text: &str) -> String {
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let mut out = String::from("`");
    let mut rest = text.chars();
    for c in rest.by_ref().take(QUOTED) {
        if c == ' ' || c.is_ascii_graphic() {
            out.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}", c.escape_default());
        }
    }
    let left = rest.count();
    out.push('`');
    if left > 0 {
        let _ = write!(out, " and {left} more characters");
    }
    out
}

impl FromStr for Immobile {
    type Err = TextError;

    /// Reads `loss` or `pass`.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let found = [Self::Loss, Self::Pass].into_iter().find(|immobile| immobile.name() == text);
        found.ok_or_else(|| TextError::new("immobile", "`loss` or `pass`", text))
    }
}

/// A move that a player would like to make, whether it is legal or not.
///
/// Cells are named as in move texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish<'a> {
    /// The cell of the piece.
    pub from: &'a str,
    /// The destination; `None` for any move.
    pub to: Option<&'a str>,
}

/// Texts of the positions and moves of a game without chance.
pub trait Notation: Game {
    /// The name of the game.
    fn id(&self) -> GameId;

    /// The canonical text of a position.
    fn position_text(&self, position: &Self::Position) -> String;

    /// A legal move as players write it.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The legal move that has this text.
    ///
    /// # Errors
    /// Names the `move` if no legal move has this text, and lists the legal ones.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError> {
        let mut legal = Vec::new();
        if self.over(position).is_none() {
            self.moves(position, &mut legal);
        }
        let texts: Vec<String> = legal.iter().map(|&mv| self.move_text(position, mv)).collect();
        let found = texts.iter().position(|known| known == text);
        found.map(|number| legal[number]).ok_or_else(|| {
            let expected = match texts.len() {
                0 => "no move, for the game is over".to_owned(),
                1..=12 => format!("a legal move ({})", texts.join(", ")),
                n => format!("one of the {n} legal moves ({}, …)", texts[..12].join(", ")),
            };
            TextError::new("move", expected, text)
        })
    }

    /// Why no legal move matches, in a sentence of the rules; `None` if one does, or if the game gives no reason.
    ///
    /// Call only if the game is not over.
    ///
    /// # Errors
    /// Names `from` or `to` if there is no such cell.
    fn why_not(&self, position: &Self::Position, wish: Wish<'_>) -> Result<Option<String>, TextError> {
        let _ = (position, wish);
        Ok(None)
    }
}

/// Everything that games without chance have in common.
pub trait Playable: Game + Hashed + Symmetric + Notation {}

impl<G: Game + Hashed + Symmetric + Notation> Playable for G {}

/// Texts of the positions, throws and moves of a game with throws.
pub trait ChanceNotation: Chance {
    /// The name of the game.
    fn id(&self) -> GameId;

    /// The canonical text of a position.
    fn position_text(&self, position: &Self::Position) -> String;

    /// A legal move as players write it.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The throw that a text names.
    ///
    /// # Errors
    /// At the place `throw`, if there is no such throw.
    fn parse_throw(&self, text: &str) -> Result<Throw, TextError>;

    /// The legal move that a text names, for a throw.
    ///
    /// # Errors
    /// Names the `move` if no legal move has this text, and lists the legal ones.
    fn parse_move(
        &self,
        position: &Self::Position,
        throw: Throw,
        text: &str,
    ) -> Result<Self::Move, TextError> {
        let mut legal = Vec::new();
        if self.over(position).is_none() {
            self.moves(position, throw, &mut legal);
        }
        let texts: Vec<String> = legal.iter().map(|&mv| self.move_text(position, mv)).collect();
        let found = texts.iter().position(|known| known == text);
        found.map(|number| legal[number]).ok_or_else(|| {
            let expected = if texts.is_empty() {
                "no move, the game is over".to_owned()
            } else {
                format!("for the throw {} one of {}", throw.score, texts.join(", "))
            };
            TextError::new("move", expected, text)
        })
    }

    /// Why no legal move matches, in a sentence of the rules; `None` if one does, or if the game gives no reason.
    ///
    /// Call only if the game is not over.
    ///
    /// * `throw`: the throw; `None` before it, when any move that some throw allows counts as legal.
    ///
    /// # Errors
    /// Names `from` or `to` if there is no such cell.
    fn why_not(
        &self,
        position: &Self::Position,
        throw: Option<Throw>,
        wish: Wish<'_>,
    ) -> Result<Option<String>, TextError> {
        let _ = (position, throw, wish);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_quotes_little_and_only_printable_characters() {
        let long = "/".repeat(1_000_000);
        let error = TextError::new("row 1", "cells", &long);
        assert!(error.to_string().len() < 120);
        assert!(error.found.ends_with("999960 more characters"));
        assert_eq!(TextError::new("a", "b", "x\u{7}ä").found, "`x\\u{7}\\u{e4}`");
        assert_eq!(
            TextError::new("row 2", "a letter", "").to_string(),
            "row 2: expected a letter, found nothing"
        );
    }
}
