//! What a record is made of.

use crate::limits::{LONGEST_MOVE, LONGEST_NAME, LONGEST_VALUE};

/// A game as it was played, or is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// What there is to say about the game, each name once, the result left out.
    pub headers: Vec<Header>,
    /// The moves.
    pub line: Line,
    /// How it ended, where that is told.
    pub outcome: Option<Outcome>,
}

impl Record {
    /// What the header of this name says.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name() == name).map(Header::value)
    }

    /// Puts a header in the place of the one of its name, or after the others.
    pub fn set(&mut self, header: Header) {
        match self.headers.iter_mut().find(|own| own.name() == header.name()) {
            Some(own) => *own = header,
            None => self.headers.push(header),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player who has the first move in the game's start position has won.
    First,
    /// The other one has.
    Second,
    /// Nobody has.
    Draw,
    /// The game was left, or goes on.
    Open,
}

impl Outcome {
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

    /// The result that has this text.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.text() == text)
    }
}

/// The name of the header that tells the result: it is no [`Header`].
pub(crate) const RESULT: &str = "Result";

/// A header: `[Game "squish"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    name: String,
    value: String,
}

impl Header {
    /// The header of this name that says this; none where the name is no word of letters, digits and `_`, or is that
    /// of the result, or where either is too long or has control characters.
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

    /// What it says.
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

/// Moves, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What is said before the first move.
    pub comment: Option<Comment>,
    /// The moves; in a variation at least one.
    pub plies: Vec<Ply>,
}

/// A move in its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: MoveText,
    /// What is said after it.
    pub comment: Option<Comment>,
    /// What might have been played in its place.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move about which nothing is said.
    #[must_use]
    pub const fn new(mv: MoveText) -> Self {
        Self { mv, comment: None, variations: Vec::new() }
    }
}

/// A move as a word: `c4-c3`, `c1xc2`, `pass`, with its throw `4:24-28`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveText(String);

impl MoveText {
    /// The move of this text; none where it has other characters than letters, digits, `-`, `>` and `:`, is too long,
    /// or is a result or a bare number.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let is_letter = |b: u8| b.is_ascii_alphanumeric() || b"->:".contains(&b);
        let is_word = (1..=LONGEST_MOVE).contains(&text.len()) && text.bytes().all(is_letter);
        let says_something = Outcome::of(text).is_none() && !text.bytes().all(|b| b.is_ascii_digit());
        (is_word && says_something).then(|| Self(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What is said about a position or a move: words with single spaces between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment(String);

impl Comment {
    /// The comment that says this, each run of white space one space; none where it says nothing, or has a `}`, which
    /// would end it, or control characters.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.join(" ");
        let is_text = !words.is_empty() && !words.contains(|c: char| c == '}' || c.is_control());
        is_text.then_some(Self(words))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What both say, one after the other.
    pub(crate) fn and(own: Option<Self>, more: Option<Self>) -> Option<Self> {
        match (own, more) {
            (Some(Self(mut own)), Some(Self(more))) => {
                // In place: a text may have as many comments as it has room for.
                own.push(' ');
                own.push_str(&more);
                Some(Self(own))
            }
            (own, more) => own.or(more),
        }
    }
}
