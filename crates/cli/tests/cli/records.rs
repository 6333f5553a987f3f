//! Records of games: kept by `play` and `match`, checked and shown.

use std::fs;
#[cfg(target_os = "linux")]
use std::io::Write as _;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

use crate::common::Place;

/// White wins in five plies; the moves so far are legal.
const LEGAL: &str = "[Game \"squish\"]\n[Position \"start:3\"]\n\n1. c4-c3 c5-c4 *\n";

#[test]
fn a_game_that_was_played_is_kept_and_can_be_read() {
    let place = Place::new();
    let play = |game: &[&str]| {
        let fixed = ["--level", "1", "--seed", "1", "--record", "games.txt"];
        let ran = place.feed(&[&["play"], game, &fixed[..]].concat(), "hint\nquit\n");
        assert_eq!(ran.code(), 3, "{}", ran.err());
    };
    play(&["squish", "start:3", "--second"]);
    play(&["senet", "start"]);
    let text = fs::read_to_string(place.path().join("games.txt")).unwrap();
    assert!(text.starts_with("[Game \"squish\"]\n[Position \"start:3\"]\n"), "{text}");
    assert!(text.contains("[First \"Marquis, level 1\"]\n[Second \"a person\"]\n[Result \"*\"]\n"), "{text}");
    let checked = place.run(&["record", "check", "games.txt", "--json"]);
    assert_eq!(checked.code(), 0, "{}", checked.out());
    assert_eq!(checked.json()["games"], 2);
    let first = place.run(&["record", "show", "games.txt", "--json"]);
    assert!(first.err().contains("game 1 of 2; --number chooses another"), "{}", first.err());
    let shown = first.json();
    assert_eq!(shown["moves"].as_array().unwrap().len(), 1, "{shown}");
    let second = place.run(&["record", "show", "games.txt", "--number", "2", "--json"]).json();
    assert_eq!(second["game"], "senet");
}

