//! `match`: finished games, settings that exclude each other, and programs that do not answer.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::Place;

/// A match on a board whose games are short.
const SMALL: [&str; 8] = ["--game", "squish", "--position", "start:3", "--threads", "1", "--nodes", "200"];

/// This program, as a shell starts it.
fn marquis() -> String {
    assert_cmd::cargo::cargo_bin!("marquis").display().to_string()
}

/// The number of games in a file of records.
fn games(record: &str) -> usize {
    record.matches("[Result \"").count()
}

#[test]
fn finished_games_are_kept_and_counted_however_a_match_ends() {
    let place = Place::new();
    // The input is cut off, so that the program ends in the middle of a later game.
    let script = format!("#!/bin/sh\nsed -u 150q | '{}' ugi\n", marquis());
    fs::write(place.path().join("mortal engine"), script).expect("a script");
    let program = "ugi:sh 'mortal engine'";
    let command =
        [&["match", "1", program, "--games", "1000", "--record", "r", "--json"][..], &SMALL].concat();
    let ran = place.run(&command);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(ran.err().contains("its end") || ran.err().contains("closed its input"), "{}", ran.err());
    let report = ran.json();
    let played = report["games"].as_u64().expect("games") as usize;
    assert!(played >= 2 && report["score"].is_f64() && report["error"].is_string(), "{report}");
    let kept = games(&fs::read_to_string(place.path().join("r")).expect("a record"));
    // The last one may be the first half of a pair, which has no score.
    assert!(kept == played || kept == played + 1, "{kept} games kept, {played} counted");
    let checked = place.run(&["record", "check", "r", "--json"]);
    assert_eq!(checked.code(), 0, "{}", checked.err());
    // The same command resumes it with the games that are kept.
    let state = [&command[..], &["--state", "s"]].concat();
    assert_eq!(place.run(&state).code(), 4);
    let before = fs::read_to_string(place.path().join("s")).expect("games").lines().count();
    assert_eq!(place.run(&state).code(), 4);
    let after = fs::read_to_string(place.path().join("s")).expect("games").lines().count();
    assert!(before > 1 && after > before, "{before} lines, then {after}");
}

