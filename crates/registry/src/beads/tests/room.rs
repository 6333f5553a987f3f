//! Layers solved with and without memory for rows.

use std::cell::Cell;
use std::sync::atomic::AtomicBool;

use marquis_core::Immobile;
use marquis_engine::game::{Tabled as _, Work};
use marquis_games::beads::{BeadGame, BeadIndex, BeadLayer, Capture, Leap, Sandwich, Scope};
use marquis_retro::layered::{Layer, more_bytes_by_rows};
use marquis_retro::{BundlePlan, Layers, NoKeeper, SolveLimits};

use super::super::Adapter;

/// All layers of a set-up; `room` maps the bytes that rows take to the bytes available.
fn solved<R: Capture>(text: &str, room: impl Fn(u64) -> u64) -> Vec<Layer<BeadLayer>>
where
    Adapter<R>: marquis_engine::game::Tabled<Index = BeadIndex<R>>,
{
    let (game, position) = BeadGame::<R>::parse(text, Immobile::Loss).expect("a set-up");
    let index = BeadIndex::<R>::new(Scope::of_position(&game, &position));
    let (stop, mut lower, mut all) = (AtomicBool::new(false), Layers::default(), Vec::new());
    for bundle in BundlePlan::new(&index, index.layers()).bundles {
        let room = room(more_bytes_by_rows(&index, bundle.layers[0]));
        let limits = SolveLimits::until(&stop);
        let work =
            Work { lower: &lower, kept: None, room, keeper: &NoKeeper, limits: &limits, progress: &|_| {} };
        let solved = Adapter::<R>::solve_layer(&index, bundle.layers[0], work).expect("no limit");
        for layer in &solved {
            lower.insert(layer.layer, layer.cells.clone());
        }
        all.extend(solved);
    }
    all
}

#[test]
fn a_layer_of_rooks_has_the_same_cells_whether_there_is_room_for_rows_or_not() {
    fn check<R: Capture>()
    where
        Adapter<R>: marquis_engine::game::Tabled<Index = BeadIndex<R>>,
    {
        let text = "w1w/4/1oo2/4/1bb w";
        let asked = Cell::new(0);
        let without = solved::<R>(text, |more| {
            asked.set(asked.get() + more);
            more - 1
        });
        assert!(asked.get() > 1000, "a cell a slot and more, not {}", asked.get());
        assert!(without.len() > 5 && without == solved::<R>(text, |more| more), "{}", R::ID);
    }
    check::<Leap>();
    check::<Sandwich>();
}
