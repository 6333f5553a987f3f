//! Where a study stands.

use serde::{Deserialize, Serialize};

use super::ending::SearchEnd;

/// Where a study stands, or what came of it; also what `status.json` in its folder holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyReport {
    /// The game.
    pub game: String,
    /// The position that the study is about, in canonical text.
    pub position: String,
    /// The letter of the player to move.
    pub turn: String,
    /// `win`, `draw`, `loss` or `unknown`, for the player to move.
    pub value: String,
    /// The worst and the best value that are still possible.
    pub bounds: [String; 2],
    /// `rules` where the game is over, `search` where something is proved, else `none`.
    pub proof: String,
    /// Why the run came to its end; null while it goes on.
    pub ended: Option<SearchEnd>,
    /// The folder that holds the study.
    pub state: String,
    /// Searches that were finished and kept, those of earlier runs too.
    pub jobs: u64,
    /// Positions that searches have expanded, those of earlier runs too.
    pub nodes: u64,
    /// Positions of the tree.
    pub positions: u64,
    /// About the bytes of memory that the tree takes; 0 in what earlier versions wrote.
    #[serde(default)]
    pub tree_bytes: u64,
    /// The memory to try next, as a limit of the whole study, where the tree has no room left in that which it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub try_memory: Option<u64>,
    /// How many of the position's moves have a known value, and how many there are; null before it was expanded.
    pub root_moves: Option<RootMoves>,
    /// The moves to the position that is worked at, the most proving one.
    pub line: Vec<String>,
    /// Seconds of this run.
    pub seconds: f64,
    /// Seconds since 1970 when this was written.
    pub written: u64,
}

impl StudyReport {
    /// As the file in the folder has it.
    pub(crate) fn to_file(&self) -> Option<Vec<u8>> {
        serde_json::to_vec_pretty(self).ok()
    }

    /// From the file in a folder.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn from_file(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }
}

/// A share of the moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootMoves {
    /// Moves with a known value.
    pub decided: u64,
    /// All moves.
    pub all: u64,
}
