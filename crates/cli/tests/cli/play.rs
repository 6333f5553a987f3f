//! Games against Marquis: in the terminal, and driven by another program.

use serde_json::json;

use crate::common::Place;
use crate::talk::Talk;

/// White wins in five plies.
const WON: &str = "b1w/1wb1/wb1wb/1wb1/b1w w";

/// The lines that answer a conversation.
fn conversation(lines: &[&str]) -> Vec<String> {
    Talk::begin(&[]).answers(lines)
}

#[test]
fn another_program_leads_a_game_to_its_end() {
    let said = conversation(&["ugi", "isready", "query gameover", "query p1turn", "query result"]);
    assert!(said[0].starts_with("id name Marquis ") && said.contains(&"ugiok".to_owned()), "{said:?}");
    assert_eq!(said[said.len() - 4..], ["readyok", "response false", "response true", "response none"]);
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..5 {
        let position = format!("position fen {WON} moves {}", moves.join(" "));
        let said = conversation(&[position.trim_end_matches(" moves "), "query gameover", "go movetime 200"]);
        assert_eq!(said[0], "response false", "{said:?}");
        let best = said.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move");
        assert!(said[said.len() - 2].contains(" wdl ") && said[said.len() - 2].contains(best), "{said:?}");
        moves.push(best.to_owned());
    }
    let position = format!("position fen {WON} moves {}", moves.join(" "));
    let said = conversation(&[&position, "query gameover", "query result", "go"]);
    assert_eq!(said[..2], ["response true", "response p1win"]);
    assert!(said[2].starts_with("info string error: ") && said[3] == "bestmove (none)", "{said:?}");
}

#[test]
fn senet_is_led_with_its_throws() {
    let lines = ["setoption name Game value senet", "position startpos", "throw 2", "go nodes 500"];
    let said = conversation(&lines);
    let best = said.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move");
    assert!(best.starts_with("2:"), "{said:?}");
    // The game continues from there, with the move as it was printed.
    let said = conversation(&[lines[0], &format!("position startpos moves {best}"), "query gameover", "go"]);
    assert_eq!(said[0], "response false");
    assert!(said[1].contains("expected the throw"), "{said:?}");
}

#[test]
fn what_is_not_understood_is_said_and_changes_nothing() {
    let said = conversation(&[
        "sing",
        "setoption name Level value 9",
        "setoption name Memory value 0",
        "setoption name Colour value red",
        "setoption Game squish",
        "position here",
        "position startpos moves a1-a1",
        "throw 2",
        "query weather",
        "query result",
    ]);
    assert!(said[..9].iter().all(|line| line.starts_with("info string error: ")), "{said:?}");
    assert!(said[1].contains("expected a whole number from 1 to 8"), "{said:?}");
    assert_eq!(said[9..], ["response none"]);
}

#[test]
fn a_level_plays_the_same_with_the_same_seed_and_not_all_levels_alike() {
    let best = |level: u8, seed: u8| {
        let options =
            [format!("setoption name Level value {level}"), format!("setoption name Seed value {seed}")];
        conversation(&[&options[0], &options[1], "position startpos", "go nodes 2000"]).pop()
    };
    assert_eq!(best(1, 7), best(1, 7));
    let first: std::collections::HashSet<_> = (1..=6).map(|seed| best(1, seed)).collect();
    assert!(first.len() > 1, "a beginner does not always begin alike: {first:?}");
}

/// Two moves from the start, at a position that is not in the book of known results.
const OPENED: &str = "position startpos moves a2-b3 c1-c2";

#[test]
fn a_search_without_an_end_ends_when_it_is_told_to() {
    let said = conversation(&[OPENED, "go infinite", "isready", "stop"]);
    // It answers during the search.
    let ready = said.iter().position(|line| line == "readyok").expect("it listens");
    assert!(said[ready..].iter().any(|line| line.starts_with("info depth ")), "{said:?}");
    assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{said:?}");
}