#[test]
fn a_match_that_is_interrupted_or_cannot_keep_a_game_says_its_score() {
    let place = Place::new();
    let command = ["match", "1", "2", "--games", "1000000", "--record", "r", "--json"];
    let mut match_ = Command::new(marquis());
    match_.args(command).args(SMALL).current_dir(place.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = match_.spawn().expect("it starts");
    let kept = || fs::read_to_string(place.path().join("r")).map_or(0, |record| games(&record));
    let begun = Instant::now();
    while kept() < 6 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no games");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    let ran = child.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_slice(&ran.stdout).expect("a document");
    assert_eq!(ran.status.code(), Some(130));
    let played = report["games"].as_u64().expect("games") as usize;
    assert!(played >= 6 && (played..played + 2).contains(&kept()), "{report}");
}

#[test]
fn games_by_other_rules_limits_or_players_are_not_counted_with_those_of_a_file() {
    let place = Place::new();
    let of_swish = ["--game", "swish", "--position", "w1w/4/1ooo1/4/b1b w", "--state", "m"];
    let usual = ["--games", "2", "--nodes", "50", "--threads", "1", "--memory", "16MiB", "--seed", "3"];
    let play =
        |players: [&str; 2], more: &[&str]| place.run(&[&["match"], &players[..], &of_swish, more].concat());
    let with = |more: &[&'static str]| [&usual[..], more].concat();
    let first = play(["2", "3"], &with(&["--immobile", "pass"]));
    assert_eq!(first.code(), 0, "{}", first.err());
    let kept = fs::read(place.path().join("m")).expect("games");
    let changed = |from: &str, to: &'static str| -> Vec<&'static str> {
        let place = usual.iter().position(|word| *word == from).expect("an option");
        let mut changed = with(&["--immobile", "pass"]);
        changed[place + 1] = to;
        changed
    };
    for (players, more, named) in [
        (["2", "3"], with(&[]), "immobile pass instead of loss"),
        (["2", "4"], with(&["--immobile", "pass"]), "b 3 instead of 4"),
        (["3", "2"], with(&["--immobile", "pass"]), "a 2 instead of 3"),
        (["2", "3"], changed("--nodes", "60"), "nodes 50 instead of 60"),
        (["2", "3"], changed("--threads", "2"), "threads 1 instead of 2"),
        (["2", "3"], changed("--memory", "17MiB"), "memory "),
        (["2", "3"], changed("--seed", "4"), "seed 3 instead of 4"),
        (["2", "3"], with(&["--immobile", "pass", "--plies", "2"]), "plies 8 instead of 2"),
        (["2", "3"], with(&["--immobile", "pass", "--seconds", "1"]), "seconds none instead of 1"),
    ] {
        let refused = play(players, &more);
        assert_eq!(refused.code(), 2, "{players:?} {more:?}: {}", refused.out());
        assert!(refused.err().contains(named), "{named}: {}", refused.err());
        assert_eq!(fs::read(place.path().join("m")).expect("games"), kept, "{named}");
    }
    // A different number of games changes none of the kept ones.
    let more = play(["2", "3"], &[&changed("--games", "4")[..], &["--json"]].concat());
    assert_eq!((more.code(), &more.json()["games"]), (0, &json!(4)), "{}", more.err());
}

#[test]
fn a_difference_that_no_score_tells_is_null_and_has_one_end() {
    let place = Place::new();
    let limits = ["--game", "squish", "--position", "start:4", "--threads", "1", "--nodes", "500"];
    for (players, known, open) in [(["8", "1"], 0, 1), (["1", "8"], 1, 0)] {
        let command = [&["match"], &players[..], &["--games", "4", "--json"], &limits].concat();
        let report = place.run(&command).json();
        assert!([0.0, 1.0].map(Value::from).contains(&report["score"]), "{report}");
        assert_eq!(report["elo"], Value::Null, "{report}");
        let [score, elo] = ["score_interval", "elo_interval"].map(|name| &report[name]);
        assert!(elo[known].is_f64() && elo[open].is_null(), "{report}");
        let width = score[1].as_f64().expect("an end") - score[0].as_f64().expect("an end");
        // Four games say little.
        assert!((0.2..0.9).contains(&width), "{report}");
    }
}

/// A program that speaks the protocol up to a word, then does something else for ever.
fn stuck(after: &str, does: &str) -> String {
    let answers = [("ugi", "echo ugiok"), ("isready", "echo readyok"), ("go", "echo bestmove a1-a2")];
    let known = answers.iter().take_while(|(word, _)| *word != after);
    let known: String = known.map(|(word, answer)| format!("{word}) {answer};; ")).collect();
    format!("while read -r word rest; do case $word in {known}{after}) {does};; esac; done")
}

/// The peak memory of a process so far, in kB; `None` once it has ended.
fn peak(process: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
fn a_program_that_is_silent_or_never_ends_its_line_ends_the_match_in_time_and_in_little_memory() {
    let place = Place::new();
    let silent = "sleep 600";
    let floods = "tr '\\0' a < /dev/zero";
    // Waits of 10 s for each step of the start, and of 5 × 0.2 s + 5 s for a move.
    for (number, (after, does)) in [
        ("ugi", silent),
        ("isready", silent),
        ("go", silent),
        ("go", floods),
        ("go", "while :; do echo info string still thinking; done"),
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(place.path().join(format!("stuck{number}")), stuck(after, does)).expect("a script");
    }
    let begun = Instant::now();
    let mut running: Vec<(usize, Child, u64)> = (0..5)
        .map(|number| {
            let mut command = Command::new(marquis());
            command.args(["match", "1", &format!("ugi:sh stuck{number}"), "--game", "squish"]);
            command.args(["--games", "2", "--seconds", "0.2"]).current_dir(place.path());
            let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
            (number, child, 0)
        })
        .collect();
    while running.iter_mut().any(|(_, child, _)| child.try_wait().expect("it can be waited for").is_none()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "somebody is still waited for");
        for (_, child, most) in &mut running {
            *most = peak(child).unwrap_or(0).max(*most);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    for (number, child, most) in running {
        let ran = child.wait_with_output().expect("it has ended");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(4), "stuck{number}: {said}");
        assert!(said.contains(&format!("ugi:sh stuck{number}: expected ")), "{said}");
        assert!(most < 300_000, "stuck{number}: {most} kB");
    }
}
