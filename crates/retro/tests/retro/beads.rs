//! Whole layers of Swish and Squeeze: slots, moves taken back, and scores.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::common::{built, check_by_judge};
use marquis_core::{
    ByPlayer, Cells, Game, Indexed, Notation as _, Plies, Reach, Retract, Score, Slot, Symmetric,
};
use marquis_games::beads::{
    BeadGame, BeadIndex, BeadLayer, Capture, Immobile, Leap, Position, Sandwich, Scope,
};
use marquis_games::hex::{SYMMETRIES, Side, Symmetry};
use marquis_retro::Entry;

const RULES: [Immobile; 2] = [Immobile::Loss, Immobile::Pass];

/// Small set-ups: one bead in the middle (all twelve symmetries), three rooks, a row of two (four
/// symmetries), no symmetry and a bead in store, and crowded boards on which players are stuck.
pub(crate) const SMALL: [&str; 6] = [
    "w2/4/2o2/4/1b1 w",
    "w1/wo1/bb w",
    "w2/4/1oo2/4/1bb w",
    "3/1o2/2o1w/1o2/2b w 1-0 3",
    "ww/1ob/b1 w",
    "w1/oob/1b w",
];

pub(crate) fn parsed<R: Capture>(text: &str, immobile: Immobile) -> (BeadIndex<R>, Position) {
    let (game, table) = BeadGame::<R>::parse(text, immobile).unwrap();
    let index = BeadIndex::new(Scope::of_position(&game, &table));
    let table = index.translated(&game, &table).unwrap();
    (index, table)
}

pub(crate) fn layers<R: Capture>(index: &BeadIndex<R>) -> Vec<BeadLayer> {
    index.layers().collect()
}

fn positions<R: Capture>(index: &BeadIndex<R>, layer: BeadLayer) -> impl Iterator<Item = (Slot, Position)> {
    let slots = (0..index.slots(layer)).map(Slot);
    slots.filter_map(move |slot| Some((slot, index.position(layer, slot)?)))
}

/// The turns and mirrors that leave the beads of a set-up in place.
fn turns<R: Capture>(index: &BeadIndex<R>, root: &Position) -> Vec<Symmetry> {
    let board = index.game().board();
    Symmetry::all().filter(|&s| board.image_of(s, root.beads) == root.beads).collect()
}

/// The images of a position under these symmetries, with the colours as they are and swapped.
fn images<R: Capture>(index: &BeadIndex<R>, turns: &[Symmetry], table: &Position) -> Vec<Position> {
    let both = |&Symmetry(s): &Symmetry| [s.into(), SYMMETRIES + usize::from(s)];
    turns.iter().flat_map(both).map(|number| index.game().image(table, number)).collect()
}

