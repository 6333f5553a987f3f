//! The common parts of the texts of all games: fields, numbers, rows of letters.

use marquis_core::{ByPlayer, Player};

pub use marquis_core::TextError;

/// The fields of a position text, which spaces or `_` separate.
///
/// Repeated, leading and trailing separators are tolerated. An empty text has no fields.
#[must_use]
pub fn fields(text: &str) -> Vec<&str> {
    text.split([' ', '_']).filter(|field| !field.is_empty()).collect()
}

/// The number of a run of ASCII digits; `None` for an empty text, a sign, any other character, or a number past
/// `u32`. Leading zeros are tolerated.
#[must_use]
pub fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// The player whose letter the field is.
///
/// # Errors
/// Names the place `player to move` if the field is missing or another text.
pub fn player(field: Option<&str>, letters: ByPlayer<char>) -> Result<Player, TextError> {
    let field = field.unwrap_or("");
    let is = |c: char| field.len() == 1 && field.starts_with(c);
    Player::BOTH.into_iter().find(|&player| is(letters[player])).ok_or_else(|| {
        TextError::new("player to move", format!("`{}` or `{}`", letters.first, letters.second), field)
    })
}

/// Checks that no field is left.
///
/// # Errors
/// Quotes the first extra field.
pub fn no_more<'a>(mut fields: impl Iterator<Item = &'a str>) -> Result<(), TextError> {
    match fields.next() {
        None => Ok(()),
        Some(extra) => Err(TextError::new("after the last field", "the end of the text", extra)),
    }
}

/// A part of a row of board text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowToken {
    /// A number of empty cells.
    Empty(u32),
    /// One letter, a piece.
    Letter(char),
}

/// The parts of a row: a letter is a piece, a decimal number is that many empty cells.
///
/// Ends after the first error. The game decides which letters exist.
///
/// # Errors
/// A number past `u32` is an error at `place`.
pub fn tokens<'a>(row: &'a str, place: &'a str) -> impl Iterator<Item = Result<RowToken, TextError>> + 'a {
    let mut rest = row;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (head, tail) = rest.split_at(if digits > 0 { digits } else { first.len_utf8() });
        rest = tail;
        if digits == 0 {
            return Some(Ok(RowToken::Letter(first)));
        }
        let token = number(head).map(RowToken::Empty);
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
        assert_eq!(all, Ok(vec![RowToken::Letter('w'), RowToken::Empty(12), RowToken::Letter('b')]));
        assert!(tokens("w99999999999b", "row 1").any(|t| t.is_err()));
    }
}
