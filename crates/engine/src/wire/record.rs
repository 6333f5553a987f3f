//! The shape of a record of a game that was held against the rules.

use serde::{Deserialize, Serialize};

/// A game, move by move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameRecord {
    /// The game.
    pub game: String,
    /// What its record says about it, in its order.
    pub headers: Vec<RecordHeader>,
    /// The canonical text of the position that it began in.
    pub position: String,
    /// The letter of the player to move there.
    pub turn: String,
    /// What is said before the first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The moves that were made.
    pub moves: Vec<RecordedMove>,
    /// What might have been played instead, in the order of the text.
    pub variations: Vec<RecordedVariation>,
    /// `1-0` where the player has won who has the first move in the start position of the game, `0-1` where the other
    /// one has, `1/2-1/2` or `*`; null where the record does not say and the game is not over.
    pub result: Option<String>,
    /// Why the game is over.
    pub over: Option<String>,
    /// The letter of who has won by the rules; null where the game is not over, and where it is a draw.
    pub winner: Option<String>,
    /// The record as a text in canonical form.
    pub record: String,
    /// Headers that are not known and look like one that is, a sentence each; left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A header of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordHeader {
    /// What it is about: `First`.
    pub name: String,
    /// What it says.
    pub value: String,
}

/// A move of a record, and where it leads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordedMove {
    /// How many plies there are with it, from 1.
    pub ply: usize,
    /// The letter of the player who made it.
    pub turn: String,
    /// For Senet, the throw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throw: Option<u8>,
    /// The move text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// What is said after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// Moves that might have been played instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordedVariation {
    /// The line that it leaves: 0 is the game, 1 the first of the variations.
    pub of: usize,
    /// What is said before its first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Its moves; the first one stands in the place of the move of that line with the same ply.
    pub moves: Vec<RecordedMove>,
}

/// What a check of a file of records found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordCheck {
    /// The games that hold, up to the first one that does not.
    pub games: usize,
    /// Their plies, those of variations included.
    pub plies: usize,
    /// What is wrong, where something is.
    pub fault: Option<String>,
    /// Headers that are not known and look like one that is, of the first games that have any; left out where there are
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
