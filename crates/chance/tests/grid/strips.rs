//! Numbers in a grid store, in strips, against the same in memory; kills after any call, and a store that fails.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use marquis_chance::grid::{
    BackupOrder, BoundsPlane, Change, Estimates, GridStore, Grids, Half, Plane, Slack, StripError,
    StripLabel, Swept, TileSink,
};

use super::race::{RaceLayout, SQUARES};
use super::ring::{PLACES, Ring, even};

/// Strips by half, band and step, with their tiles.
type Strips = BTreeMap<[u64; 3], (StripLabel, Vec<Vec<u8>>)>;

fn key(StripLabel { half, band, step, .. }: StripLabel) -> [u64; 3] {
    [half as u64, band as u64, step]
}

/// A grid store in memory: the strips after each call that changed them, the last one now.
#[derive(Clone, Default)]
struct Memory {
    states: Arc<Mutex<Vec<Strips>>>,
    /// Calls until one fails; none does at 0.
    patience: Arc<Mutex<usize>>,
}

impl Memory {
    /// A store as a kill left it.
    fn of(strips: Strips) -> Self {
        Self { states: Arc::new(Mutex::new(vec![strips])), ..Self::default() }
    }

    /// The strips after every call, the last one now.
    fn states(&self) -> Vec<Strips> {
        self.states.lock().expect("no panic").clone()
    }

    fn now(&self) -> Strips {
        self.states().pop().unwrap_or_default()
    }

    fn change(&self, strips: Strips) {
        self.states.lock().expect("no panic").push(strips);
    }

    fn ask(&self) -> Result<(), StripError> {
        let mut left = self.patience.lock().expect("no panic");
        *left = left.saturating_sub(1);
        if *left == 1 { Err(StripError(Box::new(std::fmt::Error))) } else { Ok(()) }
    }

    fn boxed(&self) -> Box<dyn GridStore> {
        Box::new(self.clone())
    }
}

impl GridStore for Memory {
    fn strips(&self) -> Result<Vec<(StripLabel, Vec<u64>)>, StripError> {
        let bytes = |tiles: Vec<Vec<u8>>| tiles.iter().map(|tile| tile.len() as u64).collect();
        Ok(self.now().into_values().map(|(label, tiles)| (label, bytes(tiles))).collect())
    }

    fn replace(
        &self,
        old: &[StripLabel],
        new: StripLabel,
        tiles: &dyn Fn(&mut TileSink<'_>) -> Result<(), StripError>,
    ) -> Result<(), StripError> {
        self.ask()?;
        let (mut strips, mut all) = (self.now(), Vec::new());
        tiles(&mut |tile| {
            all.push(tile.to_vec());
            Ok(())
        })?;
        old.iter().for_each(|&old| assert!(strips.remove(&key(old)).is_some(), "{old:?} is there"));
        strips.insert(key(new), (new, all));
        self.change(strips);
        Ok(())
    }

    fn read(
        &self,
        strip: StripLabel,
        tiles: Range<usize>,
        visit: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), StripError> {
        self.ask()?;
        let strips = self.now();
        let (_, all) = strips.get(&key(strip)).ok_or_else(|| StripError(Box::new(std::fmt::Error)))?;
        tiles.for_each(|tile| visit(tile, &all[tile]));
        Ok(())
    }

    fn clear(&self) {
        self.change(Strips::new());
    }
}

fn estimates(layout: &RaceLayout) -> Grids<'_, u32, 1> {
    let won = Estimates::won(1, &layout.columns.bands());
    Grids::own(Half::new(layout, won.clone(), won), BackupOrder::Strips)
}

fn bounds(layout: &RaceLayout) -> Grids<'_, u32, 2> {
    let won = BoundsPlane::won(1, &layout.columns.bands());
    Grids::own(Half::new(layout, won.clone(), won), BackupOrder::Strips)
}

