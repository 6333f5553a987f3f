//! What is asked about a position, once it is read.

use std::time::Duration;

use marquis_engine::{Goal, Opponent, Posed};

use crate::times::Cut;

/// A question about a position.
#[derive(Clone, Debug)]
pub(crate) struct PositionQuestion {
    pub(crate) posed: Posed,
    /// Whether the best line to the end of the game is wanted too.
    pub(crate) line: bool,
    /// Who is to choose a move, where that is wanted too.
    pub(crate) opponent: Option<Opponent>,
    /// The time that a search may take; no time, no search.
    pub(crate) budget: Duration,
    /// Where the answer may stop.
    pub(crate) goal: Goal,
    /// The positions that it may look at, where that is limited too.
    pub(crate) nodes: Option<u64>,
    /// Whether that is less than was asked for.
    pub(crate) cut: Vec<Cut>,
}

impl PositionQuestion {
    /// What makes two questions the same, the budget aside. No request has this text, for they begin with a slash.
    pub(crate) fn key(&self) -> String {
        let Self { posed, line, opponent, goal, nodes, .. } = self;
        let (game, position, throw) = (posed.game(), posed.text(), posed.throw());
        format!("{game} {position} {:?} {throw:?} {line} {opponent:?} {goal:?} {nodes:?}", posed.immobile())
    }
}
