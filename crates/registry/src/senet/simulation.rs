//! Games of Senet with one player for both sides.

use marquis_core::{Chance, Player, Throw};
use marquis_games::senet::Senet;
use marquis_games::senet::{Move, Position};
use rand::RngExt;
use rand::rngs::StdRng;

use super::chooser::Chooser;
use super::memory::SenetChances;
use super::parts::{Sum, in_parts};

/// The results of games from one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games.
    pub games: u64,
    /// Games won by the player who threw first.
    pub won: u64,
    /// Throws of all games together.
    pub throws: u64,
    /// The sums of that player's chances at the first known position of each game and of their variances, in shares.
    promised: u64,
    variance: u64,
}

/// The shares of a chance: integers, whose sums do not depend on the order.
const SHARES: f64 = (1_u64 << 32) as f64;

impl Tally {
    /// The fraction of games that the first player to throw won.
    #[must_use]
    pub fn frequency(self) -> f64 {
        self.won as f64 / self.games as f64
    }

    /// The fraction that he should have won: the mean of his chances at the first known position of each game.
    #[must_use]
    pub fn promised(self) -> f64 {
        self.promised as f64 / SHARES / self.games as f64
    }

    /// The standard error of the frequency around the promised fraction.
    #[must_use]
    pub fn standard_error(self) -> f64 {
        (self.variance as f64 / SHARES).sqrt() / self.games as f64
    }

    fn promise(&mut self, chance: f64) {
        self.promised += (chance * SHARES) as u64;
        self.variance += (chance * (1.0 - chance) * SHARES) as u64;
    }
}

impl Sum for Tally {
    fn and(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            won: self.won + other.won,
            throws: self.throws + other.throws,
            promised: self.promised + other.promised,
            variance: self.variance + other.variance,
        }
    }
}

/// Plays games with one player for both sides.
///
/// * `seed`: the same seed gives the same games, on any number of threads.
#[must_use]
pub fn simulate(chooser: &impl Chooser, start: &Position, games: u64, seed: u64) -> Tally {
    in_parts(games, seed, |rng, tally: &mut Tally| {
        let (mut position, mut promise) = (*start, None);
        while Senet.over(&position).is_none() {
            if promise.is_none() && chooser.knows(&position) {
                let chance = chooser.chance(&position);
                promise = Some(if position.turn() == start.turn() { chance } else { 1.0 - chance });
            }
            let throw = cast(rng);
            position = Senet.play(&position, throw, chooser.choose(&position, throw));
            tally.throws += 1;
        }
        let won = winner(&position) == start.turn();
        tally.games += 1;
        tally.won += u64::from(won);
        // A game that ends before a known position counts with its result.
        tally.promise(promise.unwrap_or(f64::from(u8::from(won))));
    })
}

/// A callback for each throw: the position and all moves, the best ones first, each with its chance.
pub(crate) type Look<'a> = &'a mut dyn FnMut(&Position, Throw, &[(Move, f64)]);

/// Plays a game to the end by the tables.
///
/// * `look`: called at each throw.
pub(crate) fn play(chances: &SenetChances, start: &Position, rng: &mut StdRng, look: Look<'_>) {
    let mut position = *start;
    while Senet.over(&position).is_none() {
        let throw = cast(rng);
        let moves = chances.moves(&position, throw);
        look(&position, throw, &moves);
        // A throw without any other move has a pass.
        let Some(&(best, _)) = moves.first() else { break };
        position = Senet.play(&position, throw, best);
    }
}

/// The player who has borne off all pieces.
fn winner(over: &Position) -> Player {
    if over.pieces(Player::First).is_empty() { Player::First } else { Player::Second }
}

/// A random throw of the sticks.
fn cast(rng: &mut StdRng) -> Throw {
    let throws = Senet.throws();
    let total: u32 = throws.iter().map(|throw| u32::from(throw.weight)).sum();
    let mut left = rng.random_range(0..total);
    for &throw in throws {
        match left.checked_sub(throw.weight.into()) {
            Some(rest) => left = rest,
            None => return throw,
        }
    }
    unreachable!("a number below the sum of the weights")
}
