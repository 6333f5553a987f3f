//! What a game and its judge tell a search for proofs: how much work a proof looks like, and which ends are near.

use marquis_core::Game as _;
use marquis_proof::{Heuristic, Numbers, Question};

use crate::game::exact::ExactGame;
use crate::game::judge::{FirstSight, Judge};

/// The hints for one search.
pub(crate) struct Hints<'a, G: ExactGame> {
    game: &'a G::Rules,
    first_sight: Option<Box<FirstSight<'a, G::Position>>>,
}

impl<'a, G: ExactGame> Hints<'a, G> {
    /// What a game and its judge have to say.
    pub(crate) fn new(game: &'a G::Rules, judge: &dyn Judge<G>) -> Self {
        Self { game, first_sight: judge.at_first_sight(game) }
    }
}

impl<G: ExactGame> Heuristic<G::Rules> for Hints<'_, G> {
    fn numbers(&self, position: &G::Position, question: Question) -> Numbers {
        let leaning = || {
            let own = self.first_sight.as_ref()?(position);
            Some(if self.game.turn(position) == question.prover { own } else { -own })
        };
        let work = G::work(self.game, position, question.prover, &leaning);
        work.map_or(Numbers::UNIT, |work| Numbers { proof: work, disproof: 1 })
    }

    fn wins_at_once(&self, position: &G::Position) -> bool {
        G::wins_at_once(self.game, position)
    }

    fn may_lose_next(&self, position: &G::Position) -> bool {
        G::may_lose_next(self.game, position)
    }
}
