//! Layers as matrices: the rows of a game, and layers that are solved by them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use marquis_core::{Column, Indexed, Reach, Retract, Row, Rowed, Rows, Slot};
use marquis_games::beads::{BeadIndex, BeadLayer, Capture, Immobile, Leap, Sandwich};
use marquis_games::unification::{Approach, Flow, Material, Stepping};
use marquis_retro::layered::{
    more_bytes_by_rows, solve_bundle, solve_bundle_by_rows_from, solve_bundle_forward, solve_bundle_from,
};
use marquis_retro::{
    BundlePlan, BundleSnapshot, Keeper, Layer, LayerCells, Layers, NoKeeper, Phase, SolveLimits, Stopped,
};

use crate::beads::{self, parsed};
use crate::common::{built, quiet};
use crate::layered::{KeepAll, index, materials};
use crate::track::Track;

/// A layer and the rest of its component, row by row.
fn by_rows<G: Retract + Rowed>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    snapshot: Option<BundleSnapshot<G::Layer>>,
    keeper: &dyn Keeper<G::Layer>,
) -> Vec<Layer<G::Layer>> {
    let stop = AtomicBool::new(false);
    let limits = SolveLimits::until(&stop);
    solve_bundle_by_rows_from(game, layer, lower, snapshot, keeper, &limits, &quiet).unwrap()
}

/// Rows and columns match the slots, and the facing positions match the numbering.
fn check_rows<G: Rowed>(game: &G, layers: &[G::Layer]) {
    for &layer in layers {
        let mut rows = game.rows(layer);
        assert_eq!(rows.count() * u64::from(rows.columns()), game.slots(layer), "{layer:?}");
        assert!(game.component(layer).contains(&Rowed::facing(game, layer)));
        let mut faced = BTreeSet::new();
        for row in (0..rows.count()).map(Row) {
            rows.enter(row);
            check_row(game, layer, &rows, row, &mut faced);
        }
        let positions = (0..game.slots(layer)).filter(|&slot| game.position(layer, Slot(slot)).is_some());
        assert_eq!(positions.count(), faced.len(), "a position of {layer:?} is faced twice");
    }
}

/// One row, which was entered; the slots that face it are added to those of the rows before.
fn check_row<G: Rowed>(game: &G, layer: G::Layer, rows: &G::Rows<'_>, row: Row, faced: &mut BTreeSet<Slot>) {
    let columns = || (0..rows.columns()).map(Column);
    let slot = |Column(column)| Slot(row.0 * u64::from(rows.columns()) + u64::from(column));
    let (mut along, mut back) = (BTreeSet::new(), BTreeSet::new());
    for column in columns() {
        let position = game.position(layer, slot(column));
        assert_eq!(rows.has_position(column), position.is_some(), "{layer:?}, {row:?}, {column:?}");
        if position.is_none() {
            continue;
        }
        let opposite = rows.facing(column);
        faced.insert(opposite);
        let position = game.position(Rowed::facing(game, layer), opposite).expect("a facing position");
        rows.back(column, |before| {
            back.insert((before, column));
        });
        let over = game.over(&position).map(|over| over.outcome.for_mover(game.turn(&position)));
        assert_eq!(rows.over(column), over, "{position:?}");
        if over.is_some() {
            continue;
        }
        let mut inside = BTreeSet::new();
        let _ = rows.along::<()>(column, |after| {
            along.insert((column, after));
            inside.insert((layer, slot(after)));
            ControlFlow::Continue(())
        });
        let mut outside = BTreeSet::new();
        let _ = rows.leaving::<()>(column, |layer, slot| {
            outside.insert((layer, slot));
            ControlFlow::Continue(())
        });
        assert_eq!(inside, successors(game, &position, Reach::Component), "{position:?}");
        assert_eq!(outside, successors(game, &position, Reach::ChildLayers), "{position:?}");
    }
    back.retain(|&(before, _)| rows.over(before).is_none());
    assert_eq!(along, back, "{layer:?}, {row:?}");
}

