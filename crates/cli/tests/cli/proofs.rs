//! Proof files: their contents, their reports, and the endings of the commands.
use crate::common::{Place, Ran};
use serde_json::{Value, json};

#[test]
fn a_proof_is_written_replayed_and_used_and_a_broken_one_refused() {
    let place = Place::new();
    let squeeze = "w1w/4/1oo2/2o1/b1b w 0-0 2";
    let ran = place.run(&["solve", "squish", "start:3", "--proof", "p", "--json"]);
    assert_eq!((ran.code(), &ran.json()["value"]), (0, &json!("win")), "{}", ran.err());
    let checked = place.run(&["check-proof", "p", "--json"]);
    assert_eq!((checked.code(), &checked.json()["refused"]), (0, &Value::Null));
    let small = place.run(&["proof", "hints", "p", "--memory", "1KiB", "--out", "h"]);
    assert_eq!(small.code(), 3, "{}", small.err());
    assert!(small.err().contains("--memory") && !place.path().join("h").exists(), "{}", small.err());
    assert_eq!(place.run(&["proof", "hints", "p", "--out", "h"]).code(), 0);
    let used = place.run(&["probe", "squish", "start:3", "--use-proof", "p", "--json"]);
    assert_eq!((used.code(), &used.json()["value"]), (0, &json!("win")), "{}", used.err());
    let other = place.run(&["probe", "squeeze", squeeze, "--use-proof", "p", "--json"]);
    assert_eq!(other.code(), 3);
    let mut bytes = std::fs::read(place.path().join("p")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(place.path().join("p"), bytes).unwrap();
    let broken = place.run(&["check-proof", "p"]);
    assert!([1, 4].contains(&broken.code()), "{}: {}", broken.code(), broken.err());
}

#[test]
fn hints_that_were_cut_off_are_completed_from_any_byte() {
    let place = Place::new();
    assert_eq!(place.run(&["solve", "squish", "start:3", "--proof", "p"]).code(), 0);
    let from = |offset: usize| place.run(&["proof", "hints", "p", "--offset", &offset.to_string()]);
    let whole = from(0).out();
    for offset in [1, whole.len() / 2, whole.len() - 1, whole.len()] {
        let rest = from(offset);
        assert_eq!((rest.code(), rest.out()), (0, whole[offset..].to_owned()), "from {offset}");
    }
    let beyond = from(whole.len() + 1);
    assert_eq!((beyond.code(), beyond.out()), (2, String::new()));
    assert!(beyond.err().contains(&format!("at most {}", whole.len())), "{}", beyond.err());
}

#[test]
fn lines_that_a_theorem_ends_are_played_on_to_the_end_of_the_game_unless_it_is_believed() {
    let place = Place::new();
    let ran = place.run(&["solve", "squinch", "start:3x4", "--threads", "1", "--proof", "p"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let claim = |options: &[&str]| {
        let checked = place.run(&[&["check-proof", "p", "--json"], options].concat());
        assert_eq!(checked.code(), 0, "{}", checked.err());
        let claim = &checked.json()["claims"][0];
        ["positions", "by_theorem"].map(|count| claim[count].as_u64().expect(count))
    };
    let [[played_on, believed], [short, by_theorem]] = [claim(&[]), claim(&["--by-theorem"])];
    assert_eq!(believed, 0);
    assert!(by_theorem > 100 && short + by_theorem < played_on, "{by_theorem}, {short}, {played_on}");
    let [by_the_rules, by_both] = [&["check-proof", "p"][..], &["check-proof", "p", "--by-theorem"]];
    assert!(!place.run(by_the_rules).out().contains("theorem"));
    assert!(
        place.run(by_both).out().contains(&format!("{by_theorem} of its positions end a line by a theorem"))
    );
}

#[test]
fn the_exit_code_says_whether_a_file_proves_the_answer_and_no_older_one_stays() {
    let place = Place::new();
    let file = place.path().join("p");
    let over = ["solve", "squish", "3/wb2/1w3/3b/3 b", "--proof", "p", "--json"];
    let ends = ["balance", "squeeze", "1b1/3w/1o3/4/3", "--proof", "p", "--json"];
    let draw = ["solve", "squeeze", "1w1/2o1/b1oo1/4/3 w 0-0 3", "--proof", "p", "--json"];
    for command in [over.as_slice(), &ends, &draw] {
        std::fs::write(&file, "of another answer").unwrap();
        let ran = place.run(command);
        assert_eq!((ran.code(), &ran.json()["proof_file"]["complete"]), (0, &json!(true)), "{command:?}");
        let checked = place.run(&["check-proof", "p", "--json"]);
        assert_eq!((checked.code(), &checked.json()["refused"]), (0, &Value::Null), "{command:?}");
    }
    // A race is known at once. A proof that the rules replay takes a search if the sides have too many placements for
    // a list of the distances of each side alone.
    std::fs::write(&file, "of another answer").unwrap();
    let race = "r2,r2,r2,r1,r1/5/5/5/5/w2,w2,w2,w1,w1 w";
    let ran = place.run(&["solve", "squinch", race, "--nodes", "1", "--proof", "p", "--json"]);
    let said = ran.json();
    assert_eq!(
        (ran.code(), &said["value"], &said["proof_file"]["complete"]),
        (3, &json!("win"), &json!(false))
    );
    assert!(!file.exists(), "the file of another answer stays");
    std::fs::write(&file, "of another answer").unwrap();
    let full = "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b";
    let ran = place.run(&["balance", "squeeze", full, "--nodes", "100", "--proof", "p", "--json"]);
    assert_eq!((ran.code(), &ran.json()["proof_file"]["written"]), (3, &json!(false)), "{}", ran.err());
    assert!(!file.exists(), "the file of another answer stays");
}

#[test]
fn the_answer_is_printed_also_where_its_proof_cannot_be_kept() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("folder")).unwrap();
    let solve = ["solve", "squish", "start:3", "--proof", "folder"];
    let ran = place.run(&solve);
    assert_eq!(ran.code(), 3);
    assert!(ran.out().contains("White to move wins"), "{}", ran.out());
    assert!(ran.err().contains("the proof is not kept") && ran.err().contains("folder"), "{}", ran.err());
    assert!(place.path().join("folder").is_dir());
    let ran = place.run(&[&solve[..], &["--json"]].concat());
    assert_eq!((ran.code(), &ran.json()["value"]), (3, &json!("win")));
    assert_eq!(ran.json()["proof_file"]["written"], json!(false));
}

/// The command under a file size limit of zero, as on a full disk: works for any user, and fills no disk.
#[cfg(unix)]
fn run_without_room(place: &Place, arguments: &[&str]) -> Ran {
    let mut shell = assert_cmd::Command::new("sh");
    shell.args(["-c", "ulimit -f 0 && exec \"$@\"", "sh"]).arg(assert_cmd::cargo::cargo_bin!("marquis"));
    shell.current_dir(place.path()).env_remove("MARQUIS_TABLES").args(arguments);
    Ran::of(shell)
}

#[cfg(unix)]
#[test]
fn a_full_disk_costs_the_proof_and_not_the_answer_and_leaves_no_older_file() {
    let place = Place::new();
    let design = ["design", "swish", "--tries", "6", "--keep", "2", "--nodes", "200000", "--proofs", "."];
    let commands = [
        (&["solve", "squish", "start:3", "--proof", "1.proof"][..], "White to move wins"),
        (&["balance", "swish", "w1w/4/1ooo1/4/b1b", "--target", "2", "--proof", "1.proof"], "Player Two"),
        (&design, "Player Two"),
    ];
    for (command, answer) in commands {
        std::fs::write(place.path().join("1.proof"), "of another answer").unwrap();
        let ran = run_without_room(&place, command);
        assert_eq!(ran.code(), 3, "{command:?}: {}", ran.err());
        assert!(ran.out().contains(answer), "{command:?}: {}", ran.out());
        assert!(ran.err().contains("the proof is not kept: "), "{command:?}: {}", ran.err());
        let left: Vec<_> = std::fs::read_dir(place.path()).unwrap().collect();
        assert!(left.is_empty(), "{command:?}: {left:?}");
        let ran = run_without_room(&place, &[command, &["--json"]].concat());
        assert!(ran.code() == 3 && ran.json().is_object(), "{command:?}: one document");
    }
}

#[test]
fn an_older_file_that_cannot_be_taken_away_is_named_where_nothing_is_proved() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("folder")).unwrap();
    let full = "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b";
    let ran = place.run(&["balance", "squeeze", full, "--nodes", "100", "--proof", "folder", "--json"]);
    let file = ran.json()["proof_file"].clone();
    assert_eq!((ran.code(), &file["written"]), (3, &json!(false)), "{}", ran.err());
    assert!(file["failed"].as_str().is_some_and(|why| why.contains("folder")), "{file}");
}

