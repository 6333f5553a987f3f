//! Whole layers of Squish and Flowish: slots, scores and the verifier.

use crate::common::{built, check_by_judge, quiet, solved, verified};
use std::sync::atomic::AtomicBool;

use marquis_core::{Indexed, Notation as _, Plies, Retract, Score, Slot, Symmetric};
use marquis_games::hex::{Side, Symmetry};
use marquis_games::unification::{Approach, Flow, Material, Stepping, Unification, UnificationIndex};
use marquis_retro::layered::solve_bundle_from;
use marquis_retro::verify::{Unfinished, verify_layer};
use marquis_retro::{BundlePlan, BundleSnapshot, Entry, Keeper, LayerCells, NoKeeper, SolveLimits};

pub(crate) fn index<R: Stepping>(side: u8, most: u8) -> UnificationIndex<R> {
    UnificationIndex::new(Unification::new(Side::new(side).unwrap()), most)
}

/// All layers of at most `most` pieces a side that have room on the board.
pub(crate) fn materials(side: u8, most: u8) -> Vec<Material> {
    let cells = Side::new(side).unwrap().board().count() as u8;
    let all = (1..=most).flat_map(|mover| (1..=most).map(move |opponent| Material { mover, opponent }));
    all.filter(|m| m.mover + m.opponent <= cells).collect()
}

#[test]
fn squish_layers_of_side_3_are_those_of_the_judge() {
    check_by_judge(&index::<Approach>(3, 3), &materials(3, 3));
}

#[test]
fn flowish_layers_of_side_3_are_those_of_the_judge() {
    check_by_judge(&index::<Flow>(3, 3), &materials(3, 3));
}

#[test]
fn layers_of_sides_2_and_4_are_those_of_the_judge() {
    check_by_judge(&index::<Approach>(2, 6), &materials(2, 6));
    check_by_judge(&index::<Flow>(2, 6), &materials(2, 6));
    check_by_judge(&index::<Approach>(4, 2), &materials(4, 2));
    check_by_judge(&index::<Flow>(4, 2), &materials(4, 2));
}

#[test]
fn the_starts_of_side_3_have_the_scores_of_the_rules() {
    fn check<R: Stepping>(plies: u16) {
        let index = index::<R>(3, 6);
        let (layer, slot) = index.slot(&index.game().start());
        let layers = built(&index, [layer]);
        assert_eq!(layers.get(layer).unwrap().entry(slot), Entry::Score(Score::Win(Plies(plies))));
    }
    check::<Approach>(5);
    check::<Flow>(9);
}

/// Slots and positions correspond, every image of a position has its slot, and there are as many used slots as
/// classes.
fn check_slots<R: Stepping>(side: u8, most: u8) {
    let index = index::<R>(side, most);
    for layer in materials(side, most) {
        let mut classes = 0;
        for slot in (0..index.slots(layer)).map(Slot) {
            let Some(position) = index.position(layer, slot) else { continue };
            classes += 1;
            for number in 0..index.game().images() {
                let image = index.game().image(&position, number);
                assert_eq!(index.slot(&image), (layer, slot), "{}", index.game().position_text(&image));
            }
        }
        assert_eq!(classes, burnside(side, layer), "side {side}, {layer:?}");
    }
}

/// Placements of two kinds of pieces up to the symmetries of the board: for each symmetry the ways to
/// fill its cycles, by Burnside's lemma.
fn burnside(side: u8, layer: Material) -> u64 {
    let board = Side::new(side).unwrap().board();
    let (mover, opponent) = (usize::from(layer.mover), usize::from(layer.opponent));
    let mut fixed = 0;
    for symmetry in Symmetry::all() {
        let mut ways = vec![vec![0u64; opponent + 1]; mover + 1];
        ways[0][0] = 1;
        let mut left = board.all();
        while let Some(mut cell) = left.lowest() {
            let mut length = 0;
            while left.contains(cell) {
                left = left.without(cell);
                cell = board.image(symmetry, cell);
                length += 1;
            }
            for i in (0..=mover).rev() {
                for j in (0..=opponent).rev() {
                    let by_mover = if i >= length { ways[i - length][j] } else { 0 };
                    let by_opponent = if j >= length { ways[i][j - length] } else { 0 };
                    ways[i][j] += by_mover + by_opponent;
                }
            }
        }
        fixed += ways[mover][opponent];
    }
    assert_eq!(fixed % 12, 0);
    fixed / 12
}

