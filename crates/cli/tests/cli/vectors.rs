//! `marquis vectors`: documents a line, the same for the same seed.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Place;
use serde_json::{Value, json};

#[test]
fn a_vector_has_the_position_its_moves_images_end_and_value() {
    let place = Place::new();
    let ran = place.run(&["vectors", "squish", "--side", "3", "--count", "30"]);
    let lines = ran.lines();
    assert_eq!((ran.code(), lines.len()), (0, 30), "{}", ran.err());
    let first = &lines[0];
    assert_eq!(first["position"], "b1w/1wb1/wb1wb/1wb1/b1w w");
    assert_eq!(
        (&first["game"], &first["turn"], &first["over"]),
        (&json!("squish"), &json!("w"), &Value::Null)
    );
    assert_eq!(first["moves"], place.run(&["moves", "squish", "start:3", "--json"]).json()["moves"]);
    let images: BTreeSet<&str> =
        first["images"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(images.contains(first["position"].as_str().unwrap()) && images.len() > 1, "{images:?}");
    let known = place.run(&["probe", "squish", "start:3", "--json"]).json();
    assert_eq!((&first["value"], &first["plies"]), (&known["value"], &known["plies"]));
    let end = lines.iter().find(|line| !line["over"].is_null()).expect("a game ends");
    assert!(["unified", "stuck"].iter().any(|reason| end["over"]["reason"] == *reason), "{end}");
    assert!(end["over"]["outcome"].is_string() && end["moves"] == json!([]), "{end}");
    assert_eq!((&end["proof"], &end["plies"]), (&json!("rules"), &json!(0)));
    assert!(lines.iter().all(|line| line.get("immobile").is_none()));
}

#[test]
fn a_vector_of_senet_has_the_moves_of_each_throw_and_a_chance() {
    let ran = Place::new().run(&["vectors", "senet", "--count", "2"]);
    let line = &ran.lines()[0];
    let moves = line["moves"].as_array().unwrap().iter();
    let throws: BTreeSet<_> = moves.map(|own| own["throw"].as_u64()).collect();
    assert_eq!(throws, [1, 2, 3, 4, 6].map(Some).into());
    assert_eq!(line["images"].as_array().map(Vec::len), Some(2));
    assert!(line.get("chance").is_some() && line.get("value").is_none(), "{line}");
}

#[test]
fn lines_follow_from_the_seed_with_or_without_json() {
    let place = Place::new();
    let lines = |more: &[&str]| {
        let ran = place.run(&[&["vectors", "squinch", "--files", "3", "--ranks", "4"], more].concat());
        assert_eq!(ran.code(), 0, "{}", ran.err());
        ran.out()
    };
    let usual = lines(&[]);
    assert_eq!(usual.lines().count(), 100);
    assert_eq!(usual, lines(&["--seed", "1", "--count", "100", "--json"]));
    assert_ne!(usual, lines(&["--seed", "2"]));
    assert!(usual.starts_with(&lines(&["--count", "7"])));
}

#[test]
fn the_rule_for_a_player_who_cannot_move_is_named() {
    let place = Place::new();
    let position = "w1w/4/1ooo1/4/b1b w 0-0 2";
    for rule in ["loss", "pass"] {
        let ran = place.run(&["vectors", "swish", position, "--count", "3", "--immobile", rule]);
        assert!(ran.lines().iter().all(|line| line["immobile"] == rule), "{}", ran.out());
    }
}

#[test]
fn vectors_of_given_positions_are_read_from_standard_input() {
    let place = Place::new();
    let ran = place.feed(&["vectors", "squish", "-"], "start:3\nnonsense\n3/4/2w2/b3/b1b w\n");
    let lines = ran.lines();
    assert_eq!((ran.code(), lines.len()), (2, 3), "{}", ran.err());
    assert_eq!(lines[0], place.run(&["vectors", "squish", "--side", "3", "--count", "1"]).json());
    assert_eq!(lines[1]["line"], 2);
    assert_eq!(lines[2]["position"], "3/4/2w2/b3/b1b w");
}

#[test]
fn what_it_cannot_draw_from_is_refused() {
    let refused = |arguments: &[&str], words: &[&str]| {
        let ran = Place::new().feed(arguments, "start:3");
        assert_eq!((ran.code(), ran.out().as_str()), (2, ""), "{arguments:?}: {}", ran.err());
        for word in words {
            assert!(ran.err().contains(word), "{arguments:?}: {word:?} is missing in {}", ran.err());
        }
    };
    refused(&["vectors", "swish"], &["start", "set-up"]);
    refused(&["vectors", "squish", "--count", "10000001"], &["--count", "10000000"]);
    refused(&["vectors", "squish", "--count", "0"], &["--count", "1"]);
    refused(&["vectors", "squish", "start", "--side", "3"], &["--side", "POSITION"]);
    refused(&["vectors", "squish", "--ranks", "3"], &["--side"]);
    refused(&["vectors", "squish", "--immobile", "pass"], &["--immobile", "squish"]);
    refused(&["vectors", "squish", "-", "--seed", "2"], &["--seed", "`-`"]);
}

#[test]
fn fewer_lines_than_asked_for_are_a_note() {
    let ran = Place::new().run(&["vectors", "squish", "b2/1ww1/wbwb1/1ww1/b2 b", "--count", "100000"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let lines = ran.lines().len();
    assert!(lines > 1 && ran.err().contains(&format!("{lines} of 100000 lines")), "{}", ran.err());
}

#[test]
fn it_ends_when_nobody_reads_any_more() {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
    command.current_dir(std::env::temp_dir()).env_remove("MARQUIS_TABLES");
    command.args(["vectors", "squinch", "--count", "100000"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    assert!(serde_json::from_str::<Value>(&line).is_ok(), "{line}");
    // All of them take minutes.
    let began = Instant::now();
    let status = loop {
        match child.try_wait().expect("its end") {
            Some(status) => break status,
            None if began.elapsed() > Duration::from_secs(30) => {
                child.kill().expect("killed");
                panic!("still running without a reader");
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    assert_eq!(status.code(), Some(0));
}
