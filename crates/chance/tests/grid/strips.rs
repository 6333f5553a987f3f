//! Numbers on disk, in strips, against the same in memory; kills in the middle of a sweep, and damage.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use marquis_chance::grid::{
    BackupOrder, BoundsPlane, Change, Estimates, Folder, Grids, Half, Plane, Slack, StripError, Swept,
};

use super::race::{RaceLayout, SQUARES};
use super::ring::{PLACES, Ring, even};

/// A folder that is removed after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let name = format!("marquis-strips-{}-{}", std::process::id(), FOLDERS.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn folder(&self, basis: &str) -> Folder {
        Folder {
            path: self.0.clone(),
            name: ".race".to_owned(),
            extension: "strip".to_owned(),
            basis: basis.to_owned(),
        }
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(&self.0).expect("a folder").flatten().map(|file| file.path()).collect();
        files.sort();
        files
    }

    fn copy_of(other: &Self) -> Self {
        let copy = Self::new();
        fs::create_dir_all(&copy.0).expect("made");
        for file in other.files() {
            fs::copy(&file, copy.0.join(file.file_name().expect("a name"))).expect("copied");
        }
        copy
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
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
    let (layout, scratch) = (RaceLayout::new(), Scratch::new());
    let mut memory = estimates(&layout);
    let mut disk = estimates(&layout).on_disk(scratch.folder("any")).expect("a new folder");
    assert!(disk.is_on_disk() && !memory.is_on_disk());
    for number in 0..12 {
        let expected = step(&mut memory, number).expect("in memory");
        assert_eq!(step(&mut disk, number).expect("on disk"), expected, "{number}");
        assert!(cells(&disk) == cells(&memory), "{number}");
        assert_eq!(scratch.files().len(), 4, "a file each of four strips");
    }
    let slack = || [Slack { rows: vec![1 << 16; SQUARES.into()], columns: vec![1 << 16; SQUARES.into()] }];
    let other = Scratch::new();
    let mut own = bounds(&layout);
    let mut filed = bounds(&layout).on_disk(other.folder("any")).expect("a new folder");
    own.suppose(&memory, &slack()).expect("in memory");
    filed.suppose(&disk, &slack()).expect("on disk");
    for sweep in 0..12 {
        let stop = AtomicBool::new(false);
        let expected = own.sweep(&stop).expect("in memory");
        assert_eq!(filed.sweep(&stop).expect("on disk"), expected, "{sweep}");
        assert!(cells(&filed) == cells(&own), "{sweep}");
    }
}

/// The number of the step in the name of a file.
fn step_of(file: &Path) -> u64 {
    let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
    name.split('.').nth(4).and_then(|step| step.parse().ok()).expect("a step")
}

/// The files left by a kill between two steps, after `new` files of the later step were renamed.
fn killed(before: &Scratch, after: &Scratch, new: usize) -> Scratch {
    let left = Scratch::copy_of(before);
    // The strips farthest on come first, and are first in the order of names.
    for file in &after.files()[..new] {
        fs::copy(file, left.0.join(file.file_name().expect("a name"))).expect("copied");
    }
    fs::write(left.0.join(".race.0.0.9.unfinished"), b"half of a strip").expect("written");
    left
}

#[test]
fn a_kill_in_the_middle_of_a_sweep_or_a_leap_costs_nothing_that_was_done() {
    let layout = RaceLayout::new();
    // A step of the disk is a sweep; a leap takes two.
    for number in [1, 2] {
        let (scratch, mut expected) = (Scratch::new(), estimates(&layout));
        let mut grids = estimates(&layout).on_disk(scratch.folder("any")).expect("a new folder");
        for number in 0..number {
            step(&mut grids, number).expect("on disk");
            step(&mut expected, number).expect("in memory");
        }
        let (begun, before) = (grids.step(), Scratch::copy_of(&scratch));
        let change = step(&mut expected, number).expect("in memory");
        step(&mut grids, number).expect("on disk");
        for new in 0..=4 {
            let left = killed(&before, &scratch, new);
            // A leap starts only when all strips were swept.
            if number == 2 && new < 4 {
                continue;
            }
            let mut resumed = estimates(&layout).on_disk(left.folder("any")).expect("as it was left");
            assert!(resumed.resume(begun));
            let moved = resumed.moved();
            assert_eq!(step(&mut resumed, number).expect("on disk"), change, "{number} {new}");
            assert_eq!(resumed.moved() == moved, new == 4, "finished work is not repeated");
            assert!(cells(&resumed) == cells(&expected), "{number} {new}");
        }
    }
}

