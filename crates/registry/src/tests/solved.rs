//! All layers of an index, solved in memory by a chosen method.

use std::sync::atomic::AtomicBool;

use marquis_engine::game::{LayerOf, LayerSolver as _, Method, MethodCost, Tabled, Work};
use marquis_retro::layered::Layer;
use marquis_retro::{BundlePlan, Layers, NoKeeper, SolveLimits};

/// The wanted layers and everything below them, in the order of the plan.
///
/// * `choose`: gets the methods of each bundle.
pub(crate) fn solved<G: Tabled>(
    index: &G::Index,
    wanted: impl IntoIterator<Item = LayerOf<G>>,
    choose: impl Fn(&[MethodCost]) -> Method,
) -> Vec<Layer<LayerOf<G>>> {
    let (stop, mut lower, mut all) = (AtomicBool::new(false), Layers::default(), Vec::new());
    let (solver, limits) = (G::solver(index), SolveLimits::until(&stop));
    for bundle in BundlePlan::new(index, wanted).bundles {
        let method = choose(&solver.methods(bundle.layers[0], 0));
        let work = Work { lower: &lower, kept: None, keeper: &NoKeeper, limits: &limits, progress: &|_| {} };
        let solved = solver.solve(method, bundle.layers[0], work).expect("no limit");
        for layer in &solved {
            lower.insert(layer.layer, layer.cells.clone());
        }
        all.extend(solved);
    }
    all
}
