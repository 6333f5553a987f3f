//! What jobs and those who asked for them are called.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The question of a job as a word, `swish-marquisian-0-2-loss-choice-w1w.4.1ooo1.4.b1b`, or one that nobody guesses.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub(crate) struct JobId(pub(crate) String);

impl JobId {
    /// A word and 128 random bits.
    pub(crate) fn random(word: &str) -> Self {
        Self(format!("{word}-{}", random_word()))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// 128 bits that nobody guesses, in hexadecimal.
pub(crate) fn random_word() -> String {
    // SipHash with a key of the system's randomness that is never told.
    let bits = || RandomState::new().hash_one(0);
    format!("{:016x}{:016x}", bits(), bits())
}

/// What tells a client from others who know the id of his job: 32 hexadecimal digits that he alone was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Token(String);

impl Token {
    /// A new one.
    pub(crate) fn random() -> Self {
        Self(random_word())
    }

    /// The token of a text, if it is one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        (text.len() == 32 && text.bytes().all(digit)).then(|| Self(text.to_owned()))
    }
}
