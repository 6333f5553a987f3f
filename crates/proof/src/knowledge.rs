//! What a search may be told beyond the rules: values from tables, and the sense of a game.

use std::fmt;

use marquis_core::{Game, Hashed, Outcome, Value};

use crate::table::{Place, Table};
use crate::{Numbers, Question};

/// Values that are known without a search, from tables.
pub trait Oracle<G: Game>: Sync {
    /// The value for the player to move, or nothing where no table holds the position.
    fn value(&self, position: &G::Position) -> Option<Value>;
}

/// What a game knows about its positions that the rules alone do not say.
pub trait Heuristic<G: Game>: Sync {
    /// First proof and disproof number of a position that was never searched.
    fn numbers(&self, position: &G::Position, question: Question) -> Numbers {
        let _ = (position, question);
        Numbers::UNIT
    }

    /// A key that positions share of which the proofs cost about as much, measured by their first numbers: from the
    /// proofs that it finds a search learns what the others will take. Nothing where that does not pay; of first numbers
    /// that come by a [`sight`](Self::sight) nothing is learned.
    fn kin(&self, position: &G::Position) -> Option<u64> {
        let _ = position;
        None
    }

    /// What gives these numbers sooner where it may follow the moves of a search; nothing where that is no sooner.
    fn sight(&self) -> Option<Box<dyn Sight<G> + '_>> {
        None
    }

    /// Whether the player to move certainly wins with this very move; false where that is not known.
    fn wins_at_once(&self, position: &G::Position) -> bool {
        let _ = position;
        false
    }

    /// Whether a move may lead to a position that [`wins_at_once`](Self::wins_at_once); true where that is not known.
    fn may_lose_next(&self, position: &G::Position) -> bool {
        let _ = position;
        true
    }
}

/// First numbers of the positions next to a path that it follows.
pub trait Sight<G: Game>: Send {
    /// The path goes on to this position, or begins with it.
    fn enter(&mut self, position: &G::Position);

    /// The last position is taken off the path.
    fn leave(&mut self);

    /// What [`Heuristic::numbers`] says of a position to which a move leads from the end of the path.
    fn numbers(&mut self, next: &G::Position, question: Question) -> Numbers;
}

/// A heuristic along the path of a search: by its sight where it has one.
pub(crate) struct Along<'a, G: Game, H> {
    heuristic: &'a H,
    sight: Option<Box<dyn Sight<G> + 'a>>,
}

impl<G: Game, H> fmt::Debug for Along<'_, G, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Along")
    }
}

impl<'a, G: Game, H: Heuristic<G>> Along<'a, G, H> {
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

impl<G: Game, H> Along<'_, G, H> {
    /// The path goes on to this position, or begins with it.
    pub(crate) fn enter(&mut self, position: &G::Position) {
        if let Some(sight) = &mut self.sight {
            sight.enter(position);
        }
    }

    /// The last position is taken off the path.
    pub(crate) fn leave(&mut self) {
        if let Some(sight) = &mut self.sight {
            sight.leave();
        }
    }
}

/// No table at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<G: Game> Oracle<G> for NoOracle {
    fn value(&self, _: &G::Position) -> Option<Value> {
        None
    }
}

/// Where there is none it knows nothing, as [`NoOracle`] does: a search with tables and one without are the same code.
impl<G: Game, O: Oracle<G>> Oracle<G> for Option<&O> {
    fn value(&self, position: &G::Position) -> Option<Value> {
        self.and_then(|oracle| oracle.value(position))
    }
}

/// No sense of the game: every new position counts one.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHeuristic;

impl<G: Game> Heuristic<G> for NoHeuristic {}

/// How the game ended, or how it ends whatever the loser plays; lines of strategies end there.
#[inline]
pub(crate) fn end<G: Game>(game: &G, position: &G::Position) -> Option<Outcome> {
    game.over(position).map(|over| over.outcome).or_else(|| game.foregone(position))
}

/// On what ground a line of a strategy ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ground {
    /// The game is over, or its end foregone.
    Over,
    /// A table holds the position.
    Table,
}

/// A question answered without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    pub(crate) yes: bool,
    pub(crate) ground: Ground,
}

/// The rules and what is known beyond them, as every part of the search sees them.
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
    /// Where the table keeps a position.
    #[inline]
    pub(crate) fn place(&self, table: &Table, position: &G::Position) -> Place {
        table.place(self.game.shared_key(position), self.game.locality(position))
    }
}

impl<G: Game, O: Oracle<G>, H: Heuristic<G>> World<'_, G, O, H> {
    /// The answer where rules, tables or bounds give it at once.
    pub(crate) fn closed(&self, position: &G::Position, question: Question) -> Option<Closed> {
        if let Some(yes) = self.over(position, question) {
            return Some(Closed { yes, ground: Ground::Over });
        }
        self.tabled(position, question).map(|yes| Closed { yes, ground: Ground::Table })
    }

    /// The answer of the rules, where the game is over or its end foregone.
    pub(crate) fn over(&self, position: &G::Position, question: Question) -> Option<bool> {
        let outcome = end(self.game, position)?;
        Some(outcome == Outcome::Winner(question.prover))
    }

    /// The answer of tables or bounds, where they have the position.
    pub(crate) fn tabled(&self, position: &G::Position, question: Question) -> Option<bool> {
        let value = self.oracle.value(position)?;
        Some(question.is_yes(value, self.game.turn(position)))
    }
}
