//! How many positions a sweep backs up in a second of a core, and how many bytes it moves.
//!
//! ```sh
//! cargo run --release -p marquis-registry --example senet_rate -- 4v2 strips DIR 3
//! ```
//!
//! The layer; `tiles` or `strips`; a folder for strips on disk, or `-` for memory; the sweeps. The layers below are
//! stood in for by rows of which nothing is known: the rate is that of a build, and the numbers mean nothing.

use std::path::Path;

use marquis_chance::grid::Order;
use marquis_games::senet::Layer;
use marquis_registry::senet::rate;

/// Processor time of this process so far, of the user and of the system, in seconds.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 =
        after.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pieces, order, folder, sweeps] = &arguments[..] else {
        return Err("expected a layer, tiles or strips, a folder or -, and the number of sweeps".into());
    };
    let counts =
        pieces.split_once('v').and_then(|(own, other)| Layer::new(own.parse().ok()?, other.parse().ok()?));
    let layer = counts.filter(|layer| layer.mover >= layer.opponent).ok_or("expected a layer such as 4v2")?;
    let order = if order == "tiles" { Order::Tiles } else { Order::Strips };
    let disk = (folder != "-").then(|| Path::new(folder));
    let swap = Layer { mover: layer.opponent, opponent: layer.mover };
    let positions = if layer == swap { layer.slots() } else { layer.slots() + swap.slots() };
    let (mut before, mut moved) = (0.0, [0; 2]);
    rate::sweep(layer, order, disk, sweeps.parse()?, &mut |sweep, now| {
        let spent = processor_seconds();
        if sweep > 0 {
            let seconds = spent - before;
            let [read, written] = [now[0] - moved[0], now[1] - moved[1]];
            println!(
                "{pieces} {order:?} {folder}: sweep {sweep}, {positions} positions, {seconds:.2} CPU s, {:.2} million a \
                 CPU s, {read} bytes read, {written} written",
                positions as f64 / seconds / 1e6
            );
        }
        (before, moved) = (spent, now);
    })?;
    Ok(())
}
