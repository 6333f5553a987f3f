//! The types of the solvers of the engine: values, moves and positions, not yet as text.
//!
//! [`crate::wire`] turns them into responses, once, at the edge.

use std::sync::Arc;

use marquis_chance::Between;
use marquis_core::{Over, Throw, Value};
pub(crate) use marquis_eval::Wdl;
use marquis_play::Level;
use marquis_proof::{Ended, Unproved};

use crate::ask::choice::PlayerTwo;
use crate::game::chance::ChanceGame;
use crate::game::exact::ExactGame;
use crate::goal::Goal;
use crate::query::Pie;
pub(crate) use crate::verdict::{Proof, Verdict};
use crate::wire::book::BookEntry;
use crate::wire::reports::LineEnd;

/// A move and its value for the player who makes it.
pub(crate) struct Choice<G: ExactGame> {
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

impl<G: ExactGame> Clone for Choice<G> {
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
    pub(crate) choices: Vec<Choice<G>>,
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
    pub(crate) choices: Vec<Choice<G>>,
    pub(crate) end: LineEnd,
    /// Whether the plies of every position on the line are known, so that nobody can win sooner or hold longer.
    pub(crate) is_shortest: bool,
}

/// The value of a set-up for the player who moves first with one colour.
pub(crate) struct FirstMover<G: ExactGame> {
    /// The position that this player faces.
    pub(crate) position: G::Position,
    pub(crate) verdict: Verdict,
    /// The moves of the highest value; empty if the value is unknown.
    pub(crate) best: Vec<Choice<G>>,
    /// How the search of this colour ended; `None` if it was not searched.
    pub(crate) ending: Option<Ending>,
}

/// The results of a level as Player Two of a set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tried {
    pub(crate) level: Level,
    /// Games in which it made the right choice.
    pub(crate) found: u32,
    /// The number of those games that it won against the highest level.
    pub(crate) held: u32,
    /// The number of games.
    pub(crate) games: u32,
}

impl Tried {
    /// The share of games in which it found the right choice and held it.
    fn share(self) -> f64 {
        f64::from(self.held) / f64::from(self.games.max(1))
    }

    /// Whether the level held at least half of its games.
    pub(crate) fn in_half(self) -> bool {
        2 * self.held >= self.games
    }
}

/// The level at which half of the games are held, interpolated between two levels: [`Level::MIN`] if the lowest level
/// holds half, one above [`Level::MAX`] if the highest does not.
///
/// * `tried`: the lowest level first, with the lowest that succeeds and the one below it.
pub(crate) fn rating(tried: &[Tried]) -> f64 {
    let number = |own: Tried| f64::from(own.level.get());
    let Some(place) = tried.iter().position(|own| own.in_half()) else {
        return f64::from(Level::MAX.get()) + 1.0;
    };
    let Some(below) = place.checked_sub(1).map(|below| tried[below]) else { return number(tried[place]) };
    let (low, high) = (below.share(), tried[place].share());
    number(below) + (number(tried[place]) - number(below)) * (0.5 - low) / (high - low)
}

/// How hard the right choice is to see and to play, seen from one first position.
pub(crate) struct Difficulty<G: ExactGame> {
    /// The first position that decides the set-up, or White's.
    pub(crate) position: G::Position,
    /// The number of first moves.
    pub(crate) first_moves: usize,
    /// The number of first moves that keep the value; `None` if some value is unknown.
    pub(crate) keeping: Option<usize>,
    /// The first move that captures most.
    pub(crate) greedy: Option<G::Move>,
    /// Whether it keeps the value, if that is known.
    pub(crate) greedy_keeps: Option<bool>,
    /// The length, in plies, of the longest line in which only one move holds.
    pub(crate) only_move_line: Option<u16>,
    /// The number of nodes of the proof.
    pub(crate) nodes: u64,
    /// The levels that were tried as Player Two, the lowest first; `None` if no choice is known to win, or the time
    /// was up.
    pub(crate) tried: Option<Vec<Tried>>,
}

/// The value of a set-up.
pub(crate) struct Balance<G: ExactGame> {
    /// For the player who moves first, with White and with Black.
    pub(crate) first_movers: [FirstMover<G>; 2],
    pub(crate) player_two: PlayerTwo,
    /// The same under the other pie, if that has the same first positions.
    pub(crate) under_other: Option<(Pie, PlayerTwo)>,
    pub(crate) difficulty: Difficulty<G>,
    /// Why the requested search ended; `None` if nothing was searched.
    pub(crate) ended: Option<Ended>,
}

/// The knowledge about a position before a throw, and about the moves after it.
pub(crate) struct ChanceSolution<G: ChanceGame> {
    pub(crate) position: G::Position,
    /// Why the game is over.
    pub(crate) over: Option<Over>,
    /// The chance of the player to throw; with a known throw, the chance after it.
    pub(crate) worth: Worth,
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
    pub(crate) worth: Worth,
    /// Every move, best first; empty if only values were requested.
    pub(crate) choices: Vec<Weighed<G>>,
}

/// A move after a throw and its worth for the player who makes it.
pub(crate) struct Weighed<G: ChanceGame> {
    pub(crate) mv: G::Move,
    /// The position after it.
    pub(crate) after: G::Position,
    pub(crate) worth: Worth,
}

impl<G: ChanceGame> Clone for Weighed<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: ChanceGame> Copy for Weighed<G> {}

/// The knowledge about a chance of winning, or an estimate of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Worth {
    /// It lies between these bounds.
    Certified(Between),
    /// An estimate by search; never a proof.
    Estimated(f64),
}

impl Worth {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self::Certified(Between::UNKNOWN);

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

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(level: u8, held: u32) -> Tried {
        let level = Level::new(level).expect("a level");
        Tried { level, found: held, held, games: 8 }
    }

    #[test]
    fn a_rating_lies_between_the_levels_that_fail_and_succeed() {
        let of = |tried: &[Tried]| rating(tried);
        // Halfway from 2 of 8 to 6 of 8.
        assert!((of(&[tried(4, 2), tried(5, 6)]) - 4.5).abs() < 1e-9);
        // Four of eight are half of them.
        assert!((of(&[tried(2, 0), tried(3, 4), tried(4, 8)]) - 3.0).abs() < 1e-9);
        // Interpolated across a level that was left out.
        assert!((of(&[tried(4, 3), tried(6, 5)]) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn a_rating_is_1_where_the_lowest_level_succeeds_and_9_where_the_highest_fails() {
        assert!((rating(&[tried(1, 4), tried(2, 8)]) - 1.0).abs() < 1e-9);
        assert!((rating(&[tried(7, 0), tried(8, 3)]) - 9.0).abs() < 1e-9);
    }
}
