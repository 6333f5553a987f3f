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
    /// What follows from a look at some positions.
    ///
    /// A counterexample refutes the claim. Without one it holds where the positions are all, and is undecided otherwise.
    #[must_use]
    pub fn among(claim: ClaimId, looked_at: &LookedAt, counterexample: Option<String>) -> Self {
        let holds = match counterexample {
            Some(_) => Some(false),
            None => looked_at.are_all.then_some(true),
        };
        let evidence =
            counterexample.unwrap_or_else(|| format!("no counterexample among {}", looked_at.positions));
        Self { claim, holds, evidence }
    }
}

/// The positions that a claim was checked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookedAt {
    /// Which they are, with their number.
    pub positions: String,
    /// Whether they are all that the claim is about.
    pub are_all: bool,
}

/// What claims are checked on.
pub struct Evidence<'a, G: Tabled> {
    /// The positions.
    pub looked_at: &'a LookedAt,
    /// Where they are.
    pub source: Source<'a, G>,
}

/// Where the positions are that claims are checked on.
pub enum Source<'a, G: Tabled> {
    /// Everything that can be reached from the position, solved.
    Reachable(&'a Solved<G::Rules>),
    /// Tables of its board.
    Tables(&'a Shelf<G>),
}

impl<G: Tabled> Clone for Source<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Tabled> Copy for Source<'_, G> {}

impl<G: Tabled> Clone for Evidence<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Tabled> Copy for Evidence<'_, G> {}
