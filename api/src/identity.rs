//! The ids of jobs and the tokens of their owners.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};

use serde::{Deserialize, Serialize};

/// The question of a job as a word, `swish-marquisian-0-2-loss-choice-w1w.4.1ooo1.4.b1b`, or an unguessable random
/// word.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct JobId(pub(crate) String);

impl JobId {
    /// `word` and 128 random bits.
    pub(crate) fn random(word: &str) -> Self {
        Self(format!("{word}-{}", random_word()))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// 128 unguessable bits in hexadecimal.
pub(crate) fn random_word() -> String {
    // SipHash with a random key of the system that is never revealed.
    let bits = || RandomState::new().hash_one(0);
    format!("{:016x}{:016x}", bits(), bits())
}

/// Distinguishes a client from others who know the id of its job: 32 hexadecimal digits, sent to this client only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Token(String);

impl Token {
    /// A new random token.
    pub(crate) fn random() -> Self {
        Self(random_word())
    }

    /// Parses a token; `None` if the text is not one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        (text.len() == 32 && text.bytes().all(digit)).then(|| Self(text.to_owned()))
    }
}