fn cells<const N: usize>(grids: &Grids<'_, u32, N>) -> Vec<[u32; N]> {
    let plane: Plane<u32, N> = grids.plane(0).expect("readable");
    let side = usize::from(SQUARES);
    (0..side * side).map(|cell| plane.at(cell / side, cell % side)).collect()
}

/// A sweep, or a leap every third time; returns the change.
fn step(grids: &mut Grids<'_, u32, 1>, number: u32) -> Result<Change<u32>, StripError> {
    let stop = AtomicBool::new(false);
    let swept = if number % 3 == 2 { grids.leap(0.5, &stop)? } else { grids.sweep(&stop)? };
    let Swept::All(change) = swept else { panic!("nobody stopped it") };
    Ok(change)
}

#[test]
fn sweeps_and_leaps_on_disk_are_those_in_memory() {
    let (layout, spill) = (RaceLayout::new(), Memory::default());
    let mut memory = estimates(&layout);
    let mut disk = estimates(&layout).on_disk(spill.boxed()).expect("a new store");
    assert!(disk.is_on_disk() && !memory.is_on_disk());
    for number in 0..12 {
        let expected = step(&mut memory, number).expect("in memory");
        assert_eq!(step(&mut disk, number).expect("on disk"), expected, "{number}");
        assert!(cells(&disk) == cells(&memory), "{number}");
        assert_eq!(spill.now().len(), 4, "four strips");
    }
    let slack = || [Slack { rows: vec![1 << 16; SQUARES.into()], columns: vec![1 << 16; SQUARES.into()] }];
    let mut own = bounds(&layout);
    let mut filed = bounds(&layout).on_disk(Memory::default().boxed()).expect("a new store");
    own.suppose(&memory, &slack()).expect("in memory");
    filed.suppose(&disk, &slack()).expect("on disk");
    for sweep in 0..12 {
        let stop = AtomicBool::new(false);
        let expected = own.sweep(&stop).expect("in memory");
        assert_eq!(filed.sweep(&stop).expect("on disk"), expected, "{sweep}");
        assert!(cells(&filed) == cells(&own), "{sweep}");
    }
}

#[test]
fn a_kill_in_the_middle_of_a_sweep_or_a_leap_costs_nothing_that_was_done() {
    let layout = RaceLayout::new();
    // A step of the store is a sweep; a leap takes two.
    for (number, calls) in [(1, 4), (2, 8)] {
        let (spill, mut expected) = (Memory::default(), estimates(&layout));
        let mut grids = estimates(&layout).on_disk(spill.boxed()).expect("a new store");
        for number in 0..number {
            step(&mut grids, number).expect("in the store");
            step(&mut expected, number).expect("in memory");
        }
        let (begun, before) = (grids.step(), spill.states().len() - 1);
        let change = step(&mut expected, number).expect("in memory");
        step(&mut grids, number).expect("in the store");
        let states = spill.states().split_off(before);
        assert_eq!(states.len(), calls + 1);
        for (done, state) in states.into_iter().enumerate() {
            let mut resumed = estimates(&layout).on_disk(Memory::of(state).boxed()).expect("as it was left");
            assert!(resumed.resume(begun), "{number} {done}");
            let moved = resumed.moved();
            assert_eq!(step(&mut resumed, number).expect("in the store"), change, "{number} {done}");
            assert_eq!(resumed.moved() == moved, done == calls, "finished work is not repeated");
            assert!(cells(&resumed) == cells(&expected), "{number} {done}");
        }
    }
}

