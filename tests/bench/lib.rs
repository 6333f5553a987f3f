//! Code shared by the benchmarks: `cargo bench --manifest-path tests/bench/Cargo.toml`.
#![forbid(unsafe_code)]

use std::sync::atomic::AtomicBool;

use marquis_core::Retract;
use marquis_retro::layered::solve_bundle;
use marquis_retro::{BundlePlan, Layers, SolveLimits};

/// Never stops a benchmark.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// Some layers and all below them, solved.
///
/// # Panics
/// A game takes more plies than cells hold.
pub fn solved<G: Retract>(game: &G, wanted: impl IntoIterator<Item = G::Layer>) -> Layers<G::Layer> {
    let mut layers = Layers::default();
    for bundle in BundlePlan::new(game, wanted).bundles {
        let solved = solve_bundle(game, bundle.layers[0], &layers, &SolveLimits::until(&NEVER), &|_| ());
        for layer in solved.expect("no limit") {
            layers.insert(layer.layer, layer.cells);
        }
    }
    layers
}
