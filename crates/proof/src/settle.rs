//! Searches on demand, for the positions of a strategy about which the table says too little.

use marquis_core::{ByPlayer, Hashed};

use crate::dfpn::{Progressed, Searcher};
use crate::knowledge::World;
use crate::limits::Meter;
use crate::table::{Known, Table};
use crate::{Ended, Heuristic, Oracle, Question};

/// What a search on demand found, with the number of the move that shows it to whom it serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The prover wins.
    Yes(u16),
    /// He does not.
    No(u16),
    /// The allowance was too small.
    Open,
}

/// A search of one question that starts afresh on each position it is asked about.
#[derive(Debug)]
pub(crate) struct Settler<'a, G: Hashed, O, H> {
    world: World<'a, G, O, H>,
    table: &'a Table,
    question: Question,
    searcher: Searcher<'a, G, O, H>,
}

impl<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>> Settler<'a, G, O, H> {
    pub(crate) fn new(world: World<'a, G, O, H>, table: &'a Table, question: Question) -> Self {
        Self { world, table, question, searcher: Searcher::new(world, table, question) }
    }

    pub(crate) fn question(&self) -> Question {
        self.question
    }

    /// What the table says about both questions.
    pub(crate) fn look(&self, position: &G::Position) -> ByPlayer<Option<Known>> {
        self.table.look(self.world.place(self.table, position))
    }

    /// Searches a position in which the game goes on, by at most so many expansions.
    pub(crate) fn settle(
        &mut self,
        position: &G::Position,
        allowance: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Settled, Ended> {
        self.searcher.start(position);
        let mut left = allowance;
        while left > 0 {
            let before = self.searcher.nodes();
            let progressed = self.searcher.run(meter.slice().min(left));
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
