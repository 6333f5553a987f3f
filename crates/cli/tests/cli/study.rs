//! Studies: killed and resumed, of one question only, and with a proof at the end.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;

use crate::common::{Place, Ran};

/// A loss for White, in 12 plies.
const LOST: &str = "w1w/4/1ooo1/4/b1b w 0-0 2";
const STUDY: [&str; 6] = ["study", "swish", LOST, "--state", "s", "--json"];

fn study(place: &Place, more: &[&str]) -> Ran {
    place.run(&[&STUDY, more].concat())
}

fn number(report: &Value, name: &str) -> u64 {
    report[name].as_u64().unwrap_or_else(|| panic!("{name} in {report}"))
}

#[test]
fn a_study_of_small_jobs_proves_what_solve_says_and_its_proof_holds() {
    let place = Place::new();
    let more = ["--job-nodes", "100", "--threads", "2", "--memory", "64MiB", "--proof", "p"];
    let ran = study(&place, &more);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let report = ran.json();
    assert_eq!((&report["value"], &report["ended"]), (&"loss".into(), &"answered".into()));
    assert!(number(&report, "jobs") > 20 && number(&report, "positions") > 50, "{report}");
    assert_eq!(report["proof_file"]["complete"], true, "{report}");
    let checked = place.run(&["check-proof", "p"]);
    assert_eq!(checked.code(), 0, "{}", checked.err());
    assert!(checked.out().contains(&format!("White, to move in {LOST}, loses")), "{}", checked.out());
    // An answered study stays answered.
    let again = study(&place, &["--seconds", "0"]).json();
    assert_eq!((&again["value"], number(&again, "jobs")), (&"loss".into(), number(&report, "jobs")));
    let status = study(&place, &["--status"]).json();
    assert_eq!((&status["value"], number(&status, "jobs")), (&"loss".into(), number(&report, "jobs")));
    // `status` reads only the folder.
    let asked = place.run(&["status", "s", "--json"]);
    assert_eq!((asked.code(), &asked.json()["running"]), (3, &false.into()));
    assert_eq!(asked.json()["studies"], serde_json::json!([status]));
    let said = place.run(&["status", "s"]).out();
    assert!(said.contains("loss is proved") && said.contains("its last run is over; written"), "{said}");
}

#[test]
fn a_tree_that_outgrows_its_memory_ends_the_study_which_goes_on_with_more() {
    let place = Place::new();
    let jobs = ["--job-nodes", "100", "--threads", "1"];
    let ran = study(&place, &[&jobs[..], &["--memory", "32KiB"]].concat());
    assert_eq!(ran.code(), 3, "{}", ran.err());
    let report = ran.json();
    assert_eq!((&report["value"], &report["ended"]), (&"unknown".into(), &"memory".into()));
    assert!(number(&report, "tree_bytes") > 8 << 10, "{report}");
    assert_eq!(number(&report, "try_memory"), 64 << 10);
    assert!(ran.err().contains("what would help: --memory"), "{}", ran.err());
    let more = study(&place, &[&jobs[..], &["--memory", "64MiB"]].concat()).json();
    assert_eq!((&more["value"], &more["ended"]), (&"loss".into(), &"answered".into()));
    assert!(number(&more, "jobs") > number(&report, "jobs"), "{report} {more}");
    assert_eq!(more.get("try_memory"), None);
}

/// A win for White that takes some hundred jobs.
const LONG: [&str; 10] =
    ["study", "flowish", "start:4", "--state", "s", "--json", "--job-nodes", "2000", "--memory", "64MiB"];

/// Runs the long study in a separate process.
fn at_work(place: &Place, threads: &str) -> Child {
    begun(place, &[&LONG[..], &["--threads", threads]].concat())
}

fn begun(place: &Place, command: &[&str]) -> Child {
    begun_telling(place, command, Stdio::null())
}

