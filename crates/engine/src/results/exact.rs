//! The solution of a position without throws, and its best line.

use std::sync::Arc;

use marquis_core::{Over, Value};
use marquis_proof::{Ended, Unproved};

use super::verdict::Verdict;
use crate::game::exact::ExactGame;
use marquis_wire::Goal;
use marquis_wire::book::BookEntry;
use marquis_wire::reports::LineEnd;

/// A move and its value for the player who makes it.
pub(crate) struct ValuedMove<G: ExactGame> {
    pub(crate) mv: G::Move,
    /// The move as players write it; the tie-break among equal moves.
    pub(crate) text: String,
    /// The position after it.
    pub(crate) after: G::Position,
    pub(crate) verdict: Verdict,
    /// How promising it looks without any proof, from 0 to 1: the order among equal moves.
    pub(crate) leaning: Option<f64>,
    /// The chance from a search of the same depth for every open move.
    pub(crate) alike: Option<f64>,
    /// The number of plies by which it is worse than the best move of the same value.
    pub(crate) delta: Option<u16>,
}

impl<G: ExactGame> Clone for ValuedMove<G> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), ..*self }
    }
}

/// How the chances of a position were found.
pub(crate) struct Insight<G: ExactGame> {
    /// The depth of the search, in plies.
    pub(crate) depth: u8,
    /// The number of positions searched.
    pub(crate) nodes: u64,
    /// The best line.
    pub(crate) line: Vec<G::Move>,
    /// The ply from which the search saw the value along the line to the end.
    pub(crate) exact_from: Option<u16>,
    /// The share of the last finished depths, without a gap, that chose the first move of the line.
    pub(crate) stability: f64,
}

impl<G: ExactGame> Clone for Insight<G> {
    fn clone(&self) -> Self {
        Self { line: self.line.clone(), ..*self }
    }
}

/// The knowledge about a position and its moves, best first.
pub(crate) struct Solution<G: ExactGame> {
    pub(crate) position: G::Position,
    /// Why the game is over.
    pub(crate) over: Option<Over>,
    pub(crate) verdict: Verdict,
    pub(crate) choices: Vec<ValuedMove<G>>,
    /// How the estimates were found, if there are any.
    pub(crate) insight: Option<Insight<G>>,
    /// How the search ended; `None` if nothing was searched.
    pub(crate) ending: Option<Ending>,
    /// The known result that this is, if any.
    pub(crate) entry: Option<Arc<BookEntry>>,
}

/// How a search for a proof ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) ended: Ended,
    /// The search's unproved belief, if a proof did not fit its memory.
    pub(crate) unproved: Option<Unproved>,
    /// The memory of the search, in bytes.
    pub(crate) memory: u64,
    /// The disk space allowed for its proofs, in bytes.
    pub(crate) disk: u64,
}

impl<G: ExactGame> Solution<G> {
    /// The same solution, with the end of the search that found it.
    pub(crate) fn after(self, ending: Ending) -> Self {
        Self { ending: Some(ending), ..self }
    }

    /// Whether the value is known.
    pub(crate) fn is_settled(&self) -> bool {
        self.verdict.value().is_some()
    }

    /// Whether the solution answers all that `goal` asks for.
    pub(crate) fn reaches(&self, goal: Goal) -> bool {
        let is_valued = |verdict: &Verdict| verdict.value().is_some();
        let is_counted =
            |verdict: &Verdict| verdict.value() == Some(Value::Draw) || verdict.plies().is_some();
        let every = |test: &dyn Fn(&Verdict) -> bool| {
            test(&self.verdict) && self.choices.iter().all(|choice| test(&choice.verdict))
        };
        match goal {
            Goal::Value => is_valued(&self.verdict),
            Goal::Moves => every(&is_valued),
            Goal::Plies => every(&is_counted),
        }
    }

    /// Whether some move is known to keep the value, or there is no value to keep.
    pub(crate) fn names_move(&self) -> bool {
        let value = self.verdict.value();
        value.is_none() || self.choices.iter().any(|choice| choice.verdict.value() == value)
    }

    /// Whether the value is known and at least one move is known to keep it, with an order among such moves.
    pub(crate) fn knows_what_to_play(&self) -> bool {
        let Some(first) = self.choices.first() else { return false };
        let is_ranked = || self.choices.iter().all(|choice| choice.leaning.is_some());
        let counted = self.choices.iter().all(|choice| choice.verdict.plies().is_some());
        self.is_settled()
            && first.verdict.value() == self.verdict.value()
            && (self.verdict.value() == Some(Value::Win) || counted || is_ranked())
    }
}

impl<G: ExactGame> Clone for Solution<G> {
    fn clone(&self) -> Self {
        let (choices, insight, entry) = (self.choices.clone(), self.insight.clone(), self.entry.clone());
        Self { choices, insight, entry, ..*self }
    }
}

/// The best moves of both sides from a position; plies are counted from that position.
pub(crate) struct BestLine<G: ExactGame> {
    pub(crate) from: Solution<G>,
    pub(crate) choices: Vec<ValuedMove<G>>,
    pub(crate) end: LineEnd,
    /// Whether the plies of every position on the line are known, so that nobody can win sooner or hold longer.
    pub(crate) is_shortest: bool,
}
