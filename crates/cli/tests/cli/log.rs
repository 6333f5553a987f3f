//! `--log FILE` of the long commands.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::common::Place;

/// The lines of the log, without the time that each must begin with.
fn said(place: &Place) -> Vec<String> {
    let text = std::fs::read_to_string(place.path().join("long.log")).expect("a log");
    let unstamped = |line: &str| {
        let (time, said) = line.split_once("  ").unwrap_or_else(|| panic!("no time: {line}"));
        let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(shape, "0000-00-00T00:00:00.000000Z", "{line}");
        said.to_owned()
    };
    text.lines().map(unstamped).collect()
}

#[test]
fn what_is_said_is_kept_with_the_time_and_appended() {
    let place = Place::new();
    let build = ["generate", "squish", "--side", "3", "--pieces", "2v2", "--out", "t", "--log", "long.log"];
    let kept = |ran: &crate::common::Ran| {
        let mut lines = vec![format!("started: {}", build.join(" "))];
        lines.extend(ran.err().lines().map(str::to_owned));
        lines.push("ended with exit code 0".to_owned());
        lines
    };
    let first = place.run(&build);
    assert_eq!(first.code(), 0, "{}", first.err());
    assert!(!first.err().is_empty());
    let mut lines = kept(&first);
    assert_eq!(said(&place), lines);
    // Resuming reports that all is finished, after the earlier lines.
    let again = place.run(&build);
    assert!(again.err().contains("finished already"), "{}", again.err());
    lines.extend(kept(&again));
    assert_eq!(said(&place), lines);
}

#[test]
fn progress_and_errors_are_kept_too() {
    let place = Place::new();
    let hard = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    let arguments = ["balance", "swish", hard, "--memory", "64MiB", "--log", "long.log"];
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
    command.args(arguments).current_dir(place.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut heard = BufReader::new(child.stderr.take().expect("piped")).lines();
    // This waits however long the first report takes, and however long the board takes.
    let progress = heard.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("searching")));
    let progress = progress.expect("progress").expect("UTF-8");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    let rest: Vec<String> = heard.map(|line| line.expect("UTF-8")).collect();
    assert!(rest.iter().any(|line| line.contains("press Ctrl-C again")), "{rest:?}");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let kept = said(&place);
    assert!(kept.contains(&progress) && rest.iter().all(|line| kept.contains(line)), "{progress}: {kept:?}");
    assert_eq!(kept.last().map(String::as_str), Some("ended with exit code 130"));
    let wrong = place.run(&["study", "squish", "nonsense", "--state", "s", "--log", "long.log"]);
    assert_eq!(wrong.code(), 2, "{}", wrong.err());
    let lines = said(&place);
    assert!(lines.iter().any(|line| line.starts_with("error: ")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("ended with exit code 2"));
}

#[test]
fn a_log_that_cannot_be_opened_ends_a_command_before_it_begins() {
    let place = Place::new();
    for command in [
        "balance swish w1w/4/1ooo1/4/b1b",
        "design swish --tries 1",
        "generate squish --side 3",
        "solve squish start:3",
        "study squish start:3 --state s",
        "train squish --state s",
        "verify .",
    ] {
        let words: Vec<&str> = command.split(' ').chain(["--log", "no/such/folder.log"]).collect();
        let refused = place.run(&words);
        assert_eq!(refused.code(), 4, "{command}: {}", refused.err());
        assert!(refused.err().contains("--log no/such/folder.log"), "{}", refused.err());
        assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 0, "{command}");
    }
}
