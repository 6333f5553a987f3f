//! One process at a time writes into a folder or a file: others are refused, with the name of the holder.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Place;
use crate::running::Running;

/// What another process would write into its lease.
const HOLDER: &str = "process 4711 (generate senet of somebody)";

/// Takes a lease as another process would.
fn hold(place: &Place, lease: &str) -> File {
    let path = place.path().join(lease);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, format!("{HOLDER}\n")).expect("a file");
    let held = File::options().write(true).open(&path).expect("it is there");
    held.try_lock().expect("nobody else has it");
    held
}

/// The names in a folder.
fn names(place: &Place, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path().join(folder)).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn every_command_that_writes_into_a_folder_is_refused_while_another_one_does() {
    let fetch = "fetch-tables http://127.0.0.1:9 --out here --patience 0";
    let fetch = cfg!(feature = "http").then_some(fetch);
    let commands = [
        "generate squish --side 3 --pieces 1v1 --out here",
        "repack here",
        "study squish start:2 --state here --nodes 100",
        "study swish w1w/4/1ooo1/4/b1b --state here --nodes 100",
        "train squish --size 3 --state here --positions 100 --nodes 10 --pairs 1",
        "design swish --tries 1 --nodes 10 --proofs here",
    ];
    for what in commands.into_iter().chain(fetch) {
        let place = Place::new();
        let held = hold(&place, "here/.lease");
        let arguments: Vec<&str> = what.split(' ').collect();
        let ran = place.run(&arguments);
        assert_eq!((ran.code(), ran.out().as_str()), (4, ""), "{what}: {}", ran.err());
        assert!(ran.err().contains(HOLDER), "{what}: {}", ran.err());
        assert!(ran.err().contains("wait for it to end"), "{what}: {}", ran.err());
        assert_eq!(names(&place, "here"), [".lease"], "{what}");
        drop(held);
        let ran = place.run(&arguments);
        assert!(!ran.err().contains("4711"), "{what}: {}", ran.err());
        assert!(!place.path().join("here/.lease").exists(), "{what}: its lease stays");
    }
}

#[test]
fn a_match_keeps_the_games_of_a_file_that_no_other_match_has() {
    let place = Place::new();
    let held = hold(&place, ".games.lease");
    let what = ["match", "1", "1", "--game", "squish", "--position", "start:2", "--games", "2"];
    let run = || place.run(&[&what[..], &["--state", "games"]].concat());
    let ran = run();
    assert_eq!((ran.code(), ran.out().as_str()), (4, ""), "{}", ran.err());
    assert!(ran.err().contains(HOLDER), "{}", ran.err());
    drop(held);
    let ran = run();
    assert_eq!(ran.code(), 0, "{}", ran.err());
    assert_eq!(names(&place, "."), ["games"]);
}

#[test]
fn of_two_builds_in_one_folder_the_second_is_told_which_process_has_it_and_the_first_goes_on() {
    let place = Place::new();
    let long = ["generate", "squish", "--side", "4", "--pieces", "3v3", "--out", "t", "--threads", "1"];
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
    command.args(long).current_dir(place.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut first = Running(command.spawn().expect("it starts"));
    let begun = Instant::now();
    while !place.path().join("t").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = place.run(&long);
    assert_eq!((second.code(), second.out().as_str()), (4, ""), "{}", second.err());
    let words = format!("found process {} (generate squish side=4)", first.id());
    assert!(second.err().contains(&words), "{}", second.err());
    assert_eq!(first.wait().expect("a status").code(), Some(0));
    assert_eq!(place.run(&["verify", "t"]).code(), 0);
    assert_eq!(place.run(&long).code(), 0);
}
