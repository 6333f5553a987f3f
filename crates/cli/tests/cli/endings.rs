//! Exit codes, output formats, standard input and limits.
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::common::Place;
use marquis_registry::official;
use serde_json::{Value, json};

#[test]
fn every_listing_is_one_document_with_json() {
    let place = Place::new();
    let commands: [&[&str]; 9] = [
        &["games"],
        &["show", "squinch", "start"],
        &["moves", "senet", "start"],
        &["perft", "squish", "start:3", "2"],
        &["solve", "squish", "start:3"],
        &["line", "squish", "start:3"],
        &["claims", "squish", "--side", "3"],
        &["serve", "--print-config"],
        &["completions", "bash"],
    ];
    for command in commands {
        let ran = place.run(&[command, &["--json"]].concat());
        assert_eq!(ran.code(), 0, "{command:?}: {}", ran.err());
        assert!(ran.json().is_object(), "{command:?}");
        assert_eq!(ran.err(), "", "{command:?}");
    }
}

#[test]
fn all_games_are_listed_with_their_starts() {
    let listing = Place::new().run(&["games", "--json"]).json();
    let listed = listing["games"].as_array().unwrap().iter().map(|game| game["id"].as_str());
    assert!(listed.eq(official().games().map(|game| Some(game.id().name()))), "{listing}");
    let start = json!({"name": "start:3", "position": "b1w/1wb1/wb1wb/1wb1/b1w w", "usual": false});
    assert_eq!(listing["games"][0]["starts"][0], start);
}

#[test]
fn lines_of_standard_input_are_answered_one_document_each() {
    let input = "start:3\nb1w/1wb1/wb1wb/1wb1/b1w_w\r\nnonsense\n\n2w1/5/bb2wb/2w4/b5/5/w3 w";
    let ran = Place::new().feed(&["solve", "squish", "-"], input);
    let lines = ran.lines();
    assert_eq!(lines.len(), 5);
    // The second line asks about the same position, whose result is known from the first.
    let known = |line: &Value| {
        let moves = line["moves"].as_array().unwrap().iter();
        let moves: Vec<_> =
            moves.map(|own| [&own["move"], &own["value"], &own["plies"]].map(Value::clone)).collect();
        (line["value"].clone(), line["plies"].clone(), moves)
    };
    assert_eq!(known(&lines[0]), known(&lines[1]));
    assert_eq!(lines[0]["plies"], 5);
    assert!(lines[2]["error"].as_str().unwrap().contains("expected"));
    assert_eq!((&lines[2]["line"], &lines[3]["line"]), (&json!(3), &json!(4)));
    assert_eq!((&lines[4]["value"], &lines[4]["plies"]), (&json!("loss"), &json!(8)));
    assert_eq!(ran.code(), 2);
}

#[test]
fn what_is_not_utf8_is_a_bad_line_and_no_failure() {
    let ran = Place::new().feed(&["show", "squish", "-"], b"\xff\xfe w\nstart:3\n".to_vec());
    assert_eq!((ran.code(), ran.lines().len()), (2, 2));
    assert_eq!(ran.lines()[1]["position"], "b1w/1wb1/wb1wb/1wb1/b1w w");
}

#[test]
fn nothing_on_standard_input_is_nothing_to_answer() {
    let ran = Place::new().feed(&["solve", "squish", "-"], "");
    assert_eq!((ran.code(), ran.out()), (0, String::new()));
}

#[test]
fn a_limit_before_an_answer_gives_unknown_in_time() {
    let before = Instant::now();
    let ran = Place::new().run(&["solve", "squinch", "start", "--seconds", "1", "--json"]);
    let took = before.elapsed();
    assert_eq!(ran.code(), 3, "{}", ran.err());
    // Without the limit it takes for ever, and this only tells the two cases apart: how soon a limit ends the work is
    // checked by counts of nodes and states, in crates/proof/tests/proof/limits.rs and crates/retro/tests.
    assert!(took < Duration::from_secs(60), "{took:?}");
    let answer = ran.json();
    assert_eq!((&answer["value"], &answer["plies"]), (&json!("unknown"), &Value::Null));
    assert_eq!(answer["bounds"], json!(["loss", "win"]));
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(108));
    assert_eq!(answer["ended"], "time");
    assert!(ran.err().contains("more time, such as --seconds 4"), "{}", ran.err());
}

