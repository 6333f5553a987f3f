//! The loss per decision of a player that does not play by the tables.

use marquis_core::{Chance, Slot, Throw};
use marquis_games::senet::{Layer, Move, Position, Senet, THROWS};
use rand::RngExt;

use super::chooser::Chooser;
use super::memory::SenetChances;
use super::parts::{Sum, in_parts};
use super::simulation::play;

/// Decisions (throws with two moves or more), and the loss at them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decisions {
    /// The number of decisions.
    pub number: u64,
    /// Decisions at which the chosen move was worse than the best one.
    pub worse: u64,
    /// The sum of the chances of the best moves minus those of the chosen moves.
    lost: f64,
    /// The sum of the differences between estimated and true chances.
    off: f64,
}

impl Decisions {
    /// The mean loss per decision, as a fraction of a game; 0 if there was none.
    #[must_use]
    pub fn lost_each(&self) -> f64 {
        self.lost / self.number.max(1) as f64
    }

    /// The mean difference between estimated and true chances.
    #[must_use]
    pub fn off(&self) -> f64 {
        self.off / self.number.max(1) as f64
    }

    fn look(
        &mut self,
        chances: &SenetChances,
        chooser: &impl Chooser,
        position: &Position,
        throw: Throw,
        moves: &[(Move, f64)],
    ) {
        let [(_, best), _, ..] = *moves else { return };
        let chosen = chooser.choose(position, throw);
        // An illegal move loses the game.
        let worth = moves.iter().find(|(mv, _)| *mv == chosen).map_or(0.0, |(_, chance)| *chance);
        self.number += 1;
        self.worse += u64::from(worth < best);
        self.lost += best - worth;
        self.off += (chooser.chance(position) - chances.of(position.turn(), position)).abs();
    }
}

impl Sum for Decisions {
    fn and(self, other: Self) -> Self {
        Self {
            number: self.number + other.number,
            worse: self.worse + other.worse,
            lost: self.lost + other.lost,
            off: self.off + other.off,
        }
    }
}

/// Decisions in positions drawn evenly from a layer, for throws drawn evenly.
///
/// * `draws`: the number of draws, including those without a decision.
/// * `seed`: the same seed gives the same decisions, on any number of threads.
///
/// Panics if the layer was not read.
#[must_use]
pub fn decisions_anywhere(
    chances: &SenetChances,
    chooser: &impl Chooser,
    layer: Layer,
    draws: u64,
    seed: u64,
) -> Decisions {
    in_parts(draws, seed, |rng, sums: &mut Decisions| {
        let position = layer.position(Slot(rng.random_range(0..layer.slots())));
        let throw = THROWS[rng.random_range(0..THROWS.len())];
        if Senet.over(&position).is_none() {
            sums.look(chances, chooser, &position, throw, &chances.moves(&position, throw));
        }
    })
}

/// Decisions in games in which both players play by the tables.
///
/// * `seed`: the same seed gives the same games, on any number of threads.
///
/// Panics if the position has more pieces than were read.
#[must_use]
pub fn decisions_in_games(
    chances: &SenetChances,
    chooser: &impl Chooser,
    start: &Position,
    games: u64,
    seed: u64,
) -> Decisions {
    in_parts(games, seed, |rng, sums: &mut Decisions| {
        play(chances, start, rng, &mut |position, throw, moves| {
            sums.look(chances, chooser, position, throw, moves);
        });
    })
}
