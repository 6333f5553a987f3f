//! The state of a study.

use std::fmt;

use marquis_core::{Bounds, Value};
use serde::{Deserialize, Serialize};

use super::answer::PlayerTwo;
use super::ending::SearchEnd;

/// The state or result of a study; also the content of `status.json` in its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyReport {
    /// The game.
    pub game: String,
    /// The position of the study, in canonical text.
    pub position: String,
    /// The rule for a player who cannot move: `loss` or `pass`; missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub immobile: Option<String>,
    /// The letter of the player to move.
    pub turn: String,
    /// `win`, `draw`, `loss` or `unknown`, for the player to move.
    #[serde(with = "super::words::value")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub value: Option<Value>,
    /// The worst and the best value still possible.
    #[serde(with = "super::words::bounds")]
    #[cfg_attr(feature = "schema", schema(value_type = [String; 2]))]
    pub bounds: Bounds,
    /// `rules` if the game is over, `search` if something is proved, else `none`.
    pub proof: String,
    /// Why the run ended; null while it runs.
    pub ended: Option<SearchEnd>,
    /// The folder of the study; left out of the responses of a service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The number of searches that were finished and kept, including earlier runs.
    pub jobs: u64,
    /// The number of positions that searches have expanded, including earlier runs.
    pub nodes: u64,
    /// The number of positions of the tree.
    pub positions: u64,
    /// The number of threads of other processes that work for it.
    #[serde(default)]
    pub others: u64,
    /// The approximate memory of the tree, in bytes; 0 in files of earlier versions.
    #[serde(default)]
    pub tree_bytes: u64,
    /// The memory to try next, as a limit of the whole study, if the tree is full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub try_memory: Option<u64>,
    /// The number of moves of the position with a known value, and the number of all; null before it was expanded.
    pub root_moves: Option<RootMoves>,
    /// The moves to the position in progress, the most proving one.
    pub line: Vec<String>,
    /// Seconds of this run.
    pub seconds: f64,
    /// The time of this report, in seconds since 1970.
    pub written: u64,
}

/// The state or result of the study of a set-up.
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
    /// The best choice of Player Two.
    pub player_two: PlayerTwo,
    /// Whether both choices have the same value; null while unknown.
    pub balanced: Option<bool>,
    /// Why the run ended; null if nothing was run.
    pub ended: Option<SearchEnd>,
    /// The folder that holds the studies.
    pub state: String,
    /// The studies of the first positions, by the colour that moves first.
    pub first_mover: StudiesByColour,
    /// Seconds of this run.
    pub seconds: f64,
}

/// A study for each colour; null if it was not started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudiesByColour {
    /// White moves first.
    pub w: Option<StudyReport>,
    /// Black moves first.
    pub b: Option<StudyReport>,
}

impl StudyReport {
    /// The content of the file in the folder.
    pub fn to_file(&self) -> Option<Vec<u8>> {
        serde_json::to_vec_pretty(self).ok()
    }

    /// Parses the file in a folder.
    ///
    /// # Errors
    /// The fault of the text.
    pub fn from_file(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }
}

/// The subject of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(example = json!({"game": "flowish", "rules": "0", "immobile": "loss", "position": "start:5"})))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct StudyHead {
    /// The game.
    pub game: String,
    /// The fingerprint of the rules of the program.
    pub rules: String,
    /// The rule for a player who cannot move: `loss` or `pass`.
    pub immobile: String,
    /// The position, in canonical text.
    pub position: String,
}

impl fmt::Display for StudyHead {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, rules, immobile, position } = self;
        write!(out, "{game} {position} with immobile {immobile}, rules {rules}")
    }
}

/// A search that a study needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyJob {
    /// The number of the keeper's run, drawn at its start.
    pub run: u64,
    /// The number of this job among those of its worker.
    pub number: u64,
    /// The position to search, in canonical text.
    pub position: String,
    /// Positions that the search may expand.
    pub nodes: u64,
}

/// The present state of a helper of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HelperTurn {
    /// Whether there is a job.
    pub state: HelperState,
    /// The job; null without one.
    pub job: Option<StudyJob>,
}

/// Whether a helper of a study has a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum HelperState {
    /// It has a job.
    Job,
    /// The next job will come.
    Waiting,
    /// No process works on the study.
    Unattended,
    /// The study is answered.
    Answered,
}

/// Whether a study takes helpers, which do jobs for it over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum StudyHelpers {
    /// It takes helpers.
    Wanted,
    /// No process works on it.
    Unattended,
    /// It is answered.
    Answered,
    /// The operator of the service allows none.
    #[default]
    Forbidden,
}

/// A helper that has joined a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HelperJoined {
    /// Its id, which no other client receives.
    pub helper: String,
}

/// The work of a process for a study that another process keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkReport {
    /// The number of its jobs.
    pub jobs: u64,
    /// The number of positions that they expanded.
    pub nodes: u64,
    /// Why it ended: `answered` if the study was.
    pub ended: SearchEnd,
    /// The duration of the work in seconds.
    pub seconds: f64,
}

impl WorkReport {
    /// The work of two periods together; it ended as the later one did.
    #[must_use]
    pub fn and(self, later: &Self) -> Self {
        let (jobs, nodes) = (self.jobs + later.jobs, self.nodes + later.nodes);
        Self { jobs, nodes, ended: later.ended, seconds: self.seconds + later.seconds }
    }
}

/// The number of moves of a position with a known value, and of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RootMoves {
    /// The number of moves with a known value.
    pub decided: u64,
    /// The number of all moves.
    pub all: u64,
}

/// The part of a study's tree with most of its effort; also the content of `tree.json` in its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyTree {
    /// The game.
    pub game: String,
    /// The rule for a player who cannot move, `loss` or `pass`; always `loss` in games without that choice.
    pub immobile: String,
    /// The number of positions of the whole tree.
    pub all: u64,
    /// The positions with most effort: the first position first, and each after the one that brought it in.
    pub positions: Vec<StudyPosition>,
    /// The time of this report, in seconds since 1970.
    pub written: u64,
}

/// A position of a study's tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyPosition {
    /// Its number in the tree; 0 for the first position.
    pub number: u32,
    /// The number of the position that brought it into the tree; null for the first position.
    pub from: Option<u32>,
    /// The move that led to it; null for the first position.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The position, in canonical text.
    pub position: String,
    /// The letter of the player to move.
    pub turn: String,
    /// The value that jobs found for the player to move, `win`, `draw`, `loss` or `unknown`: proved job by job, and
    /// claimed for the whole study once its proof was assembled and replayed.
    #[serde(with = "super::words::value")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub found: Option<Value>,
    /// The worst and the best value still possible.
    #[serde(with = "super::words::bounds")]
    #[cfg_attr(feature = "schema", schema(value_type = [String; 2]))]
    pub bounds: Bounds,
    /// The proof number of "the player to move wins"; null if that is decided.
    pub to_win: Option<u32>,
    /// The proof number of "the opponent wins"; null if that is decided.
    pub to_lose: Option<u32>,
    /// The number of moves with a node in the tree; 0 for a leaf.
    pub moves: u32,
    /// The number of positions that jobs here and below have expanded.
    pub nodes: u64,
    /// The number of jobs here and below.
    pub jobs: u64,
}

impl StudyTree {
    /// The content of the file in the folder.
    pub fn to_file(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }

    /// Parses the file in a folder.
    ///
    /// # Errors
    /// The fault of the text.
    pub fn from_file(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }
}
