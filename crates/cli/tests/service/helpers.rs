//! Helpers of a study over HTTP: two of eight lie and two die, and the study proves the same.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

use crate::{PATIENCE, Service, until};

/// A win that takes some thousand jobs: seconds, in which every helper has one.
const STUDY: [&str; 5] = ["study", "squinch", "start:5x3", "--job-nodes", "1000"];
/// A study that lasts for the whole test.
const LONG: [&str; 5] = ["study", "flowish", "start:5", "--job-nodes", "4000"];
/// Arguments of every study.
const SMALL: [&str; 5] = ["--threads", "1", "--memory", "64MiB", "--json"];

/// A folder with one study, and a service that shows it.
struct Shown {
    folder: TempDir,
    service: Service,
}

impl Shown {
    fn start(helpers: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("studies")).unwrap();
        // The clients of the liars differ from that of the honest helpers.
        let settings = format!("studies = \"studies\"\nhelpers = {helpers}\nbehind_proxy = true\n");
        fs::write(folder.path().join("settings.toml"), settings).unwrap();
        let mut command = Service::command(folder.path());
        command.args(["--bind", "127.0.0.1:0", "--no-starter", "--config", "settings.toml"]);
        Self { service: Service::begin(&mut command, "").ready(), folder }
    }

    /// A command in the folder.
    fn marquis(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_marquis"));
        command.current_dir(self.folder.path()).env_remove("MARQUIS_TABLES").args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts the process that keeps the study, and waits until the service shows it.
    fn keep(&self, study: &[&str], more: &[&str]) -> Child {
        let keeper =
            self.marquis(&[study, &SMALL, &["--state", "studies/f4"], more].concat()).spawn().unwrap();
        until("the study takes helpers", || {
            let (_, study) = self.service.try_get("/v1/studies/f4")?;
            (study["helpers"] == "wanted").then_some(())
        });
        keeper
    }

    fn help(&self) -> Child {
        let study = format!("http://{}/studies/?study=f4", self.service.address);
        let arguments = ["work", &study, "--threads", "1", "--memory", "64MiB", "--json"];
        self.marquis(&arguments).spawn().unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("studies/f4/workers").join(name)
    }
}

/// The document that a process printed, with its exit code.
fn told(child: Child) -> (Option<i32>, Value) {
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let document = serde_json::from_slice(&stdout);
    (status.code(), document.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&stderr))))
}

fn number(report: &Value, name: &str) -> u64 {
    report[name].as_u64().unwrap_or_else(|| panic!("{name} in {report}"))
}

/// A helper that sends other results than those of a search.
struct Liar<'s> {
    shown: &'s Shown,
    client: &'static str,
    id: String,
}

impl<'s> Liar<'s> {
    fn join(shown: &'s Shown, client: &'static str) -> Self {
        let keeper: Value = serde_json::from_slice(&fs::read(shown.file("keeper.json")).unwrap()).unwrap();
        let mut liar = Self { shown, client, id: String::new() };
        let (status, joined) = liar.call("POST", "", keeper["about"].to_string().as_bytes());
        assert_eq!(status, 201, "{joined}");
        liar.id = joined["helper"].as_str().unwrap().to_owned();
        liar
    }

