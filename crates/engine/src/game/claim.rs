//! What designers claim of a game, and what claims are checked on.

use marquis_retro::exhaustive::Solved;

use crate::game::tabled::Tabled;
use crate::know::shelf::Shelf;

/// What is claimed of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimId {
    /// No position can be reached from itself.
    PlayEnds,
    /// Every position is won or lost.
    NoDraw,
    /// What the designer says besides.
    OfDesigner {
        /// The claim as a sentence.
        words: &'static str,
        /// Whether play ends where this holds.
        ends_play: bool,
    },
}

impl ClaimId {
    /// The claim as a sentence.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::PlayEnds => "play always ends: no position can be reached from itself",
            Self::NoDraw => "no position is a draw",
            Self::OfDesigner { words, .. } => words,
        }
    }
}

/// What was found out about a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which claim.
    pub claim: ClaimId,
    /// Whether it holds; none where it was not decided.
    pub holds: Option<bool>,
    /// A counterexample, or why it holds.
    pub evidence: String,
}

impl Finding {
    /// What follows from a look at all positions: the claim holds unless there is a counterexample.
    #[must_use]
    pub fn among_all(claim: ClaimId, counterexample: Option<String>) -> Self {
        let holds = Some(counterexample.is_none());
        let evidence = counterexample.unwrap_or_else(|| "no counterexample among all positions".to_owned());
        Self { claim, holds, evidence }
    }
}

/// The positions that claims are checked on, as far as somebody has them.
pub enum Evidence<'a, G: Tabled> {
    /// Everything that can be reached from the position, solved.
    Reachable(&'a Solved<G::Rules>),
    /// The tables of its board.
    Tables(&'a [&'a Shelf<G>]),
}

impl<G: Tabled> Clone for Evidence<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Tabled> Copy for Evidence<'_, G> {}
