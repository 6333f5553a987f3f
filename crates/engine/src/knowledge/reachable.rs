//! All positions reachable from a position, solved.

use std::sync::Arc;

use marquis_core::Score;
use marquis_retro::exhaustive::Solved;

use crate::game::tabled::Tabled;
use crate::knowledge::sub_tables::SubTable;

/// The scores of all positions reachable from a position.
pub(crate) enum Everything<G: Tabled> {
    /// Position by position.
    Listed(Solved<G::Rules>),
    /// By layers of numbered positions, which include unreachable ones.
    Tabled(Arc<SubTable<G>>),
}

impl<G: Tabled> Everything<G> {
    /// The score of a position; `None` if it was not reached.
    pub(crate) fn score(&self, rules: &G::Rules, position: &G::Position) -> Option<Score> {
        match self {
            Self::Listed(solved) => solved.score(position),
            Self::Tabled(table) => table.score(rules, position),
        }
    }
}
