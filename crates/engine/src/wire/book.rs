//! The shapes of the book of known results: what `marquis book` and `/v1/{game}/book` list.

use serde::{Deserialize, Serialize};

/// How a known result was found, which says how it can be found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Made {
    /// Everything that can be reached was solved, which takes a moment: the answer is made anew whenever it is asked for.
    /// In a game with throws it takes seconds, and the book answers where the limits leave less.
    Listed,
    /// By tables of the whole board.
    Tables,
    /// By a search, which wrote a proof.
    Search,
}

impl Made {
    /// The word for it in the book.
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
    pub value: String,
    /// In a game with throws, the chance that the player to throw wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// The true chance lies within `chance ± error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Plies to the end; null for a draw, and where only the value is proved.
    pub plies: Option<u16>,
    /// Moves that keep the value and are proved to, the soonest where plies are known; none in a game with throws.
    pub best: Vec<String>,
    /// How it was found.
    pub made: Made,
    /// Positions that were looked at for it, or that its tables hold; null where nobody counted.
    pub nodes: Option<u64>,
    /// The proof, where there is a file of it.
    pub proof: Option<BookProof>,
    /// The command that finds it again, and its proof.
    pub command: String,
    /// The fingerprint of the rules that it holds by, as in tables.
    pub fingerprint: String,
}

/// Where an answer that is a known result comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookSource {
    /// The position that the book has, of which this is an image, or which a best move leads from to this.
    pub position: String,
    /// The name of its proof file in the folder of proofs, where there is one.
    pub proof_file: Option<String>,
    /// The command that finds it again, and its proof.
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

/// What there is in the book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookReport {
    /// The results, by game, variant and position.
    pub entries: Vec<BookEntry>,
    /// Lines that are not used, and why: they are not understood, or hold by other rules.
    pub left_out: Vec<String>,
}

/// What a check of one result came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum BookVerdict {
    /// Its proof file replays to its value, by the rules alone.
    Replayed,
    /// Everything reachable was solved anew and says the same.
    Solved,
    /// Nothing was done: the proof file is not there, or the command takes too long.
    Unchecked,
    /// It does not hold.
    Wrong,
}

impl BookVerdict {
    /// The word for it in documents.
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

/// A result that was checked, or was not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CheckedEntry {
    /// The result.
    #[serde(flatten)]
    pub entry: BookEntry,
    /// What came of it.
    pub verdict: BookVerdict,
    /// What is wrong, or why it was not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What a check of the book came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookCheck {
    /// Every result, in the order of the book.
    pub entries: Vec<CheckedEntry>,
    /// Lines that are not used, and why.
    pub left_out: Vec<String>,
}

impl BookCheck {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.left_out.is_empty() && self.entries.iter().all(|entry| entry.verdict != BookVerdict::Wrong)
    }

    /// Whether any result was held against something.
    #[must_use]
    pub fn checked_any(&self) -> bool {
        self.entries.iter().any(|entry| entry.verdict != BookVerdict::Unchecked)
    }
}
