//! `simulation TABLES [GAMES] [POSITION] [SEED] [MOST]`: games with one player for both sides, compared with the
//! predicted chances.
//!
//! With up to `MOST` pieces each (by default as many as the position has) both players choose the best move of the
//! tables for each throw; before that, the move of the embedded network. The frequency with which the first player to
//! throw wins must equal his chance, within four standard errors. This chance is the mean of the tables' chances at
//! the first position of each game that the tables know, or the result if the game ends earlier. The network's
//! estimate for the start is printed too.

use std::error::Error;
use std::path::Path;

use marquis_core::{Chance, Player, Throw};
use marquis_games::senet::{Move, Position, Senet, parse};
use marquis_registry::official;
use marquis_sense::Weights;
use rand::RngExt;
use rand::rngs::StdRng;

use crate::chances::SenetChances;
use crate::network::Network;
use crate::parts::{Sum, in_parts};
use crate::player::SenetPlayer;

/// Tables, and the network for positions that they do not reach.
struct Both<'a> {
    chances: SenetChances,
    network: Network<'a>,
}

impl Both<'_> {
    fn of(&self, position: &Position) -> &dyn SenetPlayer {
        if self.chances.knows(position) { &self.chances } else { &self.network }
    }
}

impl SenetPlayer for Both<'_> {
    fn choose(&self, position: &Position, throw: Throw) -> Move {
        self.of(position).choose(position, throw)
    }

    fn chance(&self, position: &Position) -> f64 {
        self.of(position).chance(position)
    }

    fn knows(&self, position: &Position) -> bool {
        self.chances.knows(position)
    }
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let folder =
        arguments.first().ok_or("expected a folder of tables; build one with `marquis generate senet`")?;
    let games = arguments.get(1).map_or(Ok(1_000_000), |text| text.parse())?;
    let text = arguments.get(2).map_or("wbwbwbwb2/10/10 b", String::as_str);
    let seed = arguments.get(3).map_or(Ok(1), |text| text.parse())?;
    let (_, start) = parse(text)?;
    let pieces = Player::BOTH.map(|player| start.pieces(player).len() as u8);
    let most = arguments.get(4).map_or(Ok(pieces[0].max(pieces[1])), |text| text.parse())?;
    let chances = SenetChances::read(&official(), Path::new(folder), most)?;
    let embedded = Weights::embedded();
    let judge = &*embedded.senet();
    let both = Both { chances, network: Network { judge, throws: 0 } };
    let by = if both.chances.knows(&start) { "table" } else { "network" };
    let chance = both.chance(&start);
    let tally = simulate(&both, &start, games, seed);
    let (frequency, promised, sigma) = (tally.frequency(), tally.promised(), tally.standard_error());
    let off = (frequency - promised) / sigma;
    println!("{text}: {games} games, seed {seed}, {:.1} throws a game", tally.throws as f64 / games as f64);
    println!("the {by} says {chance:.9} of the start");
    println!(
        "tables {promised:.9}, frequency {frequency:.6}, standard error {sigma:.6}, off by {off:+.2} of them"
    );
    if off.abs() <= 4.0 { Ok(()) } else { Err("farther off than four standard errors".into()) }
}

/// The results of games from one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The number of games.
    pub(crate) games: u64,
    /// Games won by the player who threw first.
    pub(crate) won: u64,
    /// Throws of all games together.
    pub(crate) throws: u64,
    /// The sums of that player's chances at the first known position of each game and of their variances, in shares.
    promised: u64,
    variance: u64,
}

/// The shares of a chance: integers, whose sums do not depend on the order.
const SHARES: f64 = (1_u64 << 32) as f64;

impl Tally {
    /// The fraction of games that the first player to throw won.
    pub(crate) fn frequency(self) -> f64 {
        self.won as f64 / self.games as f64
    }

    /// The fraction that he should have won: the mean of his chances at the first known position of each game.
    pub(crate) fn promised(self) -> f64 {
        self.promised as f64 / SHARES / self.games as f64
    }

    /// The standard error of the frequency around the promised fraction.
    pub(crate) fn standard_error(self) -> f64 {
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
pub(crate) fn simulate(player: &impl SenetPlayer, start: &Position, games: u64, seed: u64) -> Tally {
    in_parts(games, seed, |rng, tally: &mut Tally| {
        let (mut position, mut promise) = (*start, None);
        while Senet.over(&position).is_none() {
            if promise.is_none() && player.knows(&position) {
                let chance = player.chance(&position);
                promise = Some(if position.turn() == start.turn() { chance } else { 1.0 - chance });
            }
            let throw = cast(rng);
            position = Senet.play(&position, throw, player.choose(&position, throw));
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