#[test]
fn a_kill_in_a_leap_goes_on_with_the_sweep_or_with_what_follows_it() {
    let layout = RaceLayout::new();
    let (scratch, mut expected) = (Scratch::new(), estimates(&layout));
    let mut grids = estimates(&layout).on_disk(scratch.folder("any")).expect("a new folder");
    step(&mut grids, 0).expect("on disk");
    step(&mut expected, 0).expect("in memory");
    let (begun, before) = (grids.step(), Scratch::copy_of(&scratch));
    let swept = Scratch::copy_of(&scratch);
    let mut again = estimates(&layout).on_disk(swept.folder("any")).expect("as it was");
    assert!(again.resume(begun));
    step(&mut again, 1).expect("a sweep");
    step(&mut grids, 2).expect("a leap");
    let change = step(&mut expected, 2).expect("in memory");
    for new in 0..=8 {
        // First the strips of the sweep join those before, then those of the leap replace both.
        let left = killed(&before, &swept, new.min(4));
        let farther = new.max(4) - 4;
        for file in &scratch.files()[..farther] {
            fs::copy(file, left.0.join(file.file_name().expect("a name"))).expect("copied");
        }
        let done: Vec<PathBuf> = left
            .files()
            .into_iter()
            .filter(|file| {
                let band = |file: &Path| {
                    file.file_name().expect("a name").to_string_lossy().split('.').nth(3).map(str::to_owned)
                };
                file.extension().is_some_and(|end| end == "strip")
                    && step_of(file) < begun + 2
                    && scratch.files()[..farther].iter().any(|new| band(new) == band(file))
            })
            .collect();
        done.iter().for_each(|file| fs::remove_file(file).expect("removed"));
        let mut resumed = estimates(&layout).on_disk(left.folder("any")).expect("as it was left");
        assert!(resumed.resume(begun), "{new}");
        assert_eq!(step(&mut resumed, 2).expect("on disk"), change, "{new}");
        assert!(cells(&resumed) == cells(&expected), "{new}");
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
    let (scratch, mut expected) = (Scratch::new(), ring.grids(BackupOrder::Strips));
    even(&mut expected);
    let mut grids = ring.grids(BackupOrder::Strips).on_disk(scratch.folder("ring")).expect("a new folder");
    even(&mut grids);
    let begun = grids.step();
    assert_eq!(sweep(&mut grids), sweep(&mut expected));
    let swept = Scratch::copy_of(&scratch);
    assert_eq!(shift(&mut grids), shift(&mut expected));
    assert!(cells(&grids) == cells(&expected));
    let shifted: Vec<PathBuf> =
        scratch.files().into_iter().filter(|file| step_of(file) == begun + 2).collect();
    assert_eq!(shifted.len(), 2, "a strip of each half");
    for new in 0..=2 {
        let left = Scratch::copy_of(&swept);
        for file in &shifted[..new] {
            fs::copy(file, left.0.join(file.file_name().expect("a name"))).expect("copied");
        }
        let mut resumed =
            ring.grids(BackupOrder::Strips).on_disk(left.folder("ring")).expect("as it was left");
        assert!(resumed.resume(begun), "{new}");
        let mut again = ring.grids(BackupOrder::Strips);
        even(&mut again);
        assert_eq!(sweep(&mut resumed), sweep(&mut again), "{new}");
        assert_eq!(shift(&mut resumed), shift(&mut again), "{new}");
        assert!(cells(&resumed) == cells(&expected), "{new}");
        assert_eq!(sweep(&mut resumed), sweep(&mut again), "{new}");
        assert_eq!(left.files().len(), 2, "the next sweep removes the estimates of the games");
    }
}

#[test]
fn strips_of_another_basis_are_as_good_as_nothing() {
    let (layout, scratch) = (RaceLayout::new(), Scratch::new());
    let mut grids = estimates(&layout).on_disk(scratch.folder("one")).expect("a new folder");
    step(&mut grids, 0).expect("on disk");
    let mut other = estimates(&layout).on_disk(scratch.folder("another")).expect("a folder");
    assert!(!other.resume(1) && scratch.files().is_empty());
}

#[test]
fn every_flipped_bit_and_every_cut_is_found_and_named() {
    let (layout, scratch) = (RaceLayout::new(), Scratch::new());
    let mut grids = estimates(&layout).on_disk(scratch.folder("any")).expect("a new folder");
    step(&mut grids, 0).expect("on disk");
    for file in scratch.files() {
        let whole = fs::read(&file).expect("read");
        let name = file.file_name().expect("a name");
        let check = |bytes: &[u8], what: &str| {
            let damaged = Scratch::copy_of(&scratch);
            let file = damaged.0.join(name);
            fs::write(&file, bytes).expect("written");
            let used = estimates(&layout).on_disk(damaged.folder("any")).and_then(|mut grids| {
                assert!(grids.resume(1));
                step(&mut grids, 1)
            });
            let fault = used.expect_err(what);
            assert!(matches!(&fault, StripError::Damaged { path, .. } if *path == file), "{what}: {fault}");
        };
        for byte in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[byte] ^= 1 << (byte % 8);
            check(&bytes, &format!("a flipped bit in byte {byte}"));
            check(&whole[..byte], &format!("cut after {byte} bytes"));
        }
    }
}
