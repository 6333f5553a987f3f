//! Whole layers of Swish and Squeeze: slots, moves taken back, and scores.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::common::check_by_judge;
use marquis_core::{Cells, Game, Indexed, Reach, Retract, Slot, Symmetric};
use marquis_games::beads::{BeadGame, BeadIndex, BeadLayer, Capture, Immobile, Leap, Sandwich, Scope, Table};
use marquis_games::hex::{SYMMETRIES, Symmetry};
use marquis_retro::Entry;

const RULES: [Immobile; 2] = [Immobile::Loss, Immobile::Pass];

/// Two symmetric set-ups, one of them with a bead that no other shares a line with, and one without symmetry.
const SMALL: [&str; 4] =
    ["w2/1o2/1oo1w/4/b1b w", "1w1/1o2/2o2/1o2/b1b w", "w2/1oo1/o3b/2o1/3 b 0-1 3", "w1/ooo/1b w"];

fn parsed<R: Capture>(text: &str, immobile: Immobile) -> (BeadIndex<R>, Table) {
    let (game, table) = BeadGame::<R>::parse(text, immobile).unwrap();
    let index = BeadIndex::new(Scope::of_position(&game, &table));
    let table = index.translated(&game, &table).unwrap();
    (index, table)
}

fn layers<R: Capture>(index: &BeadIndex<R>) -> Vec<BeadLayer> {
    index.layers().collect()
}

fn positions<R: Capture>(index: &BeadIndex<R>, layer: BeadLayer) -> impl Iterator<Item = (Slot, Table)> {
    let slots = (0..index.slots(layer)).map(Slot);
    slots.filter_map(move |slot| Some((slot, index.position(layer, slot)?)))
}

/// The turns and mirrors that leave the beads of a set-up in place.
fn turns<R: Capture>(index: &BeadIndex<R>, root: &Table) -> Vec<Symmetry> {
    let board = index.game().board();
    Symmetry::all().filter(|&s| board.image_of(s, root.beads) == root.beads).collect()
}

/// The images of a position under these, with the colours as they are and swapped.
fn images<R: Capture>(index: &BeadIndex<R>, turns: &[Symmetry], table: &Table) -> Vec<Table> {
    let both = |&Symmetry(s): &Symmetry| [s.into(), SYMMETRIES + usize::from(s)];
    turns.iter().flat_map(both).map(|number| index.game().image(table, number)).collect()
}

/// A slot and its position name each other, and every image of a position has its slot.
fn check_slots<R: Capture>(index: &BeadIndex<R>, turns: &[Symmetry]) {
    for layer in layers(index) {
        let mut seen = BTreeSet::new();
        for (slot, table) in positions(index, layer) {
            let text = index.game().text(&table);
            assert!(index.covers(&table), "{text} in {}", layer.name());
            assert_eq!(index.slot(&table), (layer, slot), "{text}");
            for image in images(index, turns, &table) {
                assert!(index.covers(&image), "an image of {text}");
                assert_eq!(index.slot(&image), (layer, slot), "an image of {text}");
            }
            seen.insert(slot);
        }
        assert!(layer == BeadLayer::OVER || seen.len() as u64 <= index.slots(layer));
    }
}

/// The slots that are no holes are as many as there are placements up to the symmetries of the set-up.
fn check_classes<R: Capture>(index: &BeadIndex<R>, turns: &[Symmetry]) {
    let board = index.game().board();
    for layer in layers(index).into_iter().filter(|&layer| layer != BeadLayer::OVER) {
        let found: Vec<Table> = positions(index, layer).map(|(_, table)| table).collect();
        let sets: BTreeSet<Cells> = found.iter().map(|table| table.beads).collect();
        let mut classes = BTreeSet::new();
        for &beads in &sets {
            for mover in subsets(board.all() - beads, layer.mover_rooks.into()) {
                for waiter in subsets(board.all() - beads - mover, layer.waiter_rooks.into()) {
                    let image = |&s: &Symmetry| [beads, mover, waiter].map(|cells| board.image_of(s, cells));
                    classes.insert(turns.iter().map(image).min());
                }
            }
        }
        assert_eq!(found.len(), classes.len(), "{}", layer.name());
        if turns.len() == 1 {
            assert_eq!(found.len() as u64, index.slots(layer), "holes in {}", layer.name());
        }
    }
}

/// All subsets of so many cells.
fn subsets(cells: Cells, size: u32) -> Vec<Cells> {
    let mut subsets = vec![Cells::EMPTY];
    for _ in 0..size {
        let longer = |&set: &Cells| {
            let above = set.highest();
            cells.filter(move |&cell| above.is_none_or(|above| cell > above)).map(move |c| set.with(c))
        };
        subsets = subsets.iter().flat_map(longer).collect();
    }
    subsets
}

/// The listed successors are the slots of the moves, and predecessors are their mirror image.
fn check_steps<R: Capture>(index: &BeadIndex<R>) {
    let (mut forwards, mut backwards) = (BTreeSet::new(), BTreeSet::new());
    for layer in layers(index) {
        let (peers, below) = (index.peers(layer), index.below(layer));
        for (slot, table) in positions(index, layer) {
            index.predecessors(&table, |before_layer, before_slot, before| {
                assert_eq!(index.slot(before), (before_layer, before_slot));
                if index.over(before).is_none() {
                    backwards.insert(((before_layer, before_slot), (layer, slot)));
                }
            });
            if index.over(&table).is_some() {
                continue;
            }
            let mut moves = Vec::new();
            index.moves(&table, &mut moves);
            let played: BTreeSet<_> = moves.iter().map(|&mv| index.slot(&index.play(&table, mv))).collect();
            let listed = |reach| {
                let mut listed = BTreeSet::new();
                let _ = index.successors::<()>(&table, reach, |layer, slot| {
                    listed.insert((layer, slot));
                    ControlFlow::Continue(())
                });
                listed
            };
            let text = index.game().text(&table);
            assert_eq!(listed(Reach::All), played, "{text}");
            let (inside, outside): (BTreeSet<_>, BTreeSet<_>) =
                played.into_iter().partition(|(layer, _)| peers.contains(layer));
            assert_eq!(listed(Reach::Peers), inside, "{text}");
            assert_eq!(listed(Reach::Below), outside, "{text}");
            assert!(outside.iter().all(|(layer, _)| below.contains(layer)), "{text}");
            forwards.extend(inside.into_iter().map(|after| ((layer, slot), after)));
        }
    }
    assert!(forwards == backwards, "moves and moves taken back differ");
}

fn check_small<R: Capture>(text: &str) {
    for immobile in RULES {
        let (index, table) = parsed::<R>(text, immobile);
        assert!(index.covers(&table));
        let turns = turns(&index, &table);
        check_slots(&index, &turns);
        check_classes(&index, &turns);
        check_steps(&index);
    }
}

#[test]
fn slots_are_the_classes_and_moves_taken_back_are_the_moves() {
    for text in SMALL {
        check_small::<Leap>(text);
        check_small::<Sandwich>(text);
    }
}

fn judge<R: Capture>(text: &str, immobile: Immobile) -> Entry {
    let (index, table) = parsed::<R>(text, immobile);
    let layers = check_by_judge(&index, &layers(&index));
    let (layer, slot) = index.slot(&table);
    layers.get(layer).unwrap().entry(slot)
}

#[test]
fn small_set_ups_are_those_of_the_judge() {
    for immobile in RULES {
        for text in SMALL {
            let t = std::time::Instant::now();
            judge::<Leap>(text, immobile);
            judge::<Sandwich>(text, immobile);
            eprintln!("{text} {:?}", t.elapsed());
        }
    }
}
