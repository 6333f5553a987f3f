//! The shapes of everything that is not an answer about a position: listings, tables, builds, checks.

use std::path::PathBuf;

use marquis_table::FarFigures;
use serde::{Deserialize, Serialize};

use super::answer::{ExactAnswer, MoveAnswer};

/// One legal move and where it leads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ListedMove {
    /// For Senet, the throw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<u8>,
    /// The move text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
}

/// A position, and the moves that the rules allow there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Legal {
    /// Which game.
    pub game: &'static str,
    /// The canonical text of the position.
    pub position: String,
    /// The letter of the player to move.
    pub turn: char,
    /// Null, or why the game is over.
    pub over: Option<&'static str>,
    /// Every legal move, for each throw where there are throws; none where the game is over.
    pub moves: Vec<ListedMove>,
    /// With `from`: why the piece there cannot move, or not to `to`, in a sentence; null where it can, or where the game
    /// does not say. Without a throw, what some throw allows can be done.
    pub why_not: Option<String>,
}

/// A board as a terminal shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// The rows from the top, each with its label on the left.
    pub rows: Vec<DrawnRow>,
    /// What stands below the board: who is to move, stores, target.
    pub notes: Vec<String>,
}

/// A row of a drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnRow {
    /// The row's name.
    pub label: String,
    /// Half-cell steps that the row is shifted to the right.
    pub indent: u8,
    /// Each cell's text: `.` an empty cell, a letter a piece, `r3` a stack.
    pub cells: Vec<String>,
}

/// The best line to the end of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What is known of the asked position; its moves are left out.
    pub from: ExactAnswer,
    /// The best moves of both sides; verdicts are for the player who makes the move, plies counted from
    /// the asked position on.
    pub moves: Vec<MoveAnswer>,
    /// `over`, `draw` (both can hold), `proved` (a win or a loss, its plies unknown) or `unknown` (no value is proved
    /// from here).
    pub end: String,
    /// Whether it is known that nobody can win sooner or hold longer: false where a proof names moves and not the
    /// plies of all of them.
    pub shortest: bool,
}

/// What is kept of the tables that were built in memory for a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubTableFigures {
    /// How many there are.
    pub tables: u64,
    /// About the bytes that they take.
    pub bytes: u64,
}

/// Where a loaded table lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablePlace {
    /// In a file of this machine.
    Here(PathBuf),
    /// At an address.
    Elsewhere(String),
}

/// A place elsewhere that tables are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceElsewhere {
    /// Its address.
    pub address: String,
    /// Tables of it that are loaded.
    pub tables: usize,
    /// Whether somebody was there when it was last asked.
    pub reached: bool,
    /// Whether no table of it turned out to be another one than the list there said.
    pub as_listed: bool,
    /// Pieces of its tables that were wanted so far, and what came of it.
    pub pieces: FarFigures,
}

/// A loaded table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableInfo {
    /// The game.
    pub game: String,
    /// Its variant: `side=3`.
    pub variant: String,
    /// Which layer.
    pub layer: String,
    /// The file, relative to its table directory.
    pub file: String,
    /// The address of its table directory, where that lies elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Positions up to symmetry.
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

/// What a build will make.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildPlan {
    /// The game.
    pub game: String,
    /// Its variant.
    pub variant: String,
    /// Every layer in the order in which it is built.
    pub layers: Vec<PlannedLayer>,
    /// Slots of all layers together.
    pub slots: u64,
    /// The most memory that the build needs at a time.
    pub memory_bytes: u64,
    /// The least memory that it can do with: layers that do not fit are solved in strips on the disk.
    #[serde(default)]
    pub least_memory_bytes: u64,
    /// About the disk space that the files take.
    pub disk_bytes: u64,
    /// What large layers take that are still to be built: memory, disk space beside the files, and sweeps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outlook: Vec<String>,
}

/// Layers of a build that are solved together, in strips on the disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedStrips {
    /// Which layers.
    pub layers: Vec<String>,
    /// About how many strips.
    pub strips: u64,
    /// The memory for strips and for what is told to them, the layers below aside.
    pub memory_bytes: u64,
    /// About the disk space, until the layers are finished.
    pub disk_bytes: u64,
}

/// A layer of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedLayer {
    /// Which layer.
    pub layer: String,
    /// Its slots.
    pub slots: u64,
    /// Whether a finished file is there already.
    pub finished: bool,
}

/// About how long a build takes, by what a short trial of its first layers took on this machine.
///
/// Larger layers can be slower or faster a slot than those of the trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BuildEstimate {
    /// About the seconds that all layers take that are not finished: the sum of the parts.
    pub seconds: f64,
    /// What it is the sum of.
    #[serde(default)]
    pub parts: Vec<EstimatedPart>,
    /// Slots a second in the trial.
    pub slots_per_second: f64,
    /// The largest layer that was solved for it.
    pub trial_layer: String,
    /// How many layers were solved together with it, itself included.
    pub trial_layers: usize,
    /// Their slots.
    pub trial_slots: u64,
    /// The seconds that they took.
    pub trial_seconds: f64,
}