#[test]
fn what_would_help_is_more_than_nothing() {
    let place = Place::new();
    for (limit, remedy) in [("--seconds", "such as --seconds 1\n"), ("--nodes", "such as --nodes 1000\n")] {
        let ran = place.run(&["solve", "squinch", "start", limit, "0"]);
        assert_eq!(ran.code(), 3, "{}", ran.err());
        assert!(ran.err().contains(remedy), "{}", ran.err());
    }
}

#[test]
fn an_answer_says_which_limit_came_before_it_and_what_would_help() {
    let place = Place::new();
    let solve = ["solve", "squinch", "start", "--nodes", "1000"];
    let ran = place.run(&solve);
    assert_eq!(ran.code(), 3, "{}", ran.err());
    assert!(ran.out().contains("The node limit was reached before an answer was found."), "{}", ran.out());
    assert!(ran.err().contains("more nodes, such as --nodes 4000"), "{}", ran.err());
    assert_eq!(place.run(&[&solve[..], &["--json"]].concat()).json()["ended"], "nodes");
    // A solved position has ended with its answer; a finished game was never searched and has no `ended`.
    let solved = place.run(&["solve", "squish", "start:3", "--json"]);
    assert_eq!((&solved.json()["ended"], solved.err()), (&json!("answered"), String::new()));
    let over = place.run(&["solve", "squish", "3/4/2w2/b3/b1b w", "--json"]).json();
    assert_eq!((&over["proof"], over.get("ended")), (&json!("rules"), None), "{over}");
}

#[test]
fn a_balance_says_which_limit_came_before_its_verdict() {
    let place = Place::new();
    let board = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    let balance = ["balance", "swish", board, "--nodes", "5000", "--threads", "1"];
    let ran = place.run(&balance);
    assert_eq!(ran.code(), 3, "{}", ran.err());
    assert!(ran.out().contains("The node limit was reached before an answer was found."), "{}", ran.out());
    assert!(ran.err().contains("--nodes 20000"), "{}", ran.err());
    assert_eq!(place.run(&[&balance[..], &["--json"]].concat()).json()["ended"], "nodes");
    let decided = place.run(&["balance", "swish", "w1w/4/1ooo1/4/b1b", "--target", "2", "--json"]).json();
    assert_eq!(decided["ended"], "answered");
}

#[test]
fn a_proof_that_does_not_fit_the_memory_leaves_what_is_believed_and_how_much_to_try() {
    let place = Place::new();
    // White wins, by a proof of more than 70,000 positions.
    let solve = ["solve", "flowish", "start:4", "--threads", "1", "--memory", "8MiB"];
    let solve = [&solve[..], &["--proof", "start.proof", "--disk", "0"]].concat();
    let ran = place.run(&[&solve[..], &["--json"]].concat());
    assert_eq!(ran.code(), 3, "{}", ran.err());
    let answer = ran.json();
    assert_eq!((&answer["value"], &answer["ended"]), (&json!("unknown"), &json!("memory")));
    let unproved = json!({"winner": "w", "proof_bytes": 3 << 20, "try_memory": 16 << 20});
    assert_eq!(answer["unproved"], unproved);
    assert!(ran.err().contains("--memory 16MiB"), "{}", ran.err());
    let said = place.run(&solve).out();
    assert!(said.contains("The memory was too small for a proof."), "{said}");
    assert!(said.contains("Believed by the search, not proved: that White wins"), "{said}");
    let roomy = [&solve[..6], &["64MiB"], &solve[7..], &["--json"]].concat();
    let answer = place.run(&roomy).json();
    assert_eq!((&answer["value"], &answer["ended"]), (&json!("win"), &json!("answered")));
    assert_eq!(answer.get("unproved"), None);
}

