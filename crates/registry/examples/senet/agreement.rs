//! `agreement TABLES [STATES] [SEED]`: tables against plain value iteration.
//!
//! Solves all positions reachable from a position with three pieces each by value iteration over explicit moves, in
//! floating point, and compares random states of that layer with the tables: the bounds of both must overlap. Takes
//! some minutes and two gigabytes.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use marquis_core::{ChanceNotation as _, Player, Slot};
use marquis_games::senet::Senet;
use marquis_games::senet::{self, SenetLayer};
use marquis_registry::official;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::chances::SenetChances;

const ROOT: &str = "wbwbwb4/10/10 b";

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let folder =
        arguments.first().ok_or("expected a folder of tables; build one with `marquis generate senet`")?;
    let states: u32 = arguments.get(1).map_or(Ok(100_000), |text| text.parse())?;
    let seed = arguments.get(2).map_or(Ok(1), |text| text.parse())?;
    let chances = SenetChances::read(&official(), Path::new(folder), 3)?;
    let stop = AtomicBool::new(false);
    let limits = marquis_chance::IterationLimits {
        states: usize::MAX,
        deadline: None,
        sharing: marquis_core::Sharing::alone(),
        stop: &stop,
        gap: 1e-10,
    };
    let (_, root) = senet::parse(ROOT)?;
    let solved = marquis_chance::solve(&Senet, &root, &limits, &mut |_| {})
        .map_err(|why| format!("expected a solution, found {why:?}"))?;
    println!("{ROOT}: {} states, {} sweeps of plain value iteration", solved.states(), solved.sweeps);
    let layer = SenetLayer::of(&root).ok_or("a finished game")?;
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut reached, mut apart, mut farthest) = (0, 0, 0.0_f64);
    for _ in 0..states {
        let position = layer.position(Slot(rng.random_range(0..layer.slots())));
        let Some(expected) = solved.between(&position) else { continue };
        reached += 1;
        let found = chances.of(Player::First, &position);
        let error = chances.error();
        if found + error < expected.lower || found - error > expected.upper {
            apart += 1;
            println!("{}: expected {expected:?}, found {found}", Senet.position_text(&position));
        }
        farthest = farthest.max((found - f64::midpoint(expected.lower, expected.upper)).abs());
    }
    println!(
        "{states} random states, {reached} of them reached; {apart} do not agree within {:.2e}",
        chances.error()
    );
    println!("the farthest from the middle of its bounds is off by {farthest:.2e}");
    if apart > 0 { Err("the tables are wrong".into()) } else { Ok(()) }
}