#[test]
fn a_checked_proof_names_its_variant_and_what_follows() {
    let place = Place::new();
    let board = "1w1/2o1/b1oo1/4/3";
    let balance =
        ["balance", "squeeze", board, "--pie", "bait", "--bait", "1", "--immobile", "pass", "--both"];
    assert_eq!(place.run(&[&balance[..], &["--proof", "p"]].concat()).code(), 0);
    let checked = place.run(&["check-proof", "p", "--json"]).json();
    let named = ["game", "variant", "pie", "bait", "target", "board"].map(|name| checked[name].clone());
    let expected =
        [json!("squeeze"), json!("immobile=pass"), json!("bait"), json!(1), json!(3), json!(board)];
    assert_eq!(named, expected);
    let balance = place.run(&[&balance[..], &["--json"]].concat()).json();
    assert_eq!(checked["player_two"], balance["player_two"]);
    let said = place.run(&["check-proof", "p"]).out();
    assert!(said.contains("bait pie, bait 1") && said.contains("Player Two"), "{said}");
}

#[test]
fn a_design_of_which_a_proof_is_missing_ends_with_3_and_names_it() {
    let place = Place::new();
    let design =
        ["design", "swish", "--tries", "6", "--keep", "3", "--nodes", "200000", "--proofs", "designs"];
    let whole = place.run(&design);
    assert_eq!(whole.code(), 0, "{}", whole.err());
    let proofs = |number: usize| place.path().join("designs").join(format!("{number}.proof"));
    for number in 1..=3 {
        let checked = place.run(&["check-proof", proofs(number).to_str().unwrap()]);
        assert_eq!(checked.code(), 0, "{number}: {}", checked.err());
    }
    // A folder stands at the path of the second proof.
    std::fs::remove_file(proofs(2)).unwrap();
    std::fs::create_dir(proofs(2)).unwrap();
    let ran = place.run(&[&design[..], &["--json"]].concat());
    assert_eq!(ran.code(), 3, "{}", ran.err());
    let designs = ran.json()["designs"].clone();
    let complete = [0, 1, 2].map(|number| designs[number]["proof_file"]["complete"].clone());
    assert_eq!(complete, [json!(true), json!(false), json!(true)]);
    let (kept, lost) = (ran.err().matches("check-proof").count(), ran.err().matches("not kept").count());
    assert_eq!((kept, lost), (2, 1), "{}", ran.err());
    assert!(ran.err().contains("2.proof"), "{}", ran.err());
}

