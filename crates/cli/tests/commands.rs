//! Exit codes, messages and JSON of the commands, as a program that calls them sees them.

use std::time::{Duration, Instant};

use assert_cmd::Command;

fn marquis(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_marquis"));
    command.args(arguments);
    command
}

/// Standard output of a command that ends with this exit code.
fn check(arguments: &[&str], exit: i32) -> String {
    let output = marquis(arguments).assert().code(exit).get_output().clone();
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str], exit: i32) -> serde_json::Value {
    serde_json::from_str(&check(arguments, exit)).expect("one JSON document and nothing else")
}

#[test]
fn the_positions_of_the_rules_have_their_values() {
    for (game, position, value, plies) in [
        ("squish", "start:3", "win", Some(5)),
        ("swish", "w1w/4/1ooo1/4/b1b w 0-0 2", "loss", Some(12)),
        ("squeeze", "w1w/4/1ooo1/4/b1b w 0-0 2", "draw", None),
        ("squish", "2w1/5/bb2wb/2w4/b5/5/w3_w", "loss", Some(8)),
        ("squinch", "start:3x3", "win", Some(13)),
        ("flowish", "start:3", "win", Some(9)),
    ] {
        let answer = json(&["--json", "solve", game, position], 0);
        assert_eq!(answer["value"], value, "{game} {position}");
        assert_eq!(answer["plies"].as_u64(), plies, "{game} {position}");
    }
}

#[test]
fn the_chance_in_senet_lies_within_the_printed_error() {
    let answer = json(&["--json", "solve", "senet", "start:2"], 0);
    let (chance, error) =
        (answer["chance"].as_f64().expect("a chance"), answer["error"].as_f64().expect("an error"));
    assert!((chance - 0.510_330_640).abs() <= error + 5e-10, "{chance} ± {error}");
    assert!(error < 1e-9, "{error}");
}

#[test]
fn bad_input_is_told_with_its_place_and_exit_code_2() {
    for (arguments, place) in [
        (&["solve", "squish", "3/4/2w2/b3/b1 w"][..], "row a"),
        (&["solve", "squish", "3/4/2w2/b3/b1b"], "player to move"),
        (&["solve", "swish", "start"], "start"),
        (&["solve", "chess", "start"], "squish"),
        (&["solve", "squish", "start:3", "--play", "a1-a9"], "move 1"),
        (&["balance", "squish", "3/4/5/4/3"], "set-ups"),
        (&["balance", "swish", "w1b/4/2o2/4/3", "--bait", "1"], "bait"),
        (&["perft", "senet", "start", "2"], "senet"),
        (&["solve", "senet", "start", "--proof", "x"], "senet"),
        (&["generate", "swish", "--side", "3", "--out", "nowhere"], "swish"),
        (&["solve", "squish", "start:3", "--memory", "many"], "memory"),
    ] {
        let output = marquis(arguments).assert().code(2).get_output().clone();
        let message = String::from_utf8(output.stderr).expect("text");
        assert!(message.contains(place), "{arguments:?} says: {message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_limit_answers_unknown_with_bounds_and_exit_code_3_in_time() {
    let begun = Instant::now();
    let answer = json(&["--json", "solve", "squish", "start:5", "--seconds", "1"], 3);
    assert!(begun.elapsed() < Duration::from_secs(2), "took {:?}", begun.elapsed());
    assert_eq!(answer["value"], "unknown");
    assert_eq!(answer["bounds"], serde_json::json!(["loss", "win"]));
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(72));
}

#[test]
fn positions_on_standard_input_are_answered_line_by_line() {
    let input = "start:3\nnonsense\nb1w/1wb1/wb1wb/1wb1/b1w_w\n";
    let output = marquis(&["solve", "squish", "-"]).write_stdin(input).assert().code(2).get_output().clone();
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a document a line")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], lines[2]);
    assert!(lines[1]["error"].is_string());
}

#[test]
fn a_probe_without_the_table_is_unknown_with_exit_code_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().to_str().expect("a path");
    let answer = json(&["--json", "probe", "squish", "start:3", "--tables", tables], 3);
    assert_eq!(answer["proof"], "none");
}

#[test]
fn a_build_is_resumed_verified_and_a_damaged_table_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a path");
    for game in ["squish", "flowish"] {
        let small = ["--json", "generate", game, "--side", "3", "--pieces", "2v2", "--out", out];
        assert_eq!(json(&small, 0)["kept"], 0);
        let more = json(
            &["--json", "generate", game, "--side", "3", "--pieces", "3v2", "--out", out, "--resume"],
            0,
        );
        assert_eq!(more["kept"], 4, "{game}");
    }
    assert_eq!(json(&["--json", "verify", out], 0)["faults"], serde_json::json!([]));
    let answer = json(&["--json", "probe", "squish", "3/wb2/5/1w1b/3 w", "--tables", out], 0);
    assert_eq!((answer["value"].as_str(), answer["plies"].as_u64()), (Some("win"), Some(1)));
    assert_eq!(answer["proof"], "table");
    let file = folder.path().join("squish-s3/02v02.mqt");
    let mut bytes = std::fs::read(&file).expect("the table");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&file, bytes).expect("written");
    assert!(!json(&["--json", "verify", out], 1)["faults"].as_array().expect("faults").is_empty());
}

#[test]
fn a_build_that_cannot_fit_is_refused_with_the_figures() {
    for arguments in [
        &["generate", "squish", "--side", "4", "--out", "nowhere"][..],
        &["generate", "squish", "--side", "3", "--pieces", "5v5", "--out", "nowhere", "--memory", "1MiB"],
    ] {
        let output = marquis(arguments).assert().code(4).get_output().clone();
        let message = String::from_utf8(output.stderr).expect("text");
        assert!(message.contains("bytes of memory, and the limit is"), "{message}");
    }
}

#[test]
fn claims_that_hold_and_claims_that_do_not() {
    let flowish = json(&["--json", "claims", "flowish", "--side", "3"], 0);
    assert!(flowish["claims"].as_array().expect("claims").iter().all(|claim| claim["holds"] == true));
    let squinch = json(&["--json", "claims", "squinch", "--size", "3x3"], 0);
    assert_eq!(squinch["claims"].as_array().map(Vec::len), Some(4));
    // The designer says of Squish that it may cycle.
    check(&["claims", "squish", "--from", "2w1/5/bb2wb/2w4/b5/5/w3 w"], 1);
}
