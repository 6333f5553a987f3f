//! Plays Senet by the tables and compares what comes of it: `senet_simulation TABLES [GAMES] [POSITION] [SEED]`
//!
//! Both players choose the best move for each throw. The frequency with which the first one to throw wins must be
//! his chance in the table within four standard errors.

use std::error::Error;
use std::path::Path;

use marquis_games::senet;
use marquis_registry::official;
use marquis_registry::senet::{SenetChances, simulate};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder =
        arguments.first().ok_or("expected a folder of tables; build one with `marquis generate senet`")?;
    let games = arguments.get(1).map_or(Ok(1_000_000), |text| text.parse())?;
    let text = arguments.get(2).map_or("wbwbwbwb2/10/10 b", String::as_str);
    let seed = arguments.get(3).map_or(Ok(1), |text| text.parse())?;
    let (_, start) = senet::parse(text)?;
    let most =
        [marquis_core::Player::First, marquis_core::Player::Second].map(|player| start.pieces(player).len());
    let chances = SenetChances::read(&official(), Path::new(folder), most[0].max(most[1]) as u8)?;
    let chance = chances.of(start.turn(), &start);
    let tally = simulate(&chances, &start, games, seed);
    let (frequency, sigma) = (tally.frequency(), tally.standard_error(chance));
    let off = (frequency - chance) / sigma;
    println!("{text}: {games} games, seed {seed}, {:.1} throws a game", tally.throws as f64 / games as f64);
    println!(
        "table {chance:.9}, frequency {frequency:.6}, standard error {sigma:.6}, off by {off:+.2} of them"
    );
    if off.abs() <= 4.0 { Ok(()) } else { Err("farther off than four standard errors".into()) }
}