    fn call(&self, method: &str, query: &str, body: &[u8]) -> (u16, Value) {
        let Self { shown, client, id } = self;
        let place = if id.is_empty() { String::new() } else { format!("/{id}{query}") };
        let head = format!(
            "{method} /v1/studies/f4/helpers{place} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: \
             {client}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let mut stream = TcpStream::connect(&shown.service.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// The next job.
    fn job(&self) -> Value {
        until("a job for the liar", || {
            let (status, turn) = self.call("GET", "?wait_ms=1000", b"");
            assert_eq!(status, 200, "{turn}");
            assert_ne!(turn["state"], "answered", "the study ended before the liar had a job");
            (turn["state"] == "job").then(|| turn["job"].clone())
        })
    }

    /// Claims that both players win from the position of the job.
    fn claim_both(&self) {
        let job = self.job();
        let strategies = [0, 0, 1, 0];
        let head = serde_json::json!({
            "run": job["run"], "number": job["number"], "nodes": 1, "numbers": [0, 0, 0, 0], "strategies": [2, 2],
            "sum": crc32fast::hash(&strategies),
        });
        let body = [head.to_string().as_bytes(), b"\n", &strategies].concat();
        let (status, told) = self.call("POST", "", &body);
        assert_eq!(status, 204, "{told}");
    }

    fn send_garbage(&self) {
        self.job();
        assert_eq!(self.call("POST", "", b"garbage").0, 400);
    }

    fn is_refused(&self) -> bool {
        self.call("GET", "", b"").0 == 403
    }
}

#[test]
fn a_client_whose_result_does_not_hold_is_refused() {
    let shown = Shown::start(2);
    let mut keeper = shown.keep(&LONG, &["--lease", "100"]);
    let [claiming, garbling] = ["10.0.0.1", "10.0.0.2"].map(|client| Liar::join(&shown, client));
    claiming.claim_both();
    garbling.send_garbage();
    assert!(garbling.is_refused());
    until("the claim to be judged", || claiming.is_refused().then_some(()));
    assert_eq!(claiming.call("POST", "", b"more").0, 403);
    keeper.kill().unwrap();
    keeper.wait().unwrap();
}

#[test]
fn of_eight_helpers_two_lie_and_two_die_and_the_proof_is_the_same() {
    let shown = Shown::start(16);
    let keeper = shown.keep(&STUDY, &["--lease", "5", "--proof", "p"]);
    let helpers: Vec<Child> = (0..6).map(|_| shown.help()).collect();
    thread::scope(|scope| {
        scope.spawn(|| Liar::join(&shown, "10.0.0.1").claim_both());
        scope.spawn(|| Liar::join(&shown, "10.0.0.2").send_garbage());
    });
    let mut helpers = helpers.into_iter();
    for mut dying in helpers.by_ref().take(2) {
        dying.kill().unwrap();
        dying.wait().unwrap();
    }
    let (code, report) = told(keeper);
    assert_eq!((code, &report["value"], &report["ended"]), (Some(0), &"win".into(), &"answered".into()));
    let honest: Vec<Value> = helpers
        .map(told)
        .map(|(code, work)| {
            assert_eq!((code, &work["ended"]), (Some(0), &"answered".into()), "{work}");
            work
        })
        .collect();
    let (jobs, nodes) = (sum(&honest, "jobs"), sum(&honest, "nodes"));
    assert!(jobs > 0 && jobs < number(&report, "jobs"), "{honest:?} {report}");
    let checked = shown.marquis(&["check-proof", "p"]).output().unwrap();
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stderr));
    println!("helpers did {jobs} of {} jobs, with {nodes} of {} nodes", report["jobs"], report["nodes"]);
}

fn sum(reports: &[Value], name: &str) -> u64 {
    reports.iter().map(|report| number(report, name)).sum()
}

#[test]
fn ctrl_c_gives_the_job_back() {
    let shown = Shown::start(1);
    let mut keeper = shown.keep(&LONG, &["--lease", "100"]);
    let helper = shown.help();
    let worker = until("a job for the helper", || file_ending(&shown, ".job.json"));
    let told_off = Command::new("kill").args(["-INT", &helper.id().to_string()]).status();
    assert!(told_off.unwrap().success());
    let (code, work) = told(helper);
    assert_eq!((code, &work["ended"]), (Some(130), &"stopped".into()), "{work}");
    // Long before its lease ends, another helper has its place.
    until("the worker to be gone", || {
        (!shown.file(&worker.replace(".job.", ".worker.")).exists()).then_some(())
    });
    let mut next = shown.help();
    until("a job for the next helper", || file_ending(&shown, ".job.json"));
    for child in [&mut next, &mut keeper] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// The name of a file of the workers.
fn file_ending(shown: &Shown, ending: &str) -> Option<String> {
    let names =
        fs::read_dir(shown.file("")).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.ends_with(ending)).last()
}

#[test]
fn an_address_without_work_is_an_error_that_says_why() {
    let shown = Shown::start(2);
    let refused = |address: &str, code: i32, words: &str| {
        let ran = shown.marquis(&["work", address, "--threads", "1"]).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(code), "{address}: {said}");
        assert!(said.contains(words), "{address}: {said}");
    };
    let service = format!("http://{}", shown.service.address);
    refused("studies", 2, "expected an address that begins with http://");
    refused("s3://bucket/studies", 2, "s3");
    refused("http://127.0.0.1:1", 4, "expected a response of the service");
    refused(&format!("{service}/v1/games/x/y"), 4, "expected the studies of a service, found the status 404");
    refused(&service, 4, "expected a study that takes helpers, found none at all");
    refused(
        &format!("{service}/studies/?study=f4"),
        2,
        "expected a study that the service shows, found none",
    );
    let limited = ["--state", "studies/f4", "--nodes", "100"];
    let ran = shown.marquis(&[&LONG[..], &SMALL, &limited].concat()).output().unwrap();
    assert_eq!(ran.status.code(), Some(3));
    refused(&service, 4, "found 1 without a process that works on them");
}
