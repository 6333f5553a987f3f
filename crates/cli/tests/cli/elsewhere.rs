//! Tables that are read remotely, from a good web server and a bad one.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{Place, Ran};
use crate::server::{Fault, Server};

/// A set with tables of more than one piece, and its server.
fn set() -> (Place, Server) {
    let place = Place::new();
    let built = ["generate", "squish", "--side", "3", "--pieces", "5v5", "--out", "set"];
    let ran = place.run(&built);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let server = Server::start(&place.path().join("set"));
    (place, server)
}

/// Asks about a position, with pieces of tables cached in the folder `cache`.
fn ask(place: &Place, tables: &str, position: &str, more: &[&str]) -> Ran {
    let asked = [&["probe", "squish", position, "--tables", tables, "--json"], more].concat();
    let mut command = place.command(&asked);
    command.env("MARQUIS_CACHE", place.path().join("cache"));
    Ran::of(command)
}

fn answer(place: &Place, tables: &str, position: &str) -> Value {
    let ran = ask(place, tables, position, &[]);
    assert_eq!(ran.code(), 0, "{position}: {}", ran.err());
    ran.json()
}

fn pieces(place: &Place) -> Vec<(PathBuf, u64)> {
    let Ok(entries) = fs::read_dir(place.path().join("cache")) else { return Vec::new() };
    let piece = |entry: fs::DirEntry| (entry.path(), entry.metadata().expect("a file").len());
    entries.map(|entry| piece(entry.expect("an entry"))).collect()
}

/// Five against five and four against five; the first is in a table of many pieces.
const POSITIONS: [&str; 2] = ["bbw/1b1w/w3b/1w1b/w2 w", "b1w/1b1b/w3b/1w2/w1b b"];

/// The number of requests for bytes of tables.
fn read(server: &Server) -> usize {
    server.asked().iter().filter(|line| line.starts_with("GET") && line.contains(".mqt")).count()
}

#[test]
fn answers_are_those_of_the_folder_and_come_of_few_bytes() {
    let (place, server) = set();
    for position in POSITIONS {
        let here = answer(&place, "set", position);
        assert_eq!(here["proof"], "table");
        assert_eq!(answer(&place, server.address(), position), here);
    }
    assert!(read(&server) > 0);
    let kept: u64 = pieces(&place).iter().map(|(_, bytes)| bytes).sum();
    let tables = fs::read_dir(place.path().join("set/squish-s3")).expect("a folder");
    let all: u64 = tables.map(|entry| entry.expect("an entry").metadata().expect("a file").len()).sum();
    assert!(kept > 0 && kept < all * 3 / 4, "{kept} of {all} bytes");
    // Everything read before is cached.
    for position in POSITIONS {
        answer(&place, server.address(), position);
    }
    assert_eq!(read(&server), 0);
    // Every command that takes tables takes remote ones.
    let solved = ["solve", "squish", POSITIONS[0], "--tables", server.address(), "--json"];
    let mut solve = place.command(&solved);
    solve.env("MARQUIS_CACHE", place.path().join("cache"));
    assert_eq!(Ran::of(solve).json()["proof"], "table");
}

#[test]
fn a_server_that_fails_now_and_then_costs_time_and_no_answer() {
    let (place, server) = set();
    let expected = answer(&place, "set", POSITIONS[0]);
    server.fail("B3SUMS", &[Fault::Gone, Fault::Status(503)]);
    server.fail("05v05.mqt", &[Fault::Cut(100), Fault::Status(500), Fault::Cut(0)]);
    server.fail("04v05.mqt", &[Fault::Slow(Duration::from_millis(1))]);
    // Wrong bytes are detected by their checksum, and read again.
    server.fail("05v04.mqt", &[Fault::Wrong]);
    assert_eq!(answer(&place, server.address(), POSITIONS[0]), expected);
}