fn successors<G: Indexed>(game: &G, position: &G::Position, reach: Reach) -> BTreeSet<(G::Layer, Slot)> {
    let mut successors = BTreeSet::new();
    let _ = game.successors::<()>(position, reach, |layer, slot| {
        successors.insert((layer, slot));
        ControlFlow::Continue(())
    });
    successors
}

#[test]
fn rows_say_what_the_numbering_says() {
    check_rows(&index::<Approach>(2, 5), &materials(2, 5));
    check_rows(&index::<Flow>(2, 5), &materials(2, 5));
    check_rows(&index::<Approach>(3, 3), &materials(3, 3));
    check_rows(&index::<Flow>(3, 3), &materials(3, 3));
    check_rows(&index::<Flow>(4, 2), &materials(4, 2));
    check_rows(&Track { cells: 9 }, &[()]);
}

/// Solving row by row gives every layer the same cells as position by position.
fn check_cells<R: Stepping>(side: u8, most: u8, threads: usize) {
    check_all_cells(&index::<R>(side, most), materials(side, most), threads);
}

fn check_all_cells<G: Retract + Rowed>(game: &G, wanted: Vec<G::Layer>, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (stop, mut layers) = (AtomicBool::new(false), Layers::default());
    for bundle in BundlePlan::new(game, wanted).bundles {
        let first = bundle.layers[0];
        let limits = SolveLimits::until(&stop);
        let expected = solve_bundle(game, first, &layers, &limits, &quiet).unwrap();
        let found = pool.install(|| by_rows(game, first, &layers, None, &NoKeeper));
        assert!(found == expected, "{first:?}, {threads} threads");
        for layer in found {
            layers.insert(layer.layer, layer.cells);
        }
    }
}

#[test]
fn squish_layers_by_rows_are_those_by_positions() {
    check_cells::<Approach>(2, 6, 1);
    check_cells::<Approach>(3, 4, 5);
    check_cells::<Approach>(4, 2, 2);
    check_cells::<Approach>(5, 2, 2);
}

#[test]
fn flowish_layers_by_rows_are_those_by_positions() {
    check_cells::<Flow>(2, 6, 5);
    check_cells::<Flow>(3, 4, 2);
    check_cells::<Flow>(4, 2, 1);
}

/// Set-ups of rooks and beads: with all symmetries, with three rooks, with four symmetries, with none, and crowded
/// ones on which players are stuck.
const BEADS: [&str; 7] = [
    "w2/4/2o2/4/1b1 w",
    "w1/wo1/bb w",
    "w2/4/1oo2/4/1bb w",
    "3/1o2/2o1w/1o2/2b w 1-0 3",
    "ww/1ob/b1 w",
    "w1/oob/1b w",
    "w1w/4/1o3/4/bb1 w",
];

fn each_set_up<R: Capture>(mut check: impl FnMut(&BeadIndex<R>, Vec<BeadLayer>)) {
    for immobile in [Immobile::Loss, Immobile::Pass] {
        for text in BEADS {
            let (index, _) = parsed::<R>(text, immobile);
            let layers = beads::layers(&index);
            check(&index, layers);
        }
    }
}

#[test]
fn rows_of_rooks_say_what_the_numbering_says() {
    each_set_up::<Leap>(|index, layers| check_rows(index, &layers));
    each_set_up::<Sandwich>(|index, layers| check_rows(index, &layers));
}

#[test]
fn layers_of_rooks_by_rows_are_those_by_positions() {
    each_set_up::<Leap>(|index, layers| check_all_cells(index, layers, 2));
    each_set_up::<Sandwich>(|index, layers| check_all_cells(index, layers, 5));
}

/// The layers of small boards have no draw; above random scores there are draws and long wins.
#[test]
fn random_scores_below_are_carried_upwards_alike() {
    fn check<R: Stepping>(layer: Material, seed: u64) -> u64 {
        draws_above_random(&index::<R>(3, layer.mover.max(layer.opponent)), layer, seed)
    }
    let layers = [(3, 3), (2, 4), (3, 4)].map(|(mover, opponent)| Material { mover, opponent });
    let draws: u64 =
        layers.into_iter().map(|layer| check::<Approach>(layer, 1) + check::<Flow>(layer, 2)).sum();
    assert!(draws > 1000, "{draws} draws");
}

