//! The shapes of the book of known results: the output of `marquis book` and `/v1/{game}/book`.

use marquis_core::Value;
use serde::{Deserialize, Serialize};

/// How a known result was found, and so how it can be reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Made {
    /// By solving all reachable positions, which takes a moment: the answer is computed again at each request. In a
    /// game with throws it takes seconds, and the book answers if the limits allow less.
    Listed,
    /// By tables of the whole board.
    Tables,
    /// By a search, which wrote a proof.
    Search,
}

impl Made {
    /// Its name in the book.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Tables => "tables",
            Self::Search => "search",
        }
    }
}

/// A proof file of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookProof {
    /// The file, in the folder of proofs.
    pub file: String,
    /// The blake3 hash that seals it, in hexadecimal.
    pub seal: String,
}

/// A known result: a position with its value, or with its certified chance in a game with throws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookEntry {
    /// The game.
    pub game: String,
    /// Its variant, as tables name it: `side=4`.
    pub variant: String,
    /// The canonical text of the position.
    pub position: String,
    /// `win`, `draw` or `loss`, for the player to move; `chance` in a game with throws.
    #[serde(with = "super::words::value_or_chance")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub value: Option<Value>,
    /// In a game with throws, the chance that the player to throw wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// The true chance lies within `chance ± error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Plies to the end; null for a draw, or if only the value is proved.
    pub plies: Option<u16>,
    /// The moves that are proved to keep the value, the fastest if plies are known; empty in a game with throws.
    pub best: Vec<String>,
    /// How it was found.
    pub made: Made,
    /// The number of positions that were searched for it, or that its tables hold; null if unknown.
    pub nodes: Option<u64>,
    /// The proof, if there is a file of it.
    pub proof: Option<BookProof>,
    /// The command that reproduces it and its proof.
    pub command: String,
    /// The fingerprint of its rules, as in tables.
    pub fingerprint: String,
}

/// The source of an answer that is a known result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookSource {
    /// The position in the book, of which this one is an image, or from which a best move leads to this one.
    pub position: String,
    /// The name of its proof file in the folder of proofs, if there is one.
    pub proof_file: Option<String>,
    /// The command that reproduces it and its proof.
    pub command: String,
}

impl From<&BookEntry> for BookSource {
    fn from(entry: &BookEntry) -> Self {
        Self {
            position: entry.position.clone(),
            proof_file: entry.proof.as_ref().map(|proof| proof.file.clone()),
            command: entry.command.clone(),
        }
    }
}

/// The contents of the book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookReport {
    /// The results, by game, variant and position.
    pub entries: Vec<BookEntry>,
    /// Lines that are not used, with the reasons: they cannot be parsed, or hold by other rules.
    pub left_out: Vec<String>,
}

/// The outcome of the check of one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum BookVerdict {
    /// Its proof file replays to its value, by the rules alone.
    Replayed,
    /// All reachable positions were solved again, with the same result.
    Solved,
    /// Not checked: the proof file is missing, or the command takes too long.
    Unchecked,
    /// It does not hold.
    Wrong,
}

impl BookVerdict {
    /// Its name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replayed => "replayed",
            Self::Solved => "solved",
            Self::Unchecked => "unchecked",
            Self::Wrong => "wrong",
        }
    }
}

/// A result with the outcome of its check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CheckedEntry {
    /// The result.
    #[serde(flatten)]
    pub entry: BookEntry,
    /// The outcome.
    pub verdict: BookVerdict,
    /// The fault, or why it was not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The outcome of a check of the book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookCheck {
    /// Every result, in the order of the book.
    pub entries: Vec<CheckedEntry>,
    /// Lines that are not used, with the reasons.
    pub left_out: Vec<String>,
}

impl BookCheck {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.left_out.is_empty() && self.entries.iter().all(|entry| entry.verdict != BookVerdict::Wrong)
    }

    /// Whether any result was checked.
    #[must_use]
    pub fn checked_any(&self) -> bool {
        self.entries.iter().any(|entry| entry.verdict != BookVerdict::Unchecked)
    }
}
