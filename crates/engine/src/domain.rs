//! What the solvers of the engine compute with: values, moves and positions as they are, none of them as a text.
//!
//! [`crate::wire`] makes the shapes of answers of them, once, at the edge.

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

/// A move and what it is worth to the player who makes it.
pub(crate) struct Choice<G: ExactGame> {
    pub(crate) mv: G::Move,
    /// The move as players write it, which settles the order of equals.
    pub(crate) text: String,
    /// The position after it.
    pub(crate) after: G::Position,
    pub(crate) verdict: Verdict,
    /// How promising it looks to a judge who does not know what is proved, from 0 to 1: it orders equals.
    pub(crate) leaning: Option<f64>,
    /// The chance by a look that was as deep for every open move.
    pub(crate) alike: Option<f64>,
    /// How many plies worse than the best move of the same value.
    pub(crate) delta: Option<u16>,
}

impl<G: ExactGame> Clone for Choice<G> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), ..*self }
    }
}

/// How the chances of a position were found.
pub(crate) struct Insight<G: ExactGame> {
    /// Plies looked ahead.
    pub(crate) depth: u8,
    /// Positions looked at.
    pub(crate) nodes: u64,
    /// The best line.
    pub(crate) line: Vec<G::Move>,
    /// The ply from which on the value along the line was seen to the end.
    pub(crate) exact_from: Option<u16>,
    /// The share of the finished depths that chose the first move of the line, the last ones in a row.
    pub(crate) stability: f64,
}

impl<G: ExactGame> Clone for Insight<G> {
    fn clone(&self) -> Self {
        Self { line: self.line.clone(), ..*self }
    }
}

/// What is known of a position and of its moves, best first.
pub(crate) struct Solution<G: ExactGame> {
    pub(crate) position: G::Position,
    /// Why the game is over.
    pub(crate) over: Option<Over>,
    pub(crate) verdict: Verdict,
    pub(crate) choices: Vec<Choice<G>>,
    /// How estimates were found, where there are any.
    pub(crate) insight: Option<Insight<G>>,
    /// How the search ended; none where nothing was searched.
    pub(crate) ending: Option<Ending>,
    /// The known result that it is, where it is one.
    pub(crate) entry: Option<Arc<BookEntry>>,
}

/// How a search for a proof came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) ended: Ended,
    /// What the search believed, where a proof did not fit its memory.
    pub(crate) unproved: Option<Unproved>,
    /// The bytes that the search was given.
    pub(crate) memory: u64,
    /// The bytes of disk that its proofs were allowed.
    pub(crate) disk: u64,
}

impl<G: ExactGame> Solution<G> {
    /// The same, come to by a search that ended so.
    pub(crate) fn after(self, ending: Ending) -> Self {
        Self { ending: Some(ending), ..self }
    }

    /// Whether the value is known.
    pub(crate) fn is_settled(&self) -> bool {
        self.verdict.value().is_some()
    }

    /// Whether as much is known as anybody can want.
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

    /// Whether a move is known to keep the value, or there is no value to keep.
    pub(crate) fn names_move(&self) -> bool {
        let value = self.verdict.value();
        value.is_none() || self.choices.iter().any(|choice| choice.verdict.value() == value)
    }

    /// Whether the value is known, and of one move at least that it keeps it, with an order among them.
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

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    /// The game is over.
    Over,
    /// Both sides can hold the draw.
    Draw,
    /// The value is proved, its plies are not.
    Proved,
    /// Nothing is proved from here.
    Unknown,
}

/// The best moves of both sides from a position on; plies are counted from that position.
pub(crate) struct BestLine<G: ExactGame> {
    pub(crate) from: Solution<G>,
    pub(crate) choices: Vec<Choice<G>>,
    pub(crate) end: LineEnd,
    /// Whether the plies of every position on the way are known, so that nobody can win sooner or hold longer.
    pub(crate) is_shortest: bool,
}

/// What a set-up is worth to whoever moves first with one colour.
pub(crate) struct FirstMover<G: ExactGame> {
    /// The position that he faces.
    pub(crate) position: G::Position,
    pub(crate) verdict: Verdict,
    /// The moves that are worth most; none where the value is unknown.
    pub(crate) best: Vec<Choice<G>>,
    /// How the search of this colour ended; none where it was not searched.
    pub(crate) ending: Option<Ending>,
}

