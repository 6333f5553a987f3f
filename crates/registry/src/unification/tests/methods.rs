//! Layers solved with and without rows.

use std::sync::atomic::AtomicBool;

use marquis_engine::game::{LayerSolver as _, Method, Tabled as _, Work};
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Flow, Material, Unification, UnificationIndex};
use marquis_retro::layered::Layer;
use marquis_retro::{BundlePlan, Layers, NoKeeper, SolveLimits};

use super::super::{Adapter, Member};

fn solved<R: Member>(most: u8, method: Method) -> Vec<Layer<Material>> {
    let index = UnificationIndex::<R>::new(Unification::new(Side::new(3).expect("a side")), most);
    let (stop, mut lower, mut all) = (AtomicBool::new(false), Layers::default(), Vec::new());
    for bundle in BundlePlan::new(&index, [Material { mover: most, opponent: most - 1 }]).bundles {
        let limits = SolveLimits::until(&stop);
        let work = Work { lower: &lower, kept: None, keeper: &NoKeeper, limits: &limits, progress: &|_| {} };
        let solver = Adapter::<R>::solver(&index);
        let solved = solver.solve(method, bundle.layers[0], work).expect("no limit");
        for layer in &solved {
            lower.insert(layer.layer, layer.cells.clone());
        }
        all.extend(solved);
    }
    all
}

#[test]
fn a_layer_has_the_same_cells_by_rows_and_by_un_moves() {
    fn check<R: Member>(most: u8) {
        let (without, with) = (solved::<R>(most, Method::UnMoves), solved::<R>(most, Method::Rows));
        assert!(without.len() > 5 && without == with, "{}", R::ID);
    }
    check::<Approach>(4);
    check::<Flow>(4);
}
