//! Ctrl-C, as a terminal sends it.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
    command.current_dir(std::env::temp_dir()).env_remove("MARQUIS_TABLES").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn interrupt(child: &Child) {
    send("-INT", child);
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

#[test]
fn the_first_ctrl_c_prints_what_is_known_and_ends_with_130() {
    let mut child = start(&["solve", "squinch", "start", "--json"]);
    std::thread::sleep(Duration::from_millis(800));
    interrupt(&child);
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let answer: serde_json::Value = serde_json::from_str(&out).expect("one document");
    assert_eq!(answer["value"], "unknown");
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(err.contains("press Ctrl-C again"), "{err}");
}

#[test]
fn one_ctrl_c_is_enough_while_a_line_is_waited_for() {
    let mut child = start(&["solve", "squish", "-"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"start:3\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with('{'));
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A service that is ready, told to stop with a signal: its exit code.
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