/// How a level did as Player Two of a set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tried {
    pub(crate) level: Level,
    /// Games in which it made the right choice.
    pub(crate) found: u32,
    /// Those of them that it won against the highest level.
    pub(crate) held: u32,
    /// All of its games.
    pub(crate) games: u32,
}

impl Tried {
    /// The share of games in which it found the right choice and held it.
    fn share(self) -> f64 {
        f64::from(self.held) / f64::from(self.games.max(1))
    }

    /// Whether that is half of them at least.
    pub(crate) fn in_half(self) -> bool {
        2 * self.held >= self.games
    }
}

/// The level at which half of the games are held: between two levels in proportion, [`Level::MIN`] where the lowest
/// holds as many, one above [`Level::MAX`] where the highest does not.
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
    /// How many first moves there are.
    pub(crate) first_moves: usize,
    /// How many of them keep the value; none where some value is unknown.
    pub(crate) keeping: Option<usize>,
    /// The first move that captures most.
    pub(crate) greedy: Option<G::Move>,
    /// Whether it keeps the value, where that is known.
    pub(crate) greedy_keeps: Option<bool>,
    /// The length, in plies, of the longest line in which only one move holds.
    pub(crate) only_move_line: Option<u16>,
    /// The nodes that the proof took.
    pub(crate) nodes: u64,
    /// The levels that were tried as Player Two, the lowest first; none where no choice is known to win, or the time
    /// was up.
    pub(crate) tried: Option<Vec<Tried>>,
}

/// What a set-up is worth.
pub(crate) struct Balance<G: ExactGame> {
    /// To whoever moves first, with White and with Black.
    pub(crate) first_movers: [FirstMover<G>; 2],
    pub(crate) player_two: PlayerTwo,
    /// The same under the other pie, where it has the same first positions.
    pub(crate) under_other: Option<(Pie, PlayerTwo)>,
    pub(crate) difficulty: Difficulty<G>,
    /// Why the search for what was asked ended; none where nothing was searched.
    pub(crate) ended: Option<Ended>,
}

/// What is known of a position before a throw, and of what can be done after it.
pub(crate) struct ChanceSolution<G: ChanceGame> {
    pub(crate) position: G::Position,
    /// Why the game is over.
    pub(crate) over: Option<Over>,
    /// What is known of the chance of the player to throw: with a known throw, after that.
    pub(crate) worth: Worth,
    /// Where bounds come from.
    pub(crate) proof: Proof,
    /// Every throw, or the one that was asked for; none where the game is over.
    pub(crate) throws: Vec<Thrown<G>>,
    /// The known result that the chance is, where it is one.
    pub(crate) entry: Option<Arc<BookEntry>>,
}

/// A throw, and what is known of its moves.
pub(crate) struct Thrown<G: ChanceGame> {
    pub(crate) throw: Throw,
    /// What the best move is worth.
    pub(crate) worth: Worth,
    /// Every move, best first; none where only values were asked for.
    pub(crate) choices: Vec<Weighed<G>>,
}

/// A move after a throw, and what it is worth to the player who makes it.
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

/// What is known or thought of a chance of winning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Worth {
    /// It lies between these bounds.
    Certified(Between),
    /// A look ahead says so; never a proof.
    Estimated(f64),
}

impl Worth {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self::Certified(Between::UNKNOWN);

    /// The chance; none where nothing is known.
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

    /// What the better one of two moves is worth: with an estimate among them, an estimate, unless the other wins.
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
        // Half of the way from 2 of 8 to 6 of 8.
        assert!((of(&[tried(4, 2), tried(5, 6)]) - 4.5).abs() < 1e-9);
        // Four of eight are half of them.
        assert!((of(&[tried(2, 0), tried(3, 4), tried(4, 8)]) - 3.0).abs() < 1e-9);
        // With a level between them left out, in proportion too.
        assert!((of(&[tried(4, 3), tried(6, 5)]) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn a_rating_is_1_where_the_lowest_level_succeeds_and_9_where_the_highest_fails() {
        assert!((rating(&[tried(1, 4), tried(2, 8)]) - 1.0).abs() < 1e-9);
        assert!((rating(&[tried(7, 0), tried(8, 3)]) - 9.0).abs() < 1e-9);
    }
}
