//! Shared parts of the tests with a server on a socket: the server, in a separate process, and timeouts.
//!
//! The process is the test program itself, started again with [`SERVE`] set. It binds to a free port and reports it,
//! so that no port is chosen, released and bound again.
#![allow(dead_code, reason = "each test program uses its part")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use marquis_api::{Config, serve};
use tempfile::TempDir;

/// Much longer than any wait of a test, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// The settings of the server as JSON; if set, [`served_aside`] runs the server.
const SERVE: &str = "MARQUIS_TEST_SERVE";

/// Not a test: the server of the tests, until its standard input ends.
#[test]
fn served_aside() {
    let Ok(settings) = std::env::var(SERVE) else { return };
    static STOP: AtomicBool = AtomicBool::new(false);
    thread::spawn(|| {
        // Nothing is ever written to it; when it ends, the test is over.
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

/// The disk of the server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disk {
    Whole,
    /// The size of files may be limited later.
    MayBeFull,
}

/// A server that is ready to answer; killed when dropped.
pub(crate) struct Server {
    pub(crate) address: String,
    pub(crate) process: Child,
    input: Option<ChildStdin>,
    /// Its temporary files, which a killed server does not remove.
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

    /// Stops the server and waits for it; returns whether it ended without an error.
    pub(crate) fn stop(mut self) -> bool {
        self.input = None;
        self.process.wait().unwrap().success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGKILL: the server cannot clean up. This is harmless if it has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The word that a process prints after `sign`, if it does; later output is read and discarded.
///
/// It never waits forever: a process that ends closes its standard output.
pub(crate) fn first_after(process: &mut Child, sign: &str) -> Option<String> {
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let found = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once(sign)?;
        Some(rest.split_whitespace().next()?.trim_end_matches('.').to_owned())
    });
    thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    found
}

/// If this is set to a non-empty value, no test may be skipped: `.ci/run` sets it when all tools are installed.
const REQUIRE: &str = "MARQUIS_REQUIRE_TOOLS";

/// Prints that a test is skipped, and why; fails if no test may be skipped.
#[track_caller]
pub(crate) fn skip(why: &str) {
    let is_required = std::env::var_os(REQUIRE).is_some_and(|set| !set.is_empty());
    assert!(!is_required, "{REQUIRE} is set, and {why}");
    println!("skipped: {why}");
}

/// Polls `look` until it returns a value.
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
