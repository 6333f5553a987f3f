//! Searches on demand, for positions of a strategy for which the table has no usable answer.

use marquis_core::{ByPlayer, Hashed};

use crate::dfpn::{Progressed, QuestionSearch};
use crate::knowledge::World;
use crate::limits::NodeMeter;
use crate::table::{QuestionTable, StoredAnswer};
use crate::{Ended, Heuristic, Oracle, Question};

/// No limit but those of the whole search.
pub(crate) const UNTIL_SETTLED: u64 = u64::MAX;
/// The table has no win.
pub(crate) const SILENT: u32 = u32::MAX;

/// The result of a search on demand, with the number of the move that shows it for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The prover wins.
    Yes(u16),
    /// The prover does not win.
    No(u16),
    /// The allowance was too small.
    Open,
}

/// A search of one question that restarts for each position.
#[derive(Debug)]
pub(crate) struct Settler<'a, G: Hashed, O, H> {
    world: World<'a, G, O, H>,
    table: &'a QuestionTable,
    question: Question,
    searcher: QuestionSearch<'a, G, O, H>,
    moves: Vec<G::Move>,
}

impl<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>> Settler<'a, G, O, H> {
    pub(crate) fn new(world: World<'a, G, O, H>, table: &'a QuestionTable, question: Question) -> Self {
        Self {
            world,
            table,
            question,
            searcher: QuestionSearch::new(world, table, question),
            moves: Vec::new(),
        }
    }

    pub(crate) fn question(&self) -> Question {
        self.question
    }

    /// The stored answers to both questions.
    pub(crate) fn look(&self, position: &G::Position) -> ByPlayer<Option<StoredAnswer>> {
        self.table.look(self.world.place(self.table, position))
    }

    /// Makes the table forget the prover's win from a position.
    pub(crate) fn forget(&self, position: &G::Position) {
        self.table.forget(self.world.place(self.table, position), self.question);
    }

    /// The number of the winning move of the prover, who is to move: one that ends the game, or the table's, if the
    /// position after it is also known.
    ///
    /// * `moves`: all moves.
    pub(crate) fn winning(&self, position: &G::Position, moves: &[G::Move]) -> Option<u16> {
        let World { game, heuristic, .. } = self.world;
        // The search stores no such positions in the table.
        if heuristic.wins_at_once(position) {
            let ends = |&mv| self.world.over(&game.play(position, mv), self.question) == Some(true);
            return moves.iter().position(ends).map(|number| number as u16);
        }
        let Some(StoredAnswer::Proved { best, .. }) = self.look(position)[self.question.prover] else {
            return None;
        };
        let next = game.play(position, *moves.get(usize::from(best))?);
        (self.plies(&next) < SILENT).then_some(best)
    }

    fn list(&mut self, position: &G::Position) {
        self.moves.clear();
        self.world.game.moves(position, &mut self.moves);
    }

    /// The prover's moves by plies to the win in the table; [`SILENT`] if it has none.
    pub(crate) fn candidates(&mut self, position: &G::Position) -> Vec<(u32, u16)> {
        self.list(position);
        let mut order: Vec<(u32, u16)> = Vec::with_capacity(self.moves.len());
        for (number, &mv) in self.moves.iter().enumerate() {
            let next = self.world.game.play(position, mv);
            let plies = self.plies(&next);
            order.push((plies, number as u16));
            if plies == 0 {
                break;
            }
        }
        order
    }

    /// Plies to the prover's win by table, rules or tablebase; [`SILENT`] if unknown.
    fn plies(&self, position: &G::Position) -> u32 {
        // The table holds no finished positions, and a lookup costs more than the rules.
        if let Some(won) = self.world.over(position, self.question) {
            return if won { 0 } else { SILENT };
        }
        match self.look(position)[self.question.prover] {
            Some(StoredAnswer::Proved { plies, .. }) => u32::from(plies),
            Some(_) => SILENT,
            None if self.world.tabled(position, self.question) == Some(true) => 0,
            None => SILENT,
        }
    }

    /// Searches a position in which the game is not over, with at most `allowance` expansions.
    pub(crate) fn settle(
        &mut self,
        position: &G::Position,
        allowance: u64,
        meter: &mut NodeMeter<'_>,
    ) -> Result<Settled, Ended> {
        self.searcher.start(position);
        let mut left = allowance;
        while left > 0 {
            let before = self.searcher.nodes();
            let progressed = self.searcher.run_sharing(meter.slice().min(left), meter.sharing());
            let spent = self.searcher.nodes() - before;
            left -= spent.min(left);
            meter.spend(spent)?;
            match progressed {
                Progressed::Paused => {}
                Progressed::Proved(number) => return Ok(Settled::Yes(number as u16)),
                Progressed::Disproved(number) => return Ok(Settled::No(number as u16)),
            }
        }
        Ok(Settled::Open)
    }
}