fn begun_telling(place: &Place, command: &[&str], told: Stdio) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("marquis"))
        .args(command)
        .current_dir(place.path())
        .stdout(told)
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

/// Resumes the long study to its end, which is the same each time.
fn finish(place: &Place, kept: u64) {
    let ran = place.run(&[&LONG[..], &["--proof", "p"]].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let report = ran.json();
    assert_eq!((&report["value"], &report["ended"]), (&"win".into(), &"answered".into()));
    assert!(number(&report, "jobs") >= kept, "{report}");
    let checked = place.run(&["check-proof", "p"]);
    assert_eq!(checked.code(), 0, "{}", checked.err());
}

#[test]
fn a_study_that_is_killed_twenty_times_comes_to_the_same_verdict() {
    let mut random = SmallRng::seed_from_u64(1);
    let (mut place, mut kills, mut kept, mut most) = (Place::new(), 0, 0, 0);
    while kills < 20 {
        let threads = 1 + kills % 3;
        let _ = std::fs::remove_file(place.path().join(STATUS));
        let mut child = at_work(&place, &threads.to_string());
        // Every third time it may be killed while it loads its state.
        if kills % 3 > 0 {
            wait_for_status(&place);
        }
        std::thread::sleep(Duration::from_millis(random.random_range(0..500)));
        let seen = place.run(&[&LONG[..], &["--status"]].concat());
        if child.try_wait().expect("a status").is_some() {
            finish(&place, kept);
            (place, kept) = (Place::new(), 0);
            continue;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("a status");
        kills += 1;
        let report = place.run(&[&LONG[..], &["--seconds", "0"]].concat()).json();
        let (jobs, told) =
            (number(&report, "jobs"), if seen.code() == 0 { number(&seen.json(), "jobs") } else { 0 });
        // Reported jobs are on the disk, and jobs on the disk stay there; only running ones are lost.
        assert!(jobs >= told.max(kept), "after {kills} kills: {report}, and before: {}", seen.out());
        (kept, most) = (jobs, most.max(jobs));
    }
    assert!(most > 20, "only {most} jobs were done before it was killed");
    finish(&place, kept);
}

const STATUS: &str = "s/status.json";

/// Waits until the running study has written its status.
fn wait_for_status(place: &Place) {
    let since = Instant::now();
    while !place.path().join(STATUS).exists() && since.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_ends_a_study_soon_and_it_goes_on() {
    let place = Place::new();
    let child = at_work(&place, "2");
    wait_for_status(&place);
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(told.expect("a signal").success());
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130));
    let report = place.run(&[&LONG[..], &["--seconds", "0"]].concat());
    assert_eq!((report.code(), &report.json()["ended"]), (3, &"time".into()));
    assert!(number(&report.json(), "jobs") > 0, "{}", report.out());
}

#[test]
fn the_folder_of_another_question_is_refused() {
    let place = Place::new();
    assert_eq!(study(&place, &["--nodes", "1", "--job-nodes", "100"]).code(), 3);
    let other = "w1w/4/1ooo1/4/b1b b 0-0 2";
    let same = ["--state", "s", "--seconds", "0"];
    for (asked, found) in [
        (vec!["study", "swish", other], LOST),
        (vec!["study", "squeeze", LOST], "swish"),
        (vec!["study", "swish", LOST, "--immobile", "pass"], "one with"),
    ] {
        let ran = place.run(&[&asked[..], &same].concat());
        assert_eq!(ran.code(), 4, "{asked:?}: {}", ran.err());
        for words in ["s/study.redb: expected a study with", found, "choose another folder"] {
            assert!(ran.err().contains(words), "{asked:?}: {}", ran.err());
        }
    }
    assert_eq!(study(&place, &["--seconds", "0"]).code(), 3, "it is still there");
}

#[test]
fn a_damaged_study_is_refused_and_left_as_it_is() {
    let place = Place::new();
    let limits = ["--nodes", "2000", "--job-nodes", "100", "--threads", "1"];
    assert_eq!(study(&place, &limits).code(), 3);
    let file = place.path().join("s/study.redb");
    let sound = std::fs::read(&file).expect("the file");
    let refused = |bytes: &[u8], how: &str| {
        std::fs::write(&file, bytes).expect("it can be written");
        let ran = study(&place, &["--seconds", "0"]);
        assert_eq!(ran.code(), 4, "{how}: {} {}", ran.out(), ran.err());
        assert!(ran.err().contains("s/study.redb: "), "{how}: {}", ran.err());
    };
    refused(&sound[..sound.len() / 2], "cut short");
    refused(b"", "empty");
    refused(b"something else altogether", "no database");
    let mut random = SmallRng::seed_from_u64(2);
    for _ in 0..30 {
        let mut bytes = sound.clone();
        let at = random.random_range(0..bytes.len());
        let run = at..(at + 64).min(bytes.len());
        if bytes[run.clone()].iter().all(|&byte| byte == 0) {
            continue;
        }
        bytes[run].fill(0xA5);
        std::fs::write(&file, &bytes).expect("it can be written");
        let ran = study(&place, &["--seconds", "0"]);
        let (same, code) = (ran.code() == 3 && number(&ran.json(), "nodes") >= 2_000, ran.code());
        assert!(same || code == 4, "byte {at}: {code} {} {}", ran.out(), ran.err());
    }
    std::fs::write(&file, &sound).expect("it can be written");
    assert_eq!(study(&place, &["--seconds", "0"]).code(), 3);
}

#[test]
fn a_game_with_throws_and_a_list_of_positions_are_refused() {
    let place = Place::new();
    for (arguments, words) in
        [(["study", "senet", "start"], "game of chance"), (["study", "squish", "-"], "expected one position")]
    {
        let ran = place.run(&[&arguments[..], &["--state", "s"]].concat());
        assert_eq!(ran.code(), 2, "{}", ran.err());
        assert!(ran.err().contains(words), "{}", ran.err());
    }
    assert!(!Path::new(&place.path().join("s")).exists());
}

#[test]
fn where_another_study_stands_is_not_told() {
    let place = Place::new();
    assert_eq!(study(&place, &[]).code(), 0);
    assert_eq!(study(&place, &["--status"]).code(), 0);
    let refused = |what: &[&str], words: &str| {
        let ran = place.run(what);
        assert_eq!(ran.code(), 4, "{what:?}: {}", ran.out());
        assert!(ran.err().contains(words), "{what:?}: {}", ran.err());
    };
    let found = "found swish w1w/4/1ooo1/4/b1b w 0-0 2 with immobile loss";
    let of = |what: &[&'static str]| [what, &["--state", "s", "--status"]].concat();
    refused(&of(&["study", "squish", "start:3"]), found);
    refused(&of(&["study", "swish", "w1w/4/1ooo1/4/b1b b 0-0 2"]), found);
    refused(&of(&["study", "squeeze", LOST]), found);
    refused(&of(&["study", "swish", LOST, "--immobile", "pass"]), found);
    // The status of an earlier version does not have the rule for a player who cannot move.
    let file = place.path().join(STATUS);
    let text = std::fs::read_to_string(&file).expect("a status");
    std::fs::write(&file, text.replace("\"immobile\": \"loss\",", "")).expect("a status");
    assert_eq!(place.run(&of(&["study", "swish", LOST, "--immobile", "pass"])).code(), 0);
}

/// A set-up of which both first positions are lost, by proofs of some thousand positions.
const BOARD: [&str; 7] = ["study", "swish", "w1w/4/1ooo1/4/b1b", "--target", "2", "--state", "s"];

#[test]
fn a_set_up_is_studied_through_a_kill_to_the_verdict_of_the_balance() {
    let place = Place::new();
    let small = ["--json", "--job-nodes", "100", "--threads", "2", "--memory", "64MiB"];
    let command = [&BOARD[..], &small].concat();
    let mut child = begun(&place, &command);
    let since = Instant::now();
    while !place.path().join("s/w/status.json").exists() {
        assert!(since.elapsed() < Duration::from_secs(60), "nothing is kept");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    let ran = place.run(&[&command[..], &["--proof", "p", "--both"]].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let report = ran.json();
    let balance =
        place.run(&["balance", "swish", "w1w/4/1ooo1/4/b1b", "--target", "2", "--both", "--json"]).json();
    for field in ["balanced", "board", "pie", "bait", "target", "ended"] {
        assert_eq!(report[field], balance[field], "{field}: {report} {balance}");
    }
    for field in ["choice", "value", "bounds"] {
        assert_eq!(report["player_two"][field], balance["player_two"][field], "{field}");
    }
    for colour in ["w", "b"] {
        let (study, mover) = (&report["first_mover"][colour], &balance["first_mover"][colour]);
        assert_eq!((&study["value"], &study["position"]), (&mover["value"], &mover["position"]));
    }
    assert_eq!(report["proof_file"]["complete"], true, "{report}");
    let checked = place.run(&["check-proof", "p"]);
    assert_eq!(checked.code(), 0, "{}", checked.err());
    assert!(checked.out().contains("Not balanced: Player Two"), "{}", checked.out());
    let status = place.run(&[&BOARD[..], &["--status", "--json"]].concat()).json();
    assert_eq!(status["player_two"], report["player_two"]);
    for other in [["w1w/4/1ooo1/4/b1b", "--target", "1"], ["w1w/4/1oo2/4/b1b", "--target", "2"]] {
        let ran = place.run(&[&["study", "swish"], &other[..], &["--state", "s", "--status"]].concat());
        assert_eq!(ran.code(), 4, "{other:?}: {}", ran.out());
        assert!(ran.err().contains("expected a study of swish"), "{other:?}: {}", ran.err());
    }
    // The one colour that decides is enough, and another target is another question.
    let again = place.run(&[&BOARD[..], &["--pie", "marquisian", "--nodes", "0"]].concat());
    assert!(again.code() == 0 && again.out().contains("Not balanced"), "{}", again.out());
    let other = place.run(&[&BOARD[..3], &["--state", "s", "--target", "1"]].concat());
    assert_eq!(other.code(), 4, "{}", other.err());
}

#[test]
fn what_is_said_of_boards_is_refused_of_positions_and_the_other_way_round() {
    let place = Place::new();
    let ran = study(&place, &["--pie", "bait"]);
    assert!(ran.code() == 2 && ran.err().contains("--pie: expected with a board"), "{}", ran.err());
    let ran = place.run(&[&BOARD[..], &["--play", "a1-a2"]].concat());
    assert!(ran.code() == 2 && ran.err().contains("found a board"), "{}", ran.err());
}

/// A study of some seconds, with small jobs, so that many are handed out.
const SHARED: [&str; 12] = [
    "study",
    "flowish",
    "start:4",
    "--state",
    "s",
    "--json",
    "--job-nodes",
    "2000",
    "--memory",
    "64MiB",
    "--threads",
    "1",
];
/// A worker for it.
const WORKER: [&str; 11] = [
    "study",
    "flowish",
    "start:4",
    "--state",
    "s",
    "--json",
    "--memory",
    "64MiB",
    "--threads",
    "1",
    "--work",
];

/// Starts a worker for the study, with its output captured.
fn worker(place: &Place) -> Child {
    begun_telling(place, &WORKER, Stdio::piped())
}

/// The output of a worker, once it has ended.
fn told(worker: Child) -> Value {
    let ended = worker.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stdout));
    serde_json::from_slice(&ended.stdout).expect("JSON")
}

/// The study's answer, with a valid proof.
fn shared_answer(place: &Place, more: &[&str]) -> Value {
    let ran = place.run(&[&SHARED[..], &["--proof", "p"], more].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let checked = place.run(&["check-proof", "p"]);
    assert_eq!(checked.code(), 0, "{}", checked.err());
    ran.json()
}

/// Waits for a condition on a file of the study's workers.
fn wait_for<T>(what: &str, find: impl Fn() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(since.elapsed() < Duration::from_secs(60), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn other_processes_do_jobs_for_a_study_and_end_with_it() {
    let place = Place::new();
    let workers = [worker(&place), worker(&place)];
    let report = shared_answer(&place, &[]);
    assert_eq!((&report["value"], &report["ended"]), (&"win".into(), &"answered".into()));
    let told = workers.map(told);
    let done: u64 = told.iter().map(|told| number(told, "jobs")).sum();
    assert!(done > 0 && done <= number(&report, "jobs"), "{told:?} {report}");
    assert!(told.iter().all(|told| told["ended"] == "answered"), "{told:?}");
    // A worker that starts after the end has nothing to do.
    assert_eq!(number(&self::told(worker(&place)), "jobs"), 0);
}

#[test]
fn a_worker_that_is_killed_costs_its_job_and_one_that_lies_is_not_believed() {
    let place = Place::new();
    let desk = place.path().join("s/workers");
    let mut killed = worker(&place);
    let mut keeper = begun(&place, &[&SHARED[..], &["--lease", "1"]].concat());
    let read =
        |name: &str| -> Option<Value> { serde_json::from_slice(&std::fs::read(desk.join(name)).ok()?).ok() };
    let run = wait_for("the keeper", || read("keeper.json"))["run"].clone();
    // A lying worker claims that both players win from every position of its jobs.
    let lies = |name: &str, text: &str| std::fs::write(desk.join(name), text).expect("it can be written");
    lies("liar.worker.json", &format!(r#"{{"run":{run},"beat":1,"is_leaving":false}}"#));
    let order = wait_for("a job for the liar", || read("liar.job.json"));
    let sum = crc32fast::hash(&[0, 0, 1, 0]);
    let number = &order["number"];
    let head = format!(
        r#"{{"run":{run},"number":{number},"nodes":1,"numbers":[0,0,0,0],"strategies":[2,2],"sum":{sum}}}"#
    );
    std::fs::write(desk.join("liar.done"), [head.as_bytes(), b"\n", &[0, 0, 1, 0]].concat())
        .expect("it can be");
    wait_for("the liar to be sent away", || {
        let next = read("liar.job.json").filter(|next| next["number"] != *number);
        assert_eq!(next, None, "the liar was believed, and asked again");
        (!desk.join("liar.worker.json").exists()).then_some(())
    });
    killed.kill().expect("it can be killed");
    killed.wait().expect("a status");
    let ended = keeper.wait().expect("it ends");
    assert_eq!(ended.code(), Some(0));
    let report = shared_answer(&place, &[]);
    assert_eq!((&report["value"], &report["ended"]), (&"win".into(), &"answered".into()));
}

#[test]
fn work_for_another_study_is_refused() {
    let place = Place::new();
    assert_eq!(study(&place, &["--job-nodes", "100", "--threads", "2"]).json()["value"], "loss");
    let ran = place.run(&["study", "flowish", "start:3", "--state", "s", "--work"]);
    assert_eq!(ran.code(), 4, "{}", ran.err());
    for words in ["expected a study of flowish", "name the folder of that study"] {
        assert!(ran.err().contains(words), "{}", ran.err());
    }
    for wrong in [["--proof", "p"], ["--job-nodes", "5"]] {
        let ran = place.run(&[&WORKER[..], &wrong].concat());
        assert_eq!(ran.code(), 2, "{wrong:?}: {}", ran.err());
    }
    let soon =
        place.run(&["study", "flowish", "start:4", "--state", "t", "--work", "--seconds", "1", "--json"]);
    assert_eq!((soon.code(), &soon.json()["ended"]), (3, &"time".into()), "{}", soon.err());
}
