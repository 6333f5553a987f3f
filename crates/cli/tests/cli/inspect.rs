//! `inspect`: descriptions of files that Marquis wrote, and the refusal of other files.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Place;

#[test]
fn a_table_and_its_manifest_say_what_they_hold() {
    let place = Place::new();
    assert_eq!(place.run(&["generate", "squish", "--side", "3", "--pieces", "1v2", "--out", "t"]).code(), 0);
    let table = place.run(&["inspect", "t/squish-s3/01v02.mqt", "--json"]).json();
    let head = ["kind", "game", "variant", "layer"].map(|name| table[name].as_str().unwrap().to_owned());
    assert_eq!(head, ["table", "squish", "side=3", "01v02"]);
    // The committed manifest has the same figures and the same hash.
    assert_eq!((&table["slots"], &table["counts"]["wins"]), (&612.into(), &202.into()));
    let hash = "1b0bb26adacd816000d8cc21de09671a46447770ba5ff0b370df559a1f3f0a4e";
    let score = table["streams"].as_array().unwrap().iter().find(|stream| stream["name"] == "score").unwrap();
    assert_eq!(score["hash"], hash);
    assert_eq!(table["rules"].as_str().unwrap().len(), 64);
    let manifest = place.run(&["inspect", "t/MANIFEST.tsv", "--json"]).json();
    assert_eq!(
        (&manifest["kind"], &manifest["games"]),
        (&"manifest".into(), &serde_json::json!(["squish side=3"]))
    );
    assert_eq!((&manifest["layers"], &manifest["slots"]), (&3.into(), &(72 + 612 + 374).into()));
    let words = place.run(&["inspect", "t/squish-s3/01v02.mqt"]).out();
    for expected in ["kind          table", "slots         612", "  wins          202", hash] {
        assert!(words.contains(expected), "{expected} is not in\n{words}");
    }
}

#[test]
fn a_proof_says_what_it_is_about_and_a_damaged_one_is_refused() {
    let place = Place::new();
    assert_eq!(place.run(&["solve", "squish", "start:3", "--proof", "p"]).code(), 0);
    let proof = place.run(&["inspect", "p", "--json"]).json();
    assert_eq!((&proof["kind"], &proof["words"]["game"]), (&"proof".into(), &"squish".into()));
    let mut bytes = fs::read(place.path().join("p")).expect("a proof");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(place.path().join("p"), &bytes).expect("a damaged proof");
    let refused = place.run(&["inspect", "p"]);
    assert_eq!(refused.code(), 4);
    assert!(refused.err().contains("damaged"), "{}", refused.err());
    fs::write(place.path().join("p"), &bytes[..middle]).expect("half a proof");
    assert_eq!(place.run(&["inspect", "p"]).code(), 4);
}

#[test]
fn a_network_says_how_large_it_is_and_a_damaged_one_is_refused() {
    let place = Place::new();
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../sense/weights/senet.net");
    let network = place.run(&["inspect", weights, "--json"]).json();
    assert_eq!((&network["kind"], &network["steps"]), (&"network".into(), &"fine".into()));
    let mut bytes = fs::read(weights).expect("weights");
    let number = |name: &str| network[name].as_u64().unwrap_or_else(|| panic!("{name} in {network}"));
    assert_eq!(number("bytes"), bytes.len() as u64);
    // Packed: a neuron and row take less than two bytes.
    assert!(number("rows") * number("neurons") * 2 > number("bytes"), "{network}");
    bytes[100] ^= 1;
    fs::write(place.path().join("damaged"), &bytes).expect("damaged weights");
    fs::write(place.path().join("short"), &bytes[..60]).expect("some weights");
    for file in ["damaged", "short"] {
        let refused = place.run(&["inspect", file]);
        assert_eq!(refused.code(), 4, "{file}");
        assert!(refused.err().contains("wrong checksum"), "{file}: {}", refused.err());
    }
}

