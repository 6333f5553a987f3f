//! Ctrl-C, as a terminal sends it.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
    command.current_dir(std::env::temp_dir()).env_remove("MARQUIS_TABLES").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn interrupt(child: &Child) {
    send("-INT", child);
}

/// Waits until the program catches Ctrl-C; for a second if the system does not report the caught signals of a
/// process.
fn catches_ctrl_c(child: &Child) {
    const SIGINT: u32 = 2;
    let began = Instant::now();
    let caught = || {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) else {
            return began.elapsed() > Duration::from_secs(1);
        };
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        mask >> (SIGINT - 1) & 1 == 1
    };
    while !caught() {
        assert!(began.elapsed() < Duration::from_secs(120), "Ctrl-C is never caught");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

#[test]
fn the_first_ctrl_c_prints_what_is_known_and_ends_with_130() {
    let mut child = start(&["solve", "squinch", "start", "--json"]);
    catches_ctrl_c(&child);
    interrupt(&child);
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let answer: serde_json::Value = serde_json::from_str(&out).expect("one document");
    assert_eq!((&answer["value"], &answer["ended"]), (&"unknown".into(), &"stopped".into()));
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(err.contains("press Ctrl-C again"), "{err}");
}

/// The output of a count of leaves that is interrupted after this time.
fn counted(arguments: &[&str], after: Duration) -> String {
    let mut child = start(&[&["perft", "squish", "start:4", "60"], arguments].concat());
    catches_ctrl_c(&child);
    std::thread::sleep(after);
    interrupt(&child);
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{out}");
    out
}

#[test]
fn ctrl_c_prints_the_leaves_that_were_counted_by_then() {
    // Of the plain rules in tests/data/squish.perft.
    const LEAVES: [u64; 3] = [30, 810, 19_794];
    // However busy the machine, one of these is long enough for three plies, and all are too short for sixty.
    let delays = [0, 100, 1000, 10_000, 60_000].map(Duration::from_millis);
    let soon = delays.into_iter().any(|after| {
        let counted: serde_json::Value = serde_json::from_str(&counted(&["--json"], after)).unwrap();
        let leaves: Vec<u64> = serde_json::from_value(counted["leaves"].clone()).unwrap();
        assert_eq!(counted["depth"], 60);
        assert!(leaves.iter().zip(LEAVES).all(|(&found, expected)| found == expected), "{leaves:?}");
        leaves.len() >= LEAVES.len()
    });
    assert!(soon, "three plies are soon counted");
    let soon = delays.into_iter().any(|after| counted(&[], after).contains("19,794"));
    assert!(soon, "three plies are soon counted for people too");
}

#[test]
fn one_ctrl_c_is_enough_while_a_line_is_waited_for() {
    let mut child = start(&["solve", "squish", "-"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"start:3\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with('{'));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// The exit code of a running service that is stopped by a signal.
fn stopped_with(signal: &str) -> Option<i32> {
    let tables = tempfile::tempdir().unwrap();
    let folder = tables.path().to_str().unwrap();
    let mut child = start(&["serve", "--bind", "127.0.0.1:0", "--no-starter", "--tables", folder]);
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("listening on"), "{line}");
    send(signal, &child);
    child.wait().unwrap().code()
}

#[test]
fn a_service_that_is_terminated_has_ended_well_and_one_that_is_interrupted_says_so() {
    assert_eq!(stopped_with("-TERM"), Some(0));
    assert_eq!(stopped_with("-INT"), Some(130));
}
