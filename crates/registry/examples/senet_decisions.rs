//! The loss per decision in Senet of the embedded network, against exact tables: `senet_decisions TABLES [MOST]
//! [DRAWS] [GAMES]`
//!
//! Covers layers of three pieces and more on either side, up to `MOST` each; in points of a chance, hundredths of a
//! game. In `GAMES` both players play by the tables, from starts with alternating pieces.

use std::error::Error;
use std::path::Path;

use marquis_games::senet::{Layer, parse};
use marquis_registry::official;
use marquis_registry::senet::{Decisions, SenetChances, decisions_anywhere, decisions_in_games};
use marquis_sense::Weights;

#[path = "common/network.rs"]
mod network;

use network::Network;

const SEED: u64 = 7;
/// The starts of games, by the number of pieces of a side.
const STARTS: [(u8, &str); 3] = [(3, "wbwbwb4/10/10 b"), (4, "wbwbwbwb2/10/10 b"), (5, "wbwbwbwbwb/10/10 b")];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder =
        arguments.first().ok_or("expected a folder of tables; build one with `marquis generate senet`")?;
    let most = arguments.get(1).map_or(Ok(4), |text| text.parse())?;
    let draws = arguments.get(2).map_or(Ok(1_000_000), |text| text.parse())?;
    let games = arguments.get(3).map_or(Ok(10_000), |text| text.parse())?;
    let chances = SenetChances::read(&official(), Path::new(folder), most)?;
    let embedded = Weights::embedded();
    let judge = &*embedded.senet();
    let layers = (3..=most).flat_map(|mover| (3..=most).filter_map(move |other| Layer::new(mover, other)));
    let starts = STARTS.iter().filter(|(pieces, _)| *pieces <= most);
    for throws in 0..2 {
        let network = Network { judge, throws };
        for layer in layers.clone() {
            let found = decisions_anywhere(&chances, &network, layer, draws, SEED);
            tell(&format!("{}v{}, anywhere", layer.mover, layer.opponent), throws, &found);
        }
        for (_, text) in starts.clone() {
            let (_, start) = parse(text)?;
            tell(text, throws, &decisions_in_games(&chances, &network, &start, games, SEED));
        }
    }
    Ok(())
}

fn tell(of: &str, throws: u32, found: &Decisions) {
    println!(
        "{of}, {throws} throws ahead: {} decisions, {:.2} % not the best, {:.4} points lost each, chance off by {:.3}",
        found.number,
        100.0 * found.worse as f64 / found.number.max(1) as f64,
        100.0 * found.lost_each(),
        100.0 * found.off(),
    );
}
