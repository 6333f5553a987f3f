//! Tables behind a web server, a good and a bad one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Place, Ran};
use crate::server::{Fault, Server};

/// A set with more in it than is requested, and its server.
fn set() -> (Place, Server) {
    let place = Place::new();
    for game in ["squish", "flowish"] {
        let ran = place.run(&["generate", game, "--side", "3", "--pieces", "3v3", "--out", "set"]);
        assert_eq!(ran.code(), 0, "{}", ran.err());
    }
    let server = Server::start(&place.path().join("set"));
    (place, server)
}

/// Requests the part of the set in which each side of Squish has at most two pieces.
fn fetch(place: &Place, server: &Server, more: &[&str]) -> Ran {
    let patience: &[&str] = if more.contains(&"--patience") { &[] } else { &["--patience", "3"] };
    let asked = ["fetch-tables", server.address(), "--game", "squish", "--side", "3", "--pieces", "2v2"];
    place.run(&[&asked[..], &["--out", "here"], patience, more].concat())
}

/// The files of a folder, including hidden ones, by their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

fn parts(place: &Place) -> Vec<PathBuf> {
    let mut files = files(&place.path().join("here"));
    files.retain(|path| path.extension().is_some_and(|ending| ending == "part"));
    files
}

const LAYERS: [&str; 4] = ["01v01", "01v02", "02v01", "02v02"];

/// All requested files are here, byte for byte, and no temporary files are left.
fn is_all_here(place: &Place) {
    let (set, here) = (place.path().join("set"), place.path().join("here"));
    for layer in LAYERS {
        let file = format!("squish-s3/{layer}.mqt");
        assert_eq!(
            fs::read(here.join(&file)).expect(&file),
            fs::read(set.join(&file)).expect(&file),
            "{file}"
        );
    }
    let tables = files(&here).iter().filter(|path| path.extension().is_some_and(|end| end == "mqt")).count();
    assert_eq!((tables, parts(place)), (LAYERS.len(), vec![]));
    let lists = fs::read_to_string(set.join("B3SUMS")).expect("sums");
    for line in fs::read_to_string(here.join("B3SUMS")).expect("sums").lines() {
        assert!(lists.lines().any(|listed| listed == line), "{line}");
    }
}

