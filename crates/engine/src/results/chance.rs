//! The chances of a position with throws, and of its moves.

use std::sync::Arc;

use marquis_chance::ChanceInterval;
use marquis_core::{Over, Throw};

use super::verdict::Proof;
use crate::game::chance::ChanceGame;
use marquis_wire::book::BookEntry;

/// The knowledge about a position before a throw, and about the moves after it.
pub(crate) struct ChanceSolution<G: ChanceGame> {
    pub(crate) position: G::Position,
    /// Why the game is over.
    pub(crate) over: Option<Over>,
    /// The chance of the player to throw; with a known throw, the chance after it.
    pub(crate) worth: ChanceKnowledge,
    /// The source of the bounds.
    pub(crate) proof: Proof,
    /// Every throw, or the requested one; empty if the game is over.
    pub(crate) throws: Vec<Thrown<G>>,
    /// The known result that the chance is, if any.
    pub(crate) entry: Option<Arc<BookEntry>>,
}

/// A throw and the knowledge about its moves.
pub(crate) struct Thrown<G: ChanceGame> {
    pub(crate) throw: Throw,
    /// The worth of the best move.
    pub(crate) worth: ChanceKnowledge,
    /// Every move, best first; empty if only values were requested.
    pub(crate) choices: Vec<Weighed<G>>,
}

/// A move after a throw and its worth for the player who makes it.
pub(crate) struct Weighed<G: ChanceGame> {
    pub(crate) mv: G::Move,
    /// The position after it.
    pub(crate) after: G::Position,
    pub(crate) worth: ChanceKnowledge,
}

impl<G: ChanceGame> Clone for Weighed<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: ChanceGame> Copy for Weighed<G> {}

/// The knowledge about a chance of winning, or an estimate of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ChanceKnowledge {
    /// It lies between these bounds.
    Certified(ChanceInterval),
    /// An estimate by search; never a proof.
    Estimated(f64),
}

impl ChanceKnowledge {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self::Certified(ChanceInterval::UNKNOWN);

    /// The chance; `None` if nothing is known.
    pub(crate) fn chance(self) -> Option<f64> {
        match self {
            Self::Certified(between) => between.middle(),
            Self::Estimated(chance) => Some(chance),
        }
    }

    /// The same as the opponent sees it.
    pub(crate) fn for_opponent(self) -> Self {
        match self {
            Self::Certified(between) => Self::Certified(between.for_opponent()),
            Self::Estimated(chance) => Self::Estimated(1.0 - chance),
        }
    }

    /// The worth of the better of two moves: if one is an estimate, an estimate, unless the other wins.
    pub(crate) fn max(self, other: Self) -> Self {
        let wins = |worth: &Self| matches!(worth, Self::Certified(between) if between.lower >= 1.0);
        if let Some(winning) = [self, other].into_iter().find(wins) {
            return winning;
        }
        match (self, other) {
            (Self::Certified(own), Self::Certified(others)) => Self::Certified(own.max(others)),
            _ => match (self.chance(), other.chance()) {
                (Some(own), Some(others)) => Self::Estimated(own.max(others)),
                _ => Self::UNKNOWN,
            },
        }
    }
}
