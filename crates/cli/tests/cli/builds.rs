//! Builds that are killed, resumed, and run with other threads and memory: the files are the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::common::Place;

const BUILDS: [&[&str]; 4] = [
    &["squish", "--side", "4", "--pieces", "3v2"],
    &["flowish", "--side", "3", "--pieces", "4v4"],
    &["squeeze", "--from", "w1w/1oo1/1ooo1/4/b1b"],
    &["squinch", "--from", "start:4x4"],
];

/// All files in a folder, by their paths in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(here) = folders.pop() {
        for entry in std::fs::read_dir(&here).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").display().to_string();
                files.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

pub(crate) fn build(place: &Place, what: &[&str], more: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let ran = place.run(&[&["generate"], what, &["--out", "t"], more].concat());
    assert_eq!(ran.code(), 0, "{what:?} {more:?}: {}", ran.err());
    files(&place.path().join("t"))
}

#[test]
fn threads_and_memory_change_no_byte() {
    for what in BUILDS {
        let whole = build(&Place::new(), what, &[]);
        assert!(whole.len() > 5, "{what:?}");
        for (threads, memory) in [("1", "256MiB"), ("2", "1GiB"), ("5", "8GiB")] {
            let other = build(&Place::new(), what, &["--threads", threads, "--memory", memory]);
            assert!(other == whole, "{what:?} differs with {threads} threads and {memory}");
        }
    }
}

#[test]
fn a_build_that_is_killed_twenty_times_gives_the_same_files() {
    let what = BUILDS[0];
    let begun = Instant::now();
    let whole = build(&Place::new(), what, &[]);
    let once = begun.elapsed();
    let (mut kills, mut random) = (0, SmallRng::seed_from_u64(1));
    while kills < 20 {
        let place = Place::new();
        loop {
            if !is_killed(&place, what, once.mul_f64(random.random())) {
                break;
            }
            kills += 1;
        }
        let resumed = build(&place, what, &["--resume"]);
        assert!(resumed == whole, "after {kills} kills: {:?}", resumed.keys());
    }
}

/// Starts or resumes the build and kills it after `time`; false if it had finished by then.
fn is_killed(place: &Place, what: &[&str], time: Duration) -> bool {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("marquis"))
        .args([&["generate"], what, &["--out", "t", "--checkpoint", "0"]].concat())
        .current_dir(place.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(time);
    let finished = child.try_wait().expect("a status").is_some();
    if !finished {
        child.kill().expect("it can be killed");
        child.wait().expect("a status");
    }
    !finished
}

#[test]
fn a_build_that_cannot_fit_says_so_before_it_starts() {
    let place = Place::new();
    let ran = place
        .run(&["generate", "squish", "--side", "4", "--pieces", "4v4", "--out", "t", "--memory", "170MiB"]);
    assert_eq!(ran.code(), 4);
    assert!(ran.err().contains("bytes of memory"), "{}", ran.err());
    assert!(!place.path().join("t").exists());
}

#[test]
fn a_build_that_nobody_began_is_not_resumed() {
    let place = Place::new();
    let resume = ["generate", "squish", "--side", "3", "--pieces", "1v1", "--out", "t", "--resume"];
    let ran = place.run(&resume);
    assert_eq!((ran.code(), ran.out().as_str()), (2, ""), "{}", ran.err());
    for words in
        ["--resume: expected a build of squish side=3 that was started in t, found none", "leave it out"]
    {
        assert!(ran.err().contains(words), "{}", ran.err());
    }
    assert!(!place.path().join("t").exists(), "it was started all the same");
    build(&place, &["flowish", "--side", "3", "--pieces", "1v1"], &[]);
    assert_eq!(place.run(&resume).code(), 2, "another game's folder is no beginning");
    build(&place, &["squish", "--side", "3", "--pieces", "1v1"], &[]);
    assert_eq!(place.run(&resume).code(), 0, "{}", place.run(&resume).err());
}

#[cfg_attr(not(feature = "mpi"), test)]
#[cfg_attr(feature = "mpi", expect(dead_code, reason = "for the program without MPI; here for the lints"))]
fn a_program_without_mpi_refuses_to_be_started_several_times() {
    let place = Place::new();
    for size in ["OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"] {
        let started = |count: &str| {
            let what = ["generate", "squish", "--side", "2", "--pieces", "1v1", "--out", "t"];
            let mut command = place.command(&what);
            command.env(size, count);
            crate::common::Ran::of(command)
        };
        let refused = started("3");
        assert_eq!(refused.code(), 4, "{}", refused.err());
        for part in ["3 processes", "--features mpi"] {
            assert!(refused.err().contains(part), "{part}: {}", refused.err());
        }
        assert!(!place.path().join("t").exists());
        assert_eq!(started("1").code(), 0);
        std::fs::remove_dir_all(place.path().join("t")).expect("it was built");
    }
}