/// Random scores for all layers below a layer.
pub(crate) fn random_below<G: Indexed>(game: &G, layer: G::Layer, seed: u64) -> Layers<G::Layer> {
    let mut below = Layers::default();
    for child in game.child_layers(layer) {
        let code = |slot: u64| {
            let random = 1 + (slot * 7 + seed * 13) * 2_654_435_761 % 61;
            game.position(child, Slot(slot)).map_or(0, |_| random as u8)
        };
        below.insert(child, LayerCells::Narrow((0..game.slots(child)).map(code).collect()));
    }
    below
}

/// The draws of a layer above random scores, which must be the same by rows and by sweeps.
fn draws_above_random<G: Retract + Rowed>(game: &G, layer: G::Layer, seed: u64) -> u64 {
    let (stop, below) = (AtomicBool::new(false), random_below(game, layer, seed));
    let found = by_rows(game, layer, &below, None, &NoKeeper);
    let limits = SolveLimits::until(&stop);
    assert!(found == solve_bundle_forward(game, layer, &below, &limits, &quiet).unwrap(), "{layer:?}");
    found.iter().map(|layer| marquis_retro::Counts::of(&layer.cells).draws).sum()
}

#[test]
fn random_scores_below_rooks_are_carried_upwards_alike() {
    fn check<R: Capture>(seed: u64) -> u64 {
        let (index, root) = parsed::<R>("w1w/4/1oo2/4/1bb w", Immobile::Loss);
        let whole = index.layer(&root);
        [whole, whole.swapped()].map(|layer| draws_above_random(&index, layer, seed)).iter().sum()
    }
    let draws = check::<Leap>(1) + check::<Sandwich>(2);
    assert!(draws > 1000, "{draws} draws");
}

/// A side of another game, with wins of up to 125 plies and of more.
#[test]
fn plies_beyond_a_byte_are_kept_in_wider_cells() {
    let (stop, none) = (AtomicBool::new(false), Layers::default());
    for (cells, is_narrow) in [(63, true), (64, true), (65, false), (90, false)] {
        let track = Track { cells };
        let found = by_rows(&track, (), &none, None, &NoKeeper);
        let forward = solve_bundle_forward(&track, (), &none, &SolveLimits::until(&stop), &quiet).unwrap();
        assert!(found == forward, "{cells} cells");
        assert_eq!(matches!(found[0].cells, LayerCells::Narrow(_)), is_narrow, "{cells} cells");
    }
}

#[test]
fn a_layer_by_rows_resumes_after_any_ply_whoever_kept_it() {
    check_resumed(&index::<Approach>(4, 3), Material { mover: 3, opponent: 2 });
}

#[test]
fn a_layer_of_rooks_resumes_after_any_ply_whoever_kept_it() {
    let text = "w1w/4/1oo2/4/1bb w";
    let (swish, root) = parsed::<Leap>(text, Immobile::Loss);
    check_resumed(&swish, swish.layer(&root));
    let (squeeze, root) = parsed::<Sandwich>(text, Immobile::Pass);
    check_resumed(&squeeze, squeeze.layer(&root));
}

fn check_resumed<G: Retract + Rowed>(game: &G, layer: G::Layer) {
    let layers = built(game, [layer]);
    let (stop, rowed, by_positions) = (AtomicBool::new(false), KeepAll::default(), KeepAll::default());
    let limits = SolveLimits::until(&stop);
    let whole = by_rows(game, layer, &layers, None, &rowed);
    solve_bundle_from(game, layer, &layers, None, &by_positions, &limits, &quiet).unwrap();
    let (rowed, by_positions) = (rowed.taken(), by_positions.taken());
    assert!(rowed == by_positions, "the same is kept after each ply");
    assert!(rowed.len() > 5, "only {} plies", rowed.len());
    for snapshot in rowed {
        let from = Some(snapshot.clone());
        let again = solve_bundle_from(game, layer, &layers, from, &NoKeeper, &limits, &quiet).unwrap();
        assert!(again == whole, "kept by rows, resumed by positions");
        assert!(by_rows(game, layer, &layers, Some(snapshot), &NoKeeper) == whole, "resumed by rows");
    }
}

