//! `decisions TABLES [MOST] [DRAWS] [GAMES]`: the loss per decision of the embedded network, against exact tables.
//!
//! Covers layers of three pieces and more on either side, up to `MOST` each; in points of a chance, hundredths of a
//! game. In `GAMES` both players play by the tables, from starts with alternating pieces.

use std::error::Error;
use std::path::Path;

use marquis_core::{Chance, Slot, Throw};
use marquis_games::senet::{Move, Position, Senet, SenetLayer, THROWS, parse};
use marquis_registry::official;
use marquis_sense::Weights;
use rand::RngExt;

use crate::chances::SenetChances;
use crate::network::Network;
use crate::parts::{Sum, in_parts};
use crate::player::SenetPlayer;
use crate::simulation::play;

const SEED: u64 = 7;
/// The starts of games, by the number of pieces of a side.
const STARTS: [(u8, &str); 3] = [(3, "wbwbwb4/10/10 b"), (4, "wbwbwbwb2/10/10 b"), (5, "wbwbwbwbwb/10/10 b")];

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let folder =
        arguments.first().ok_or("expected a folder of tables; build one with `marquis generate senet`")?;
    let most = arguments.get(1).map_or(Ok(4), |text| text.parse())?;
    let draws = arguments.get(2).map_or(Ok(1_000_000), |text| text.parse())?;
    let games = arguments.get(3).map_or(Ok(10_000), |text| text.parse())?;
    let chances = SenetChances::read(&official(), Path::new(folder), most)?;
    let embedded = Weights::embedded();
    let judge = &*embedded.senet();
    let layers =
        (3..=most).flat_map(|mover| (3..=most).filter_map(move |other| SenetLayer::new(mover, other)));
    let starts = STARTS.iter().filter(|(pieces, _)| *pieces <= most);
    for throws in 0..2 {
        let network = Network { judge, throws };
        for layer in layers.clone() {
            let found = decisions_anywhere(&chances, &network, layer, draws, SEED);
            print(&format!("{}v{}, anywhere", layer.mover, layer.opponent), throws, &found);
        }
        for (_, text) in starts.clone() {
            let (_, start) = parse(text)?;
            print(text, throws, &decisions_in_games(&chances, &network, &start, games, SEED));
        }
    }
    Ok(())
}

fn print(of: &str, throws: u32, found: &Decisions) {
    println!(
        "{of}, {throws} throws ahead: {} decisions, {:.2} % not the best, {:.4} points lost each, chance off by {:.3}",
        found.number,
        100.0 * found.worse as f64 / found.number.max(1) as f64,
        100.0 * found.lost_each(),
        100.0 * found.off(),
    );
}

/// Decisions (throws with two moves or more), and the loss at them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Decisions {
    /// The number of decisions.
    pub(crate) number: u64,
    /// Decisions at which the chosen move was worse than the best one.
    pub(crate) worse: u64,
    /// The sum of the chances of the best moves minus those of the chosen moves.
    lost: f64,
    /// The sum of the differences between estimated and true chances.
    off: f64,
}

impl Decisions {
    /// The mean loss per decision, as a fraction of a game; 0 if there was none.
    pub(crate) fn lost_each(&self) -> f64 {
        self.lost / self.number.max(1) as f64
    }

    /// The mean difference between estimated and true chances.
    pub(crate) fn off(&self) -> f64 {
        self.off / self.number.max(1) as f64
    }

    fn look(
        &mut self,
        chances: &SenetChances,
        player: &impl SenetPlayer,
        position: &Position,
        throw: Throw,
        moves: &[(Move, f64)],
    ) {
        let [(_, best), _, ..] = *moves else { return };
        let chosen = player.choose(position, throw);
        // An illegal move loses the game.
        let worth = moves.iter().find(|(mv, _)| *mv == chosen).map_or(0.0, |(_, chance)| *chance);
        self.number += 1;
        self.worse += u64::from(worth < best);
        self.lost += best - worth;
        self.off += (player.chance(position) - chances.of(position.turn(), position)).abs();
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
pub(crate) fn decisions_anywhere(
    chances: &SenetChances,
    player: &impl SenetPlayer,
    layer: SenetLayer,
    draws: u64,
    seed: u64,
) -> Decisions {
    in_parts(draws, seed, |rng, sums: &mut Decisions| {
        let position = layer.position(Slot(rng.random_range(0..layer.slots())));
        let throw = THROWS[rng.random_range(0..THROWS.len())];
        if Senet.over(&position).is_none() {
            sums.look(chances, player, &position, throw, &chances.moves(&position, throw));
        }
    })
}

/// Decisions in games in which both players play by the tables.
///
/// * `seed`: the same seed gives the same games, on any number of threads.
///
/// Panics if the position has more pieces than were read.
pub(crate) fn decisions_in_games(
    chances: &SenetChances,
    player: &impl SenetPlayer,
    start: &Position,
    games: u64,
    seed: u64,
) -> Decisions {
    in_parts(games, seed, |rng, sums: &mut Decisions| {
        play(chances, start, rng, &mut |position, throw, moves| {
            sums.look(chances, player, position, throw, moves);
        });
    })
}
