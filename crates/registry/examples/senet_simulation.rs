//! Plays Senet against itself and compares the results with the predicted chances: `senet_simulation TABLES [GAMES]
//! [POSITION] [SEED] [MOST]`
//!
//! With up to `MOST` pieces each (by default as many as the position has) both players choose the best move of the
//! tables for each throw; before that, the move of the embedded network. The frequency with which the first player to
//! throw wins must equal his chance, within four standard errors. This chance is the mean of the tables' chances at
//! the first position of each game that the tables know, or the result if the game ends earlier. The network's
//! estimate for the start is printed too.

use std::error::Error;
use std::path::Path;

use marquis_core::{Player, Throw};
use marquis_games::senet::{self, Move, Position};
use marquis_registry::official;
use marquis_registry::senet::{Chooser, SenetChances, simulate};
use marquis_sense::Weights;

#[path = "common/network.rs"]
mod network;

use network::Network;

/// Tables, and the network for positions that they do not reach.
struct Both<'a> {
    chances: SenetChances,
    network: Network<'a>,
}

impl Both<'_> {
    fn of(&self, position: &Position) -> &dyn Chooser {
        if self.chances.knows(position) { &self.chances } else { &self.network }
    }
}

impl Chooser for Both<'_> {
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

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder =
        arguments.first().ok_or("expected a folder of tables; build one with `marquis generate senet`")?;
    let games = arguments.get(1).map_or(Ok(1_000_000), |text| text.parse())?;
    let text = arguments.get(2).map_or("wbwbwbwb2/10/10 b", String::as_str);
    let seed = arguments.get(3).map_or(Ok(1), |text| text.parse())?;
    let (_, start) = senet::parse(text)?;
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
