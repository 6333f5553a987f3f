//! Facts of interest to players of Senet.

use marquis_core::{Slot, Throw};
use marquis_games::senet::{Layer, Move, Position, THROWS};
use rand::RngExt;

use super::memory::SenetChances;
use super::parts::{Sum, in_parts};
use super::simulation::play;

/// The worth of each throw: the chance after the best move for it minus the chance before the throw, in the order of
/// [`THROWS`].
pub type Worth = [f64; THROWS.len()];

/// Falls into the water, among throws for which a piece can go there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Falls {
    /// Throws for which a piece can go into the water.
    pub throws: u64,
    /// Throws that leave no other move.
    pub forced: u64,
    /// Throws with other moves, none of which is better.
    pub right: u64,
    /// The sum of the costs of forced falls: the chance before the throw minus that after it.
    pub cost: f64,
}

/// Facts about positions with the same number of pieces each.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The mean worth over positions drawn evenly from the layer.
    pub random: Worth,
    /// The mean worth over the throws of games in which both players play by the tables.
    pub played: Worth,
    /// Falls in these games.
    pub falls: Falls,
    /// The number of throws in these games.
    pub throws: u64,
    /// Throws in these games for which no piece could move.
    pub passes: u64,
}

/// Chances closer than this are equal.
const SAME: f64 = 5e-6;

/// The worth of each throw in a position.
///
/// Panics if the position has more pieces than were read.
#[must_use]
pub fn worth(chances: &SenetChances, position: &Position) -> Worth {
    let before = chances.of(position.turn(), position);
    THROWS.map(|throw| after(&chances.moves(position, throw)) - before)
}

fn after(moves: &[(Move, f64)]) -> f64 {
    moves.first().map_or(0.0, |&(_, chance)| chance)
}

/// Facts from random positions and from games that begin with `start`.
///
/// * `positions`, `games`: the number of each.
/// * `seed`: the same seed gives the same facts, on any number of threads.
///
/// Panics if the position is over or has more pieces than were read.
#[must_use]
pub fn facts(chances: &SenetChances, start: &Position, positions: u64, games: u64, seed: u64) -> Facts {
    let layer = Layer::of(start).expect("a position that is not over");
    let random = in_parts(positions, seed, |rng, sums: &mut Sums| {
        let slot = Slot(rng.random_range(0..layer.slots()));
        let found = worth(chances, &layer.position(slot));
        sums.positions += 1;
        sums.worth.iter_mut().zip(found).for_each(|(sum, worth)| *sum += worth);
    });
    let played = in_parts(games, seed, |rng, sums: &mut Sums| {
        play(chances, start, rng, &mut |position, throw, moves| sums.look(chances, position, throw, moves));
    });
    let mean = |sums: &Sums| sums.worth.map(|sum| sum / sums.positions as f64);
    Facts {
        random: mean(&random),
        played: mean(&played),
        falls: played.falls,
        throws: played.positions,
        passes: played.passes,
    }
}

/// Sums over positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: u64,
    passes: u64,
    worth: Worth,
    falls: Falls,
}

impl Sums {
    /// Adds a throw of a game.
    fn look(&mut self, chances: &SenetChances, position: &Position, throw: Throw, moves: &[(Move, f64)]) {
        self.positions += 1;
        let found = worth(chances, position);
        self.worth.iter_mut().zip(found).for_each(|(sum, worth)| *sum += worth);
        self.passes += u64::from(moves.iter().any(|(mv, _)| *mv == Move::Pass));
        let fall = moves.iter().find(|(mv, _)| matches!(mv, Move::Water { .. }));
        let Some(&(_, chance)) = fall else { return };
        self.falls.throws += 1;
        if moves.iter().all(|(mv, _)| matches!(mv, Move::Water { .. })) {
            self.falls.forced += 1;
            let place = THROWS.iter().position(|own| *own == throw).unwrap_or(0);
            self.falls.cost -= found[place];
        } else if chance >= after(moves) - SAME {
            self.falls.right += 1;
        }
    }
}

impl Sum for Sums {
    fn and(mut self, other: Self) -> Self {
        self.positions += other.positions;
        self.passes += other.passes;
        self.worth.iter_mut().zip(other.worth).for_each(|(sum, other)| *sum += other);
        self.falls.throws += other.falls.throws;
        self.falls.forced += other.falls.forced;
        self.falls.right += other.falls.right;
        self.falls.cost += other.falls.cost;
        self
    }
}
