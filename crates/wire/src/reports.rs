//! The shapes of all responses other than answers about positions: listings, tables, builds, checks.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use marquis_core::Bounds;
use serde::{Deserialize, Serialize};

use super::answer::{ExactAnswer, MoveAnswer};

/// One legal move and the position after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ListedMove {
    /// The throw, in Senet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<u8>,
    /// The move text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
}

/// A position and its legal moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Legal {
    /// The game.
    pub game: &'static str,
    /// The canonical text of the position.
    pub position: String,
    /// The letter of the player to move.
    pub turn: char,
    /// Why the game is over: `unified`, `stuck`, `target` or `borne-off`; null if it is not.
    pub over: Option<&'static str>,
    /// Every legal move, for each throw if the game has throws; empty if the game is over.
    pub moves: Vec<ListedMove>,
    /// With `from`: why the piece there cannot move, or not to `to`, in a sentence; null if it can, or if the game
    /// gives no reason. Without a throw, a move that some throw allows counts as possible.
    pub why_not: Option<String>,
}

/// A board drawn for a terminal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// The rows from the top, each with its label on the left.
    pub rows: Vec<DrawnRow>,
    /// The lines below the board: the player to move, stores, target.
    pub notes: Vec<String>,
}

/// A row of a drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnRow {
    /// The row's name: a letter for a row of hexagons, a number for a row of squares, `1-10` or `20-11` for squares that
    /// are numbered along a track. Drawings as SVG take the shape of the cells from it.
    pub label: String,
    /// Half-cell steps that the row is shifted to the right.
    pub indent: u8,
    /// Each cell's text: `.` an empty cell, a letter a piece, `r3` a stack.
    pub cells: Vec<String>,
}

/// The best line to the end of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The answer about the requested position, without its moves.
    pub from: ExactAnswer,
    /// The best moves of both sides; verdicts are for the player who makes the move, plies counted from the requested
    /// position.
    pub moves: Vec<MoveAnswer>,
    /// Why it ends.
    pub end: LineEnd,
    /// Whether it is known that nobody can win sooner or hold longer: false if a proof names the moves, but not all
    /// of their plies.
    pub shortest: bool,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// Both players can hold the draw.
    Draw,
    /// A win or a loss is proved, but not its plies.
    Proved,
    /// No value is proved from here.
    Unknown,
}

/// Figures about the tables that were built in memory to answer questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubTableFigures {
    /// The number of tables.
    pub tables: u64,
    /// Their approximate size in bytes.
    pub bytes: u64,
}

/// The place of a loaded table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablePlace {
    /// In a local file.
    Here(PathBuf),
    /// At a remote address.
    Elsewhere(String),
}

/// A loaded table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableInfo {
    /// The game.
    pub game: String,
    /// Its variant: `side=3`.
    pub variant: String,
    /// The layer.
    pub layer: String,
    /// The file, relative to its table directory.
    pub file: String,
    /// The address of its table directory, if that is remote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The number of positions, up to symmetry.
    pub positions: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The content hash of the values, in hexadecimal.
    pub checksum: String,
    /// Positions won for the player to move.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions lost for the player to move.
    pub losses: u64,
    /// The plies of the longest win.
    pub longest_win: u64,
}

/// The plan of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildPlan {
    /// The game.
    pub game: String,
    /// Its variant.
    pub variant: String,
    /// Every layer in the order in which it is built.
    pub layers: Vec<PlannedLayer>,
    /// The number of slots of all layers together.
    pub slots: u64,
    /// The peak memory of the build.
    pub memory_bytes: u64,
    /// The least memory that it can run in: layers that do not fit are solved in strips on the disk.
    #[serde(default)]
    pub least_memory_bytes: u64,
    /// The approximate disk space of the files.
    pub disk_bytes: u64,
    /// The needs of large layers that are not built yet: memory, disk space in addition to the files, and sweeps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outlook: Vec<String>,
}

/// The layers of a build that are solved together, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedBundle {
    /// The layers.
    pub layers: Vec<String>,
    /// The method by which they are solved.
    pub method: MethodName,
    /// How often it visits the cells.
    pub passes: Passes,
    /// The peak memory, with the layers below; without what all layers of a build share.
    pub memory_bytes: u64,
    /// The approximate disk space until the layers are finished.
    pub disk_bytes: u64,
    /// The strips, if they are solved in strips on the disk.
    #[serde(skip)]
    pub strips: Option<PlannedStrips>,
}

