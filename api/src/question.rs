//! A parsed question about a position.

use std::time::Duration;

use marquis_engine::{Opponent, Posed};
use marquis_wire::Goal;

use crate::times::Cut;

/// A question about a position.
#[derive(Clone, Debug)]
pub(crate) struct PositionQuestion {
    pub(crate) posed: Posed,
    /// Whether the best line to the end of the game is wanted too.
    pub(crate) line: bool,
    /// The opponent that chooses a move, if that is wanted too.
    pub(crate) opponent: Option<Opponent>,
    /// The time that a search may take; zero for no search.
    pub(crate) budget: Duration,
    /// Where the answer may stop.
    pub(crate) goal: Goal,
    /// The maximum number of positions of the search, if that is limited too.
    pub(crate) nodes: Option<u64>,
    /// The times that were cut to the allowed maximum.
    pub(crate) cut: Vec<Cut>,
}

impl PositionQuestion {
    /// Identifies equal questions, regardless of the budget. No request path has this text, because paths begin with
    /// a slash.
    pub(crate) fn key(&self) -> String {
        let Self { posed, line, opponent, goal, nodes, .. } = self;
        let (game, position, throw) = (posed.game(), posed.text(), posed.throw());
        format!("{game} {position} {:?} {throw:?} {line} {opponent:?} {goal:?} {nodes:?}", posed.immobile())
    }
}