#[test]
fn slots_are_the_classes_of_placements() {
    check_slots::<Approach>(2, 7);
    check_slots::<Approach>(3, 4);
    check_slots::<Flow>(4, 2);
}

/// The listed successors are the slots of the moves, and predecessors are their mirror image.
fn check_steps<R: Stepping>(side: u8, most: u8) {
    use marquis_core::{Game, Reach};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    let index = index::<R>(side, most);
    let mut forwards = BTreeSet::new();
    let mut backwards = BTreeSet::new();
    for layer in materials(side, most) {
        for slot in (0..index.slots(layer)).map(Slot) {
            let Some(position) = index.position(layer, slot) else { continue };
            index.predecessors(&position, |before_layer, before_slot, before| {
                assert_eq!(index.slot(before), (before_layer, before_slot));
                backwards.insert(((before_layer, before_slot), (layer, slot)));
            });
            let mut moves = Vec::new();
            index.moves(&position, &mut moves);
            let after = moves.iter().map(|&mv| index.play(&position, mv));
            let each: Vec<_> = after.clone().map(|after| index.slot(&after)).collect();
            let mut together = Vec::new();
            index.number_each(after, |layer, slot| together.push((layer, slot)));
            assert_eq!(together, each, "{position:?}");
            let played: BTreeSet<_> = each.into_iter().collect();
            let listed = |reach| {
                let mut listed = BTreeSet::new();
                let _ = index.successors::<()>(&position, reach, |layer, slot| {
                    listed.insert((layer, slot));
                    ControlFlow::Continue(())
                });
                listed
            };
            assert_eq!(listed(Reach::All), played, "{}", index.game().position_text(&position));
            let component = index.component(layer);
            let (inside, outside): (BTreeSet<_>, BTreeSet<_>) =
                played.into_iter().partition(|(layer, _)| component.contains(layer));
            assert_eq!(listed(Reach::Component), inside);
            assert_eq!(listed(Reach::ChildLayers), outside);
            if layer.mover.min(layer.opponent) > 1 {
                let below = index.child_layers(layer);
                assert!(outside.iter().all(|(layer, _)| below.contains(layer)));
            }
            forwards.extend(inside.into_iter().map(|after| ((layer, slot), after)));
        }
    }
    assert!(forwards == backwards, "moves and moves taken back differ on side {side}");
}

#[test]
fn moves_and_moves_taken_back_are_the_same_pairs_of_slots() {
    check_steps::<Approach>(2, 6);
    check_steps::<Flow>(2, 6);
    check_steps::<Approach>(3, 3);
    check_steps::<Flow>(3, 3);
    check_steps::<Flow>(4, 2);
}

#[test]
fn a_plan_comes_to_each_layer_after_those_it_leads_to() {
    let index = index::<Approach>(3, 5);
    let top = Material { mover: 5, opponent: 4 };
    let plan = BundlePlan::new(&index, [top]);
    let layers: Vec<Material> = plan.layers().collect();
    assert!(layers.contains(&top) && layers.contains(&top.swapped()));
    let mut done = Vec::new();
    for bundle in &plan.bundles {
        assert!(bundle.below.iter().all(|lower| done.contains(lower)), "{:?}", bundle.layers);
        done.extend(bundle.layers.iter().copied());
    }
    assert_eq!(done.len(), layers.len());
}

/// The codes of a few other entries: a draw, an unused index, the other value, and the plies one more or less.
pub(crate) fn changed(code: u8) -> impl Iterator<Item = u8> {
    let others = [0, 1, code ^ 1, code.wrapping_add(2), code.wrapping_sub(2)];
    others.into_iter().filter(move |&other| other != code)
}

#[test]
fn the_verifier_finds_any_one_changed_cell() {
    let index = index::<Approach>(3, 3);
    let layer = Material { mover: 3, opponent: 2 };
    let mut layers = solved(&index, [layer]);
    let Some(LayerCells::Narrow(cells)) = layers.get(layer).cloned() else { panic!("narrow cells") };
    assert_eq!(verified(&index, &layers, layer).faults, []);
    for at in (0..cells.len()).step_by(101) {
        let Some(position) = index.position(layer, Slot(at as u64)) else { continue };
        for code in changed(cells[at]) {
            let mut wrong = cells.clone();
            wrong[at] = code;
            layers.insert(layer, LayerCells::Narrow(wrong));
            let faults = verified(&index, &layers, layer).faults;
            let fault = faults.iter().find(|fault| fault.position == position);
            let fault = fault.unwrap_or_else(|| panic!("slot {at}: {} for {code} passed", cells[at]));
            assert_eq!(fault.found, Entry::of_code(u32::from(code)));
            assert_eq!(fault.expected, Entry::of_code(u32::from(cells[at])).score());
        }
    }
}

