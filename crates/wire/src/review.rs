//! The shape of a game review.

use marquis_core::{Bounds, Value};
use serde::{Deserialize, Serialize};

use super::answer::Source;

/// A reviewed game, move by move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Review {
    /// The game.
    pub game: String,
    /// The canonical text of its start position.
    pub position: String,
    /// The letter of the player to move there.
    pub turn: String,
    /// The chance there of the player with the first move in the game's start position; a draw counts half.
    pub first_chance: Option<f64>,
    /// The reviewed moves: all of them if the review is complete.
    pub moves: Vec<ReviewedMove>,
    /// The results of both players, starting with the one with the first move in the game's start position.
    pub players: [PlayerReview; 2],
    /// The number of plies of the game.
    pub plies: usize,
    /// Whether every move was reviewed.
    pub complete: bool,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, if the record has a result.
    pub result: Option<String>,
}

/// A move, with its value and its loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedMove {
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
    /// `win`, `draw`, `loss` or `unknown`, for the player who made it.
    #[serde(with = "super::words::value")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub value: Option<Value>,
    /// Plies from before it to the end; null for a draw, or if only the value is proved.
    pub plies: Option<u16>,
    /// The worst and the best value for the player after it.
    #[serde(with = "super::words::bounds")]
    #[cfg_attr(feature = "schema", schema(value_type = [String; 2]))]
    pub bounds: Bounds,
    /// The chance of the player after it; a draw counts half. Null if nothing is known.
    pub chance: Option<f64>,
    /// The same for the player with the first move in the game's start position.
    pub first_chance: Option<f64>,
    /// Whether the chance is exact or estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The points of chance that it lost, out of a hundred; in Senet compared with the best move of the throw. Null
    /// if it is unproved: a proved value would be compared with an estimate. Estimates come from a single search of
    /// all moves.
    pub lost: Option<f64>,
    /// The points of chance gained by the throw, in Senet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    /// Its mark; null for most moves.
    pub mark: Option<MoveMark>,
    /// Whether the mark rests on proved values or on chances.
    pub ground: Option<MarkGround>,
    /// The number of plies by which the win comes later, or the loss sooner, than after the best move of the same
    /// value.
    pub delta: Option<u16>,
    /// The best line from the position before it; empty if this move is its first.
    pub better: Vec<String>,
}

/// A mark of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoveMark {
    /// The only move that keeps a win or a draw, by proof.
    Great,
    /// It loses 5 points of estimated chance or more, in Senet 0.1.
    Inaccuracy,
    /// It loses 10 points of estimated chance or more, in Senet 0.3.
    Mistake,
    /// It loses a proved value; in Senet 1 point of a certified chance or more.
    Blunder,
}

/// The grounds of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MarkGround {
    /// Proved values, in Senet certified chances.
    Value,
    /// Points of estimated chance.
    Chance,
}

/// The results of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerReview {
    /// The player's letter.
    pub turn: String,
    /// The number of reviewed moves of the player.
    pub moves: usize,
    /// The number of decisions: moves made where at least two differ in value or estimate, and the loss is known.
    pub decisions: usize,
    /// From 0 to 100, by the formula of lichess from the chances that decisions lose; null without decisions. In
    /// Senet the share kept of the chances at stake: 100 for the best move of each throw, 0 for the loss of random
    /// moves.
    pub accuracy: Option<f64>,
    /// The number of only moves found.
    pub great: usize,
    /// The number of inaccuracies.
    pub inaccuracies: usize,
    /// The number of mistakes.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
    /// The points of chance gained by all throws, in Senet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
}
