//! Errors in the text of a record.

use crate::limits::{
    DEEPEST, LONGEST_MOVE, LONGEST_NAME, LONGEST_VALUE, MOST_HEADERS, MOST_PLIES, MOST_VARIATIONS,
};

/// A part of a record that is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// A header, opened by `[`.
    Header,
    /// A comment, opened by `{`.
    Comment,
    /// A variation, opened by `(`.
    Variation,
    /// A game whose header has a result, which must also follow the last move.
    Game,
}

/// The error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextFault {
    /// The game is too large, as read or as written.
    TooLarge {
        /// The size in bytes.
        bytes: usize,
        /// The limit in bytes.
        most: usize,
    },
    /// Bytes that are not text.
    NoText {
        /// Offset in bytes.
        offset: usize,
    },
    /// No game.
    Empty,
    /// A second game where one is expected.
    SecondGame,
    /// The text is truncated.
    CutShort {
        /// The part that is not closed.
        open: Open,
        /// The line in which it starts, from 1.
        since: usize,
    },
    /// Not a header of the form `[Name "value"]`.
    Header {
        /// The expected part.
        expected: &'static str,
        /// The text found.
        found: String,
    },
    /// A repeated header.
    Repeated(String),
    /// An invalid result.
    NoResult(String),
    /// A result that differs from the header.
    OtherResult {
        /// The result in the header.
        header: &'static str,
        /// The result after the moves.
        end: &'static str,
    },
    /// A wrong move number.
    Number {
        /// The expected number.
        expected: String,
        /// The number found.
        found: String,
    },
    /// Text that is not a move.
    NoMove(String),
    /// A variation or a `)` before the first move.
    NothingToVary(char),
    /// A `)` without a `(`.
    NotOpen,
    /// A variation without a move.
    EmptyVariation,
    /// Text after the result of the game.
    AfterTheEnd(String),
    /// More headers, plies or variations than a record may have.
    TooMany(Many),
    /// Variations nested too deeply.
    TooDeep,
}

/// The parts of a record with a limit on their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// Headers.
    Headers,
    /// Plies of all lines.
    Plies,
    /// Variations.
    Variations,
}

/// Why a text is not a record: the place, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {}, found {}", fault.expected(), fault.found())]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The error there.
    pub fault: TextFault,
}

impl TextFault {
    /// The expected text, and how to fix the record.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Self::TooLarge { most, .. } => format!("at most {most} bytes for a game; leave comments out"),
            Self::NoText { .. } => "UTF-8, or UTF-16 with a byte order mark; save it as UTF-8".to_owned(),
            Self::Empty => "a game such as `[Game \"NAME\"] 1. c4-c3`".to_owned(),
            Self::SecondGame => "one game; leave the others out".to_owned(),
            Self::CutShort { open, since } => {
                let end = match open {
                    Open::Header => "`\"]` after the header",
                    Open::Comment => "`}` after the comment",
                    Open::Variation => "`)` after the variation",
                    Open::Game => "the result of the header after the last move",
                };
                format!("{end} that starts in line {since}; the text is truncated")
            }
            Self::Header { expected, .. } => format!("{expected}, as in `[Game \"NAME\"]`"),
            Self::Repeated(_) => "each header once; leave one of them out".to_owned(),
            Self::NoResult(_) => "`1-0`, `0-1`, `1/2-1/2` or `*`".to_owned(),
            Self::OtherResult { header, .. } => format!("`{header}` as the header says; correct one of them"),
            Self::Number { expected, .. } => {
                format!("the number `{expected}`; a move before it is missing or one too many")
            }
            Self::NoMove(_) => format!(
                "a move, a number, a comment, a variation or the result; a move is a word of at most {LONGEST_MOVE} \
                 letters, digits, `-`, `>` and `:`"
            ),
            Self::NothingToVary(_) => "a move before it".to_owned(),
            Self::NotOpen => "a `(` for each `)`".to_owned(),
            Self::EmptyVariation => "a move in the variation".to_owned(),
            Self::AfterTheEnd(_) => "the header of another game or nothing after the result".to_owned(),
            Self::TooMany(Many::Headers) => format!("at most {MOST_HEADERS} headers"),
            Self::TooMany(Many::Plies) => {
                format!("at most {MOST_PLIES} plies with those of all variations; leave variations out")
            }
            Self::TooMany(Many::Variations) => {
                format!("at most {MOST_VARIATIONS} variations; leave some out")
            }
            Self::TooDeep => {
                format!("at most {DEEPEST} variations inside each other; leave the inner ones out")
            }
        }
    }

    /// The text found.
    #[must_use]
    pub fn found(&self) -> String {
        match self {
            Self::TooLarge { bytes, .. } => format!("{bytes}"),
            Self::NoText { offset } => format!("another encoding, at byte {offset}"),
            Self::Empty | Self::CutShort { .. } => "the end of the text".to_owned(),
            Self::SecondGame => "a second one".to_owned(),
            Self::Header { found, .. }
            | Self::Repeated(found)
            | Self::NoResult(found)
            | Self::NoMove(found)
            | Self::AfterTheEnd(found) => quoted(found),
            Self::OtherResult { end, .. } => quoted(end),
            Self::Number { found, .. } => quoted(found),
            Self::NothingToVary(found) => quoted(&found.to_string()),
            Self::NotOpen => "one that is not".to_owned(),
            Self::EmptyVariation => "none".to_owned(),
            Self::TooMany(_) | Self::TooDeep => "one more".to_owned(),
        }
    }

    /// Adds the place to the error.
    pub(crate) const fn at(self, (line, column): (usize, usize)) -> ReadError {
        ReadError { line, column, fault: self }
    }
}

/// The first characters of a text, in backquotes and printable ASCII.
fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let head: String = text.chars().take(MOST).flat_map(char::escape_default).collect();
    format!("`{head}{}`", if text.chars().nth(MOST).is_some() { "…" } else { "" })
}

// The texts of `Header` errors contain these two limits as numbers.
const _: () = assert!(LONGEST_NAME == 64 && LONGEST_VALUE == 4_096);