#[test]
fn records_say_which_games_they_are_and_a_broken_one_where_it_breaks() {
    let place = Place::new();
    let game = "[Game \"squish\"]\n[Position \"start:3\"]\n[Result \"*\"]\n\n1. c4-c3 c5-c4 2. b2-b3 *\n";
    fs::write(place.path().join("games"), game.repeat(2)).expect("records");
    let records = place.run(&["inspect", "games", "--json"]).json();
    assert_eq!((&records["kind"], &records["games"]), (&"record".into(), &serde_json::json!(["squish"])));
    assert_eq!((&records["records"], &records["plies"]), (&2.into(), &6.into()));
    assert_eq!(records["results"], serde_json::json!({"*": 2}));
    fs::write(place.path().join("games"), game.replace("2.", "3.")).expect("a record");
    let refused = place.run(&["inspect", "games"]);
    assert_eq!(refused.code(), 2);
    assert!(refused.err().contains("line 5"), "{}", refused.err());
}

#[test]
fn what_is_no_file_of_ours_is_refused() {
    let place = Place::new();
    fs::write(place.path().join("words"), "some\twords\n").expect("a file");
    fs::write(place.path().join("empty"), "").expect("a file");
    for (file, code, said) in [
        ("words", 2, "expected a table"),
        ("empty", 2, "expected a table"),
        ("none", 4, "No such file"),
        (".", 2, "another folder"),
    ] {
        let refused = place.run(&["inspect", file]);
        assert_eq!(refused.code(), code, "{file}");
        assert!(refused.err().contains(said), "{file}: {}", refused.err());
    }
}

/// The document in the response of a service.
fn asked(address: &str, method: &str, path: &str, body: &str) -> serde_json::Value {
    let mut stream = TcpStream::connect(address).expect("the service listens");
    let head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
    let what = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all((head + &what).as_bytes()).expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("it answers");
    let document = reply.find('{').zip(reply.rfind('}')).map(|(first, last)| &reply[first..=last]);
    serde_json::from_str(document.unwrap_or_else(|| panic!("{reply}"))).expect("a document")
}

#[test]
fn the_state_of_a_service_says_what_is_kept() {
    let place = Place::new();
    let binary = assert_cmd::cargo::cargo_bin!("marquis");
    let mut service = Command::new(binary)
        .args(["serve", "--bind", "127.0.0.1:0", "--no-starter", "--state", "state"])
        .current_dir(place.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the service starts");
    let mut listening = String::new();
    BufReader::new(service.stdout.take().expect("its output")).read_line(&mut listening).expect("a line");
    let address = listening.trim().rsplit('/').next().expect("an address");
    // One set-up that is solved at once, and one that no search solves.
    let small = asked(address, "POST", "/v1/swish/balance", r#"{"board":"w1w/4/1ooo1/4/b1b","budget_ms":0}"#);
    let large = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    asked(address, "POST", "/v1/swish/balance", &format!(r#"{{"board":"{large}","budget_ms":0}}"#));
    let job = format!("/v1/jobs/{}", small["id"].as_str().unwrap_or_else(|| panic!("{small}")));
    let began = Instant::now();
    while asked(address, "GET", &job, "")["state"] != "done" {
        assert!(began.elapsed() < Duration::from_secs(60), "{}", asked(address, "GET", &job, ""));
        std::thread::sleep(Duration::from_millis(20));
    }
    let taken = place.run(&["inspect", "state"]);
    Command::new("kill").args(["-TERM", &service.id().to_string()]).status().expect("a signal");
    service.wait().expect("the service ends");
    assert_eq!(taken.code(), 4, "a service that runs has its state: {}", taken.out());
    for path in ["state", "state/jobs.redb"] {
        let state = place.run(&["inspect", path, "--json"]).json();
        let counts = ["unfinished", "finished", "proofs"].map(|name| state[name].as_u64());
        assert_eq!((&state["kind"], counts), (&"state".into(), [Some(1), Some(1), Some(1)]), "{path}");
    }
}
