//! Scans of whole layers against the rules, position by position, and the verifier that uses them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use marquis_core::{Indexed, Retract, Scan, ScanVisitor, Score, Slot, Value};
use marquis_games::beads::{BeadLayer, Capture, Immobile, Leap, Sandwich};
use marquis_games::unification::{Approach, Flow, Material, Stepping};
use marquis_retro::scanned::{Scanned, scan_layer};
use marquis_retro::verify::{Unfinished, verify_layer, verify_slots};
use marquis_retro::{Layers, SolveLimits, Stopped};

use crate::beads::{SMALL, free, layers, parsed};
use crate::common::{built, quiet, with_code};
use crate::layered::{changed, index, materials};

/// A position as a scan describes it: the value of a game that is over, or the successors.
type Described<L> = Result<BTreeSet<(L, Slot)>, Value>;

/// Keeps every position of a scan.
struct Recorder<L> {
    layers: Vec<L>,
    near: Vec<Option<(L, Slot)>>,
    moves: BTreeSet<(L, Slot)>,
    positions: BTreeMap<Slot, Described<L>>,
}

impl<L: Ord> Recorder<L> {
    fn add(&mut self, slot: Slot, described: Described<L>) {
        assert!(self.positions.insert(slot, described).is_none(), "{slot:?} is visited twice");
    }
}

impl<L: Copy + Ord> ScanVisitor for Recorder<L> {
    fn near_slots(&mut self, count: usize, slots: impl Iterator<Item = (u32, Slot)>) {
        self.near = vec![None; count];
        slots.for_each(|(number, slot)| self.near[number as usize] = Some((self.layers[0], slot)));
    }

    fn over(&mut self, slot: Slot, value: Value) {
        self.add(slot, Err(value));
    }

    fn near(&mut self, number: u32) {
        self.moves.insert(self.near[number as usize].expect("a position"));
    }

    fn far(&mut self, layer: usize, slot: Slot) {
        self.moves.insert((self.layers[layer], slot));
    }

    fn moved(&mut self, slot: Slot) {
        let moves = std::mem::take(&mut self.moves);
        self.add(slot, Ok(moves));
    }
}

/// The positions of a layer by the rules.
fn by_rules<G: Indexed>(game: &G, layer: G::Layer) -> BTreeMap<Slot, Described<G::Layer>> {
    let slots = (0..game.slots(layer)).map(Slot);
    let described = slots.filter_map(|slot| {
        let position = game.position(layer, slot)?;
        if let Some(over) = game.over(&position) {
            return Some((slot, Err(over.outcome.for_mover(game.turn(&position)))));
        }
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        Some((slot, Ok(moves.into_iter().map(|mv| game.slot(&game.play(&position, mv))).collect())))
    });
    described.collect()
}

/// Each scan has the positions and successors of the rules; returns the number of layers with a scan.
fn check_scans<G: Indexed>(game: &G, layers: &[G::Layer]) -> usize {
    let mut scans = 0;
    for &layer in layers {
        let Some(mut scan) = game.scan(layer) else { continue };
        scans += 1;
        let mut recorder = Recorder {
            layers: scan.layers().to_vec(),
            near: Vec::new(),
            moves: BTreeSet::new(),
            positions: BTreeMap::new(),
        };
        (0..scan.groups()).for_each(|group| scan.visit(group, &mut recorder));
        assert!(recorder.positions == by_rules(game, layer), "{layer:?}");
    }
    scans
}

#[test]
fn scans_of_unification_have_the_moves_of_the_rules() {
    fn check<R: Stepping>() {
        for (side, most, scans) in [(3, 4, 12), (4, 2, 3)] {
            assert_eq!(check_scans(&index::<R>(side, most), &materials(side, most)), scans, "side {side}");
        }
        // Most sets of two meet ten pieces of the other side.
        assert_eq!(check_scans(&index::<R>(3, 10), &[Material { mover: 2, opponent: 10 }]), 1);
    }
    check::<Approach>();
    check::<Flow>();
}

#[test]
fn scans_of_beads_have_the_moves_of_the_rules() {
    fn check<R: Capture>() {
        for immobile in [Immobile::Loss, Immobile::Pass] {
            for text in SMALL {
                let (index, _) = parsed::<R>(text, immobile);
                let layers = layers(&index);
                let unfinished = layers.iter().filter(|&&layer| layer != BeadLayer::OVER).count();
                assert_eq!(check_scans(&index, &layers), unfinished, "{text}");
            }
            let index = free::<R>(3, immobile, 2, [1, 2]);
            check_scans(&index, &layers(&index));
        }
    }
    check::<Leap>();
    check::<Sandwich>();
}