#[test]
fn a_match_is_kept_whole() {
    let place = Place::new();
    let arguments = ["match", "1", "2", "--game", "squish", "--position", "start:3", "--games", "4"];
    let ran = place.run(&[&arguments[..], &["--nodes", "50", "--record", "match.txt", "--json"]].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let checked = place.run(&["record", "check", "match.txt", "--json"]).json();
    assert_eq!((&checked["games"], &checked["fault"]), (&4.into(), &serde_json::Value::Null));
    // The points of the match match the results.
    let text = fs::read_to_string(place.path().join("match.txt")).unwrap();
    let points = |record: &str| {
        let is_first = record.contains("[First \"Marquis, level 1\"]");
        let result = record.split("[Result \"").nth(1).unwrap().split('"').next().unwrap();
        match (result, is_first) {
            ("1-0", true) | ("0-1", false) => 1.0,
            ("1/2-1/2", _) => 0.5,
            _ => 0.0,
        }
    };
    let sum: f64 = text.split("[Game ").skip(1).map(points).sum();
    assert!((ran.json()["score"].as_f64().unwrap() * 4.0 - sum).abs() < 1e-9, "{text}\n{}", ran.out());
}

#[test]
fn a_record_is_shown_with_its_board() {
    let ran = Place::new().feed(&["record", "show", "-", "--ply", "1"], LEGAL);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let out = ran.out();
    assert!(out.contains("c4-c3") && out.contains("Black (b) to move") && out.contains("Result: *"), "{out}");
    let ran = Place::new().feed(&["record", "show", "-", "--ply", "7"], LEGAL);
    assert_eq!(ran.code(), 2);
    assert!(ran.err().contains("expected a number from 0 to 2, found 7"), "{}", ran.err());
}

#[test]
fn what_does_not_hold_is_named() {
    for (text, named) in [
        (LEGAL.replace("c5-c4", "a3-a1"), "game 1: ply 2 (move 1): expected a legal move"),
        (
            LEGAL.replace("*", "{cut"),
            "line 5, column 1: expected `}` after the comment that starts in line 4",
        ),
        (LEGAL.replace("start:3", "start:99"), "header Position"),
        (String::new(), "line 1, column 1: expected a game"),
    ] {
        let ran = Place::new().feed(&["record", "check", "-"], text.clone());
        assert_eq!(ran.code(), 1, "{text}{}", ran.err());
        assert!(ran.out().contains(named), "{}", ran.out());
        assert_eq!(Place::new().feed(&["record", "show", "-"], text).code(), 2);
    }
}

#[test]
fn other_encodings_are_read() {
    let place = Place::new();
    let wide = [0xfeff].into_iter().chain(LEGAL.replace('\n', "\r\n").encode_utf16().collect::<Vec<_>>());
    fs::write(place.path().join("wide.txt"), wide.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).unwrap();
    assert_eq!(place.run(&["record", "check", "wide.txt"]).code(), 0);
    fs::write(place.path().join("latin.txt"), b"[First \"J\xe4ger\"]").unwrap();
    let ran = place.run(&["record", "check", "latin.txt"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.out().contains("line 1, column 10: expected UTF-8"), "{}", ran.out());
}

#[test]
fn a_game_is_not_played_for_a_file_that_is_no_record() {
    let place = Place::new();
    fs::write(place.path().join("notes.txt"), "Dear diary").unwrap();
    let ran = place.feed(&["play", "squish", "start:3", "--record", "notes.txt"], "quit\n");
    assert_eq!((ran.code(), ran.out()), (2, String::new()));
    assert_eq!(fs::read_to_string(place.path().join("notes.txt")).unwrap(), "Dear diary");
}

#[test]
fn a_blunder_is_found_and_the_better_line_told() {
    // By the rules page the start of side 3 is won in five; each of b2-c3, c4-c3 and d2-c3 loses in six.
    let record = LEGAL.replace("c5-c4", "b3xc3");
    let review = Place::new().feed(&["review", "-", "--json"], record.clone()).json();
    let first = &review["moves"][0];
    assert_eq!((&first["mark"], &first["ground"]), (&"blunder".into(), &"value".into()), "{review}");
    assert_eq!((&first["value"], &first["lost"]), (&"loss".into(), &100.0.into()));
    assert_eq!(first["better"].as_array().map(Vec::len), Some(5), "{first}");
    assert_eq!((&review["players"][0]["blunders"], &review["complete"]), (&1.into(), &true.into()));
    let ran = Place::new().feed(&["review", "-"], record);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let out = ran.out();
    assert!(
        out.contains("c4-c3??") && out.contains("White: accuracy ") && out.contains("blunders 1\n"),
        "{out}"
    );
}

#[test]
fn a_header_that_is_nearly_one_of_ours_is_named() {
    let place = Place::new();
    let named =
        ["unknown header Start; did you mean Position?", "unknown header immobiles; did you mean Immobile?"];
    fs::write(
        place.path().join("game.txt"),
        "[Game \"squish\"]\n[Start \"start:3\"]\n[immobiles \"pass\"]\n[Event \"a try\"]\n\n*\n",
    )
    .unwrap();
    for what in [&["record", "check"][..], &["record", "show"], &["review"]] {
        let ran = place.run(&[what, &["game.txt", "--json"]].concat());
        assert_eq!(ran.code(), 0, "{what:?}: {}", ran.err());
        for warning in named {
            assert!(ran.err().contains(&format!("{warning}\n")), "{what:?}: {}", ran.err());
        }
        assert_eq!(ran.err().matches("unknown header").count(), 2, "{what:?}: {}", ran.err());
    }
    let shown = place.run(&["record", "show", "game.txt", "--json"]).json();
    assert_eq!(shown["warnings"], serde_json::json!(named));
    let checked = place.run(&["record", "check", "game.txt", "--json"]).json();
    assert_eq!(checked["warnings"], serde_json::json!(named.map(|warning| format!("game 1: {warning}"))));
    let plain = place.feed(&["record", "show", "-", "--json"], LEGAL);
    assert_eq!(plain.json().get("warnings"), None);
    assert_eq!(plain.err(), "");
}

/// A game of a megabyte, nearly all of it a comment on the first move.
#[cfg(target_os = "linux")]
fn long_game() -> String {
    let words = "many words ".repeat(90_000);
    format!("[Game \"squish\"]\n[Position \"start:3\"]\n\n1. c4-c3 {{{words}}} c5-c4 *\n\n")
}

#[cfg(target_os = "linux")]
#[test]
fn a_stream_of_games_takes_the_memory_of_one() {
    let (place, game) = (Place::new(), long_game());
    for what in [&["record", "check", "-"][..], &["review", "-", "--nodes", "10"]] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
        command.args(what).current_dir(place.path()).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        (0..60).for_each(|_| input.write_all(game.as_bytes()).expect("it reads"));
        // The process waits for more, and has read all but the contents of the pipe.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it is there");
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the most memory");
        let most: u64 = most.trim().trim_end_matches(" kB").parse().expect("a number");
        drop(input);
        assert_eq!(child.wait().expect("a status").code(), Some(0), "{what:?}");
        assert!(most < 40_000, "{what:?}: {most} kB");
    }
}