/// A method to solve layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodName {
    /// Row by row in memory.
    Rows,
    /// Position by position in memory, with moves taken back.
    UnMoves,
    /// Camp against camp in memory.
    Camps,
    /// Row by row, in strips on disk.
    Strips,
    /// Row by row, shared by several ranks.
    Ranks,
    /// Value iteration in memory.
    Sweeps,
    /// Value iteration on disk.
    SweepsOnDisk,
}

impl Display for MethodName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rows => "rows",
            Self::UnMoves => "un-moves",
            Self::Camps => "camps",
            Self::Strips => "strips on disk",
            Self::Ranks => "rows on all ranks",
            Self::Sweeps => "sweeps",
            Self::SweepsOnDisk => "sweeps on disk",
        })
    }
}

/// How often a method visits the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passes {
    /// Once.
    One,
    /// Once a ply, up to the longest win.
    APly,
    /// Until the bounds are close enough.
    UntilSettled,
}

impl Display for Passes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "one",
            Self::APly => "one a ply",
            Self::UntilSettled => "until settled",
        })
    }
}

/// Layers of a build that are solved together, in strips on the disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedStrips {
    /// The layers.
    pub layers: Vec<String>,
    /// The approximate number of strips.
    pub strips: u64,
    /// The memory for the strips and their messages, without the layers below.
    pub memory_bytes: u64,
    /// The approximate disk space until the layers are finished.
    pub disk_bytes: u64,
}

/// A layer of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedLayer {
    /// The layer.
    pub layer: String,
    /// The number of its slots.
    pub slots: u64,
    /// Whether a finished file is there already.
    pub finished: bool,
}

/// The estimated duration of a build, from a short trial of its first layers on this machine.
///
/// Larger layers can be slower or faster per slot than those of the trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BuildEstimate {
    /// The estimated seconds for all unfinished layers: the sum of the parts.
    pub seconds: f64,
    /// The terms of the sum.
    #[serde(default)]
    pub parts: Vec<EstimatedPart>,
    /// Slots per second in the trial.
    pub slots_per_second: f64,
    /// The largest layer of the trial.
    pub trial_layer: String,
    /// The number of layers that were solved together with it, itself included.
    pub trial_layers: usize,
    /// The number of their slots.
    pub trial_slots: u64,
    /// The seconds that the trial took.
    pub trial_seconds: f64,
}

/// Unfinished layers of a build and their estimated duration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EstimatedPart {
    /// The layers.
    pub layers: Vec<String>,
    /// The estimated seconds.
    pub seconds: f64,
    /// Whether the estimate follows from the trial; else from the time of similar layers.
    pub by_trial: bool,
}

/// The result of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildReport {
    /// The tables, in the order in which they were built or found.
    pub tables: Vec<TableInfo>,
    /// The number of tables that existed already.
    pub kept: usize,
    /// The duration in seconds.
    pub seconds: f64,
    /// The figures of each rank; empty for a single rank.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<RankReport>,
}

/// The figures of one of several ranks in a build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankReport {
    /// The number of the rank, from zero.
    pub rank: u32,
    /// The slots of the layers that it solved alone, plus an equal part of those that all ranks solved together.
    pub slots: u64,
    /// The bytes that it sent to other ranks.
    pub sent_bytes: u64,
    /// The number of messages that held them.
    pub messages: u64,
    /// The number of rounds in which all ranks met.
    pub rounds: u64,
    /// The seconds that it waited for other ranks.
    pub waited_seconds: f64,
    /// The seconds of sending once all ranks were there.
    pub sending_seconds: f64,
    /// The peak memory of its process; null if the system does not report it.
    pub memory_bytes: Option<u64>,
}

