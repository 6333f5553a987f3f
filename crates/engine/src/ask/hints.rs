//! Hints of a game and its judge for a proof search: the estimated work of a proof, and near ends.

use marquis_core::Game as _;
use marquis_proof::{Heuristic, Kin, Numbers, Question, Sight};

use crate::game::exact::{ExactGame, WorkByLeaning};
use crate::game::first_sight::FirstSight;
use crate::game::judge::Judge;

/// The hints for one search.
pub(crate) struct SearchHints<'a, G: ExactGame> {
    game: &'a G::Rules,
    judge: &'a dyn Judge<G>,
}

impl<'a, G: ExactGame> SearchHints<'a, G> {
    /// The hints of a game and its judge.
    pub(crate) const fn new(game: &'a G::Rules, judge: &'a dyn Judge<G>) -> Self {
        Self { game, judge }
    }
}

/// The initial numbers of a position whose proof has this estimated work.
const fn numbers(work: u32) -> Numbers {
    Numbers { proof: work, disproof: 1 }
}

impl<G: ExactGame> Heuristic<G::Rules> for SearchHints<'_, G> {
    fn numbers(&self, position: &G::Position, question: Question) -> Numbers {
        G::work(self.game, position, question.prover).map_or(Numbers::UNIT, numbers)
    }

    fn kin(&self, position: &G::Position, question: Question) -> Option<Kin> {
        G::kin(self.game, position, question.prover)
    }

    fn sight(&self) -> Option<Box<dyn Sight<G::Rules> + '_>> {
        let work = G::WORK_BY_LEANING?;
        let first_sight = self.judge.at_first_sight(self.game)?;
        Some(Box::new(Learned::<G> { game: self.game, work, first_sight }))
    }

    fn wins_at_once(&self, position: &G::Position) -> bool {
        G::wins_at_once(self.game, position)
    }

    fn may_lose_next(&self, position: &G::Position) -> bool {
        G::may_lose_next(self.game, position)
    }
}

/// The hints for a board with a learned evaluation.
struct Learned<'a, G: ExactGame> {
    game: &'a G::Rules,
    work: WorkByLeaning<G>,
    first_sight: Box<dyn FirstSight<G::Position> + 'a>,
}

impl<G: ExactGame> Sight<G::Rules> for Learned<'_, G> {
    fn enter(&mut self, position: &G::Position) {
        self.first_sight.enter(position);
    }

    fn leave(&mut self) {
        self.first_sight.leave();
    }

    fn numbers(&mut self, next: &G::Position, question: Question) -> Numbers {
        let own = self.first_sight.leaning(next);
        let leaning = if self.game.turn(next) == question.prover { own } else { -own };
        numbers((self.work)(self.game, next, question.prover, leaning))
    }
}
