//! What the texts of all games share: fields, numbers, rows of letters, and the error that says where and why.

use std::fmt::Write as _;

use marquis_core::{ByPlayer, Player};

/// How many characters of a faulty text an error quotes.
const QUOTED: usize = 40;

/// Why a text is no position (or move) of the game: where, what was expected, what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: expected {expected}, found {found}")]
pub struct TextError {
    /// Where in the text: `row 2`, `player to move`.
    pub place: String,
    /// What would have been accepted there.
    pub expected: String,
    /// What stood there, quoted, shortened and free of control characters.
    pub found: String,
}

impl TextError {
    /// The error that `found` stood at `place` instead of what was `expected`.
    ///
    /// * `found`: raw input of any length; the error holds it quoted, at most 40 characters of it,
    ///   what is not printable ASCII escaped. Empty input is called `nothing`.
    pub fn new(place: impl Into<String>, expected: impl Into<String>, found: impl AsRef<str>) -> Self {
        Self { place: place.into(), expected: expected.into(), found: quoted(found.as_ref()) }
    }

    /// The same error where what was found is a fact in our own words, not a piece of the input.
    pub fn fact(place: impl Into<String>, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { place: place.into(), expected: expected.into(), found: found.into() }
    }
}

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

/// The fields of a position text, which spaces or `_` separate.
///
/// Repeated, leading and trailing separators are tolerated. An empty text has no fields.
#[must_use]
pub fn fields(text: &str) -> Vec<&str> {
    text.split([' ', '_']).filter(|field| !field.is_empty()).collect()
}

/// The number that a run of ASCII digits writes; none for an empty text, a sign, any other
/// character, or a number past `u32`. Leading zeros are tolerated.
#[must_use]
pub fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// The player whose letter the field is.
///
/// # Errors
/// Names the place `player to move` when the field is missing or another text.
pub fn player(field: Option<&str>, letters: ByPlayer<char>) -> Result<Player, TextError> {
    let field = field.unwrap_or("");
    let is = |c: char| field.len() == 1 && field.starts_with(c);
    Player::BOTH.into_iter().find(|&player| is(letters[player])).ok_or_else(|| {
        TextError::new("player to move", format!("`{}` or `{}`", letters.first, letters.second), field)
    })
}

/// Makes sure that no field is left.
///
/// # Errors
/// Quotes the first field that is too many.
pub fn no_more<'a>(mut fields: impl Iterator<Item = &'a str>) -> Result<(), TextError> {
    match fields.next() {
        None => Ok(()),
        Some(extra) => Err(TextError::new("after the last field", "the end of the text", extra)),
    }
}

/// A part of a row of board text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// So many empty cells.
    Empty(u32),
    /// One letter, a piece.
    Letter(char),
}

/// The parts of a row in which a letter is a piece and a decimal number that many empty cells.
///
/// Ends after the first error. Which letters exist is for the game to say.
///
/// # Errors
/// A number past `u32` is an error at `place`.
pub fn tokens<'a>(row: &'a str, place: &'a str) -> impl Iterator<Item = Result<Token, TextError>> + 'a {
    let mut rest = row;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (head, tail) = rest.split_at(if digits > 0 { digits } else { first.len_utf8() });
        rest = tail;
        if digits == 0 {
            return Some(Ok(Token::Letter(first)));
        }
        let token = number(head).map(Token::Empty);
        if token.is_none() {
            rest = "";
        }
        Some(token.ok_or_else(|| TextError::new(place, "a number of empty cells that fits the row", head)))
    })
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

    #[test]
    fn fields_are_separated_by_any_run_of_spaces_and_underscores() {
        assert_eq!(fields("_ab/c  w_0-0 "), ["ab/c", "w", "0-0"]);
        assert!(fields(" _ ").is_empty());
    }

    #[test]
    fn numbers_have_digits_only_and_do_not_overflow() {
        assert_eq!(number("0011"), Some(11));
        assert_eq!(number("4294967295"), Some(u32::MAX));
        for bad in ["", "+1", "-1", "1 ", "4294967296", "99999999999999999999999", "٣", "1e3"] {
            assert_eq!(number(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_row_is_letters_and_numbers() {
        let all: Result<Vec<_>, _> = tokens("w12b", "row 1").collect();
        assert_eq!(all, Ok(vec![Token::Letter('w'), Token::Empty(12), Token::Letter('b')]));
        assert!(tokens("w99999999999b", "row 1").any(|t| t.is_err()));
    }
}