#[test]
fn a_person_plays_takes_back_asks_and_leaves() {
    let place = Place::new();
    let typed = "moves\nhint\nnonsense\nundo\na3xb3\nundo\nquit\n";
    let ran = place.feed(&["play", "squish", WON, "--level", "1", "--seed", "1", "--json"], typed);
    // The game was left before its end.
    assert_eq!(ran.code(), 3, "{}", ran.err());
    let said = ran.err();
    for words in ["wins", "nonsense", "There is no move of yours", "Marquis (Black) plays"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let record = ran.json();
    assert_eq!((&record["moves"], &record["end"]), (&json!([]), &json!(WON)));
    let bad = place.run(&["play", "squish", "--level", "9"]);
    assert_eq!(bad.code(), 2);
    assert!(bad.err().contains("expected a whole number from 1 to 8"), "{}", bad.err());
}

#[test]
fn on_a_board_without_a_player_to_move_white_moves_first() {
    let place = Place::new();
    let play = |board: &str| place.feed(&["play", "swish", board, "--level", "1", "--json"], "quit\n");
    let [board, position] = ["w1w/4/1ooo1/4/b1b", "w1w/4/1ooo1/4/b1b w"].map(play);
    assert_eq!((board.code(), &board.json()["position"]), (3, &position.json()["position"]));
    assert!(board.err().contains("White, your move"), "{}", board.err());
}

/// One piece each; Black is to throw.
const BEARING_OFF: &str = "10/10/7wb1 b";

#[test]
fn a_game_in_the_terminal_comes_to_its_end_also_with_throws() {
    let place = Place::new();
    let end = place.feed(&["play", "squish", "3/wb2/1w3/3b/3 b"], "");
    assert_eq!(end.code(), 0, "{}", end.err());
    assert!(end.out().contains("The game is over"), "{}", end.out());
    // Black has one piece left and bears it off with a 1, which is the first throw of one seed in four. With most
    // other seeds the game reaches a move that is not typed.
    for (typed, more) in [("29-off\n", &[][..]), ("", &["--second"][..])] {
        let play = |seed: u32| {
            let seed = seed.to_string();
            let command = ["play", "senet", BEARING_OFF, "--level", "1", "--json", "--seed", seed.as_str()];
            place.feed(&[&command[..], more].concat(), typed)
        };
        let ran = (0..40).map(play).find(|ran| ran.code() == 0).expect("a game that is not left");
        for words in ["Black throws ", "The game is over: "] {
            assert!(ran.err().contains(words), "{words}: {}", ran.err());
        }
        let record = ran.json();
        assert_eq!(record["over"], true, "{record}");
        let last = record["moves"].as_array().and_then(|moves| moves.last()?.as_str());
        assert!(last.is_some_and(|mv| mv.ends_with("-off")), "{record}");
    }
}

#[test]
fn a_hint_says_a_chance_where_there_are_throws() {
    let ran = Place::new().feed(&["play", "senet", BEARING_OFF, "--json"], "hint\nquit\n");
    // The game was left before its end.
    assert_eq!(ran.code(), 3, "{}", ran.err());
    for words in ["Black throws ", "chance of winning", "The game stands at 10/10/7wb1 b"] {
        assert!(ran.err().contains(words), "{words}: {}", ran.err());
    }
    assert_eq!(ran.json()["moves"], json!([]));
}

#[test]
fn a_match_is_kept_gone_on_with_and_says_how_sure_it_is() {
    let place = Place::new();
    let command = ["match", "4", "1", "--game", "squish", "--position", "start:3", "--state", "m", "--json"];
    let run = |games: &str| place.run(&[&command[..], &["--games", games]].concat());
    let first = run("8");
    assert_eq!(first.code(), 0, "{}", first.err());
    let whole = run("16").json();
    assert_eq!(whole["games"], 16);
    let pairs = |report: &serde_json::Value| -> u64 {
        report["pairs"].as_array().expect("pairs").iter().map(|count| count.as_u64().expect("a number")).sum()
    };
    assert_eq!((pairs(&first.json()), pairs(&whole)), (4, 8));
    // After a cut in the middle of a line it plays that opening again, to the same end.
    let file = place.path().join("m");
    let text = std::fs::read_to_string(&file).expect("games");
    std::fs::write(&file, &text[..text.len() - 20]).expect("written");
    assert_eq!(run("16").json(), whole);
    assert_eq!(std::fs::read_to_string(&file).expect("games"), text);
    // Two pieces of a kind are alike: each game of a pair mirrors the other.
    let alike = place.run(&[
        "match",
        "8",
        "8",
        "--game",
        "squish",
        "--position",
        "start:3",
        "--games",
        "4",
        "--json",
    ]);
    assert_eq!((&alike.json()["score"], &alike.json()["elo"][0]), (&json!(0.5), &json!(0.0)));
    let other = place.run(&["match", "4", "2", "--game", "squish", "--state", "m"]);
    assert_eq!(other.code(), 2, "{}", other.out());
    assert!(other.err().contains("of another"), "{}", other.err());
    let nobody = place.run(&["match", "9", "1", "--game", "squish"]);
    assert_eq!(nobody.code(), 2);
    assert!(nobody.err().contains("a level from 1 to 8, `solve` or `ugi:COMMAND`"), "{}", nobody.err());
    let senet = place.run(&["match", "2", "1", "--game", "senet", "--games", "2", "--json"]);
    assert_eq!((senet.code(), senet.json()["games"].as_u64()), (0, Some(2)), "{}", senet.err());
}

/// A program that answers every request with a move that no game has.
const CHEAT: &str = "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
                     go) echo info depth 1; echo bestmove a1-a1;; quit) exit;; esac; done";

