//! What the façade tells the search about Swish and Squeeze, for those that call the search itself.

use marquis_games::beads::{BeadGame, Capture, Table};
use marquis_proof::{Heuristic, Numbers, Question};

/// First estimates, and captures that end the game.
#[derive(Clone, Copy, Debug)]
pub struct Sense<R: Capture>(pub BeadGame<R>);

impl<R: Capture> Heuristic<BeadGame<R>> for Sense<R> {
    fn numbers(&self, table: &Table, question: Question) -> Numbers {
        Numbers { proof: self.0.work(table, question.prover), disproof: 1 }
    }

    fn wins_at_once(&self, table: &Table) -> bool {
        self.0.wins_at_once(table)
    }

    fn may_lose_next(&self, table: &Table) -> bool {
        self.0.may_lose_next(table)
    }
}