/// The result of a download of tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FetchReport {
    /// The address.
    pub from: String,
    /// The tables that were requested, all of which are local now.
    pub tables: Vec<TableInfo>,
    /// The number of them that were local already.
    pub kept: usize,
    /// The bytes of this download.
    pub fetched_bytes: u64,
    /// The bytes of an earlier, interrupted download that were reused.
    pub resumed_bytes: u64,
    /// The duration in seconds.
    pub seconds: f64,
}

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VerifyReport {
    /// The number of files that were read.
    pub files: usize,
    /// The number of entries that were checked against their successors.
    pub entries: u64,
    /// The faults, each with file, position, the value found and the value expected; empty if there are none.
    pub faults: Vec<String>,
    /// Tables of chances whose stated error is proved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<String>,
    /// Tables of chances that agree in one step, but whose stated error is not proved, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unproved: Vec<String>,
}

/// The claims of a proof file, and whether they hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofReport {
    /// The game.
    pub game: String,
    /// The variant, if the game has any: `immobile=loss` or `immobile=pass`.
    pub variant: Option<String>,
    /// The number of beads that wins, in games with beads.
    pub target: Option<u16>,
    /// `marquisian` or `bait`; null if the file is not about a balance.
    pub pie: Option<String>,
    /// The beads beside the board; null if the file is not about a balance.
    pub bait: Option<u16>,
    /// The set-up; null if the file is not about a balance.
    pub board: Option<String>,
    /// The claims that were replayed and hold.
    pub claims: Vec<ProvedClaim>,
    /// The conclusion for Player Two; null if the file is not about a balance.
    pub player_two: Option<super::answer::PlayerTwo>,
    /// All that is proved, in sentences.
    pub proved: Vec<String>,
    /// Why the proof is refused, if it is.
    pub refused: Option<String>,
}

/// A value that a proof file proves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvedClaim {
    /// The position that the proof is about.
    pub position: String,
    /// The worst and the best value still possible, for the player to move.
    #[serde(with = "super::words::bounds")]
    pub bounds: Bounds,
    /// The number of positions that were replayed.
    pub positions: u64,
    /// The number of those positions that end a line by a theorem of the game, which was not replayed; 0 if all was
    /// played by the rules.
    pub by_theorem: u64,
}

/// The outcome of the request for a proof file with an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofFile {
    /// Its name.
    pub file: String,
    /// Whether the file was written for this answer; false if nothing could be proved or the file could not be
    /// written.
    pub written: bool,
    /// Whether it proves all that the answer depends on.
    pub complete: bool,
    /// The parts of the answer that it does not prove.
    pub missing: Vec<MissingProof>,
    /// Why it could not be written.
    pub failed: Option<String>,
}

impl ProofFile {
    /// The report that nothing was written.
    #[must_use]
    pub fn nothing(file: &Path) -> Self {
        let file = file.display().to_string();
        Self { file, written: false, complete: false, missing: Vec::new(), failed: None }
    }
}

/// A position of an answer for which a proof file proves less than the answer says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissingProof {
    /// The position.
    pub position: String,
    /// The worst and the best value according to the answer, for the player to move.
    #[serde(with = "super::words::bounds")]
    pub said: Bounds,
    /// The worst and the best value according to the file.
    #[serde(with = "super::words::bounds")]
    pub proved: Bounds,
}

/// A claim about a game, checked on one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The claim.
    pub claim: String,
    /// Whether it holds; null if it was not decided.
    pub holds: Option<bool>,
    /// A counterexample, a count, a line.
    pub evidence: String,
}

/// A fact about a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Fact {
    /// A number of positions, moves or layers.
    Count(u64),
    /// A value, a position or a line.
    Words(String),
}

impl Fact {
    /// A count, or its digits if it exceeds 64 bits.
    #[must_use]
    pub fn count(number: u128) -> Self {
        u64::try_from(number).map_or_else(|_| Self::Words(number.to_string()), Self::Count)
    }
}

impl Display for Fact {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Words(words) => words.fmt(f),
        }
    }
}

/// The facts about a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimsReport {
    /// The game.
    pub game: String,
    /// The board.
    pub board: String,
    /// Facts, by name: positions, wins, draws, losses, longest win.
    pub facts: Vec<(String, Fact)>,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// A set-up that is hard on Player Two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Designed {
    /// The canonical board text.
    pub board: String,
    /// Its balance.
    pub balance: super::answer::Balance,
    /// How hard it is: the rating of its difficulty, 0 if nobody can win.
    pub score: f64,
}
