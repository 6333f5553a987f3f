//! What somebody who does not play by the tables loses a decision.

use marquis_core::{Chance, Slot, Throw};
use marquis_games::senet::{Layer, Move, Position, Senet, THROWS};
use rand::RngExt;

use super::chooser::Chooser;
use super::memory::SenetChances;
use super::parts::{Sum, in_parts};
use super::simulation::play;

/// Decisions, throws for which there are two moves or more, and what was lost at them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decisions {
    /// How many.
    pub number: u64,
    /// Those at which the move was worth less than the best one.
    pub worse: u64,
    /// The chances of the best moves less those of the moves that were chosen, all together.
    lost: f64,
    /// How far what was thought of the positions was from their chances, all together.
    off: f64,
}

impl Decisions {
    /// The part of a game that is lost a decision; nothing where there was none.
    #[must_use]
    pub fn lost_each(&self) -> f64 {
        self.lost / self.number.max(1) as f64
    }

    /// How far the chances of the positions are from what is thought of them, in the mean.
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
        // A move that is none loses the game.
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
/// * `draws`: those without a decision among them.
/// * `seed`: the same seed gives the same decisions, on any number of threads.
///
/// Panics when the layer was not read.
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

/// Decisions in games that both players play by the tables.
///
/// * `seed`: the same seed gives the same games, on any number of threads.
///
/// Panics when the position has more pieces than were read.
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