/// Layers of a build that are not finished, and about how long they take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EstimatedPart {
    /// The layers.
    pub layers: Vec<String>,
    /// About the seconds that they take.
    pub seconds: f64,
    /// Whether that follows from the trial; else from what layers like these took.
    pub by_trial: bool,
}

/// What was built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildReport {
    /// The tables, in the order in which they were built or found.
    pub tables: Vec<TableInfo>,
    /// How many of them were there already.
    pub kept: usize,
    /// Seconds that it took.
    pub seconds: f64,
    /// What each rank did; none where there is only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<RankReport>,
}

/// What one of several ranks did for a build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankReport {
    /// Which one, from zero on.
    pub rank: u32,
    /// Slots of the layers that it solved by itself, and an equal part of those that all solved together.
    pub slots: u64,
    /// Bytes that it sent to others.
    pub sent_bytes: u64,
    /// Messages in which it sent them.
    pub messages: u64,
    /// How often all ranks met.
    pub rounds: u64,
    /// Seconds that it waited for others.
    pub waited_seconds: f64,
    /// Seconds that sending took when all were there.
    pub sending_seconds: f64,
    /// The most memory that its process held; none where the system does not tell.
    pub memory_bytes: Option<u64>,
}

/// What was brought over from elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FetchReport {
    /// The address.
    pub from: String,
    /// The tables that were asked for, all of which are here now.
    pub tables: Vec<TableInfo>,
    /// How many of them were here already.
    pub kept: usize,
    /// Bytes that came over this time.
    pub fetched_bytes: u64,
    /// Bytes that had come over before and were gone on from.
    pub resumed_bytes: u64,
    /// Seconds that it took.
    pub seconds: f64,
}

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VerifyReport {
    /// Files that were read.
    pub files: usize,
    /// Entries that were checked against their successors.
    pub entries: u64,
    /// What is wrong, each with file, position, what was found and what was expected; empty when all is right.
    pub faults: Vec<String>,
    /// Tables of chances whose stated error is proved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<String>,
    /// Tables of chances of which one step agrees and whose stated error is not proved, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unproved: Vec<String>,
}

/// What a proof file says, and whether it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofReport {
    /// The game.
    pub game: String,
    /// The variant, where the game has any: `immobile=loss` or `immobile=pass`.
    pub variant: Option<String>,
    /// The number of beads that wins, in games with beads.
    pub target: Option<u16>,
    /// `marquisian` or `bait`; null where the file is about no balance.
    pub pie: Option<String>,
    /// The beads beside the board; null where the file is about no balance.
    pub bait: Option<u16>,
    /// The set-up; null where the file is about no balance.
    pub board: Option<String>,
    /// What was replayed and holds.
    pub claims: Vec<ProvedClaim>,
    /// What follows for Player Two; null where the file is about no balance.
    pub player_two: Option<super::answer::PlayerTwo>,
    /// All that is proved, in sentences.
    pub proved: Vec<String>,
    /// Where the proof is refused, why.
    pub refused: Option<String>,
}

/// A value that a proof file proves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvedClaim {
    /// The position that the proof is about.
    pub position: String,
    /// The worst and the best value that it leaves, for the player to move.
    pub bounds: [String; 2],
    /// Positions that were replayed.
    pub positions: u64,
    /// How many of them end a line by a theorem of the game that was believed; 0 where all was played by the rules.
    pub by_theorem: u64,
}

/// What became of the proof file that was asked for with an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofFile {
    /// Its name.
    pub file: String,
    /// Whether it is there and of this answer; false where nothing could be proved or the file not be written.
    pub written: bool,
    /// Whether it proves all that the answer rests on.
    pub complete: bool,
    /// What it does not prove.
    pub missing: Vec<MissingProof>,
    /// Why it could not be written.
    pub failed: Option<String>,
}

/// A position of an answer of which a proof file proves less than the answer says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissingProof {
    /// The position.
    pub position: String,
    /// The worst and the best value by the answer, for the player to move.
    pub said: [String; 2],
    /// The same by the file.
    pub proved: [String; 2],
}

/// A claim about a game, checked on one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// What is claimed.
    pub claim: String,
    /// Whether it holds; null where it was not decided.
    pub holds: Option<bool>,
    /// A counterexample, a count, a line.
    pub evidence: String,
}

/// What was found out about a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimsReport {
    /// The game.
    pub game: String,
    /// The board.
    pub board: String,
    /// Facts, by name: positions, wins, draws, losses, longest win.
    pub facts: Vec<(String, String)>,
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
    /// How hard it is: the rating of its difficulty, 0 where nobody can win.
    pub score: f64,
}