#[test]
fn a_proof_that_does_not_fit_the_memory_goes_to_disk_and_is_written_and_checked() {
    let place = Place::new();
    let solve = ["solve", "flowish", "start:4", "--threads", "1", "--memory", "8MiB", "--json"];
    let solve = [&solve[..], &["--proof", "start.proof"]].concat();
    let ran = place.run(&solve);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let answer = ran.json();
    assert_eq!((&answer["value"], &answer["ended"]), (&json!("win"), &json!("answered")));
    assert_eq!(answer.get("unproved"), None);
    let check = |room: &[&str]| place.run(&[&["check-proof", "start.proof", "--json"], room].concat());
    for room in [&[][..], &["--memory", "64KiB"]] {
        assert_eq!(check(room).code(), 0, "{}", check(room).err());
    }
    let checked = check(&["--memory", "64KiB", "--disk", "0"]);
    assert_eq!(checked.code(), 3, "{}", checked.err());
    assert!(checked.err().contains("allow more with --memory or --disk"), "{}", checked.err());
    // The disk has a limit too, and the remedy is named.
    let ran = place.run(&[&solve[..], &["--disk", "2MiB"]].concat());
    assert_eq!(ran.code(), 3, "{}", ran.err());
    let answer = ran.json();
    assert_eq!((&answer["value"], &answer["ended"]), (&json!("unknown"), &json!("memory")));
    let unproved = json!({
        "winner": "w", "proof_bytes": 3 << 20, "try_memory": 16 << 20,
        "disk": "more than 2MiB were needed", "try_disk": 4 << 20,
    });
    assert_eq!(answer["unproved"], unproved);
    assert!(ran.err().contains("--disk 4MiB, or --memory 16MiB"), "{}", ran.err());
    let ran = place.run(&[&solve[..], &["--disk", "much"]].concat());
    assert!(ran.code() == 2 && ran.err().contains("or 0 for none"), "{}", ran.err());
}

#[test]
fn a_balance_before_its_limit_is_undecided() {
    let full = "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b";
    let ran = Place::new().run(&["balance", "squeeze", full, "--seconds", "1", "--json"]);
    assert_eq!(ran.code(), 3, "{}", ran.err());
    assert_eq!(ran.json()["balanced"], Value::Null);
    assert_eq!(ran.json()["player_two"]["value"], "unknown");
}

#[test]
fn without_a_table_a_look_up_says_unknown() {
    let ran = Place::new().run(&["probe", "squish", "start:5", "--json"]);
    assert_eq!((ran.code(), &ran.json()["value"]), (3, &json!("unknown")));
}

#[test]
fn a_finished_game_is_answered_by_the_rules() {
    // White is in one group and not to move, so Black has lost.
    let ran = Place::new().run(&["solve", "squish", "b1b/4/5/4/ww1 b", "--json"]);
    let answer = ran.json();
    assert_eq!(ran.code(), 0);
    assert_eq!((&answer["over"], &answer["value"]), (&json!("unified"), &json!("loss")));
    assert_eq!(
        (&answer["proof"], &answer["plies"], &answer["moves"]),
        (&json!("rules"), &json!(0), &json!([]))
    );
}

#[test]
fn a_file_or_folder_that_is_not_there_is_a_failure_that_names_it() {
    let place = Place::new();
    let commands: [&[&str]; 6] = [
        &["probe", "squish", "start:3", "--tables", "nowhere"],
        &["solve", "squish", "start:3", "--use-proof", "nowhere"],
        &["check-proof", "nowhere"],
        &["verify", "nowhere"],
        &["repack", "nowhere"],
        &["serve", "--config", "nowhere"],
    ];
    for command in commands {
        let ran = place.run(command);
        assert_eq!(ran.code(), 4, "{command:?}: {}", ran.err());
        assert_eq!(ran.err().matches("nowhere").count(), 1, "{command:?}: {}", ran.err());
    }
}

#[test]
fn a_line_knows_the_value_that_solve_proves() {
    let place = Place::new();
    // A third of the nodes is fewer than the 5,638 positions that can be reached, so a search has to prove it.
    let limits = ["--nodes", "12000", "--threads", "1", "--json"];
    let solved = place.run(&[&["solve", "squish", "start:3"][..], &limits].concat()).json();
    let line = place.run(&[&["line", "squish", "start:3"][..], &limits].concat()).json();
    assert_eq!(solved["plies"], json!(5), "the search counts them");
    assert_eq!(solved["value"], json!("win"));
    assert_eq!((&line["from"]["value"], &line["end"]), (&json!("win"), &json!("over")));
    assert_eq!(line["moves"].as_array().map(Vec::len), Some(5));
    assert_eq!(line["shortest"], json!(true));
}

#[test]
fn colours_are_used_only_where_they_are_wanted() {
    let place = Place::new();
    let show = ["show", "squish", "start:3"];
    assert!(!place.run(&show).out().contains('\u{1b}'));
    assert!(place.run(&[&show[..], &["--color", "always"]].concat()).out().contains('\u{1b}'));
    let without = place.command(&show).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(!without.stdout.contains(&0x1b));
}

