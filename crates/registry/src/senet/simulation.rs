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
}

impl Tally {
    /// The part of the games that the player won who threw first.
    #[must_use]
    pub fn frequency(self) -> f64 {
        self.won as f64 / self.games as f64
    }

    /// The standard error of the frequency, when this is the chance of a win.
    #[must_use]
    pub fn standard_error(self, chance: f64) -> f64 {
        (chance * (1.0 - chance) / self.games as f64).sqrt()
    }
}

impl Sum for Tally {
    fn and(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            won: self.won + other.won,
            throws: self.throws + other.throws,
        }
    }
}

/// What comes of games in which somebody plays both sides.
///
/// * `seed`: the same seed gives the same games, on any number of threads.
#[must_use]
pub fn simulate(chooser: &impl Chooser, start: &Position, games: u64, seed: u64) -> Tally {
    in_parts(games, seed, |rng, tally: &mut Tally| {
        let mut position = *start;
        while Senet.over(&position).is_none() {
            let throw = cast(rng);
            position = Senet.play(&position, throw, chooser.choose(&position, throw));
            tally.throws += 1;
        }
        tally.games += 1;
        tally.won += u64::from(winner(&position) == start.turn());
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
