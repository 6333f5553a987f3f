//! The six games a second time: coordinates in maps, letters for pieces, text in and text out.
//!
//! Nothing is shared with the fast rules, neither code nor data; if the two disagree, the rules page decides. Only
//! canonical position texts are accepted, and anything else panics: these are test tools, not the product.

pub mod flowish;
pub mod hexboard;
pub mod rooks;
pub mod rows;
pub mod senet;
pub mod senet_values;
pub mod solver;
pub mod squeeze;
pub mod squinch;
pub mod squish;
pub mod swish;
pub mod symmetry;
pub mod unify;

use std::collections::BTreeMap;

pub use rooks::Immobile;
pub use senet::Senet;

use crate::games::lacks;

/// The reason for the end of a game, and its value for the player to move, as named in answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// `unified`, `stuck`, `target` or `borne-off`.
    pub reason: &'static str,
    /// `win`, `draw` or `loss`.
    pub value: &'static str,
}

impl End {
    /// An end with this reason and this value for the player to move.
    #[must_use]
    pub const fn new(reason: &'static str, value: &'static str) -> Self {
        Self { reason, value }
    }
}

/// Legal moves by text, with the positions after them.
pub type Moves = BTreeMap<String, String>;

/// The rules of a game without chance, on canonical position texts.
pub trait Reference: Sync {
    /// The end of the game; `None` if it is not over.
    fn over(&self, position: &str) -> Option<End>;

    /// All legal moves, including a forced `pass`; empty if the game is over.
    fn moves(&self, position: &str) -> Moves;
}

/// Any of the six games.
pub enum Rules {
    /// A game without chance.
    Plain(Box<dyn Reference>),
    /// The game with throws.
    Senet,
}

impl Rules {
    /// The reference of the game with this name; `immobile` only matters to Swish and Squeeze.
    ///
    /// Panics for an unknown game.
    #[must_use]
    pub fn of(game: &str, immobile: Immobile) -> Self {
        Self::Plain(match game {
            "squish" => Box::new(squish::Squish),
            "flowish" => Box::new(flowish::Flowish),
            "swish" => Box::new(swish::Swish { immobile }),
            "squeeze" => Box::new(squeeze::Squeeze { immobile }),
            "squinch" => Box::new(squinch::Squinch),
            "senet" => return Self::Senet,
            _ => lacks(game),
        })
    }

    /// The possible throws; a single `None` in a game without chance.
    #[must_use]
    pub fn throws(&self) -> Vec<Option<i32>> {
        match self {
            Self::Plain(_) => vec![None],
            Self::Senet => senet::THROWS.iter().map(|&(score, _)| Some(score)).collect(),
        }
    }

    /// The end of the game; `None` if it is not over.
    #[must_use]
    pub fn over(&self, position: &str) -> Option<End> {
        match self {
            Self::Plain(game) => game.over(position),
            Self::Senet => Senet.over(position),
        }
    }

    /// All legal moves for one of the [`throws`](Self::throws).
    #[must_use]
    pub fn moves(&self, position: &str, throw: Option<i32>) -> Moves {
        match (self, throw) {
            (Self::Plain(game), None) => game.moves(position),
            (Self::Senet, Some(throw)) => Senet.moves(position, throw),
            _ => panic!("a throw belongs to Senet, and to Senet alone"),
        }
    }

    /// The rules of a game without chance. Panics for Senet.
    #[must_use]
    pub fn plain(&self) -> &dyn Reference {
        match self {
            Self::Plain(game) => game.as_ref(),
            Self::Senet => panic!("Senet has throws"),
        }
    }
}

/// Leaves after exactly `depth` plies; a finished game is one leaf, at any depth.
#[must_use]
pub fn perft(game: &dyn Reference, position: &str, depth: u32) -> u64 {
    if depth == 0 || game.over(position).is_some() {
        return 1;
    }
    let moves = game.moves(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.values().map(|next| perft(game, next, depth - 1)).sum()
}