#[test]
fn the_right_files_come_over_and_no_others_and_can_be_answered_from() {
    let (place, server) = set();
    let ran = fetch(&place, &server, &["--json"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let report = ran.json();
    let bytes: u64 =
        report["tables"].as_array().expect("tables").iter().map(|t| t["bytes"].as_u64().unwrap()).sum();
    assert_eq!((report["kept"].as_u64(), report["fetched_bytes"].as_u64()), (Some(0), Some(bytes)));
    is_all_here(&place);
    let asked = server.asked();
    assert!(asked.iter().all(|line| !line.contains("flowish") && !line.contains("03v")), "{asked:?}");
    let verified = place.run(&["verify", "here"]);
    assert_eq!(verified.code(), 0, "{}", verified.out());
    let probed = place.run(&["probe", "squish", "w1b/4/5/4/b1w w", "--tables", "here", "--json"]);
    assert_eq!((probed.code(), &probed.json()["proof"]), (0, &"table".into()));
    // The second time only the lists are requested.
    let again = fetch(&place, &server, &["--json"]).json();
    assert_eq!((again["kept"].as_u64(), again["fetched_bytes"].as_u64()), (Some(4), Some(0)));
    assert_eq!(server.asked().iter().filter(|line| line.contains(".mqt")).count(), 0);
    // The whole game includes the part fetched before.
    let whole = place.run(&["fetch-tables", server.address(), "--game", "squish", "--out", "here", "--json"]);
    assert_eq!((whole.code(), whole.json()["kept"].as_u64()), (0, Some(4)), "{}", whole.err());
    assert_eq!(whole.json()["tables"].as_array().map(Vec::len), Some(9));
    assert!(server.asked().iter().all(|line| !line.contains("flowish")));
}

#[test]
fn a_server_that_fails_now_and_then_costs_time_and_no_byte() {
    let (place, server) = set();
    server.fail("MANIFEST.tsv", &[Fault::Gone, Fault::Status(503)]);
    server.fail("B3SUMS", &[Fault::Cut(100), Fault::Cut(0)]);
    server.fail("01v01.mqt", &[Fault::Status(500), Fault::Cut(30), Fault::Cut(7)]);
    server.fail("01v02.mqt", &[Fault::Silent(Duration::from_secs(20))]);
    server.fail("02v02.mqt", &[Fault::Slow(Duration::from_millis(20))]);
    let ran = fetch(&place, &server, &[]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    is_all_here(&place);
    let asked = server.asked();
    for line in ["GET /B3SUMS 100", "GET /squish-s3/01v01.mqt 30", "GET /squish-s3/01v01.mqt 37"] {
        assert!(asked.iter().any(|asked| asked == line), "{line} in {asked:?}");
    }
}

#[test]
fn a_server_that_is_gone_is_not_reached_and_gone_on_with_when_it_is_back() {
    let (place, server) = set();
    let begun = Instant::now();
    let faults = [vec![Fault::Cut(50)], vec![Fault::Gone; 100]].concat();
    server.fail("02v02.mqt", &faults);
    let gone = fetch(&place, &server, &["--patience", "1"]);
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert_eq!(gone.code(), 4, "{}", gone.err());
    let said = gone.err();
    assert!(said.contains("/squish-s3/02v02.mqt: not reached"), "{said}");
    assert!(said.contains("then retry") && !said.contains("damaged"), "{said}");
    assert_eq!(parts(&place).len(), 1);
    assert_eq!(fs::metadata(&parts(&place)[0]).unwrap().len(), 50);
    server.fail("02v02.mqt", &[]);
    server.asked();
    let back = fetch(&place, &server, &["--json"]);
    assert_eq!((back.code(), back.json()["resumed_bytes"].as_u64()), (0, Some(50)), "{}", back.err());
    let asked = server.asked();
    let tables: Vec<&String> =
        asked.iter().filter(|line| line.starts_with("GET") && line.contains(".mqt")).collect();
    assert_eq!(tables, ["GET /squish-s3/02v02.mqt 50"]);
    is_all_here(&place);
}

#[test]
fn what_does_not_fit_on_the_disk_is_refused_before_the_first_byte() {
    let (place, server) = set();
    server.say_bytes("02v02.mqt", 1 << 60);
    let ran = fetch(&place, &server, &[]);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    let said = ran.err();
    // The other files have some bytes too.
    let needed = said.split("here: expected 11529215046068").nth(1).unwrap_or_else(|| panic!("{said}"));
    assert!(needed.contains(" free bytes on its disk, found ") && needed.contains("make room"), "{said}");
    let asked = server.asked();
    assert!(asked.iter().all(|line| !line.starts_with("GET") || !line.contains(".mqt")), "{asked:?}");
    assert_eq!(parts(&place), Vec::<PathBuf>::new());
}

#[test]
fn wrong_bytes_are_never_a_table() {
    let (place, server) = set();
    server.fail("02v01.mqt", &[Fault::Wrong]);
    let wrong = fetch(&place, &server, &[]);
    assert_eq!(wrong.code(), 4, "{}", wrong.err());
    let said = wrong.err();
    assert!(said.contains("/squish-s3/02v01.mqt: damaged in its bytes: expected blake3 "), "{said}");
    assert!(!place.path().join("here/squish-s3/02v01.mqt").exists());
    assert_eq!(parts(&place), Vec::<PathBuf>::new());
    // Wrong bytes of an earlier run are detected and fetched again.
    server.fail("02v01.mqt", &[vec![Fault::Cut(40)], vec![Fault::Gone; 100]].concat());
    assert_eq!(fetch(&place, &server, &["--patience", "0"]).code(), 4);
    let part = parts(&place).remove(0);
    let mut bytes = fs::read(&part).unwrap();
    bytes[3] ^= 1;
    fs::write(&part, bytes).unwrap();
    server.fail("02v01.mqt", &[]);
    let mended = fetch(&place, &server, &[]);
    assert_eq!(mended.code(), 0, "{}", mended.err());
    is_all_here(&place);
}

#[test]
fn lists_and_tables_that_do_not_fit_together_are_refused() {
    let (place, server) = set();
    let set = place.path().join("set");
    let sums = fs::read_to_string(set.join("B3SUMS")).unwrap();
    // A valid table of another layer under this name, with the right checksum.
    let other = fs::read(set.join("squish-s3/01v02.mqt")).unwrap();
    let own = fs::read(set.join("squish-s3/02v02.mqt")).unwrap();
    let sum = |layer: &str| sums.lines().find(|line| line.ends_with(layer)).unwrap()[..64].to_owned();
    fs::write(set.join("squish-s3/02v02.mqt"), &other).unwrap();
    fs::write(set.join("B3SUMS"), sums.replace(&sum("squish-s3/02v02.mqt"), &sum("squish-s3/01v02.mqt")))
        .unwrap();
    let ran = fetch(&place, &server, &[]);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(
        ran.err().contains("another layer: expected squish side=3 02v02, found squish side=3 01v02"),
        "{}",
        ran.err()
    );
    // The right table, and a manifest with different cells.
    fs::write(set.join("squish-s3/02v02.mqt"), own).unwrap();
    fs::write(set.join("B3SUMS"), &sums).unwrap();
    let manifest = fs::read_to_string(set.join("MANIFEST.tsv")).unwrap();
    let line = manifest.lines().find(|line| line.starts_with("squish\tside=3\t02v02\t")).unwrap();
    let content = line.split('\t').nth(5).unwrap();
    fs::write(set.join("MANIFEST.tsv"), manifest.replace(content, &"0".repeat(64))).unwrap();
    let ran = fetch(&place, &server, &[]);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(
        ran.err().contains("damaged in the checksum of its stream \"score\" in MANIFEST.tsv: expected 0000"),
        "{}",
        ran.err()
    );
    assert!(!place.path().join("here/squish-s3/02v02.mqt").exists());
    // A list that would write outside the folder.
    fs::write(set.join("B3SUMS"), sums.replace("squish-s3/01v01.mqt", "../01v01.mqt")).unwrap();
    let ran = fetch(&place, &server, &[]);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(ran.err().contains("the path of a table below the folder"), "{}", ran.err());
    assert!(!place.path().join("01v01.mqt").exists());
}

#[test]
fn what_is_not_there_or_makes_no_sense_is_said_at_once() {
    let (place, server) = set();
    let begun = Instant::now();
    let run = |address: &str, more: &[&str]| {
        let ran = place.run(&[&["fetch-tables", address, "--out", "here"], more].concat());
        (ran.code(), ran.err())
    };
    let nowhere = format!("{}/nowhere", server.address());
    let (code, said) = run(&nowhere, &[]);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("/nowhere/MANIFEST.tsv: not found"), "{said}");
    let (code, said) = run(server.address(), &["--game", "squish", "--side", "3", "--pieces", "4v3"]);
    assert_eq!(code, 4, "{said}");
    assert!(
        said.contains("B3SUMS: expected the 15 tables of squish --side 3 --pieces 4v3, found 9 of them"),
        "{said}"
    );
    let (code, said) = run(server.address(), &["--game", "senet"]);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("expected tables of senet, found none"), "{said}");
    for (address, more, expected) in [
        ("ftp://a/b", &[][..], "expected an address that begins with http://"),
        ("tablebases", &[], "expected an address"),
        (server.address(), &["--pieces", "3v3"], "--game"),
        (server.address(), &["--game", "squish", "--side", "3", "--pieces", "3v"], "3v"),
    ] {
        let (code, said) = run(address, more);
        assert_eq!(code, 2, "{address}: {said}");
        assert!(said.contains(expected), "{address}: {said}");
    }
    server.fail("MANIFEST.tsv", &[Fault::Status(416), Fault::Status(416)]);
    let (code, said) = run(server.address(), &["--patience", "0"]);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("MANIFEST.tsv: not reached (tries: 1)") && said.contains("416"), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
}

#[test]
fn why_nothing_is_reached_is_said_once() {
    let (place, server) = set();
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let nobody = format!("http://{free}/set");
    let refused = place.run(&["fetch-tables", &nobody, "--out", "here", "--patience", "0"]);
    assert_eq!(refused.code(), 4, "{}", refused.err());
    let said = refused.err();
    assert_eq!(said.matches(nobody.as_str()).count(), 1, "{said}");
    assert_eq!(said.matches("refused").count(), 1, "{said}");
    server.fail("MANIFEST.tsv", &[Fault::Status(503)]);
    let said = fetch(&place, &server, &["--patience", "0"]).err();
    // The digits may also be those of a port.
    assert_eq!(said.matches("503 Service").count(), 1, "{said}");
}

#[test]
fn a_file_that_is_another_one_by_now_is_not_put_together_with_the_old_one() {
    let (place, server) = set();
    server.fail("02v02.mqt", &[Fault::Cut(50), Fault::Renewed]);
    let ran = fetch(&place, &server, &[]);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(ran.err().contains("02v02.mqt: changed during the read: expected "), "{}", ran.err());
    assert!(!place.path().join("here/squish-s3/02v02.mqt").exists());
    assert_eq!(fetch(&place, &server, &[]).code(), 0);
    is_all_here(&place);
}

#[test]
fn another_table_under_the_name_is_left_alone() {
    let (place, server) = set();
    let file = place.path().join("here/squish-s3/01v02.mqt");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "something of mine").unwrap();
    let ran = fetch(&place, &server, &[]);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    assert!(ran.err().contains("remove it, or name another folder with --out"), "{}", ran.err());
    assert_eq!(fs::read_to_string(&file).unwrap(), "something of mine");
}

#[cfg(unix)]
#[test]
fn ctrl_c_costs_little_and_the_same_command_goes_on() {
    let (place, server) = set();
    server.fail("02v02.mqt", &[Fault::Slow(Duration::from_millis(200))]);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
    let asked = ["fetch-tables", server.address(), "--game", "squish", "--side", "3", "--pieces", "2v2"];
    command.args(asked).args(["--out", "here"]).current_dir(place.path());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let begun = Instant::now();
    let is_slow =
        |part: &PathBuf| part.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".02v02."));
    let has = |part: &PathBuf| fs::metadata(part).is_ok_and(|about| about.len() >= 128);
    let came = || parts(&place).iter().any(|part| is_slow(part) && has(part));
    while !place.path().join("here").is_dir() || !came() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing comes over");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let kept = fs::metadata(&parts(&place)[0]).unwrap().len();
    assert!(kept >= 128, "{kept}");
    server.asked();
    let back = fetch(&place, &server, &["--json"]);
    assert_eq!((back.code(), back.json()["resumed_bytes"].as_u64()), (0, Some(kept)), "{}", back.err());
    is_all_here(&place);
}
