//! What is wrong with a text that should be a record.

use crate::limits::{
    DEEPEST, LONGEST_MOVE, LONGEST_NAME, LONGEST_VALUE, MOST_HEADERS, MOST_PLIES, MOST_VARIATIONS,
};

/// What was begun and is not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// A header, by `[`.
    Header,
    /// A comment, by `{`.
    Comment,
    /// A variation, by `(`.
    Variation,
    /// A game whose header tells a result, which has to stand after the last move as well.
    Game,
}

/// What was found in a text in place of what a record has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// More bytes than one game may have, as it is read or as it is written.
    TooLarge {
        /// The bytes that there are.
        bytes: usize,
        /// The bytes that there may be.
        most: usize,
    },
    /// Bytes that are no text.
    NoText {
        /// How many bytes from the beginning.
        offset: usize,
    },
    /// No game at all.
    Empty,
    /// A second game where one is wanted.
    SecondGame,
    /// The text is cut short.
    CutShort {
        /// What is not ended.
        open: Open,
        /// The line in which it began, from 1.
        since: usize,
    },
    /// Something else than `[Name "what it says"]`.
    Header {
        /// The part of it that should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A header that was there before.
    Repeated(String),
    /// A result that is none.
    NoResult(String),
    /// Another result than the header tells.
    OtherResult {
        /// What the header says.
        header: &'static str,
        /// What stands after the moves.
        end: &'static str,
    },
    /// A number that is not that of the next move.
    Number {
        /// The one that is.
        expected: String,
        /// The one that was found.
        found: String,
    },
    /// What can be no move.
    NoMove(String),
    /// A variation or a `)` before there is a move.
    NothingToVary(char),
    /// A `)` that no `(` began.
    NotOpen,
    /// A variation without a move.
    EmptyVariation,
    /// Something after the result of the game.
    AfterTheEnd(String),
    /// More headers, plies or variations than a record may have.
    TooMany(Many),
    /// Variations inside each other, more than a record may have.
    TooDeep,
}

/// What there may be too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// Headers.
    Headers,
    /// Plies of all lines.
    Plies,
    /// Variations.
    Variations,
}

/// Why a text is no record: where, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {}, found {}", fault.expected(), fault.found())]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: Fault,
}

impl Fault {
    /// What a record has there, and what to do.
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
                    Open::Game => "the result after the last move, as its header tells one, for the game",
                };
                format!("{end} that begins in line {since}; the text is cut short")
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

    /// What was found.
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

    /// This fault at a place.
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

// The longest name and value of a header are part of what `Header` errors say in words.
const _: () = assert!(LONGEST_NAME == 64 && LONGEST_VALUE == 4_096);
