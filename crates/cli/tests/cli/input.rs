//! Possible mistakes of a user: exit code 2 and one message that names the expected and the found value, and the
//! place.
use crate::common::Place;
use marquis_registry::official;

/// A set-up that no search decides.
const FULL: &str = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b w";

/// The arguments are refused, and the message has all of these words.
#[track_caller]
fn refused(arguments: &[&str], words: &[&str]) {
    let ran = Place::new().run(arguments);
    assert_eq!(ran.code(), 2, "{arguments:?}: {}", ran.err());
    assert_eq!(ran.out(), "", "{arguments:?}");
    for word in words {
        assert!(ran.err().contains(word), "{arguments:?}: {word:?} is missing in {}", ran.err());
    }
}

#[test]
fn a_malformed_position_is_refused_by_row_or_field() {
    refused(&["solve", "squish", "b1w/1wb1/wb1wb/1wb1/b1 w"], &["row", "expected", "found"]);
    refused(&["solve", "squish", "b1w/1wb1/wbxwb/1wb1/b1w w"], &["row c", "expected", "`x"]);
    refused(&["show", "squish", "b1w/1wb1/wb1wb/1wb1/b1w"], &["player to move", "`w` or `b`", "nothing"]);
    refused(&["moves", "swish", "w1w/4/1ooo1/4/b1b w 0-x"], &["expected", "found"]);
    refused(&["line", "squinch", "w1,w1,w1/3/r1,r0,r1 r"], &["rank 1", "expected", "found"]);
    refused(&["probe", "senet", "wbwb6/10 b"], &["expected", "found"]);
    refused(&["solve", "squish", ""], &["expected", "nothing"]);
}

#[test]
fn a_start_that_does_not_exist_is_refused() {
    refused(&["solve", "swish", "start"], &["start", "expected", "set-up"]);
    refused(&["solve", "squish", "start:9"], &["start", "side from 2 to 5", "9"]);
}

#[test]
fn an_illegal_move_to_play_is_refused_by_its_number() {
    refused(
        &["show", "squish", "start:3", "--play", "a3-a9"],
        &["move 1 to play first", "expected", "found"],
    );
}

#[test]
fn arguments_out_of_range_are_refused_by_name() {
    refused(&["solve", "chess", "start"], &["chess", "GAME", "squish"]);
    refused(&["solve", "squish", "start:3", "--seconds", "-1"], &["--seconds", "-1"]);
    refused(&["solve", "squish", "start:3", "--seconds", "NaN"], &["--seconds", "NaN"]);
    refused(&["solve", "squish", "start:3", "--memory", "12parsecs"], &["--memory", "512MiB", "12parsecs"]);
    refused(&["solve", "squish", "start:3", "--threads", "0"], &["--threads", "0"]);
    refused(&["perft", "squish", "start:3", "0"], &["DEPTH", "0"]);
    refused(&["solve", "squish", "b1w/1wb1/wb1wb/1wb1/b1w", "w"], &["unexpected argument", "w"]);
    refused(&["generate", "squish", "--out", "t"], &["--side"]);
    refused(&["sovle", "squish"], &["sovle"]);
    refused(&[], &["Usage"]);
}

#[test]
fn what_a_game_does_not_have_is_refused() {
    refused(&["perft", "senet", "start", "2"], &["senet"]);
    refused(&["solve", "senet", "start", "--proof", "p"], &["--proof", "senet"]);
    refused(&["line", "senet", "start"], &["senet"]);
    refused(&["solve", "squish", "start:3", "--throw", "2"], &["squish", "throw"]);
    refused(&["solve", "senet", "start", "--throw", "5"], &["throw", "5"]);
    refused(&["solve", "squish", "start:3", "--immobile", "pass"], &["--immobile", "squish"]);
    refused(&["balance", "squish", "b1w/1wb1/wb1wb/1wb1/b1w"], &["squish", "swish"]);
}

#[test]
fn an_illegal_set_up_is_refused() {
    let board = "w1w/4/1ooo1/4/b1b";
    refused(&["balance", "swish", board, "--bait", "1"], &["bait", "marquisian", "1"]);
    refused(&["balance", "swish", "w1w/4/oooo1/4/b1b"], &["board", "edge"]);
    refused(&["balance", "swish", board, "--target", "0"], &["target", "0"]);
    refused(&["balance", "swish", board, "--pie", "apple"], &["--pie", "apple", "marquisian"]);
}

#[test]
fn a_budget_of_nothing_is_answered_by_what_is_known_and_an_estimate() {
    let place = Place::new();
    for limit in ["--seconds", "--nodes"] {
        for (game, position) in
            [("flowish", "start:5"), ("swish", FULL), ("squinch", "start"), ("senet", "start")]
        {
            let ran = place.run(&["solve", game, position, limit, "0", "--json"]);
            assert_eq!(ran.code(), 3, "{game} {limit}: {}", ran.err());
            assert_eq!(ran.json()["source"], "estimate", "{game} {limit}");
        }
        let ran = place.run(&["balance", "swish", FULL.split(' ').next().unwrap(), limit, "0", "--json"]);
        assert_eq!(ran.code(), 3, "{limit}: {}", ran.err());
        assert_eq!(ran.json()["first_mover"]["w"]["source"], "estimate", "{limit}");
        let contest =
            ["match", "8", "2", "--game", "squish", "--position", "start:3", "--games", "2", "--json"];
        let ran = place.run(&[&contest[..], &[limit, "0"]].concat());
        assert_eq!((ran.code(), ran.json()["games"].as_u64()), (0, Some(2)), "{limit}: {}", ran.err());
    }
    let played = place.feed(&["play", "flowish", "start:5", "--seconds", "0"], "hint\nquit\n");
    assert!(played.out().contains("Estimated, not proved"), "{}", played.out());
    for go in ["go movetime 0", "go nodes 0", "go p1time 0 p2time 0"] {
        let led = place.feed(&["ugi"], format!("position startpos\n{go}\n"));
        let best = led.out().lines().find_map(|line| line.strip_prefix("bestmove ").map(str::to_owned));
        let best = best.unwrap_or_else(|| panic!("{go}: {}", led.out()));
        assert_eq!(place.run(&["show", "squish", "start", "--play", &best]).code(), 0, "{go}: {best}");
    }
}

#[test]
fn nothing_from_outside_makes_it_panic() {
    let junk = [
        "////",
        "\u{e4}/\u{1f600} w",
        "99999999999999999999 w",
        "5 w 1-2-3",
        "start:",
        "start:-1",
        "w",
        "-1",
    ];
    for game in official().games().map(|game| game.id().name()) {
        for position in junk {
            refused(&["solve", game, position], &["error"]);
        }
        let ran = Place::new().feed(&["solve", game, "-"], "/".repeat(1_000_000));
        assert_eq!((ran.code(), ran.lines().len()), (2, 1), "{game}: {}", ran.err());
    }
}

#[test]
fn with_json_the_reason_is_a_document_as_well() {
    let ran = Place::new().run(&["solve", "squish", "nonsense", "--json"]);
    assert_eq!(ran.code(), 2);
    assert!(ran.json()["error"].as_str().unwrap().contains("expected"));
    assert!(ran.err().contains("expected"));
}