/// Changes entries of the layers one by one, all those of small layers: a scan finds each, and the verifier reports
/// the same as slot by slot; returns the number of changes.
fn check_changes<G: Retract>(game: &G, wanted: &[G::Layer]) -> u32 {
    let (stop, mut tables) = (AtomicBool::new(false), built(game, wanted.iter().copied()));
    let limits = SolveLimits::until(&stop);
    let mut changes = 0;
    for &layer in wanted.iter().filter(|&&layer| game.scan(layer).is_some()) {
        let scanned =
            |tables: &Layers<G::Layer>| scan_layer(game, layer, tables, &limits, &quiet).unwrap().unwrap();
        let slowly = |tables: &_| verify_slots(game, layer, tables, 1, &limits, &quiet).unwrap();
        let verified = |tables: &_| verify_layer(game, layer, tables, 1, &limits, &quiet).unwrap();
        let sound = slowly(&tables);
        assert_eq!((scanned(&tables), sound.faults.len()), (Scanned::Sound(sound.counts), 0), "{layer:?}");
        assert_eq!(verified(&tables), sound);
        let cells = tables.get(layer).unwrap().clone();
        for at in (0..cells.len()).step_by((cells.len() / 40).max(1)) {
            let slot = Slot(at as u64);
            if game.position(layer, slot).is_none() {
                continue;
            }
            for code in changed(cells.entry(slot).code() as u8) {
                changes += 1;
                tables.insert(layer, with_code(&cells, at, code));
                assert_eq!(scanned(&tables), Scanned::Faulty, "{layer:?} {slot:?}: {code}");
                if changes % 50 == 0 {
                    assert_eq!(verified(&tables), slowly(&tables), "{layer:?} {slot:?}: {code}");
                }
            }
        }
        tables.insert(layer, cells);
    }
    changes
}

#[test]
fn a_scan_finds_any_one_changed_entry() {
    assert!(check_changes(&index::<Approach>(3, 3), &materials(3, 3)) > 500);
    assert!(check_changes(&index::<Flow>(3, 3), &materials(3, 3)) > 500);
    fn check<R: Capture>(immobile: Immobile) {
        let changes = SMALL.iter().map(|text| {
            let (index, _) = parsed::<R>(text, immobile);
            check_changes(&index, &layers(&index))
        });
        assert!(changes.sum::<u32>() > 1000);
    }
    for immobile in [Immobile::Loss, Immobile::Pass] {
        check::<Leap>(immobile);
        check::<Sandwich>(immobile);
    }
}

/// A far successor decides some positions, and a changed entry below is seen from above.
#[test]
fn a_scan_finds_changed_entries_of_the_layers_below() {
    let index = index::<Approach>(3, 3);
    let [layer, below] = [(3, 3), (2, 3)].map(|(mover, opponent)| Material { mover, opponent });
    let mut tables = built(&index, [layer]);
    let stop = AtomicBool::new(false);
    let scanned = |tables: &_| scan_layer(&index, layer, tables, &SolveLimits::until(&stop), &quiet).unwrap();
    assert!(matches!(scanned(&tables), Some(Scanned::Sound(_))));
    let cells = tables.get(below).unwrap().clone();
    let lost = |&slot: &Slot| matches!(cells.entry(slot).score(), Some(Score::Loss(plies)) if plies.0 > 0);
    let slot = (0..cells.len() as u64).map(Slot).find(lost).expect("a lost position");
    tables.insert(below, with_code(&cells, slot.0 as usize, 2));
    assert_eq!(scanned(&tables), Some(Scanned::Faulty));
}

#[test]
fn a_scan_ends_when_it_is_stopped() {
    let index = index::<Approach>(3, 3);
    let layer = materials(3, 3)[4];
    let tables = built(&index, [layer]);
    let stop = AtomicBool::new(true);
    let scanned = scan_layer(&index, layer, &tables, &SolveLimits::until(&stop), &quiet);
    assert_eq!(scanned, Err(Unfinished::Stopped(Stopped::Interrupted)));
}
