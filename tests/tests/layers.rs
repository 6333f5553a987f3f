//! Layers solved by retrograde analysis against the exhaustive solver, and the verifier against both.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use marquis_core::{Game, Hashed, Indexed, Plies, Score, Slot};
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Duel, Flow, Material, Stepping, Unification, UnificationIndex};
use marquis_retro::layered::{Lower, solve_bundle};
use marquis_retro::verify::{Probe, verify_layer};
use marquis_retro::{Cells, Entry, Limits, exhaustive};

static NEVER: AtomicBool = AtomicBool::new(false);

struct Finished(BTreeMap<Material, Cells>);

impl Lower<Material> for Finished {
    fn score(&self, layer: Material, slot: Slot) -> Score {
        self.0[&layer].entry(slot).score().expect("a move never leads to a hole")
    }
}

impl Probe<Material> for Finished {
    type Error = Material;

    fn entry(&self, layer: Material, slot: Slot) -> Result<Entry, Material> {
        self.0.get(&layer).map(|cells| cells.entry(slot)).ok_or(layer)
    }
}

/// All layers of a board with up to so many pieces a side.
fn solve<R: Stepping>(index: &UnificationIndex<R>, most: u8) -> Finished {
    let mut finished = Finished(BTreeMap::new());
    for pieces in 2..=2 * most {
        for mover in 1..=most {
            let Some(waiter) = pieces.checked_sub(mover).filter(|w| (1..=most).contains(w)) else { continue };
            let layer = Material { mover, waiter };
            if finished.0.contains_key(&layer) {
                continue;
            }
            let solved = solve_bundle(index, layer, &finished, &Limits::until(&NEVER), &|_| {});
            for layer in solved.expect("no limit") {
                finished.0.insert(layer.layer, layer.cells);
            }
        }
    }
    finished
}

/// Compares about one slot in `every` with the exhaustive solver, and every slot with its own number.
fn check<R: Stepping>(side: u8, most: u8, every: u64)
where
    Unification<R>: Game<Position = Duel> + Hashed,
{
    let game = Unification::<R>::new(Side::new(side).expect("a side"));
    let index = UnificationIndex::new(game, most);
    let finished = solve(&index, most);
    let mut compared = 0;
    for (&layer, cells) in &finished.0 {
        for slot in (0..cells.len() as u64).map(Slot) {
            let entry = cells.entry(slot);
            let position = index.position(layer, slot);
            assert_eq!(position.is_some(), entry != Entry::Hole, "{layer:?} {slot:?}");
            let Some(position) = position else { continue };
            assert_eq!(index.slot(&position), (layer, slot));
            if slot.0 % every == 0 {
                let solved = exhaustive::solve(&game, position, &Limits::until(&NEVER), &mut |_| {});
                assert_eq!(entry.score(), Some(solved.expect("no limit").root()), "{position:?}");
                compared += 1;
            }
        }
        let verified = verify_layer(&index, layer, &finished, 1, &Limits::until(&NEVER), &|_| {});
        assert_eq!(verified.map(|verified| verified.faults), Ok(Vec::new()), "{layer:?}");
    }
    assert!(compared > 100, "only {compared} positions were compared");
}

#[test]
fn layers_of_squish_side_3_agree_with_the_exhaustive_solver() {
    check::<Approach>(3, 3, 101);
}

#[test]
fn layers_of_flowish_side_3_agree_with_the_exhaustive_solver() {
    check::<Flow>(3, 3, 101);
}

#[test]
fn layers_of_side_4_agree_with_the_exhaustive_solver() {
    check::<Approach>(4, 2, 301);
    check::<Flow>(4, 2, 301);
}

#[test]
fn classes_are_counted_as_burnside_counts_them() {
    // Placements of 2 against 1 piece on side 2 (7 cells: a centre and a ring of six), counted by hand:
    // the single piece in the centre leaves 3 kinds of pairs on the ring; on the ring, with the mirror
    // through it, it leaves 6 cells of which 2 lie on the mirror, so (15 + 3) / 2 = 9 pairs.
    let game = Unification::<Approach>::new(Side::MIN);
    let index = UnificationIndex::new(game, 2);
    let layer = Material { mover: 2, waiter: 1 };
    let positions = (0..index.slots(layer)).filter(|&slot| index.position(layer, Slot(slot)).is_some());
    assert_eq!(positions.count(), 12);
}

#[test]
fn the_verifier_finds_any_single_changed_entry() {
    let game = Unification::<Approach>::new(Side::new(3).expect("a side"));
    let index = UnificationIndex::new(game, 2);
    let right = solve(&index, 2);
    let layer = Material { mover: 2, waiter: 2 };
    for slot in (0..index.slots(layer)).step_by(7).map(Slot) {
        let Some(score) = right.0[&layer].entry(slot).score() else { continue };
        let wrong = match score {
            Score::Draw => Score::Win(Plies(1)),
            Score::Win(plies) => Score::Loss(plies.next()),
            Score::Loss(plies) => Score::Loss(Plies(plies.0 + 2)),
        };
        let mut changed = right.0.clone();
        let Some(Cells::Narrow(cells)) = changed.get_mut(&layer) else { panic!("narrow cells") };
        cells[slot.0 as usize] = Entry::Score(wrong).code() as u8;
        let verified = verify_layer(&index, layer, &Finished(changed), 1, &Limits::until(&NEVER), &|_| {});
        assert!(!verified.expect("readable").faults.is_empty(), "{slot:?} may be {wrong:?}");
    }
}
