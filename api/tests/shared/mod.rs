//! What the tests with a server on a socket share: the server, in a process of its own, and patience.
//!
//! The process is the test program itself, started again with [`SERVE`] set. It takes a port that is free and says which,
//! so that no port is chosen, let go of and taken again.
#![allow(dead_code, reason = "each test program uses its part")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use marquis_api::{Config, serve};
use tempfile::TempDir;

/// Much longer than anything that a test waits for takes, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// The settings of the server as JSON: makes [`served_aside`] serve.
const SERVE: &str = "MARQUIS_TEST_SERVE";

/// No test: the server of the tests, until its standard input ends.
#[test]
fn served_aside() {
    let Ok(settings) = std::env::var(SERVE) else { return };
    static STOP: AtomicBool = AtomicBool::new(false);
    thread::spawn(|| {
        // Nothing is ever written to it; however it ends, the test is over.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        STOP.store(true, Ordering::Relaxed);
    });
    serve(marquis_registry::official(), serde_json::from_str(&settings).unwrap(), Vec::new(), &STOP, |_| {})
        .unwrap();
}

/// Settings of a server without tables on a free port.
pub(crate) fn settings() -> Config {
    Config { bind: "127.0.0.1:0".to_owned(), tables: Vec::new(), build_starter: false, ..Config::default() }
}

/// The disk as the server sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disk {
    Whole,
    /// Files may be limited later.
    MayBeFull,
}

/// A server that is ready to answer; killed when dropped, without a word.
pub(crate) struct Server {
    pub(crate) address: String,
    pub(crate) process: Child,
    input: Option<ChildStdin>,
    /// Its files for the moment, which it does not take away when it is killed.
    _passing: TempDir,
}

impl Server {
    pub(crate) fn start(change: impl FnOnce(&mut Config)) -> Self {
        Self::on(Disk::Whole, change)
    }

    pub(crate) fn on(disk: Disk, change: impl FnOnce(&mut Config)) -> Self {
        let mut settings = settings();
        change(&mut settings);
        // With the signal ignored a write past the limit fails, as on a full disk.
        let ignore = if disk == Disk::MayBeFull { "trap '' XFSZ; " } else { "" };
        let passing = tempfile::tempdir().unwrap();
        let mut process = Command::new("sh")
            .args(["-c", &format!("{ignore}exec \"$0\" --exact shared::served_aside --nocapture")])
            .arg(std::env::current_exe().unwrap())
            .env("TMPDIR", passing.path())
            .env(SERVE, serde_json::to_string(&settings).unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let address =
            first_after(&mut process, "listening on http://").expect("a service says where it listens");
        Self { address, process, input, _passing: passing }
    }

    /// Tells the server to stop, and waits until it has; whether it ended well.
    pub(crate) fn stop(mut self) -> bool {
        self.input = None;
        self.process.wait().unwrap().success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGKILL: nothing can be tidied up. One that has ended needs none.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The word that a process prints behind `sign`, if it does; what it prints later is read and forgotten.
///
/// It cannot wait in vain: a process that ends closes its standard output.
pub(crate) fn first_after(process: &mut Child, sign: &str) -> Option<String> {
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let found = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once(sign)?;
        Some(rest.split_whitespace().next()?.trim_end_matches('.').to_owned())
    });
    thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    found
}

/// Where it is set to anything, no test is skipped: `.ci/run` does so where it has all that they need.
const REQUIRE: &str = "MARQUIS_REQUIRE_TOOLS";

/// Says that a test is skipped, and why; fails where none may be.
#[track_caller]
pub(crate) fn skip(why: &str) {
    let is_required = std::env::var_os(REQUIRE).is_some_and(|set| !set.is_empty());
    assert!(!is_required, "{REQUIRE} is set, and {why}");
    println!("skipped: {why}");
}

/// What `look` finds, as soon as it finds something.
pub(crate) fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