#[test]
fn a_kill_in_a_shift_goes_on_to_where_it_would_have_led() {
    let ring = Ring::new();
    let sweep = |grids: &mut Grids<'_, u32, 1>| grids.sweep(&AtomicBool::new(false)).expect("swept");
    let shift = |grids: &mut Grids<'_, u32, 1>| {
        let tendency = grids.tendency(100, 7).expect("readable").expect("long games");
        grids.shift(&tendency).expect("shifted");
        tendency
    };
    let cells = |grids: &Grids<'_, u32, 1>| {
        let plane = |half: usize| grids.plane(half).expect("readable");
        let at = |plane: Plane<u32, 1>| {
            (0..PLACES * PLACES).map(move |cell| plane.at(cell / PLACES, cell % PLACES)).collect::<Vec<_>>()
        };
        [at(plane(0)), at(plane(1))]
    };
    let (spill, mut expected) = (Memory::default(), ring.grids(BackupOrder::Strips));
    even(&mut expected);
    let mut grids = ring.grids(BackupOrder::Strips).on_disk(spill.boxed()).expect("a new store");
    even(&mut grids);
    let begun = grids.step();
    assert_eq!(sweep(&mut grids), sweep(&mut expected));
    let swept = spill.states().len() - 1;
    assert_eq!(shift(&mut grids), shift(&mut expected));
    assert!(cells(&grids) == cells(&expected));
    let states = spill.states().split_off(swept);
    assert_eq!(states.len(), 3, "a strip of each half");
    for (done, state) in states.into_iter().enumerate() {
        let left = Memory::of(state);
        let mut resumed = ring.grids(BackupOrder::Strips).on_disk(left.boxed()).expect("as it was left");
        assert!(resumed.resume(begun), "{done}");
        let mut again = ring.grids(BackupOrder::Strips);
        even(&mut again);
        assert_eq!(sweep(&mut resumed), sweep(&mut again), "{done}");
        assert_eq!(shift(&mut resumed), shift(&mut again), "{done}");
        assert!(cells(&resumed) == cells(&expected), "{done}");
        assert_eq!(sweep(&mut resumed), sweep(&mut again), "{done}");
        assert_eq!(left.now().len(), 2, "the next sweep removes the estimates of the games");
    }
}

#[test]
fn strips_of_other_sizes_are_as_good_as_nothing() {
    let (layout, spill) = (RaceLayout::new(), Memory::default());
    let mut grids = estimates(&layout).on_disk(spill.boxed()).expect("a new store");
    step(&mut grids, 0).expect("in the store");
    for tile in [0, 1] {
        let mut strips = spill.now();
        let (_, tiles) = strips.values_mut().nth(2).expect("four strips");
        tiles[tile].pop();
        assert!(!estimates(&layout).on_disk(Memory::of(strips).boxed()).expect("readable").resume(1));
    }
    let mut strips = spill.now();
    strips.values_mut().for_each(|(_, tiles)| tiles.push(Vec::new()));
    assert!(!estimates(&layout).on_disk(Memory::of(strips).boxed()).expect("readable").resume(1));
    assert!(!bounds(&layout).on_disk(spill.boxed()).expect("readable").resume(1), "of two numbers");
    assert!(estimates(&layout).on_disk(spill.boxed()).expect("readable").resume(1));
}

/// As on a full disk: each call fails once, and the work continues from the strips before it.
#[test]
fn a_failing_store_costs_nothing_that_was_done() {
    let layout = RaceLayout::new();
    let mut expected = estimates(&layout);
    let changes = [0, 1, 2].map(|number| step(&mut expected, number).expect("in memory"));
    let (mut failures, spill) = (0, Memory::default());
    for (number, change) in (0..).zip(changes) {
        for patience in 2.. {
            let mut grids = estimates(&layout).on_disk(spill.boxed()).expect("never asked");
            assert!(number == 0 || grids.resume(number.into()));
            *spill.patience.lock().expect("no panic") = patience;
            let done = step(&mut grids, number);
            *spill.patience.lock().expect("no panic") = 0;
            match done {
                Ok(found) => {
                    assert_eq!(found, change, "{number}");
                    break;
                }
                Err(error) => assert_eq!(error.to_string(), std::fmt::Error.to_string()),
            }
            failures += 1;
        }
    }
    assert!(failures > 10, "it failed {failures} times only");
    let mut grids = estimates(&layout).on_disk(spill.boxed()).expect("never asked");
    assert!(grids.resume(4) && cells(&grids) == cells(&expected));
}
