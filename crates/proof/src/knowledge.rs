//! Knowledge that a search may use beyond the rules: values from tables, and heuristics of a game.

use std::fmt;

use marquis_core::{Game, Hashed, Outcome, Value};

use crate::table::{BucketPair, QuestionTable};
use crate::{Kin, Numbers, Question};

/// Values from tables, known without a search.
pub trait Oracle<G: Game>: Sync {
    /// The value for the player to move; `None` if no table holds the position.
    fn value(&self, position: &G::Position) -> Option<Value>;
}

/// Knowledge of a game about its positions, beyond the rules.
pub trait Heuristic<G: Game>: Sync {
    /// First proof and disproof number of a position that was never searched.
    fn numbers(&self, position: &G::Position, question: Question) -> Numbers {
        let _ = (position, question);
        Numbers::UNIT
    }

    /// The kin of a position for a question. From the proofs that it finds, a search predicts the cost of others.
    /// `None` if that does not pay. First numbers from a [`sight`](Self::sight) do not train it.
    fn kin(&self, position: &G::Position, question: Question) -> Option<Kin> {
        let _ = (position, question);
        None
    }

    /// Computes these numbers faster by following the moves of a search; `None` if it would not be faster.
    fn sight(&self) -> Option<Box<dyn Sight<G> + '_>> {
        None
    }

    /// Whether the player to move certainly wins with this very move; `false` if unknown.
    fn wins_at_once(&self, position: &G::Position) -> bool {
        let _ = position;
        false
    }

    /// Whether a move may lead to a position that [`wins_at_once`](Self::wins_at_once); `true` if unknown.
    fn may_lose_next(&self, position: &G::Position) -> bool {
        let _ = position;
        true
    }
}

/// First numbers of the positions next to a path that it tracks.
pub trait Sight<G: Game>: Send {
    /// Appends this position to the path.
    fn enter(&mut self, position: &G::Position);

    /// Removes the last position from the path.
    fn leave(&mut self);

    /// [`Heuristic::numbers`] of a position that one move from the end of the path leads to.
    fn numbers(&mut self, next: &G::Position, question: Question) -> Numbers;
}

/// A heuristic along the path of a search; uses its sight if it has one.
pub(crate) struct PathHeuristic<'a, G: Game, H> {
    heuristic: &'a H,
    sight: Option<Box<dyn Sight<G> + 'a>>,
}

impl<G: Game, H> fmt::Debug for PathHeuristic<'_, G, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Along")
    }
}

impl<'a, G: Game, H: Heuristic<G>> PathHeuristic<'a, G, H> {
    /// An empty path.
    pub(crate) fn new(heuristic: &'a H) -> Self {
        Self { heuristic, sight: heuristic.sight() }
    }

    /// First numbers of a position next to the path, in the range of an open one.
    pub(crate) fn numbers(&mut self, next: &G::Position, question: Question) -> Numbers {
        let numbers = match &mut self.sight {
            Some(sight) => sight.numbers(next, question),
            None => self.heuristic.numbers(next, question),
        };
        numbers.open()
    }
}

impl<G: Game, H> PathHeuristic<'_, G, H> {
    /// Appends this position to the path.
    pub(crate) fn enter(&mut self, position: &G::Position) {
        if let Some(sight) = &mut self.sight {
            sight.enter(position);
        }
    }

    /// Removes the last position from the path.
    pub(crate) fn leave(&mut self) {
        if let Some(sight) = &mut self.sight {
            sight.leave();
        }
    }
}

/// No tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<G: Game> Oracle<G> for NoOracle {
    fn value(&self, _: &G::Position) -> Option<Value> {
        None
    }
}

/// `None` knows nothing, as [`NoOracle`] does, so that searches with and without tables share their code.
impl<G: Game, O: Oracle<G>> Oracle<G> for Option<&O> {
    fn value(&self, position: &G::Position) -> Option<Value> {
        self.and_then(|oracle| oracle.value(position))
    }
}

/// No heuristic: every new position has the numbers 1 and 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHeuristic;

impl<G: Game> Heuristic<G> for NoHeuristic {}

/// The outcome, if the game is over or its outcome foregone; lines of strategies end there.
#[inline]
pub(crate) fn end<G: Game>(game: &G, position: &G::Position) -> Option<Outcome> {
    game.over(position).map(|over| over.outcome).or_else(|| game.foregone(position))
}

/// Why a line of a strategy ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LeafReason {
    /// The game is over, or its end foregone.
    Over,
    /// A table holds the position.
    Table,
}

/// A question answered without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    pub(crate) yes: bool,
    pub(crate) ground: LeafReason,
}

/// The rules and the knowledge beyond them, as used by every part of the search.
#[derive(Debug)]
pub(crate) struct World<'a, G, O, H> {
    pub(crate) game: &'a G,
    pub(crate) oracle: &'a O,
    pub(crate) heuristic: &'a H,
}

impl<G, O, H> Clone for World<'_, G, O, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, O, H> Copy for World<'_, G, O, H> {}

impl<G: Hashed, O, H> World<'_, G, O, H> {
    /// The place of a position in the table.
    #[inline]
    pub(crate) fn place(&self, table: &QuestionTable, position: &G::Position) -> BucketPair {
        table.place(self.game.shared_key(position), self.game.locality(position))
    }
}

impl<G: Game, O: Oracle<G>, H: Heuristic<G>> World<'_, G, O, H> {
    /// The answer, if rules or tables give it without a search.
    pub(crate) fn closed(&self, position: &G::Position, question: Question) -> Option<Closed> {
        if let Some(yes) = self.over(position, question) {
            return Some(Closed { yes, ground: LeafReason::Over });
        }
        self.tabled(position, question).map(|yes| Closed { yes, ground: LeafReason::Table })
    }

    /// The answer by the rules, if the game is over or its outcome foregone.
    pub(crate) fn over(&self, position: &G::Position, question: Question) -> Option<bool> {
        let outcome = end(self.game, position)?;
        Some(outcome == Outcome::Winner(question.prover))
    }

    /// The answer by tables, if they hold the position.
    pub(crate) fn tabled(&self, position: &G::Position, question: Question) -> Option<bool> {
        let value = self.oracle.value(position)?;
        Some(question.is_yes(value, self.game.turn(position)))
    }
}
