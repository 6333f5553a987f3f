//! The parts of a record.

use crate::limits::{LONGEST_MOVE, LONGEST_NAME, LONGEST_VALUE};

/// A game, finished or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The headers, with unique names; without the result.
    pub headers: Vec<Header>,
    /// The moves.
    pub line: MoveSequence,
    /// The result, if known.
    pub outcome: Option<GameResult>,
}

impl Record {
    /// The value of the header with this name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name() == name).map(Header::value)
    }

    /// Replaces the header of the same name, or appends this one.
    pub fn set(&mut self, header: Header) {
        match self.headers.iter_mut().find(|own| own.name() == header.name()) {
            Some(own) => *own = header,
            None => self.headers.push(header),
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The player with the first move in the game's start position won.
    First,
    /// The other player won.
    Second,
    /// A draw.
    Draw,
    /// The game was abandoned, or is in progress.
    Open,
}

impl GameResult {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Draw, Self::Open];

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    /// The result with this text.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.text() == text)
    }
}

/// The name of the result header, which is not a [`Header`].
pub(crate) const RESULT: &str = "Result";

/// A header: `[Game "squish"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    name: String,
    value: String,
}

impl Header {
    /// A header; `None` if the name is not a word of letters, digits and `_`, or is that of the result, or if name or
    /// value is too long or has control characters.
    #[must_use]
    pub fn new(name: &str, value: &str) -> Option<Self> {
        let is_name = is_name(name) && name != RESULT;
        (is_name && is_value(value)).then(|| Self { name: name.to_owned(), value: value.to_owned() })
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }
}

pub(crate) fn is_name(text: &str) -> bool {
    let is_letter = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(is_letter)
}

pub(crate) fn is_value(text: &str) -> bool {
    text.chars().count() <= LONGEST_VALUE && !text.chars().any(char::is_control)
}

/// A sequence of moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveSequence {
    /// The comment before the first move.
    pub comment: Option<Comment>,
    /// The moves; at least one in a variation.
    pub plies: Vec<Ply>,
}

/// A move in its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: MoveText,
    /// The comment after it.
    pub comment: Option<Comment>,
    /// Alternatives to it.
    pub variations: Vec<MoveSequence>,
}

impl Ply {
    /// A move without comment and variations.
    #[must_use]
    pub const fn new(mv: MoveText) -> Self {
        Self { mv, comment: None, variations: Vec::new() }
    }
}

/// A move as a word: `c4-c3`, `c1xc2`, `pass`, with its throw `4:24-28`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveText(String);

impl MoveText {
    /// A move; `None` if the text has characters other than letters, digits, `-`, `>` and `:`, is too long, or is a
    /// result or a bare number.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let is_letter = |b: u8| b.is_ascii_alphanumeric() || b"->:".contains(&b);
        let is_word = (1..=LONGEST_MOVE).contains(&text.len()) && text.bytes().all(is_letter);
        let says_something = GameResult::of(text).is_none() && !text.bytes().all(|b| b.is_ascii_digit());
        (is_word && says_something).then(|| Self(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A comment on a position or a move: words separated by single spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment(String);

impl Comment {
    /// A comment, each run of white space collapsed to one space; `None` if it is empty, or has a `}`, which would
    /// end it, or control characters.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        // Without a list of the words, of which a text may have very many.
        let mut words = String::with_capacity(text.len());
        for word in text.split_whitespace() {
            words.extend((!words.is_empty()).then_some(' '));
            words.push_str(word);
        }
        let is_text = !words.is_empty() && !words.contains(|c: char| c == '}' || c.is_control());
        is_text.then_some(Self(words))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Joins two comments.
    pub(crate) fn and(own: Option<Self>, more: Option<Self>) -> Option<Self> {
        match (own, more) {
            (Some(Self(mut own)), Some(Self(more))) => {
                // In place, because a text may have very many comments.
                own.push(' ');
                own.push_str(&more);
                Some(Self(own))
            }
            (own, more) => own.or(more),
        }
    }
}
