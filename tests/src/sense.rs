//! The heuristics that the registry gives the search for Swish and Squeeze, for tests that call the search directly.

use marquis_games::beads::{BeadGame, Capture, Position};
use marquis_proof::{Heuristic, Kin, Numbers, Question};
use marquis_registry::beads::bounds::{kin, may_lose_next, wins_at_once, work};

/// Initial proof numbers, and captures that end the game.
#[derive(Clone, Copy, Debug)]
pub struct Sense<R: Capture>(pub BeadGame<R>);

impl<R: Capture> Heuristic<BeadGame<R>> for Sense<R> {
    fn numbers(&self, table: &Position, question: Question) -> Numbers {
        Numbers { proof: work(&self.0, table, question.prover), disproof: 1 }
    }

    fn kin(&self, table: &Position, question: Question) -> Option<Kin> {
        Some(kin(&self.0, table, question.prover))
    }

    fn wins_at_once(&self, table: &Position) -> bool {
        wins_at_once(&self.0, table)
    }

    fn may_lose_next(&self, table: &Position) -> bool {
        may_lose_next(&self.0, table)
    }
}
