//! Builds whose layers do not fit into memory and are solved in strips on disk: the files are the same.

use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;

use crate::builds::{build, files, is_killed};
use crate::common::{Place, Ran};

const WHAT: &[&str] = &["squish", "--side", "4", "--pieces", "3v3"];

fn planned(place: &Place, what: &[&str], more: &[&str]) -> Value {
    place.run(&[&["generate"], what, &["--out", "t", "--dry-run", "--json"], more].concat()).json()
}

/// The least memory for a build, and the memory for all of it at once, in KiB.
fn memory(what: &[&str]) -> [u64; 2] {
    let plan = planned(&Place::new(), what, &["--memory", "64GiB"]);
    assert_eq!(plan["strips"], Value::Array(Vec::new()), "{plan}");
    ["least_memory_bytes", "memory_bytes"].map(|name| plan[name].as_u64().expect("bytes").div_ceil(1024))
}

/// The files of half-solved layers.
fn kept(folder: &Path) -> Vec<String> {
    if !folder.exists() {
        return Vec::new();
    }
    files(folder).into_keys().filter(|name| name.ends_with(".checkpoint")).collect()
}

#[test]
fn what_does_not_fit_into_memory_is_solved_in_strips_to_the_same_files() {
    for what in [WHAT, &["flowish", "--side", "4", "--pieces", "3v2"]] {
        let whole = build(&Place::new(), what, &[]);
        let [least, most] = memory(what);
        assert!(least < most, "{what:?}: {least} and {most} KiB");
        for (threads, memory) in [("1", least), ("2", (least + most) / 2), ("2", most - 1)] {
            let memory = format!("{memory}KiB");
            let more = ["--threads", threads, "--memory", &memory];
            let place = Place::new();
            let strips = planned(&place, what, &more)["strips"].clone();
            let [first, ..] = strips.as_array().expect("a list").as_slice() else {
                panic!("{what:?} in {memory}: {strips}")
            };
            assert!(first["disk_bytes"].as_u64().is_some_and(|bytes| bytes > 1 << 20), "{first}");
            assert!(
                build(&place, what, &more) == whole,
                "{what:?} differs with {threads} threads and {memory}"
            );
        }
    }
}

#[test]
fn a_build_that_fits_not_even_in_strips_says_so_before_it_starts() {
    let ([least, _], place) = (memory(WHAT), Place::new());
    let memory = format!("{}KiB", least - 1);
    let ran = place.run(&[&["generate"], WHAT, &["--out", "t", "--memory", &memory]].concat());
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(ran.err().contains("bytes of memory"), "{}", ran.err());
    assert!(!place.path().join("t").exists());
}

/// The build, with this memory.
fn within(memory: &str) -> Vec<&str> {
    [WHAT, &["--memory", memory]].concat()
}

/// Builds killed at any moment are resumed in strips, or in memory.
#[test]
fn a_build_in_strips_that_is_killed_gives_the_same_files() {
    let begun = Instant::now();
    let whole = build(&Place::new(), WHAT, &[]);
    let once = begun.elapsed().mul_f64(2.0);
    let (least, most) = memory(WHAT).map(|kib| format!("{kib}KiB")).into();
    let (mut kills, mut were_kept, mut random) = (0, 0, SmallRng::seed_from_u64(1));
    while kills < 20 {
        let place = Place::new();
        for memory in [&least, &least, &least, &most, &least] {
            if !is_killed(&place, &within(memory), once.mul_f64(random.random())) {
                break;
            }
            kills += 1;
            were_kept +=
                usize::from(kept(&place.path().join("t")).iter().any(|name| name.contains("strips")));
        }
        let memory = if kills % 2 == 0 { &least } else { &most };
        let resumed = build(&place, WHAT, &["--resume", "--memory", memory]);
        assert!(resumed == whole, "after {kills} kills: {:?}", resumed.keys());
    }
    assert!(were_kept > 3, "only {were_kept} of {kills} kills came while strips were kept");
}

/// A file may not grow beyond a strip, as on a full disk: the error names it, and the kept files stay.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_costs_nothing_that_was_kept() {
    let [least, _] = memory(WHAT);
    let (least, whole) = (format!("{least}KiB"), build(&Place::new(), WHAT, &[]));
    let place = Place::new();
    let (begun, mut time) = (Instant::now(), Duration::from_millis(100));
    while !kept(&place.path().join("t")).iter().any(|name| name.contains("strips")) {
        assert!(begun.elapsed() < Duration::from_secs(600), "nothing was kept");
        if !is_killed(&place, &within(&least), time) {
            // It was too slow to be killed.
            std::fs::remove_dir_all(place.path().join("t")).expect("the tables are removed");
        }
        time = if time < Duration::from_secs(10) { time * 5 / 4 } else { Duration::from_millis(100) };
    }
    let list = |names: Vec<String>| names.into_iter().find(|name| name.contains(".strips.")).expect("a list");
    let before = list(kept(&place.path().join("t")));
    let mut shell = assert_cmd::Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; ulimit -f 64 && exec \"$@\"", "sh"])
        .arg(assert_cmd::cargo::cargo_bin!("marquis"))
        .args([&["generate"], &within(&least)[..], &["--out", "t", "--checkpoint", "0"]].concat())
        .current_dir(place.path());
    let ran = Ran::of(shell);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(ran.err().contains(".checkpoint: cannot "), "{}", ran.err());
    assert_eq!(list(kept(&place.path().join("t"))), before);
    assert!(build(&place, WHAT, &["--resume", "--memory", &least]) == whole);
}