#[test]
fn the_usual_start_of_flowish_on_side_4_is_proved_a_win_for_white_and_the_proof_replays() {
    let place = Place::new();
    let solve =
        ["solve", "flowish", "start:4", "--nodes", "1000000", "--threads", "1", "--proof", "start.proof"];
    let ran = place.run(&[&solve[..], &["--json"]].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    assert_eq!(ran.json()["value"], "win");
    let checked = place.run(&["check-proof", "start.proof", "--json"]);
    assert_eq!(checked.code(), 0, "{}", checked.err());
    assert_eq!(checked.json()["claims"][0]["bounds"], json!(["win", "win"]));
}

#[test]
fn the_proofs_of_official_starts_that_are_kept_replay_and_answer() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tablebases/proofs");
    let place = Place::new();
    for (game, best) in [("squish", "f1xf2"), ("flowish", "f4xe4")] {
        let file = format!("{kept}/{game}-4.proof");
        let checked = place.run(&["check-proof", &file, "--json"]);
        assert_eq!(checked.code(), 0, "{}", checked.err());
        let shown = place.run(&["show", game, "start:4", "--json"]).json();
        let claim = &checked.json()["claims"][0];
        assert_eq!(
            (&claim["position"], &claim["bounds"]),
            (&shown["position"], &json!(["win", "win"])),
            "{game}"
        );
        let answered = place.run(&["solve", game, "start:4", "--use-proof", &file, "--nodes", "1", "--json"]);
        assert_eq!((answered.code(), &answered.json()["value"]), (0, &json!("win")), "{game}");
        let answer = answered.json();
        let played = answer["moves"].as_array().unwrap().iter().find(|own| own["move"] == best);
        assert_eq!(played.map(|own| &own["value"]), Some(&json!("win")), "{game}");
        // A program in an empty folder knows the positions after it: the proof is a part of the program.
        let lost = place.run(&["probe", game, "start:4", "--play", best, "--json"]).json();
        let replies = lost["moves"].as_array().unwrap();
        assert!(lost["value"] == "loss" && replies.iter().all(|own| own["value"] == "loss"), "{lost}");
        assert!(lost["plies_bounds"][1].is_number() && !replies.is_empty(), "{lost}");
    }
}