#[test]
fn a_hexagonal_board_is_drawn_as_a_hexagon() {
    let drawn = Place::new().run(&["show", "squish", "start:3"]).out();
    let board: Vec<&str> = drawn.lines().take(5).collect();
    assert_eq!(board, ["e    b . w", "d   . w b .", "c  w b . w b", "b   . w b .", "a    b . w"]);
}

#[test]
fn every_command_explains_itself_with_examples() {
    let place = Place::new();
    let commands = "games show moves perft solve balance design generate repack probe line verify check-proof \
                    claims serve completions";
    for command in commands.split_whitespace() {
        let ran = place.run(&[command, "--help"]);
        assert_eq!(ran.code(), 0);
        let (_, examples) =
            ran.out().split_once("Examples:").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("examples");
        assert!(examples.contains(&format!("\n  marquis {command}")), "{command}: {examples}");
    }
}

#[test]
fn a_service_with_faulty_settings_is_bad_input_that_names_them() {
    let place = Place::new();
    for (option, value) in [("--bind", "nonsense"), ("--bind", "127.0.0.1:99999"), ("--memory", "lots")] {
        let ran = place.run(&["serve", "--no-starter", option, value]);
        assert_eq!(ran.code(), 2, "{option} {value}: {}", ran.err());
        assert!(ran.err().contains(option) && ran.err().contains(value), "{}", ran.err());
    }
}

/// Another value of a setting of this kind that the service can work with.
fn another(name: &str, value: &toml::Value) -> toml::Value {
    match value {
        toml::Value::Integer(number) => toml::Value::Integer(number + 1),
        toml::Value::Boolean(is_set) => toml::Value::Boolean(!is_set),
        toml::Value::Array(_) => toml::Value::Array(vec![format!("https://{name}.example").into()]),
        toml::Value::String(text) if name == "bind" => text.replace("8017", "9001").into(),
        toml::Value::String(size) => {
            let digits = size.trim_end_matches(|letter: char| !letter.is_ascii_digit());
            let number: u64 = digits.parse().unwrap_or_else(|_| panic!("{name} is no size: {size}"));
            size.replacen(digits, &(number + 1).to_string(), 1).into()
        }
        other => panic!("{name}: {other}"),
    }
}

#[test]
fn every_setting_of_a_file_is_read_and_printed_and_options_come_first() {
    let place = Place::new();
    let printed = |arguments: &[&str]| -> toml::Table {
        let ran = place.run(&[&["serve", "--print-config"], arguments].concat());
        assert_eq!(ran.code(), 0, "{}", ran.err());
        ran.out().parse().expect("TOML")
    };
    // These have no default, except the search for browsers and the guide if they lie next to the program.
    let folders = ["weights", "offline", "guide", "studies", "state"];
    let mut usual = printed(&[]);
    usual.remove("offline");
    usual.remove("guide");
    assert!(folders.iter().all(|name| !usual.contains_key(*name)), "{usual}");
    // A setting that is neither read nor printed is still a field.
    let fields = format!("{:#?}", marquis_api::Config::default());
    let fields = fields.lines().filter_map(|line| line.strip_prefix("    ")?.split_once(": "));
    let fields: BTreeSet<&str> = fields.map(|(name, _)| name).filter(|name| !name.starts_with(' ')).collect();
    let settings: BTreeSet<&str> = usual.keys().map(String::as_str).chain(folders).collect();
    assert_eq!(settings, fields);
    let mut changed: toml::Table =
        usual.iter().map(|(name, value)| (name.clone(), another(name, value))).collect();
    for (name, value) in &changed {
        assert_ne!(Some(value), usual.get(name), "{name}");
    }
    for name in folders {
        changed.insert(name.to_owned(), format!("some/{name}").into());
    }
    std::fs::write(place.path().join("m.toml"), changed.to_string()).expect("a file");
    assert_eq!(printed(&["--config", "m.toml"]), changed);
    let mut led = changed;
    led.insert("bind".to_owned(), "127.0.0.1:9000".into());
    led.insert("memory".to_owned(), "1GiB".into());
    let options = ["--bind", "127.0.0.1:9000", "--memory", "1GiB"];
    assert_eq!(printed(&[&["--config", "m.toml"], &options[..]].concat()), led);
}
