//! Games of Senet against oneself.

use marquis_core::{Chance, Player, Throw};
use marquis_games::senet::Senet;
use marquis_games::senet::{Move, Position};
use rand::RngExt;
use rand::rngs::StdRng;

use super::chooser::Chooser;
use super::memory::SenetChances;
use super::parts::{Sum, in_parts};

/// What came of games from one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Those that the player won who threw first.
    pub won: u64,
    /// Throws of all games together.
    pub throws: u64,
    /// The chances of that player when each game came to what is known, added up, and their variances, in shares.
    promised: u64,
    variance: u64,
}

/// The shares of a chance, whose sums do not depend on the order.
const SHARES: f64 = (1_u64 << 32) as f64;

impl Tally {
    /// The part of the games that the player won who threw first.
    #[must_use]
    pub fn frequency(self) -> f64 {
        self.won as f64 / self.games as f64
    }

    /// The part that he should have won, by what is known: the mean of his chances where each game came to that.
    #[must_use]
    pub fn promised(self) -> f64 {
        self.promised as f64 / SHARES / self.games as f64
    }

    /// The standard error of the frequency about the part that was promised.
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

/// What comes of games in which somebody plays both sides.
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
        // What ends before anything is known of it is known then.
        tally.promise(promise.unwrap_or(f64::from(u8::from(won))));
    })
}

/// What is called at each throw: with the position and all moves, the best ones first, each with its chance.
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
        // There is a pass where nothing else is.
        let Some(&(best, _)) = moves.first() else { break };
        position = Senet.play(&position, throw, best);
    }
}

/// Who has borne off all pieces.
fn winner(over: &Position) -> Player {
    if over.pieces(Player::First).is_empty() { Player::First } else { Player::Second }
}

/// A cast of the sticks.
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
