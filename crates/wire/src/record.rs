//! The shape of a record of a game that was checked against the rules.

use serde::{Deserialize, Serialize};

/// A game, move by move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameRecord {
    /// The game.
    pub game: String,
    /// The headers of its record, in their order.
    pub headers: Vec<RecordHeader>,
    /// The canonical text of its start position.
    pub position: String,
    /// The letter of the player to move there.
    pub turn: String,
    /// The comment before the first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The moves that were made.
    pub moves: Vec<RecordedMove>,
    /// The variations, in the order of the text.
    pub variations: Vec<RecordedVariation>,
    /// `1-0` if the player with the first move in the game's start position has won, `0-1` if the other player has,
    /// `1/2-1/2` or `*`; null if the record has no result and the game is not over.
    pub result: Option<String>,
    /// Why the game is over: `unified`, `stuck`, `target` or `borne-off`; null if it is not.
    pub over: Option<String>,
    /// The letter of the winner by the rules; null if the game is not over, or is a draw.
    pub winner: Option<String>,
    /// The record as a text in canonical form.
    pub record: String,
    /// Unknown headers that resemble a known one, a sentence each; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A header of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordHeader {
    /// Its name, such as `First`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A move of a record and the position after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordedMove {
    /// The number of plies up to and including it, from 1.
    pub ply: usize,
    /// The letter of the player who made it.
    pub turn: String,
    /// The throw, in Senet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throw: Option<u8>,
    /// The move text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// The comment after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// A variation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordedVariation {
    /// The line that it branches from: 0 is the game, 1 the first of the variations.
    pub of: usize,
    /// The comment before its first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Its moves; the first one replaces the move of that line with the same ply.
    pub moves: Vec<RecordedMove>,
}

/// The result of a check of a file of records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordCheck {
    /// The games that hold, up to the first one that does not.
    pub games: usize,
    /// Their plies, those of variations included.
    pub plies: usize,
    /// The fault, if there is one.
    pub fault: Option<String>,
    /// Unknown headers that resemble a known one, of the first games that have any; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
