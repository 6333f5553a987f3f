//! The shape of a game that was looked over.

use serde::{Deserialize, Serialize};

use super::answer::Source;

/// A game looked over, move by move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Review {
    /// The game.
    pub game: String,
    /// The canonical text of the position that it began in.
    pub position: String,
    /// The letter of the player to move there.
    pub turn: String,
    /// The chance there of the player who has the first move in the start position of the game; a draw counts half.
    pub first_chance: Option<f64>,
    /// The moves that were looked over: all of them where the review is complete.
    pub moves: Vec<ReviewedMove>,
    /// How each player played, the one with the first move in the start position first.
    pub players: [PlayerReview; 2],
    /// Plies of the game.
    pub plies: usize,
    /// Whether every move was looked over.
    pub complete: bool,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, where the record says.
    pub result: Option<String>,
}

/// A move, what it kept and what it threw away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedMove {
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
    /// `win`, `draw`, `loss` or `unknown`, for the player who made it.
    pub value: String,
    /// Plies from before it to the end; null for a draw, and where only the value is proved.
    pub plies: Option<u16>,
    /// The worst and the best value that it left to him.
    pub bounds: [String; 2],
    /// The chance that it left to him; a draw counts half. Null where nothing is known.
    pub chance: Option<f64>,
    /// The same for the player who has the first move in the start position of the game.
    pub first_chance: Option<f64>,
    /// Whether the chance is exact or estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The points of chance that it lost him, of a hundred; in Senet to the best move of the throw. Null where it is
    /// unproved: a proved value would be compared with an estimate. Estimates are those of one look at all moves.
    pub lost: Option<f64>,
    /// For Senet, the points of chance that the throw brought him.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    /// What stands at it; null for most moves.
    pub mark: Option<MoveMark>,
    /// Whether the mark rests on values that are proved, or on chances.
    pub ground: Option<MarkGround>,
    /// How many plies later the win, or sooner the loss, comes than by the best move of the same value.
    pub delta: Option<u16>,
    /// The best line from the position before it; empty where the move is the first one of it.
    pub better: Vec<String>,
}

/// What stands at a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoveMark {
    /// The only move that keeps a win or a draw, as is proved.
    Great,
    /// It loses 5 points of estimated chance or more, in Senet 0.1.
    Inaccuracy,
    /// It loses 10 points of estimated chance or more, in Senet 0.3.
    Mistake,
    /// It loses a value that is proved; in Senet 1 point of a certified chance or more.
    Blunder,
}

/// What a mark rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MarkGround {
    /// Values that are proved, in Senet certified chances.
    Value,
    /// Points of estimated chance.
    Chance,
}

/// How a player played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerReview {
    /// His letter.
    pub turn: String,
    /// His moves that were looked over.
    pub moves: usize,
    /// His decisions: moves made where at least two differ in value or estimate, and what was lost can be told.
    pub decisions: usize,
    /// From 0 to 100, as lichess works it out of the chances that decisions lose; null without decisions. In Senet the
    /// part kept of what was at stake: 100 for the best move of each throw, 0 for what random moves lose.
    pub accuracy: Option<f64>,
    /// Only moves that he found.
    pub great: usize,
    /// Inaccuracies.
    pub inaccuracies: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Blunders.
    pub blunders: usize,
    /// For Senet, the points of chance that all his throws brought him.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
}
