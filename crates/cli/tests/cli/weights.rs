//! Networks of the user: right ones are used, wrong ones are left out by name.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::Place;
use crate::running::Running;

/// A network that comes with the program.
fn built_in(board: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sense/weights");
    fs::read(folder.join(format!("{board}.net"))).expect("a network")
}

/// Possible errors of a file, and words in their messages.
const WRONG: [(&str, &str); 5] = [
    ("flowish-4.net", "wrong checksum"),
    ("swish-5.net", "another game, board or version of the rules"),
    ("squinch-6x6.net", "another game, board or version of the rules"),
    ("squeeze-5.net", "not a weights file"),
    ("mine.net", "not the name of a board"),
];

/// A folder with the right weights for Squish, and one wrong file of each kind.
fn mixed(place: &Place) {
    let folder = place.path().join("w");
    fs::create_dir(&folder).expect("a folder");
    let put = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    put("squish-4.net", &built_in("squish-4"));
    put("calibration.txt", b"squish-4 0.01 0.8\n");
    put("flowish-4.net", &built_in("flowish-4")[..5000]);
    put("swish-5.net", &built_in("squeeze-5"));
    put("squinch-6x6.net", &built_in("squinch-8x8"));
    put("squeeze-5.net", b"something else altogether");
    put("mine.net", &built_in("squish-4"));
}

/// Two moves from the start of side 4, at a position that is not in the book of known results.
const OPENED: &str = "1wb1/wb1wb/b1wb1w/1wb1wb1/1bwb1w/wbwwb/2b1 w";

/// The estimate of a search of a game at a position near its start.
fn thought(place: &Place, game: &str, weights: Option<&str>) -> (Value, String) {
    let position = if game == "squinch" { "w1,w1,w1,w1,w1,w1/6/6/6/6/r1,r1,r1,r1,r1,r1 r" } else { OPENED };
    let arguments = ["solve", game, position, "--nodes", "4000", "--threads", "1", "--json"];
    let more = weights.map_or_else(Vec::new, |folder| vec!["--weights", folder]);
    let ran = place.run(&[&arguments[..], &more].concat());
    (ran.json()["wdl"].clone(), ran.err())
}

#[test]
fn weights_that_are_right_are_used_and_the_others_are_named_and_left_out() {
    let place = Place::new();
    mixed(&place);
    let (usual, said) = thought(&place, "squish", None);
    assert!(!said.contains("weights"), "{said}");
    let (own, said) = thought(&place, "squish", Some("w"));
    for (file, why) in WRONG {
        let named = said.lines().any(|line| {
            line.starts_with("warning: weights are left out: ") && line.contains(file) && line.contains(why)
        });
        assert!(named, "{file}: {said}");
    }
    assert_eq!(said.matches("left out").count(), WRONG.len(), "{said}");
    assert_ne!(own, usual);
    assert!((own["draw"].as_f64().expect("a chance") - 0.8).abs() < 0.01, "{own}");
    // Built-in networks replace those that are left out.
    for game in ["flowish", "squinch"] {
        assert_eq!(thought(&place, game, Some("w")).0, thought(&place, game, None).0, "{game}");
    }
}

#[test]
fn every_command_that_judges_takes_weights() {
    let place = Place::new();
    mixed(&place);
    let warned = |ran: &crate::common::Ran| ran.err().matches("weights are left out").count();
    let board = "w1w/4/1ooo1/4/b1b";
    for arguments in [
        &["balance", "swish", board, "--nodes", "1000", "--weights", "w"][..],
        &["line", "squish", OPENED, "--nodes", "1000", "--weights", "w"],
        &["match", "2", "1", "--game", "squish", "--games", "2", "--weights", "w"],
    ] {
        assert_eq!(warned(&place.run(arguments)), WRONG.len(), "{arguments:?}");
    }
    let played = place.feed(&["play", "squish", OPENED, "--weights", "w"], "hint\nquit\n");
    assert_eq!(warned(&played), WRONG.len(), "{}", played.err());
    assert!(played.out().contains("draw 80") || played.out().contains("draw 79"), "{}", played.out());
    let led = place.feed(&["ugi", "--weights", "w"], "position startpos moves a2-b3 c1-c2\ngo nodes 4000\n");
    assert_eq!(warned(&led), WRONG.len(), "{}", led.err());
    let last = led.out();
    let chances = last.lines().filter_map(|line| line.split(" wdl ").nth(1)).next_back().expect("chances");
    assert!(
        chances.split(' ').nth(1).is_some_and(|draw| draw.starts_with("80") || draw.starts_with("79")),
        "{last}"
    );
    let mut by_variable = place.command(&["ugi"]);
    by_variable.env("MARQUIS_WEIGHTS", "w").write_stdin("quit\n");
    assert_eq!(warned(&crate::common::Ran::of(by_variable)), WRONG.len());
}

#[test]
fn a_folder_that_is_not_there_is_refused_by_name() {
    let place = Place::new();
    for command in
        [&["solve", "squish", "start:3"][..], &["ugi"], &["serve", "--no-starter", "--bind", "127.0.0.1:0"]]
    {
        let ran = place.run(&[command, &["--weights", "none"]].concat());
        assert_eq!(ran.code(), 4, "{command:?}: {}", ran.out());
        assert!(ran.err().contains("--weights: expected a folder with networks"), "{}", ran.err());
        assert!(ran.err().contains("none"), "{}", ran.err());
    }
}

/// A service that ends with the test.
struct Service {
    _process: Running,
    address: String,
}

impl Service {
    fn start(place: &Place, arguments: &[&str]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
        command.current_dir(place.path()).env_remove("MARQUIS_TABLES").env_remove("MARQUIS_WEIGHTS");
        command.args(["serve", "--no-starter", "--bind", "127.0.0.1:0"]).args(arguments);
        let log = fs::File::create(place.path().join("log")).expect("a file");
        let mut process = Running(command.stdout(Stdio::piped()).stderr(log).spawn().expect("it starts"));
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("it speaks");
        let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line:?}"));
        Self { address: address.to_owned(), _process: process }
    }

    fn get(&self, path: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("asked");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("answered");
        let body = reply.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {reply}"))
    }
}

#[test]
fn the_service_starts_with_what_is_right_and_says_what_it_left_out() {
    let place = Place::new();
    mixed(&place);
    fs::write(place.path().join("marquis.toml"), "weights = \"w\"\n").expect("a file");
    for arguments in [&["--weights", "w"][..], &["--config", "marquis.toml"]] {
        let service = Service::start(&place, arguments);
        let health = service.get("/healthz");
        let damaged = health["damaged"].as_array().expect("a list");
        assert_eq!(damaged.len(), WRONG.len(), "{health}");
        let log = fs::read_to_string(place.path().join("log")).expect("a log");
        for (file, why) in WRONG {
            let named = |fault: &&Value| fault["thing"] == "weights" && fault["name"] == file;
            let fault = damaged.iter().find(named).unwrap_or_else(|| panic!("{file}: {health}"));
            assert!(fault["detail"].as_str().is_some_and(|detail| detail.contains(why)), "{fault}");
            assert!(log.contains(file), "{log}");
        }
        let draw = |game: &str| {
            let answer = service.get(&format!("/v1/{game}?position=start:4&play=a2-b3_c1-c2&budget_ms=100"));
            assert_eq!(answer["source"], "estimate", "{answer}");
            answer["wdl"]["draw"].as_f64().expect("a chance")
        };
        assert!((draw("squish") - 0.8).abs() < 0.01);
        assert!(draw("flowish") < 0.5);
    }
}
