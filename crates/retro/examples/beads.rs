//! Builds and verifies the tables of a Swish or Squeeze position in memory, and prints what it took.
//!
//! `cargo run --release -p marquis-retro --example beads -- swish "w1w/4/1ooo1/4/b1b w 0-0 2"`

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use marquis_core::{Indexed, Notation as _, Score};
use marquis_games::beads::{BeadGame, BeadIndex, Capture, Immobile, Leap, Sandwich, Scope};
use marquis_retro::layered::solve_bundle;
use marquis_retro::verify::verify_layer;
use marquis_retro::{BundlePlan, Counts, Layers, SolveLimits};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, position] = arguments.as_slice() else {
        return Err("expected swish or squeeze, and a position".into());
    };
    match game.as_str() {
        "swish" => build::<Leap>(position),
        "squeeze" => build::<Sandwich>(position),
        other => Err(format!("expected swish or squeeze, found `{other}`").into()),
    }
}

fn build<R: Capture>(position: &str) -> Result<(), Box<dyn Error>> {
    let (game, table) = BeadGame::<R>::parse(position, Immobile::Loss)?;
    let estimate = BeadIndex::<R>::bytes(&Scope::of_position(&game, &table));
    let begun = Instant::now();
    let index = BeadIndex::<R>::new(Scope::of_position(&game, &table));
    println!(
        "{}: {} slots in {} layers; the numbering took {:.2?}, about {estimate} bytes",
        game.position_text(&table),
        index.layers().map(|layer| index.slots(layer)).sum::<u64>(),
        index.layers().count(),
        begun.elapsed()
    );
    let (stop, mut layers) = (AtomicBool::new(false), Layers::default());
    let limits = SolveLimits::until(&stop);
    let begun = Instant::now();
    let mut by_beads: BTreeMap<u8, (Counts, Duration)> = BTreeMap::new();
    for bundle in BundlePlan::new(&index, index.layers()).bundles {
        let begun = Instant::now();
        for layer in solve_bundle(&index, bundle.layers[0], &layers, &limits, &|_| ())? {
            let (counts, _) = by_beads.entry(layer.layer.beads).or_default();
            *counts = counts.and(Counts::of(&layer.cells));
            layers.insert(layer.layer, layer.cells);
        }
        by_beads.entry(bundle.layers[0].beads).or_default().1 += begun.elapsed();
    }
    let built = begun.elapsed();
    let mut all = Counts::default();
    for (beads, (counts, time)) in &by_beads {
        all = all.and(*counts);
        println!("{beads:2} beads: {counts:?} in {time:.2?}");
    }
    println!("{all:?}");
    report("built", all.positions(), built);
    let begun = Instant::now();
    for layer in index.layers() {
        let verified = verify_layer(&index, layer, &layers, 1, &limits, &|_| ())
            .map_err(|unfinished| format!("{unfinished:?}"))?;
        if !verified.faults.is_empty() {
            return Err(format!("{}: {:?}", layer.name(), verified.faults).into());
        }
    }
    report("verified", all.positions(), begun.elapsed());
    let root = index.translated(&game, &table).ok_or("the game is over")?;
    let (layer, slot) = index.slot(&root);
    let score: Option<Score> = layers.get(layer).and_then(|cells| cells.entry(slot).score());
    println!("{score:?}");
    Ok(())
}

fn report(what: &str, positions: u64, time: Duration) {
    let rate = positions as f64 / time.as_secs_f64() / 1e6;
    println!("{what} {positions} classes in {time:.2?}: {rate:.2} million a second");
}
