//! Matches that end before their end: what was finished is kept and counted, and nobody is waited for without end.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{Place, Ran};

/// A program that obeys until a word is said to it, and is silent from then on.
const SILENT: &str = "while read -r word rest; do [ $word = $1 ] && exec sleep 600; case $word in \
                      ugi) echo ugiok;; isready) echo readyok;; quit) exit;; esac; done";
/// A program that plays by another one, and ends instead of its thirtieth move.
const ENDING: &str = "while read -r line; do case $line in go*) n=$((n + 1));; esac; [ ${n:-0} -ge 30 ] && exit; \
                      echo \"$line\"; done | \"$@\"";

/// A match of a few quick games.
fn played(place: &Place, players: [&str; 2], more: &[&str]) -> Ran {
    let quick = ["--game", "squish", "--position", "start:3", "--json"];
    place.run(&[&["match"], &players[..], &quick, more].concat())
}

#[test]
fn a_program_that_says_nothing_or_too_much_ends_the_match_in_time() {
    let place = Place::new();
    std::fs::write(place.path().join("silent"), SILENT).expect("written");
    std::fs::write(place.path().join("flood"), "exec tr '\\0' a < /dev/zero").expect("written");
    let programs = ["sh silent ugi", "sh silent isready", "sh silent go", "sh flood"];
    let ended: Vec<(Ran, Duration)> = std::thread::scope(|scope| {
        let begun = programs.map(|program| {
            let place = &place;
            scope.spawn(move || {
                let (program, since) = (format!("ugi:{program}"), Instant::now());
                (played(place, ["1", &program], &["--games", "2", "--seconds", "0.2"]), since.elapsed())
            })
        });
        begun.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    for (program, (ran, took)) in programs.iter().zip(&ended) {
        assert_eq!(ran.code(), 4, "{program}: {}", ran.err());
        assert!(ran.err().contains(program), "{}", ran.err());
        // 10 s to begin, or five times its time and 5 s for a move; the rest is for a slow machine.
        assert!(*took < Duration::from_secs(25), "{program}: {took:?}");
    }
}

#[test]
fn games_that_are_finished_outlive_the_program_that_played_them() {
    let place = Place::new();
    std::fs::write(place.path().join("ending"), ENDING).expect("written");
    let marquis = assert_cmd::cargo::cargo_bin!("marquis").display().to_string();
    let program = format!("ugi:sh ending {marquis} ugi");
    let files = ["--nodes", "50", "--threads", "1", "--games", "6", "--record", "r", "--state", "m"];
    let first = played(&place, ["1", &program], &files);
    assert_eq!(first.code(), 4, "{}", first.err());
    let report = first.json();
    assert!(report["games"].as_u64().is_some_and(|games| games >= 2), "{report}");
    assert!(report["error"].as_str().is_some_and(|why| why.contains("ending")), "{report}");
    let games =
        || std::fs::read_to_string(place.path().join("r")).expect("a record").matches("[Game ").count();
    let kept = games();
    assert!(kept >= 2, "{kept} games");
    // Once it plays again, the match goes on behind them.
    std::fs::write(place.path().join("ending"), "exec \"$@\"").expect("written");
    let whole = played(&place, ["1", &program], &files);
    assert_eq!((whole.code(), &whole.json()["games"], games()), (0, &json!(6), 6), "{}", whole.err());
}

#[test]
fn a_match_is_resumed_by_the_same_rules_alone() {
    let place = Place::new();
    let begun = |more: &[&str]| {
        let small = ["match", "2", "1", "--game", "swish", "--position", "1w1/4/1oo2/4/1b1 w 0-0 2"];
        place.run(&[&small[..], &["--state", "m", "--nodes", "50", "--threads", "1"], more].concat())
    };
    let first = begun(&["--games", "2", "--immobile", "pass"]);
    assert_eq!(first.code(), 0, "{}", first.err());
    for (other, named) in [
        (&["--games", "4"][..], "immobile"),
        (&["--games", "4", "--immobile", "pass", "--seed", "2"], "seed"),
        (&["--games", "4", "--immobile", "pass", "--plies", "3"], "plies"),
    ] {
        let ran = begun(other);
        assert_eq!(ran.code(), 2, "{other:?}: {}", ran.out());
        assert!(ran.err().to_lowercase().contains(named), "{other:?}: {}", ran.err());
    }
    let more = begun(&["--games", "4", "--immobile", "pass"]);
    assert_eq!(more.code(), 0, "{}", more.err());
}

#[test]
fn a_difference_that_nobody_can_measure_is_null() {
    let report = played(&Place::new(), ["8", "1"], &["--games", "4", "--nodes", "2000"]).json();
    let score = report["score"].as_f64().expect("a score");
    let interval = &report["elo_interval"];
    assert!(interval[0].is_number() || interval[1].is_number(), "{report}");
    if score == 1.0 {
        assert_eq!((&report["elo"], &interval[1]), (&json!(null), &json!(null)), "{report}");
    } else {
        assert!(report["elo"][1].as_f64().is_some_and(|error| error > 0.0), "{report}");
    }
}
