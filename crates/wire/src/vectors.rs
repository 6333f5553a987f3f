//! Test vectors: positions with all that a second implementation of the rules should find.

use marquis_core::Value;
use serde::{Deserialize, Serialize};

use super::answer::Proof;
use super::reports::ListedMove;

/// The maximum number of vectors of a request.
pub const MOST_VECTORS: u64 = 10_000_000;

/// A position with its moves, images, end and known value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestVector {
    /// The game.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// The rule for a player who cannot move, `loss` or `pass`; left out in games whose players do not agree on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub immobile: Option<String>,
    /// The letter of the player to move.
    pub turn: char,
    /// How the game has ended; null if it is not over.
    pub over: Option<GameEnd>,
    /// Every legal move, for each throw if the game has throws; empty if the game is over.
    pub moves: Vec<ListedMove>,
    /// All positions with the same value and the same moves up to symmetry, itself included, in alphabetical order:
    /// rotated, mirrored, and with the colours exchanged if the rules allow it.
    pub images: Vec<String>,
    /// The value, if it is known without a search.
    #[serde(flatten)]
    pub known: KnownValue,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEnd {
    /// The reason: `unified`, `stuck`, `target` or `borne-off`.
    pub reason: String,
    /// The letter of the winner, or `draw`.
    pub outcome: String,
}

/// The value of a position for the player to move, as far as it is known without a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum KnownValue {
    /// In a game without chance.
    Value {
        /// `win`, `draw`, `loss` or `unknown`; `None` if it is unknown.
        #[serde(with = "super::words::value")]
        value: Option<Value>,
        /// Plies to the end; null for a draw, or if they are not known.
        plies: Option<u16>,
        /// The source of the value.
        proof: Proof,
    },
    /// In a game with throws.
    Chance {
        /// The chance that the player to throw wins; null if it is unknown.
        chance: Option<f64>,
        /// The true chance lies within `chance ± error`.
        error: Option<f64>,
        /// The source of the chance.
        proof: Proof,
    },
}