#[test]
fn other_programs_play_by_their_protocol_and_those_that_cheat_or_end_are_named() {
    let place = Place::new();
    let marquis = format!("ugi:{} ugi", assert_cmd::cargo::cargo_bin!("marquis").display());
    let command =
        ["match", &marquis, "8", "--nodes", "500", "--threads", "1", "--games", "4", "--record", "r"];
    let squish =
        place.run(&[&command[..], &["--game", "squish", "--position", "start:3", "--json"]].concat());
    assert_eq!(squish.code(), 0, "{}", squish.err());
    // The same player on both sides: each game of a pair mirrors the other.
    assert_eq!((&squish.json()["games"], &squish.json()["score"]), (&json!(4), &json!(0.5)));
    let record = std::fs::read_to_string(place.path().join("r")).expect("a record");
    assert!(record.contains(&format!("[First \"{}\"]", &marquis[4..])), "{record}");
    let senet =
        place.run(&["match", "1", &marquis, "--game", "senet", "--nodes", "50", "--games", "2", "--json"]);
    assert_eq!((senet.code(), senet.json()["games"].as_u64()), (0, Some(2)), "{}", senet.err());

    std::fs::write(place.path().join("cheat"), CHEAT).expect("written");
    for (program, code, says) in [
        ("ugi:sh cheat", 4, "ugi:sh cheat: expected a legal move of "),
        ("ugi:false", 4, "ugi:false: "),
        ("ugi:./nobody", 4, "ugi:./nobody: cannot be started: "),
        ("ugi: ", 2, "`solve` or `ugi:COMMAND`"),
    ] {
        let ran = place.run(&["match", program, "1", "--game", "squish"]);
        assert_eq!(ran.code(), code, "{program}: {}", ran.err());
        assert!(ran.err().contains(says), "{program}: {}", ran.err());
    }
    let pass = place.run(&["match", "1", "ugi:sh cheat", "--game", "swish", "--immobile", "pass"]);
    assert_eq!(pass.code(), 2, "{}", pass.err());
    assert!(pass.err().contains("no word for it"), "{}", pass.err());
}

#[test]
fn a_training_is_finished_and_what_cannot_be_learned_is_refused() {
    let place = Place::new();
    let small = ["--positions", "400", "--nodes", "20", "--pairs", "1", "--json"];
    let train = |arguments: &[&str]| place.run(&[&["train"], arguments, &small].concat());
    let ran = train(&["squish", "--size", "3", "--state", "t"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let network = place.path().join(ran.json()["network"].as_str().expect("a file"));
    let bytes = std::fs::read(&network).expect("a network");
    // An existing network is not trained again; from nothing the result is the same.
    assert_eq!(train(&["squish", "--size", "3", "--state", "t"]).code(), 0);
    assert_eq!(std::fs::read(&network).expect("a network"), bytes);
    assert_eq!(train(&["squish", "--size", "3", "--state", "u"]).code(), 0);
    assert_eq!(std::fs::read(place.path().join("u/0.net")).expect("a network"), bytes);
    for (others, words) in [
        (&["squish", "--size", "3", "--seed", "2"][..], "expected seed 2, found 1"),
        (&["squish", "--size", "4"], "side=4, version 1, found squish side=3"),
        (&["flowish", "--size", "3"], "expected board flowish side=3"),
    ] {
        let ran = train(&[others, &["--state", "t"]].concat());
        assert_eq!(ran.code(), 2, "{others:?}: {}", ran.out());
        assert!(ran.err().contains(words), "{others:?}: {}", ran.err());
    }
    for refused in [&["senet", "--state", "s"][..], &["squish", "--size", "9", "--state", "s"]] {
        let ran = train(refused);
        assert_eq!(ran.code(), 2, "{}", ran.out());
        assert!(ran.err().contains("expected a board of this game"), "{}", ran.err());
    }
}
