//! Claims of designers about a game, and the positions on which they are checked.

use marquis_retro::exhaustive::Solved;

use crate::game::shelf::Shelf;
use crate::game::tabled::Tabled;

/// A claim about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimId {
    /// No position can be reached from itself.
    PlayEnds,
    /// Every position is won or lost.
    NoDraw,
    /// Another claim of the designer.
    OfDesigner {
        /// The claim as a sentence.
        words: &'static str,
        /// Whether play ends if the claim holds.
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

/// The result of checking a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The claim.
    pub claim: ClaimId,
    /// Whether it holds; `None` if undecided.
    pub holds: Option<bool>,
    /// A counterexample, or why it holds.
    pub evidence: String,
}

impl Finding {
    /// The finding after a check of some positions.
    ///
    /// A counterexample refutes the claim. Without one, the claim holds if all positions were checked; otherwise it
    /// is undecided.
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
    /// A description of them, with their number.
    pub positions: String,
    /// Whether they are all the positions that the claim is about.
    pub are_all: bool,
}

/// The positions on which claims are checked, and their source.
pub struct Evidence<'a, G: Tabled> {
    /// The positions.
    pub looked_at: &'a LookedAt,
    /// Their source.
    pub source: PositionSource<'a, G>,
}

/// The source of the positions on which claims are checked.
pub enum PositionSource<'a, G: Tabled> {
    /// Everything reachable from the position, solved.
    Reachable(&'a Solved<G::Rules>),
    /// Tables of its board.
    Tables(&'a Shelf<G>),
}

impl<G: Tabled> Clone for PositionSource<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Tabled> Copy for PositionSource<'_, G> {}

impl<G: Tabled> Clone for Evidence<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Tabled> Copy for Evidence<'_, G> {}