#[test]
fn a_sample_checks_a_share_and_a_missing_layer_is_named() {
    let index = index::<Approach>(3, 3);
    let layer = Material { mover: 3, opponent: 3 };
    let mut layers = solved(&index, [layer]);
    let stop = AtomicBool::new(false);
    let limits = SolveLimits::until(&stop);
    let all = verified(&index, &layers, layer).counts.positions();
    let sample = verify_layer(&index, layer, &layers, 10, &limits, &quiet).unwrap();
    assert!(
        sample.counts.positions() > all / 12 && sample.counts.positions() < all / 8,
        "{} of {all}",
        sample.counts.positions()
    );
    let lower = Material { mover: 2, opponent: 3 };
    layers.remove(lower);
    let missing = verify_layer(&index, layer, &layers, 1, &limits, &quiet);
    assert_eq!(missing, Err(Unfinished::Missing(lower)));
}

#[test]
fn the_cells_do_not_depend_on_the_number_of_threads() {
    let index = index::<Approach>(3, 4);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solved(&index, materials(3, 4)))
    };
    let (one, five) = (run(1), run(5));
    for layer in materials(3, 4) {
        assert!(one.get(layer) == five.get(layer), "{layer:?}");
    }
}

/// Keeps every snapshot.
#[derive(Debug)]
pub(crate) struct KeepAll<L>(std::sync::Mutex<Vec<BundleSnapshot<L>>>);

impl<L> Default for KeepAll<L> {
    fn default() -> Self {
        Self(std::sync::Mutex::default())
    }
}

impl<L> KeepAll<L> {
    pub(crate) fn taken(self) -> Vec<BundleSnapshot<L>> {
        self.0.into_inner().unwrap()
    }
}

impl<L: Copy + Send> Keeper<L> for KeepAll<L> {
    fn is_due(&self) -> bool {
        true
    }

    fn keep(&self, snapshot: &BundleSnapshot<L>) {
        self.0.lock().unwrap().push(snapshot.clone());
    }
}

#[test]
fn a_layer_resumed_after_any_ply_ends_with_the_same_cells() {
    let index = index::<Approach>(4, 3);
    let layer = Material { mover: 3, opponent: 2 };
    let layers = built(&index, [layer]);
    let (stop, keeper) = (AtomicBool::new(false), KeepAll::default());
    let limits = SolveLimits::until(&stop);
    let whole = solve_bundle_from(&index, layer, &layers, None, &keeper, &limits, &quiet).unwrap();
    let snapshots = keeper.taken();
    assert!(snapshots.len() > 5, "only {} plies", snapshots.len());
    for snapshot in snapshots {
        assert!(snapshot.layers != whole || snapshot.ply.0 > 5, "nothing was left to do");
        let again =
            solve_bundle_from(&index, layer, &layers, Some(snapshot), &NoKeeper, &limits, &quiet).unwrap();
        assert!(again == whole);
    }
}

#[test]
fn an_interrupted_layer_leaves_a_snapshot() {
    let index = index::<Approach>(4, 3);
    let layer = Material { mover: 3, opponent: 2 };
    let layers = built(&index, [layer]);
    let (stop, keeper) = (AtomicBool::new(false), KeepAll::default());
    let interrupt = |progress: marquis_retro::SolveProgress| {
        if progress.phase == marquis_retro::Phase::Spreading {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let limits = SolveLimits::until(&stop);
    let stopped = solve_bundle_from(&index, layer, &layers, None, &keeper, &limits, &interrupt);
    assert_eq!(stopped, Err(marquis_retro::Stopped::Interrupted));
    let snapshot = keeper.taken().pop().expect("a snapshot");
    let go = AtomicBool::new(false);
    let again = solve_bundle_from(
        &index,
        layer,
        &layers,
        Some(snapshot),
        &NoKeeper,
        &SolveLimits::until(&go),
        &quiet,
    );
    assert!(again.unwrap().iter().all(|own| layers.get(own.layer) == Some(&own.cells)));
}