#[test]
fn what_was_kept_of_another_layer_is_as_good_as_nothing() {
    let index = index::<Approach>(3, 3);
    let [layer, other] = [(3, 2), (3, 1)].map(|(mover, opponent)| Material { mover, opponent });
    let (layers, keeper) = (built(&index, [layer]), KeepAll::default());
    by_rows(&index, other, &layers, None, &keeper);
    let kept = keeper.taken().pop().expect("a snapshot");
    let found = by_rows(&index, layer, &layers, Some(kept), &NoKeeper);
    assert!(found.iter().all(|own| layers.get(own.layer) == Some(&own.cells)));
}

#[test]
fn wide_cells_that_were_kept_are_gone_on_with() {
    let (track, none, keeper) = (Track { cells: 90 }, Layers::default(), KeepAll::default());
    let whole = by_rows(&track, (), &none, None, &keeper);
    let kept = keeper.taken().into_iter().filter(|kept| matches!(kept.layers[0].cells, LayerCells::Wide(_)));
    let kept: Vec<_> = kept.step_by(20).collect();
    assert!(kept.len() > 5, "{} snapshots", kept.len());
    for snapshot in kept {
        assert!(by_rows(&track, (), &none, Some(snapshot), &NoKeeper) == whole);
    }
}

#[test]
fn an_interrupted_layer_by_rows_leaves_a_snapshot() {
    let index = index::<Approach>(4, 3);
    let layer = Material { mover: 3, opponent: 3 };
    let layers = built(&index, [layer]);
    let (stop, keeper) = (AtomicBool::new(false), KeepAll::default());
    let interrupt = |progress: marquis_retro::SolveProgress| {
        stop.fetch_or(progress.phase == Phase::Spreading, Relaxed);
    };
    let limits = SolveLimits::until(&stop);
    let stopped = solve_bundle_by_rows_from(&index, layer, &layers, None, &keeper, &limits, &interrupt);
    assert_eq!(stopped, Err(Stopped::Interrupted));
    let snapshot = keeper.taken().pop().expect("a snapshot");
    let again = by_rows(&index, layer, &layers, Some(snapshot), &NoKeeper);
    assert!(again.iter().all(|own| layers.get(own.layer) == Some(&own.cells)));
}

#[test]
fn a_layer_by_rows_is_not_begun_when_it_is_to_end() {
    let index = index::<Flow>(3, 2);
    let layer = Material { mover: 2, opponent: 2 };
    let (stop, layers) = (AtomicBool::new(true), built(&index, [layer]));
    let limits = SolveLimits::until(&stop);
    let stopped = solve_bundle_by_rows_from(&index, layer, &layers, None, &NoKeeper, &limits, &quiet);
    assert_eq!(stopped, Err(Stopped::Interrupted));
}

#[test]
fn rows_take_a_cell_a_slot_and_some_lists() {
    let layer = Material { mover: 6, opponent: 6 };
    let three = index::<Approach>(3, 6);
    let (slots, more) = (three.slots(layer), more_bytes_by_rows(&three, layer));
    assert!(more > slots && more < slots + (20 << 20), "{more} bytes for {slots} slots");
}

#[test]
fn lanes_take_a_cell_a_set_and_their_messages() {
    let layer = Material { mover: 4, opponent: 4 };
    let four = index::<Approach>(4, 4);
    let slots = four.slots(layer);
    assert_eq!(slots, 5679 * 40_920);
    let (cells, more) = (5679 * 66_045, more_bytes_by_rows(&four, layer));
    assert!(more > cells - slots && more < cells - slots + (80 << 20), "{more} bytes for {slots} slots");
}

#[test]
fn rows_are_not_asked_for_where_most_sets_meet_the_mover() {
    let (three, even) = (index::<Flow>(3, 9), |pieces| Material { mover: pieces, opponent: pieces });
    assert!(more_bytes_by_rows(&three, even(6)) < u64::MAX);
    assert_eq!([7, 8, 9].map(|pieces| more_bytes_by_rows(&three, even(pieces))), [u64::MAX; 3]);
}
