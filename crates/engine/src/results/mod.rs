//! Results about positions and set-ups, as values, moves and positions; not yet as text.
//!
//! [`marquis_wire`] turns it into responses, once, at the edge.

mod chance;
pub(crate) mod closure;
mod exact;
pub(crate) mod pie;
pub(crate) mod set_up;
mod verdict;

pub(crate) use marquis_eval::Wdl;

pub(crate) use chance::{ChanceKnowledge, ChanceSolution, Thrown, Weighed};
pub(crate) use exact::{BestLine, Ending, Insight, Solution, ValuedMove};
pub(crate) use verdict::{Proof, Verdict};