/// Slots and positions correspond, and every image of a position has its slot.
fn check_slots<R: Capture>(index: &BeadIndex<R>, turns: &[Symmetry]) {
    for layer in layers(index) {
        let mut seen = BTreeSet::new();
        for (slot, table) in positions(index, layer) {
            let text = index.game().position_text(&table);
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

/// There are as many used slots as placements up to the symmetries of the set-up.
fn check_classes<R: Capture>(index: &BeadIndex<R>, turns: &[Symmetry]) {
    let board = index.game().board();
    for layer in layers(index).into_iter().filter(|&layer| layer != BeadLayer::OVER) {
        let found: Vec<Position> = positions(index, layer).map(|(_, table)| table).collect();
        let sets: BTreeSet<Cells> = found.iter().map(|table| table.beads).collect();
        let mut classes = BTreeSet::new();
        for &beads in &sets {
            for mover in subsets(board.all() - beads, layer.mover_rooks.into()) {
                for opponent in subsets(board.all() - beads - mover, layer.opponent_rooks.into()) {
                    let image =
                        |&s: &Symmetry| [beads, mover, opponent].map(|cells| board.image_of(s, cells));
                    classes.insert(turns.iter().map(image).min());
                }
            }
        }
        assert_eq!(found.len(), classes.len(), "{}", layer.name());
        if turns.len() == 1 {
            assert_eq!(found.len() as u64, index.slots(layer), "unused indices in {}", layer.name());
        }
    }
}

/// All subsets of `size` cells.
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
        let (component, below) = (index.component(layer), index.child_layers(layer));
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
            let after = moves.iter().map(|&mv| index.play(&table, mv));
            let each: Vec<_> = after.clone().map(|after| index.slot(&after)).collect();
            let mut together = Vec::new();
            index.number_each(after, |layer, slot| together.push((layer, slot)));
            assert_eq!(together, each, "{table:?}");
            let played: BTreeSet<_> = each.into_iter().collect();
            let listed = |reach| {
                let mut listed = BTreeSet::new();
                let _ = index.successors::<()>(&table, reach, |layer, slot| {
                    listed.insert((layer, slot));
                    ControlFlow::Continue(())
                });
                listed
            };
            let text = index.game().position_text(&table);
            assert_eq!(listed(Reach::All), played, "{text}");
            let (inside, outside): (BTreeSet<_>, BTreeSet<_>) =
                played.into_iter().partition(|(layer, _)| component.contains(layer));
            assert_eq!(listed(Reach::Component), inside, "{text}");
            assert_eq!(listed(Reach::ChildLayers), outside, "{text}");
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

/// Positions of all layers, sorted so that similar ones are adjacent, get the same slots together as alone.
#[test]
fn positions_numbered_together_get_their_own_slots() {
    fn check<R: Capture>(text: &str) {
        let (index, _) = parsed::<R>(text, Immobile::Loss);
        let all =
            layers(&index).into_iter().flat_map(|layer| positions(&index, layer).map(|(_, table)| table));
        let mut all: Vec<Position> = all.collect();
        all.sort_by_key(|table| (table.beads, table.rooks, table.stores));
        let each: Vec<_> = all.iter().map(|table| index.slot(table)).collect();
        let mut together = Vec::new();
        index.number_each(all.into_iter(), |layer, slot| together.push((layer, slot)));
        assert_eq!(together, each, "{text}");
        assert!(each.len() > 20, "{} positions of {text}", each.len());
    }
    for text in SMALL {
        check::<Leap>(text);
        check::<Sandwich>(text);
    }
}

#[test]
fn slots_are_the_classes_and_moves_taken_back_are_the_moves() {
    for text in SMALL {
        check_small::<Leap>(text);
        check_small::<Sandwich>(text);
    }
}

/// Checks every slot; returns the score of the first position.
fn judged<R: Capture>(text: &str, immobile: Immobile) -> Entry {
    let (index, table) = parsed::<R>(text, immobile);
    let layers = check_by_judge(&index, &layers(&index));
    let (layer, slot) = index.slot(&table);
    layers.get(layer).unwrap().entry(slot)
}

#[test]
fn small_set_ups_are_those_of_the_judge() {
    for immobile in RULES {
        for text in SMALL {
            judged::<Leap>(text, immobile);
            judged::<Sandwich>(text, immobile);
        }
    }
}

#[test]
fn the_set_up_of_the_rules_has_its_scores() {
    let text = "w1w/4/1ooo1/4/b1b w 0-0 2";
    assert_eq!(judged::<Leap>(text, Immobile::Loss), Entry::Score(Score::Loss(Plies(12))));
    assert_eq!(judged::<Sandwich>(text, Immobile::Loss), Entry::Score(Score::Draw));
}

#[test]
fn other_positions_are_not_covered() {
    let (index, _) = parsed::<Leap>("w2/1oo1/1ooo1/1oo1/1b1 w", Immobile::Loss);
    let covers = |text: &str| {
        let (game, table) = BeadGame::<Leap>::parse(text, Immobile::Loss).unwrap();
        index.translated(&game, &table).is_some_and(|table| index.covers(&table))
    };
    for (why, text) in [
        ("the other player to move", "w2/1oo1/1ooo1/1oo1/1b1 b 0-0 4"),
        ("two beads taken", "2w/4/1ooo1/1oo1/b2 w 2-0 4"),
        ("the same needs of another target", "2w/4/1ooo1/1oo1/b2 w 3-1 5"),
        ("the last move won", "w2/4/5/4/b2 w 3-4 4"),
    ] {
        assert!(covers(text), "{why}");
    }
    for (why, text) in [
        ("an eighth bead", "w2/1oo1/1ooo1/1oo1/1bo w 0-0 4"),
        ("a bead elsewhere", "w2/1oo1/1ooo1/4/1bo w 1-0 4"),
        ("no row of seven beads is one long", "w2/1o2/1ooo1/1oo1/1b1 w 1-0 4"),
        ("another rook", "w1w/1oo1/1ooo1/1oo1/1b1 w 0-0 4"),
        ("the player to move has won", "w2/4/5/4/b2 w 4-3 4"),
        ("the same without a rook", "3/4/5/4/b2 w 4-3 4"),
    ] {
        assert!(!covers(text), "{why}");
    }
}

#[test]
fn a_finished_position_leads_nowhere() {
    for text in ["w2/4/1o3/4/1b1 w 0-2 2", "3/4/1o3/4/1b1 w 0-0 1"] {
        let (game, table) = BeadGame::<Leap>::parse(text, Immobile::Loss).unwrap();
        let index = BeadIndex::<Leap>::new(Scope::of_position(&game, &table));
        assert_eq!(index.layers().map(|layer| index.slots(layer)).sum::<u64>(), 0, "{text}");
    }
}

#[test]
fn either_colour_begins_the_same_tables_where_the_bait_is_the_others() {
    let scope = |text: &str| {
        let (game, table) = BeadGame::<Leap>::parse(text, Immobile::Loss).unwrap();
        Scope::of_position(&game, &table)
    };
    assert_eq!(scope("w2/4/1ooo1/4/1b1 w 0-1 2"), scope("w2/4/1ooo1/4/1b1 b 1-0 2"));
    assert_ne!(scope("w2/4/1ooo1/4/1b1 w 0-1 2"), scope("w2/4/1ooo1/4/1b1 w 0-0 2"));
}

#[test]
fn the_tables_of_a_full_game_are_too_large_and_that_is_said_at_once() {
    let bytes = |text: &str| {
        let (game, table) = BeadGame::<Leap>::parse(text, Immobile::Loss).unwrap();
        BeadIndex::<Leap>::bytes(&Scope::of_position(&game, &table))
    };
    assert!(bytes("w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10") > 1 << 30);
    assert!(bytes("w2/4/1ooo1/4/1b1 w") < 1 << 20);
    // Some million layers, which are never listed.
    let side = Side::new(5).unwrap();
    let vast = Scope::free(side, Immobile::Loss, 55, ByPlayer::new(3, 3));
    assert!(BeadIndex::<Leap>::bytes(&vast) > 1 << 50);
}

/// All placements of `beads` beads and `rooks` rooks.
pub(crate) fn free<R: Capture>(side: u8, immobile: Immobile, beads: u8, rooks: [u8; 2]) -> BeadIndex<R> {
    let side = Side::new(side).unwrap();
    BeadIndex::new(Scope::free(side, immobile, beads, ByPlayer::new(rooks[0], rooks[1])))
}

/// The placements of beads and both players' rooks up to the symmetries of the board: for each symmetry the
/// ways to fill its cycles, by Burnside's lemma.
fn burnside(side: u8, layer: BeadLayer) -> u64 {
    let board = Side::new(side).unwrap().board();
    let counts = [layer.beads, layer.mover_rooks, layer.opponent_rooks].map(usize::from);
    let mut fixed = 0;
    for symmetry in Symmetry::all() {
        let mut ways = BTreeMap::from([([0; 3], 1)]);
        let mut left = board.all();
        while let Some(mut cell) = left.lowest() {
            let mut length = 0;
            while left.contains(cell) {
                left = left.without(cell);
                cell = board.image(symmetry, cell);
                length += 1;
            }
            let mut more = ways.clone();
            for (filled, count) in ways {
                for kind in 0..3 {
                    let mut filled = filled;
                    filled[kind] += length;
                    *more.entry(filled).or_default() += count;
                }
            }
            more.retain(|filled, _| filled.iter().zip(&counts).all(|(a, b)| a <= b));
            ways = more;
        }
        fixed += ways.get(&counts).copied().unwrap_or(0);
    }
    assert_eq!(fixed % 12, 0);
    fixed / 12
}

#[test]
fn free_layers_number_all_placements() {
    fn check<R: Capture>(side: u8, immobile: Immobile, beads: u8, rooks: [u8; 2]) {
        let index = free::<R>(side, immobile, beads, rooks);
        let turns: Vec<Symmetry> = Symmetry::all().collect();
        check_slots(&index, &turns);
        for layer in layers(&index).into_iter().filter(|&layer| layer != BeadLayer::OVER) {
            assert_eq!(positions(&index, layer).count() as u64, burnside(side, layer), "{}", layer.name());
        }
        check_steps(&index);
        check_by_judge(&index, &layers(&index));
    }
    for immobile in RULES {
        check::<Leap>(2, immobile, 2, [2, 2]);
        check::<Leap>(2, immobile, 1, [3, 2]);
        check::<Sandwich>(2, immobile, 2, [2, 2]);
    }
    check::<Sandwich>(3, Immobile::Loss, 1, [2, 1]);
    check::<Leap>(3, Immobile::Pass, 1, [1, 1]);
}

/// A free table gives every position of a set-up the score that the set-up's own table gives it.
#[test]
fn free_tables_agree_with_those_of_a_set_up() {
    let text = "2w/4/2oo1/2b1/1b1 w 1-1 3";
    let (game, table) = BeadGame::<Leap>::parse(text, Immobile::Loss).unwrap();
    let setup = BeadIndex::new(Scope::of_position(&game, &table));
    let free = free::<Leap>(3, Immobile::Loss, 2, [1, 2]);
    let (of_setup, of_free) = (built(&setup, setup.layers()), built(&free, free.layers()));
    let mut count = 0;
    for layer in layers(&setup) {
        for (slot, table) in positions(&setup, layer) {
            let translated = free.translated(setup.game(), &table).unwrap();
            let (free_layer, free_slot) = free.slot(&translated);
            let found = of_free.get(free_layer).unwrap().entry(free_slot);
            assert_eq!(found, of_setup.get(layer).unwrap().entry(slot), "{}", game.position_text(&table));
            count += 1;
        }
    }
    assert!(count > 10_000);
}
