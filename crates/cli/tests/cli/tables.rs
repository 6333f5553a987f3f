//! Tables from the plan to the answer.
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::{Place, Ran};
use serde_json::{Value, json};

const LAYERS: [&str; 6] = ["generate", "squish", "--side", "3", "--pieces", "2v2"];
/// Two against two, nobody in one group.
const POSITION: &str = "w1b/4/5/4/b1w w";

fn built() -> Place {
    let place = Place::new();
    let ran = place.run(&[&LAYERS[..], &["--out", "tablebases", "--json"]].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    assert_eq!(ran.json()["kept"], 0);
    assert!(ran.json()["tables"].as_array().is_some_and(|tables| !tables.is_empty()));
    place
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The largest table in the folder.
fn a_table(place: &Place) -> PathBuf {
    let size = |path: &PathBuf| fs::metadata(path).expect("a file").len();
    let tables = files(&place.path().join("tablebases")).into_iter();
    tables.filter(|path| path.extension().is_some_and(|end| end == "mqt")).max_by_key(size).expect("a table")
}

#[test]
fn a_dry_run_says_what_would_be_built_and_builds_nothing() {
    let place = Place::new();
    let ran = place.run(&[&LAYERS[..], &["--dry-run", "--json"]].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let plan = ran.json();
    assert!(plan["slots"].as_u64() > Some(0) && plan["memory_bytes"].as_u64() > Some(0));
    assert!(plan["layers"].as_array().unwrap().iter().all(|layer| layer["finished"] == false));
    assert_eq!(files(place.path()), Vec::<PathBuf>::new());
}

#[test]
fn a_dry_run_estimates_the_time_by_a_trial_of_a_second_and_leaves_nothing_of_it() {
    let place = Place::new();
    let scratch = Place::new();
    let run = |more: &[&str]| {
        let arguments =
            [&["generate", "squish", "--side", "4", "--pieces", "4v4", "--dry-run"], more].concat();
        let mut command = place.command(&arguments);
        command.env("TMPDIR", scratch.path());
        Ran::of(command)
    };
    let begun = Instant::now();
    let ran = run(&["--json"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    assert!(begun.elapsed() < Duration::from_secs(20), "a trial is short: {:?}", begun.elapsed());
    let plan = ran.json();
    let estimate = &plan["estimate"];
    let number = |name: &str| estimate[name].as_f64().unwrap_or_else(|| panic!("{name}: {estimate}"));
    let layers = plan["layers"].as_array().unwrap();
    let layer =
        layers.iter().find(|layer| layer["layer"] == estimate["trial_layer"]).expect("one of the plan");
    assert!(number("trial_slots") >= layer["slots"].as_f64().unwrap(), "{estimate}");
    assert!(number("trial_slots") >= 1000.0 && number("trial_layers") >= 1.0, "{estimate}");
    let rate = number("trial_slots") / number("trial_seconds");
    assert!((number("slots_per_second") / rate - 1.0).abs() < 1e-6, "{estimate}");
    let whole = plan["slots"].as_f64().unwrap() / rate;
    assert!((number("seconds") / whole - 1.0).abs() < 1e-6, "none is finished: {estimate}");
    let said = run(&[]);
    let last = said.out().lines().last().expect("lines").to_owned();
    assert!(last.starts_with("about ") && last.contains(", an estimate: "), "{last}");
    assert_eq!(files(place.path()), Vec::<PathBuf>::new());
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0, "the trial is taken away");
}

#[test]
fn what_is_finished_takes_no_time_and_what_is_too_large_for_a_trial_has_no_estimate() {
    let place = Place::new();
    let built = place.run(&LAYERS);
    assert_eq!(built.code(), 0, "{}", built.err());
    let plan = place.run(&[&LAYERS[..], &["--dry-run", "--json"]].concat()).json();
    assert_eq!(plan["estimate"]["seconds"], 0.0);
    // No layer fits into this memory.
    let large = ["generate", "squinch", "--from", "start:6x6", "--dry-run", "--memory", "64MiB"];
    let ran = place.run(&[&large[..], &["--json"]].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    assert_eq!(ran.json()["estimate"], serde_json::Value::Null);
    assert!(place.run(&large).out().contains("no time estimate"), "{}", ran.out());
}

#[test]
fn of_many_layers_a_reader_is_told_of_the_largest_and_a_program_of_all() {
    let place = Place::new();
    let plan = ["generate", "swish", "--from", "w1w1w/6/1oo4/8/3ooo3/8/2o4/6/b1b1b", "--dry-run"];
    let said = place.run(&plan);
    assert_eq!(said.code(), 0, "{}", said.err());
    assert!(said.out().lines().count() < 60, "{}", said.out());
    let layers = place.run(&[&plan[..], &["--json"]].concat()).json()["layers"].as_array().unwrap().len();
    assert!(layers > 60, "{layers}");
    let rest = format!("and {} smaller layers with ", layers - 40);
    assert!(said.out().contains(&rest), "{}", said.out());
}

#[test]
fn a_build_says_how_far_it_is_to_another_terminal_and_after_it_was_killed() {
    let place = Place::new();
    let nothing = place.run(&["status", "."]);
    assert_eq!((nothing.code(), nothing.out().as_str()), (3, "nothing is being built in .\n"));
    assert_eq!(place.run(&["status", "nowhere"]).code(), 2);

    let larger = ["generate", "squish", "--side", "4", "--pieces", "4v4", "--threads", "1", "--out", "."];
    let mut build = std::process::Command::new(assert_cmd::cargo::cargo_bin!("marquis"))
        .current_dir(place.path())
        .args(larger)
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the binary starts");
    let begun = Instant::now();
    let status = loop {
        let asked = place.run(&["status", ".", "--json"]);
        let status = asked.json();
        if status["build"].is_object() {
            assert_eq!(asked.code(), 0, "{status}");
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{status}");
        assert!(build.try_wait().expect("a process").is_none(), "finished before it could be asked");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(status["running"], true);
    let of = |name: &str| status["build"][name].clone();
    assert_eq!((of("game"), of("process")), (json!("squish"), json!(build.id())));
    assert!(of("total").as_u64() >= of("done").as_u64() && of("layers").as_u64() > Some(1), "{status}");
    build.kill().expect("a process");
    build.wait().expect("a process");
    let gone = place.run(&["status", "."]);
    assert_eq!(gone.code(), 3);
    assert!(gone.out().contains("has ended; the same command resumes the build"), "{}", gone.out());
    // A finished build leaves only its tables.
    let place = built();
    assert_eq!(place.run(&["status"]).out(), "nothing is being built in tablebases\n");
    assert!(files(place.path()).iter().all(|file| !file.ends_with("building.json")));
}

#[test]
fn a_table_answers_as_the_exhaustive_solver_does() {
    let place = built();
    let probe = place.run(&["probe", "squish", POSITION, "--json"]);
    assert_eq!(probe.code(), 0, "{}", probe.err());
    let mut by_table = probe.json();
    assert_eq!(by_table["proof"], "table");
    let mut by_search = Place::new().run(&["solve", "squish", POSITION, "--json"]).json();
    assert_eq!((&by_search["proof"], &by_search["ended"]), (&json!("search"), &json!("answered")));
    by_search.as_object_mut().unwrap().remove("ended");
    for answer in [&mut by_table, &mut by_search] {
        answer["proof"] = Value::Null;
        for mv in answer["moves"].as_array_mut().unwrap() {
            mv["proof"] = Value::Null;
        }
    }
    assert_eq!(by_table, by_search);
}

#[test]
fn a_second_build_keeps_what_is_finished() {
    let place = built();
    let ran = place.run(&[&LAYERS[..], &["--out", "tablebases", "--resume", "--json"]].concat());
    let report = ran.json();
    assert_eq!((ran.code(), &report["kept"]), (0, &json!(report["tables"].as_array().unwrap().len())));
}

#[test]
fn what_is_built_verifies_and_a_changed_byte_does_not() {
    let place = built();
    let ran = place.run(&["verify", "tablebases", "--json"]);
    assert_eq!((ran.code(), &ran.json()["faults"]), (0, &json!([])), "{}", ran.err());
    assert!(ran.json()["entries"].as_u64() > Some(0));
    let table = a_table(&place);
    let mut bytes = fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&table, bytes).unwrap();
    let ran = place.run(&["verify", "tablebases", "--json"]);
    assert_eq!(ran.code(), 1, "{}", ran.err());
    assert!(ran.json()["faults"].as_array().is_some_and(|faults| !faults.is_empty()));
}

/// A table is verified by its name: errors of other tables are not reported, and its errors are reported once, with
/// its name.
#[test]
fn a_table_is_verified_by_its_name() {
    let place = built();
    let (sound, broken) = ("tablebases/squish-s3/01v01.mqt", "tablebases/squish-s3/02v02.mqt");
    let path = place.path().join(broken);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let ran = place.run(&["verify", sound, "--json"]);
    assert_eq!((ran.code(), &ran.json()["faults"], &ran.json()["files"]), (0, &json!([]), &json!(1)));
    assert!(ran.json()["entries"].as_u64() > Some(0), "{}", ran.out());
    let ran = place.run(&["verify", broken, "--json"]);
    let faults = ran.json()["faults"].as_array().cloned().unwrap_or_default();
    assert_eq!((ran.code(), faults.len()), (1, 1), "{}", ran.out());
    let fault = faults[0].as_str().unwrap();
    assert!(fault.starts_with(broken) && fault.contains("truncated: expected"), "{fault}");
    let ran = place.run(&["verify", "tablebases/squish-s3/09v09.mqt"]);
    assert_eq!(ran.code(), 4, "{}", ran.out());
    assert!(ran.err().contains("expected a table or a folder of tables, found nothing; check the path"));
}

#[test]
fn repacking_keeps_what_the_tables_say() {
    let place = built();
    let before = place.run(&["probe", "squish", POSITION, "--json"]).out();
    let ran = place.run(&["repack", "tablebases", "--json"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    assert_eq!(place.run(&["probe", "squish", POSITION, "--json"]).out(), before);
    assert_eq!(place.run(&["verify", "tablebases"]).code(), 0);
}

#[test]
fn tables_are_found_by_argument_by_environment_and_in_their_usual_folder() {
    let place = built();
    let elsewhere = Place::new();
    let folder = place.path().join("tablebases");
    let folder = folder.to_str().unwrap();
    let probe = ["probe", "squish", POSITION];
    assert_eq!(elsewhere.run(&probe).code(), 3);
    assert_eq!(elsewhere.run(&[&probe[..], &["--tables", folder]].concat()).code(), 0);
    assert!(elsewhere.command(&probe).env("MARQUIS_TABLES", folder).output().unwrap().status.success());
    assert_eq!(place.run(&probe).code(), 0);
}

#[test]
fn tables_other_than_those_of_the_manifest_do_not_pass() {
    let place = built();
    let manifest = place.path().join("tablebases/MANIFEST.tsv");
    let text = fs::read_to_string(&manifest).unwrap();
    let line = text.lines().last().unwrap();
    fs::write(&manifest, text.replace(line, &line.replacen(char::is_numeric, "x", 1))).unwrap();
    let ran = place.run(&["verify", "tablebases"]);
    assert_eq!(ran.code(), 1, "{}", ran.err());
    assert!(ran.out().contains("MANIFEST.tsv"), "{}", ran.out());
}

#[test]
fn claims_from_tables_are_those_of_everything_reachable() {
    let place = Place::new();
    let position = "w1w/4/1ooo1/4/b1b w 0-0 2";
    assert_eq!(place.run(&["generate", "squeeze", "--from", position, "--out", "t"]).code(), 0);
    let claims = ["claims", "squeeze", "--position", position, "--json"];
    let tables = place.run(&[&claims[..], &["--tables", "t"]].concat());
    let reachable = place.run(&claims);
    assert_eq!((tables.code(), reachable.code()), (1, 1), "{}", tables.err());
    let (tables, reachable) = (tables.json(), reachable.json());
    let holds = |report: &serde_json::Value| -> Vec<serde_json::Value> {
        report["claims"].as_array().unwrap().iter().map(|claim| claim["holds"].clone()).collect()
    };
    assert_eq!(holds(&tables), holds(&reachable));
    let facts = |report: &serde_json::Value, names: [&str; 4]| {
        let facts = report["facts"].as_array().expect("facts");
        names.map(|name| {
            let fact = facts.iter().find(|fact| fact[0] == name).expect(name);
            fact[1].as_u64().expect("a number")
        })
    };
    let [positions, wins, draws, losses] = facts(&reachable, ["positions", "wins", "draws", "losses"]);
    assert_eq!(positions, wins + draws + losses);
    let [positions, wins, draws, losses] =
        facts(&tables, ["positions up to symmetry", "wins", "draws", "losses"]);
    assert_eq!(positions, wins + draws + losses);
    let missing = place.run(&["claims", "squish", "--side", "3", "--tables", "t"]);
    assert_eq!(missing.code(), 3, "{}", missing.err());
}

#[test]
fn claims_hold_where_the_tables_are_all_of_the_board_and_nowhere_else() {
    let place = Place::new();
    // Three white pieces and two black ones.
    let position = "b1b/4/w1w1w/4/3 w";
    let no_draw = |tables: &str| {
        let asked = ["claims", "squish", "--position", position, "--tables", tables, "--json"];
        let claims = place.run(&asked).json()["claims"].as_array().expect("claims").clone();
        let claim = claims.iter().find(|claim| claim["claim"] == "no position is a draw").expect("the claim");
        (claim["holds"].clone(), claim["evidence"].as_str().expect("words").to_owned())
    };
    for pieces in ["1v1", "2v2", "3v1", "2v3", "3v2", "3v3"] {
        let built = place.run(&["generate", "squish", "--side", "3", "--pieces", pieces, "--out", pieces]);
        assert_eq!(built.code(), 0, "{}", built.err());
        let (holds, evidence) = no_draw(pieces);
        assert!(evidence.contains(" positions of "), "{pieces}: {evidence}");
        // A layer is built with the one in which the other player is to move.
        if ["2v3", "3v2", "3v3"].contains(&pieces) {
            assert_eq!(holds, true, "{pieces}: {evidence}");
            assert!(evidence.contains("hold all that can be reached from b1b/"), "{pieces}: {evidence}");
        } else {
            assert_eq!(holds, serde_json::Value::Null, "{pieces}: {evidence}");
            assert!(evidence.contains("no table holds "), "{pieces}: {evidence}");
        }
    }
    let ran = place.run(&["claims", "squish", "--side", "3", "--tables", "1v1"]);
    assert_eq!(ran.code(), 3, "{}", ran.out());
    assert!(ran.out().contains("undecided: no position is a draw"), "{}", ran.out());
    // On the official board the larger sets of one colour are not enumerated.
    let built = place.run(&["generate", "flowish", "--side", "4", "--pieces", "2v2", "--out", "flow"]);
    assert_eq!(built.code(), 0, "{}", built.err());
    let ran = place.run(&["claims", "flowish", "--side", "4", "--tables", "flow", "--json"]);
    let claims = ran.json()["claims"].as_array().expect("claims").clone();
    assert!(claims.iter().all(|claim| claim["holds"].is_null()), "{claims:?}");
    assert_eq!(ran.code(), 3, "{}", ran.err());
}
