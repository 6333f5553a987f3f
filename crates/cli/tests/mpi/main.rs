//! Builds and studies by several ranks, started by `mpirun`: the files of a build are those of one process, whatever
//! happens to a rank.
//!
//! Compiled only with `--features mpi`; needs OpenMPI.

mod mpirun;

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;

use crate::mpirun::{Place, files, program};

/// Its largest layers are solved by all ranks together.
const JOINT: &[&str] = &["squish", "--side", "4", "--pieces", "3v2"];

#[test]
fn three_ranks_write_the_files_of_one_process() {
    let builds: [&[&str]; 4] = [
        JOINT,
        &["squeeze", "--from", "w1w/1oo1/1ooo1/4/b1b"],
        &["squinch", "--from", "start:4x4"],
        &["senet", "--pieces", "2v2"],
    ];
    for what in builds {
        let place = Place::new();
        let whole = place.alone(what, "one");
        assert!(whole.len() > 3, "{what:?}");
        for ranks in ["2", "3"] {
            let ran = place.mpirun(&["-n", ranks], what, &["--out", ranks, "--threads", "1", "--json"]);
            assert_eq!(ran.code, Some(0), "{what:?}, {ranks} ranks: {}", ran.err);
            assert!(files(&place.path().join(ranks)) == whole, "{what:?} differs with {ranks} ranks");
            // One document, printed by the first rank, which covers all ranks.
            assert_eq!(ran.out.matches("\"rank\":").count().to_string(), ranks, "{}", ran.out);
        }
    }
}

/// The number of builds that are killed, one after the other.
const KILLS: usize = 3;

#[test]
fn ranks_that_are_killed_cost_time_and_no_byte() {
    let place = Place::new();
    let begun = Instant::now();
    let whole = place.alone(JOINT, "one");
    let once = begun.elapsed();
    let mut random = SmallRng::seed_from_u64(1);
    let (mut hits, mut share) = (0, 1.5);
    // A kill after the end hits no rank: the next one comes sooner.
    while hits < KILLS {
        assert!(share > 0.01, "{hits} kills hit a rank");
        let ranks = ["3", "2"][hits % 2];
        let after =
            once.mul_f64(share * random.random_range(0.2..1.0)) + Duration::from_millis(300).mul_f64(share);
        let killed = place.killed(ranks, JOINT, &["--out", "t", "--checkpoint", "0"], after, &mut random);
        if let Some(told) = killed {
            assert!(told.contains("signal 9") || told.contains("the same command resumes"), "{told}");
            hits += 1;
        } else {
            share *= 0.7;
            // A finished build leaves nothing to resume.
            std::fs::remove_dir_all(place.path().join("t")).expect("a folder");
        }
    }
    let ran = place.mpirun(&["-n", "2"], JOINT, &["--out", "t"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let left = files(&place.path().join("t"));
    let names =
        |files: &std::collections::BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    // The progress file is removed when the build ends.
    assert_eq!(names(&left), names(&whole));
    assert!(left == whole);
}

#[test]
fn ranks_that_would_do_something_else_are_refused_by_name() {
    let place = Place::new();
    let small: &[&str] = &["squish", "--side", "2", "--pieces", "2v2"];
    let other =
        place.both(small, &["--out", "t"], &["squish", "--side", "2", "--pieces", "2v1"], &["--out", "t"]);
    assert_eq!(other.code, Some(4), "{}", other.err);
    for part in ["the request differs", "rank 0", "2v2", "rank 1", "2v1", "the same arguments"] {
        assert!(other.err.contains(part), "{part}: {}", other.err);
    }
    assert!(!place.path().join("t").exists(), "nothing was started");
    let memory = place.both(small, &["--out", "t"], small, &["--out", "t", "--memory", "2GiB"]);
    assert!(memory.code == Some(4) && memory.err.contains("the memory differs"), "{}", memory.err);
    let elsewhere = place.both(small, &["--out", "t"], small, &["--out", "another"]);
    assert_eq!(elsewhere.code, Some(4), "{}", elsewhere.err);
    assert!(elsewhere.err.contains("the folder of tables differs"), "{}", elsewhere.err);
    assert!(elsewhere.err.contains("another"), "{}", elsewhere.err);
}

#[test]
fn a_rank_whose_disk_is_full_ends_all_with_its_words() {
    let place = Place::new();
    // Files of more than a kilobyte fail, as on a full disk.
    let ran = place.second_with_small_files(JOINT, &["--out", "t"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("rank 1: "), "{}", ran.err);
    let again = place.mpirun(&["-n", "2"], JOINT, &["--out", "t"]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(files(&place.path().join("t")) == place.alone(JOINT, "one"), "nothing is lost");
}

#[test]
fn three_ranks_share_a_study_and_its_proof_holds() {
    let place = Place::new();
    let small = ["--job-nodes", "10000", "--threads", "1", "--memory", "512MiB", "--json"];
    let what = [&["flowish", "start:4", "--state", "s", "--proof", "p"][..], &small].concat();
    let mut command = place.studying("3", &what);
    let mut running =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("mpirun is installed");
    let (status, mut most) = (place.path().join("s/status.json"), 0);
    while running.try_wait().expect("it can be waited for").is_none() {
        let report: Value =
            fs::read(&status).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        most = most.max(report["others"].as_u64().unwrap_or(0));
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(most, 2, "threads of other ranks");
    let ran = running.wait_with_output().expect("it has ended");
    assert_eq!(ran.status.code(), Some(0));
    // One document, printed by the first rank.
    let report: Value = serde_json::from_slice(&ran.stdout).expect("one document");
    assert_eq!((&report["value"], &report["proof_file"]["complete"]), (&"win".into(), &true.into()));
    let checked =
        Command::new(program()).arg("check-proof").arg(place.path().join("p")).output().expect("ran");
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn ranks_that_cannot_share_a_study_are_refused_by_name() {
    let place = Place::new();
    let folder = ["--state", "s"];
    let start = |size| [&["squinch", size][..], &folder].concat();
    let other = place.both_study(&start("start:3x5"), &start("start:3x4"));
    assert_eq!(other.code, Some(4), "{}", other.err);
    for part in ["the request differs", "rank 0", "start:3x5", "rank 1", "start:3x4", "the same arguments"] {
        assert!(other.err.contains(part), "{part}: {}", other.err);
    }
    let set_up = place.study("2", &[&["swish", "w1w/4/1ooo1/4/b1b"][..], &folder].concat());
    assert_eq!(set_up.code, Some(2), "{}", set_up.err);
    assert!(set_up.err.contains("found a set-up; start one process"), "{}", set_up.err);
    assert!(!place.path().join("s").exists(), "nothing was started");
}
