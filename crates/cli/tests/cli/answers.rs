//! The check positions, asked on the command line as a user would.
//!
//! Values, plies and counts: "Check numbers" in the rules of the games, made by an independent implementation.

use crate::common::Place;
use serde_json::{Value, json};

const LEAPS: &str = "w1w/4/1ooo1/4/b1b w 0-0 2";

fn solve(game: &str, position: &str) -> Value {
    let ran = Place::new().run(&["solve", game, position, "--json"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    ran.json()
}

#[track_caller]
fn check(game: &str, position: &str, value: &str, plies: Option<u64>) {
    let answer = solve(game, position);
    assert_eq!(answer["value"], value);
    assert_eq!(answer["plies"], json!(plies));
    assert_eq!(answer["bounds"], json!([value, value]));
}

#[test]
fn squish_on_side_3_is_won_in_5() {
    check("squish", "start:3", "win", Some(5));
    check("squish", "b1w/1wb1/wb1wb/1wb1/b1w w", "win", Some(5));
    check("squish", "4/1b1w1/2wb2/1wb1wb1/2wb2/1b1w1/4_w", "win", Some(5));
}

#[test]
fn squish_with_cycles_is_lost_in_8() {
    check("squish", "2w1/5/bb2wb/2w4/b5/5/w3 w", "loss", Some(8));
}

#[test]
fn flowish_on_side_3_is_won_in_9() {
    check("flowish", "start:3", "win", Some(9));
}

#[test]
fn swish_with_three_beads_is_lost_in_12() {
    check("swish", LEAPS, "loss", Some(12));
}

#[test]
fn squeeze_with_three_beads_is_a_draw() {
    check("squeeze", LEAPS, "draw", None);
}

#[test]
fn squinch_on_nine_squares_is_won_in_13() {
    check("squinch", "start:3x3x1", "win", Some(13));
}

#[test]
fn senet_with_two_pieces_a_side_has_the_known_chance_within_the_printed_error() {
    let answer = solve("senet", "wbwb6/10/10 b");
    let (chance, error) = (answer["chance"].as_f64().unwrap(), answer["error"].as_f64().unwrap());
    // The known figure itself is rounded to nine places.
    assert!((chance - 0.510_330_640).abs() <= error + 5e-10, "{chance} ± {error}");
    assert!(error < 1e-6, "{error}");
    let throws = answer["throws"].as_array().unwrap();
    let weights: Vec<_> = throws.iter().map(|t| (t["throw"].as_u64(), t["weight"].as_u64())).collect();
    let known = [(1, 4), (2, 6), (3, 4), (4, 1), (6, 1)].map(|(throw, weight)| (Some(throw), Some(weight)));
    assert_eq!(weights, known);
}

#[test]
fn the_answer_for_a_throw_has_that_throw_alone() {
    let ran = Place::new().run(&["solve", "senet", "wbwb6/10/10 b", "--throw", "6", "--json"]);
    let throws = ran.json()["throws"].clone();
    assert_eq!(throws.as_array().map(Vec::len), Some(1));
    assert_eq!(throws[0]["throw"], 6);
}

#[test]
fn moves_are_listed_best_first_with_what_they_lose() {
    let answer = solve("squish", "start:3");
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 6);
    let rank = |mv: &Value| ["win", "draw", "unknown", "loss"].iter().position(|name| mv["value"] == *name);
    assert!(moves.is_sorted_by_key(rank));
    assert_eq!(
        (&moves[0]["value"], &moves[0]["plies"], &moves[0]["delta"]),
        (&json!("win"), &json!(5), &json!(0))
    );
}

#[test]
fn moves_can_be_played_first() {
    let place = Place::new();
    let first = place.run(&["moves", "squish", "start:3", "--json"]).json();
    let (mv, after) = (first["moves"][0]["move"].as_str().unwrap(), first["moves"][0]["position"].clone());
    let shown = place.run(&["show", "squish", "start:3", "--play", mv, "--json"]).json();
    assert_eq!(shown["position"], after);
}

#[test]
fn leaves_are_counted_as_the_rules_have_them() {
    let ran = Place::new().run(&["perft", "squish", "start:4", "3", "--json"]);
    assert_eq!(ran.json()["leaves"], json!([30, 810, 19794]));
    let full = "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w";
    let ran = Place::new().run(&["perft", "squeeze", full, "2", "--json"]);
    assert_eq!(ran.json()["leaves"], json!([21, 429]));
}

#[test]
fn the_best_line_ends_after_the_plies_of_the_answer() {
    let line = Place::new().run(&["line", "squish", "start:3", "--json"]).json();
    assert_eq!(line["moves"].as_array().map(Vec::len), Some(5));
    assert_eq!(line["end"], "over");
}

#[test]
fn a_set_up_whose_first_positions_are_lost_leaves_player_two_the_second_move() {
    // White moving first has lost in 12 plies. The board with the colours swapped is its half turn, so moving first
    // is lost with either colour.
    let board = ["balance", "swish", "w1w/4/1ooo1/4/b1b", "--target", "2", "--both", "--json"];
    let balance = Place::new().run(&board).json();
    assert_eq!(balance["balanced"], false);
    assert_eq!(balance["player_two"]["choice"], "choose-colour");
    assert_eq!(balance["first_mover"]["w"]["value"], "loss");
    assert_eq!(balance["first_mover"]["b"]["value"], "loss");
    let balance = Place::new().run(&[&board[..], &["--pie", "bait"]].concat()).json();
    assert_eq!(balance["player_two"]["choice"], "take-bait");
    assert_eq!(balance["player_two"]["value"], "win");
}

#[test]
fn a_set_up_whose_first_positions_are_drawn_is_balanced() {
    let board = ["balance", "squeeze", "w1w/4/1ooo1/4/b1b", "--target", "2", "--json"];
    let ran = Place::new().run(&board);
    assert_eq!(ran.code(), 0);
    assert_eq!(ran.json()["balanced"], true);
    assert_eq!(ran.json()["player_two"]["choice"], Value::Null);
}

#[test]
fn the_difficulty_of_a_set_up_is_rated_by_levels_that_hold_it() {
    let rated = |board: &str| {
        let ran = Place::new().run(&["balance", "swish", board, "--json"]);
        assert_eq!(ran.code(), 0, "{}", ran.err());
        ran.json()["difficulty"].clone()
    };
    // One step wins in both of these, and level 4 sees one step ahead; the third is lost in twelve.
    let easy = rated("1w1/bo2/2o2/2ow/1b1");
    let hard = rated("w1w/4/1ooo1/4/b1b");
    let rating = |difficulty: &Value| difficulty["rating"].as_f64().expect("a rating");
    assert!(rating(&easy) < 5.0 && 5.0 < rating(&hard), "{easy} {hard}");
    for difficulty in [&easy, &hard] {
        let levels = difficulty["levels"].as_array().expect("the levels that were tried");
        for level in levels {
            let [number, found, held, games] =
                ["level", "found", "held", "games"].map(|name| level[name].as_u64().expect("a number"));
            assert!(held <= found && found <= games, "{level}");
            // The rating is the least level at which half of the games are held.
            let above = number as f64 >= rating(difficulty);
            assert_eq!(2 * held >= games, above, "{level} of {difficulty}");
        }
    }
    assert_eq!(rated("w1w/4/1ooo1/4/b1b"), hard, "the same every time");
    // The first mover in Squeeze draws here: there is no choice to find.
    let drawn = Place::new().run(&["balance", "squeeze", "w1w/4/1ooo1/4/b1b", "--json"]);
    assert_eq!(drawn.json()["difficulty"]["rating"], Value::Null);
}

#[test]
fn a_design_comes_with_a_proof_that_replays_and_the_same_seed_finds_it_again() {
    let place = Place::new();
    let arguments = [
        "design",
        "swish",
        "--layout",
        "point-symmetric",
        "--tries",
        "6",
        "--keep",
        "2",
        "--proofs",
        "kept",
        "--json",
    ];
    let ran = place.run(&arguments);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let designs = ran.json()["designs"].as_array().expect("a list").clone();
    assert_eq!(designs.len(), 2);
    assert!(designs[0]["score"].as_f64() >= designs[1]["score"].as_f64());
    for (number, design) in (1..).zip(&designs) {
        let checked = place.run(&["check-proof", &format!("kept/{number}.proof"), "--json"]);
        assert_eq!(checked.code(), 0, "{}", checked.err());
        let board = design["board"].as_str().expect("a board text");
        assert!(checked.out().contains(board), "{} proves nothing about {board}", checked.out());
    }
    assert_eq!(place.run(&arguments).json()["designs"], json!(designs));
}

#[test]
fn a_design_starts_from_a_board_and_refuses_one_that_it_cannot_vary() {
    let place = Place::new();
    let design = |more: &[&str]| {
        let start = ["design", "swish", "--from", "w2/4/1oo2/4/2b", "--tries", "6", "--json"];
        place.run(&[&start[..], more].concat())
    };
    let boards = |more: &[&str]| -> Vec<String> {
        let ran = design(more);
        assert_eq!(ran.code(), 0, "{}", ran.err());
        let designs = ran.json()["designs"].as_array().expect("a list").clone();
        designs.iter().map(|design| design["board"].as_str().expect("a board text").to_owned()).collect()
    };
    let added = boards(&["--beads", "3"]);
    assert!(!added.is_empty());
    for board in added {
        assert_eq!(board.matches('o').count(), 3, "{board}");
        assert!(board.starts_with("w2/") && board.contains("/1oo") && board.ends_with("/2b"), "{board}");
    }
    let moved = boards(&["--change", "1"]);
    assert!(moved.iter().any(|board| board != "w2/4/1oo2/4/2b"), "{moved:?}");
    assert!(moved.iter().all(|board| board.matches('o').count() == 2), "{moved:?}");
    for (more, place) in [
        (&["--change", "0"][..], "change"),
        (&["--rooks", "4"], "rooks"),
        (&["--harder-than", "5", "--easier-than", "2"], "easier_than"),
    ] {
        let ran = design(more);
        assert_eq!(ran.code(), 2, "{}", ran.err());
        assert!(ran.err().contains(&format!("{place}: expected")), "{}", ran.err());
    }
}