#[test]
fn a_server_that_is_gone_is_not_reached_and_asked_again_when_it_is_back() {
    let (place, server) = set();
    let expected = answer(&place, "set", POSITIONS[0]);
    let begun = Instant::now();
    server.fail("05v05.mqt", &vec![Fault::Gone; 1000]);
    let gone = ask(&place, server.address(), POSITIONS[0], &[]);
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert_eq!(gone.code(), 4, "{}", gone.err());
    assert_eq!((&gone.json()["value"], &gone.json()["proof"]), (&Value::Null, &Value::Null));
    let said = gone.err();
    assert!(said.contains("05v05.mqt: not reached (tries: ") && !said.contains("damaged"), "{said}");
    server.fail("05v05.mqt", &[]);
    assert_eq!(answer(&place, server.address(), POSITIONS[0]), expected);
}

#[test]
fn bytes_that_are_always_wrong_are_no_answer_and_are_not_kept() {
    let (place, server) = set();
    let expected = answer(&place, "set", POSITIONS[0]);
    server.fail("05v05.mqt", &vec![Fault::Wrong; 1000]);
    let wrong = ask(&place, server.address(), POSITIONS[0], &[]);
    assert_ne!(wrong.code(), 0, "{}", wrong.out());
    assert!(wrong.err().contains("05v05.mqt"), "{}", wrong.err());
    server.fail("05v05.mqt", &[]);
    assert_eq!(answer(&place, server.address(), POSITIONS[0]), expected);
}

#[test]
fn pieces_that_are_damaged_on_the_disk_are_read_anew() {
    let (place, server) = set();
    let expected = answer(&place, server.address(), POSITIONS[0]);
    for (number, (path, _)) in pieces(&place).into_iter().enumerate() {
        let mut bytes = fs::read(&path).expect("a piece");
        match number % 3 {
            0 => bytes.truncate(20),
            _ => bytes.iter_mut().for_each(|byte| *byte ^= 4),
        }
        fs::write(&path, bytes).expect("written");
    }
    server.asked();
    assert_eq!(answer(&place, server.address(), POSITIONS[0]), expected);
    assert!(read(&server) > 0);
    assert_eq!(answer(&place, server.address(), POSITIONS[0]), expected);
    assert_eq!(read(&server), 0);
}

#[test]
fn pieces_stay_within_their_bound() {
    let (place, server) = set();
    let expected = answer(&place, "set", POSITIONS[0]);
    for (size, most) in [("150KiB", 150 << 10), ("0", 0)] {
        let ran = ask(&place, server.address(), POSITIONS[0], &["--tables-cache", size]);
        assert_eq!((ran.code(), ran.json()), (0, expected.clone()), "{}", ran.err());
        let kept: u64 = pieces(&place).iter().map(|(_, bytes)| bytes).sum();
        assert!(kept <= most && (most == 0 || kept > 0), "{kept} of {most}");
    }
}

#[test]
fn a_file_that_has_changed_is_not_read_together_with_the_old_one() {
    let (place, server) = set();
    server.fail("05v05.mqt", &[Fault::Cut(50), Fault::Renewed]);
    let ran = ask(&place, server.address(), POSITIONS[0], &[]);
    let told = ran.err();
    assert!(ran.code() != 0 && told.contains("05v05.mqt: changed during the read"), "{told}");
}

#[test]
fn a_server_without_ranges_and_places_that_are_none_are_said_to_be_so() {
    let (place, server) = set();
    server.fail("mqt", &vec![Fault::Whole; 1000]);
    let ran = ask(&place, server.address(), POSITIONS[0], &[]);
    assert_eq!((ran.code(), &ran.json()["value"]), (4, &Value::Null), "{}", ran.err());
    assert!(ran.err().contains("refused") && ran.err().contains("Range"), "{}", ran.err());
    let nowhere = format!("{}/nowhere", server.address());
    let ran = ask(&place, &nowhere, POSITIONS[0], &[]);
    assert!(ran.code() == 4 && ran.err().contains("/nowhere/B3SUMS: not found"), "{}", ran.err());
    assert_eq!(ask(&place, "ftp://a/b", POSITIONS[0], &[]).code(), 2);
    // A service does not start on them either.
    for (tables, code, said) in [("ftp://a/b", 2, "expected an address"), (nowhere.as_str(), 4, "not found")]
    {
        let mut serve = place.command(&["serve", "--tables", tables, "--bind", "127.0.0.1:0"]);
        serve.env("MARQUIS_CACHE", place.path().join("cache"));
        let served = Ran::of(serve);
        assert!(served.code() == code && served.err().contains(said), "{tables}: {}", served.err());
    }
}