#[test]
fn a_known_result_is_answered_at_once_and_its_proof_is_made_all_the_same() {
    let place = Place::new();
    let solve = ["solve", "flowish", "start:4", "--nodes", "1"];
    let ran = place.run(&solve);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    assert!(ran.out().contains(" plies (a known result)."), "{}", ran.out());
    assert!(ran.out().contains("Found again by: marquis solve flowish start:4 "), "{}", ran.out());
    let answer = place.run(&[&solve[..], &["--json"]].concat()).json();
    assert_eq!((&answer["proof"], &answer["source"]), (&json!("book"), &json!("exact")));
    assert_eq!(answer["book"]["proof_file"], "flowish-4.proof");
    let moves = answer["moves"].as_array().unwrap();
    let winning = moves.iter().filter(|own| own["value"] == "win").count();
    assert_eq!((moves.len(), winning, answer.get("ended")), (30, 9, None));
    // It is looked up, too; a proof is made and not taken from the book.
    assert_eq!(place.run(&["probe", "flowish", "start:4"]).code(), 0);
    let proof = [&solve[..3], &["--nodes", "1000", "--proof", "start.proof", "--json"]].concat();
    let ran = place.run(&proof);
    assert_eq!((ran.code(), &ran.json()["value"]), (3, &json!("unknown")), "{}", ran.err());
}

#[test]
fn the_book_is_listed_and_held_against_its_proofs() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tablebases/proofs");
    let place = Place::new();
    let listed = place.run(&["book", "squinch", "--json"]).json();
    assert_eq!(listed["entries"].as_array().map(Vec::len), Some(17));
    assert!(place.run(&["book", "squish"]).out().contains("f1xf2"));
    let ran = place.run(&["book", "flowish", "--check", "--proofs", kept]);
    assert_eq!(ran.code(), 0, "{}", ran.out());
    assert!(ran.out().contains("31 replayed, 1 solved again, 0 not checked, 0 wrong"), "{}", ran.out());
    let ran = place.run(&["book", "flowish", "--check"]);
    assert_eq!(ran.code(), 0, "{}", ran.out());
    assert!(ran.out().contains("0 replayed, 1 solved again, 31 not checked, 0 wrong"), "{}", ran.out());
    // A proof of another result under this name is detected.
    std::fs::create_dir_all(place.path().join("proofs")).unwrap();
    std::fs::copy(format!("{kept}/flowish-4/f4xe4.proof"), place.path().join("proofs/flowish-4.proof"))
        .unwrap();
    let ran = place.run(&["book", "flowish", "--check", "--proofs", "proofs", "--json"]);
    assert_eq!(ran.code(), 1, "{}", ran.out());
    let checked = ran.json();
    let wrong = checked["entries"].as_array().unwrap().iter().filter(|own| own["verdict"] == "wrong");
    assert_eq!(wrong.count(), 1);
}
