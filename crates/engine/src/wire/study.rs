//! Where a study stands.

use marquis_core::Bounds;
use serde::{Deserialize, Serialize};

use super::answer::PlayerTwo;
use super::ending::SearchEnd;
use super::words::value_of_word;

/// Where a study stands, or what came of it; also what `status.json` in its folder holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyReport {
    /// The game.
    pub game: String,
    /// The position that the study is about, in canonical text.
    pub position: String,
    /// What befalls a player who cannot move: `loss` or `pass`; left out of what earlier versions wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub immobile: Option<String>,
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
    /// The folder that holds the study; left out where a service tells of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Searches that were finished and kept, those of earlier runs too.
    pub jobs: u64,
    /// Positions that searches have expanded, those of earlier runs too.
    pub nodes: u64,
    /// Positions of the tree.
    pub positions: u64,
    /// Threads of other processes that work for it.
    #[serde(default)]
    pub others: u64,
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

/// Where the study of a set-up stands, or what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetUpStudyReport {
    /// The game.
    pub game: String,
    /// The board text.
    pub board: String,
    /// `marquisian` or `bait`.
    pub pie: String,
    /// The beads beside the board.
    pub bait: u16,
    /// The number of beads that wins.
    pub target: u16,
    /// What Player Two should do.
    pub player_two: PlayerTwo,
    /// Whether both choices are worth the same; null while unknown.
    pub balanced: Option<bool>,
    /// Why the run came to its end; null where nothing was run.
    pub ended: Option<SearchEnd>,
    /// The folder that holds the studies.
    pub state: String,
    /// The studies of the first positions, by the colour that moves first.
    pub first_mover: StudiesByColour,
    /// Seconds of this run.
    pub seconds: f64,
}

/// A study for each colour; null where it was not begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudiesByColour {
    /// White moves first.
    pub w: Option<StudyReport>,
    /// Black moves first.
    pub b: Option<StudyReport>,
}

impl StudyReport {
    /// The bounds as they are proved; unknown where the words are none.
    pub(crate) fn bounds(&self) -> Bounds {
        let [worst, best] = self.bounds.each_ref().map(|word| value_of_word(word));
        match (worst, best) {
            (Some(worst), Some(best)) => Bounds { worst, best },
            _ => Bounds::UNKNOWN,
        }
    }

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

/// What a process did for a study that another one keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkReport {
    /// Jobs that it did.
    pub jobs: u64,
    /// Positions that they expanded.
    pub nodes: u64,
    /// Why it ended: `answered` where the study was.
    pub ended: SearchEnd,
    /// Seconds that it was there.
    pub seconds: f64,
}

/// A share of the moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RootMoves {
    /// Moves with a known value.
    pub decided: u64,
    /// All moves.
    pub all: u64,
}

/// The part of a study's tree in which most of its effort lies; also what `tree.json` in its folder holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyTree {
    /// The game.
    pub game: String,
    /// What befalls a player who cannot move, `loss` or `pass`; always `loss` in games where nothing is agreed on it.
    pub immobile: String,
    /// Positions of the whole tree.
    pub all: u64,
    /// Those with most effort: the first position first, and each after the one that brought it in.
    pub positions: Vec<StudyPosition>,
    /// Seconds since 1970 when this was written.
    pub written: u64,
}

/// A position of a study's tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyPosition {
    /// Its number in the tree; 0 of the first position.
    pub number: u32,
    /// The number of the position that brought it into the tree; null of the first position.
    pub from: Option<u32>,
    /// The move that led there; null of the first position.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The position, in canonical text.
    pub position: String,
    /// The letter of the player to move.
    pub turn: String,
    /// What jobs found of it for the player to move, `win`, `draw`, `loss` or `unknown`: proved job by job, and said of
    /// the whole study once its proof was put together and replayed.
    pub found: String,
    /// The worst and the best value that are still possible.
    pub bounds: [String; 2],
    /// The proof number of "the player to move wins"; null where that is answered.
    pub to_win: Option<u32>,
    /// The proof number of "his opponent wins"; null where that is answered.
    pub to_lose: Option<u32>,
    /// Moves that the tree goes on with; 0 of a leaf.
    pub moves: u32,
    /// Positions that jobs here and below have expanded.
    pub nodes: u64,
    /// Jobs here and below.
    pub jobs: u64,
}

impl StudyTree {
    /// As the file in the folder has it.
    pub(crate) fn to_file(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }

    /// From the file in a folder.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn from_file(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }
}
