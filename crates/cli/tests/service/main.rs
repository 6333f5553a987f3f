//! The service as a process: killed during a job, on a full disk, and on remote tables.

#[cfg(feature = "http")]
mod elsewhere;
#[cfg(feature = "http")]
mod helpers;
#[path = "../cli/running.rs"]
mod running;
#[cfg(feature = "http")]
#[path = "../cli/server.rs"]
#[allow(dead_code, reason = "each test program uses its part")]
mod server;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use running::Running;
use serde_json::Value;

/// Takes some seconds to balance: lost in 12 for White, who moves first ("Check numbers" in `swish/rules.md`).
const QUICK: &str = r#"{"board":"w1w/4/1ooo1/4/b1b","budget_ms":0}"#;
/// No search here balances this.
const ENDLESS: &str =
    r#"{"board":"w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b","budget_ms":0}"#;

/// Much longer than any wait of a test, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

struct Service {
    process: Running,
    /// Empty if it is not known before the service is ready.
    address: String,
}

/// Repeats `look` until it finds something.
#[cfg(feature = "http")]
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

impl Service {
    fn start(state: &Path) -> Self {
        // A write past the file size limit must fail, not end the process.
        let script = "trap '' XFSZ; exec \"$0\" serve --bind 127.0.0.1:0 --no-starter --state \"$1\"";
        let mut command = Command::new("bash");
        command.args(["-c", script, env!("CARGO_BIN_EXE_marquis")]).arg(state);
        Self::begin(command.current_dir(state.parent().unwrap()), "").ready()
    }

    /// The command in a folder, without further arguments.
    #[cfg(feature = "http")]
    fn command(folder: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_marquis"));
        command.arg("serve").current_dir(folder);
        command
    }

    /// Starts it without waiting for it.
    fn begin(command: &mut Command, address: &str) -> Self {
        let process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        Self { address: address.to_owned(), process: Running(process) }
    }

    /// The same once it is ready.
    fn ready(mut self) -> Self {
        let mut line = String::new();
        BufReader::new(self.process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line:?}"));
        self.address = address.to_owned();
        self
    }

    /// The head of the response to a GET, in lower case except for its first line.
    #[cfg(feature = "http")]
    fn head_of(&self, path: &str) -> String {
        let reply = self.reply(&Self::asking(path)).unwrap();
        let (head, _) = reply.split_once("\r\n\r\n").unwrap_or((&reply, ""));
        let (first, rest) = head.split_once("\r\n").unwrap_or((head, ""));
        format!("{first}\r\n{}\r\n", rest.to_lowercase())
    }

    /// The response to a GET, if the service is reachable.
    #[cfg(feature = "http")]
    fn try_get(&self, path: &str) -> Option<(u16, Value)> {
        self.reply(&Self::asking(path)).ok().map(|reply| told(&reply))
    }

    fn asking(path: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    }

    fn reply(&self, request: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(request.as_bytes())?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply)?;
        Ok(reply)
    }

    fn exchange(&self, request: &str) -> (u16, Value) {
        told(&self.reply(request).unwrap())
    }

    fn get(&self, path: &str) -> (u16, Value) {
        self.exchange(&Self::asking(path))
    }

    fn balance(&self, body: &str) -> (u16, Value) {
        self.exchange(&format!(
            "POST /v1/swish/balance HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    }

    /// The state of a job once it is `wanted`, or its state when patience ends.
    fn state_of(&self, id: &str, wanted: &str) -> String {
        let began = Instant::now();
        loop {
            let (_, job) = self.get(&format!("/v1/jobs/{id}"));
            let state = job["state"].as_str().unwrap_or("gone").to_owned();
            if state == wanted || began.elapsed() > PATIENCE {
                return state;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills the service at once, as a power failure does.
    fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Status and document of a reply.
fn told(reply: &str) -> (u16, Value) {
    let status = reply.get(9..12).and_then(|text| text.parse().ok()).unwrap_or(0);
    let body = reply.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

fn id_of(job: &Value) -> &str {
    job["id"].as_str().unwrap_or_else(|| panic!("{job}"))
}

#[test]
fn what_was_acknowledged_survives_a_kill_in_the_middle_of_a_job() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let service = Service::start(&state);
    let (status, job) = service.balance(ENDLESS);
    assert_eq!((status, &job["kept"]), (202, &Value::Bool(true)), "{job}");
    assert_eq!(service.state_of(id_of(&job), "running"), "running");
    service.kill();
    let service = Service::start(&state);
    assert_eq!(service.state_of(id_of(&job), "running"), "running", "the job is not resumed");
    service.kill();
}

#[test]
fn kills_in_the_middle_of_writes_leave_a_state_that_opens() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let mut acknowledged = Vec::new();
    for run in 0..6 {
        let service = Service::start(&state);
        for id in &acknowledged {
            assert_eq!(service.get(&format!("/v1/jobs/{id}")).0, 200, "{id} is lost");
        }
        let (_, job) =
            service.balance(&ENDLESS.replace("w1w1w", ["w3w", "ww3", "w4", "1w1w1", "2w1w", "3ww"][run]));
        if job["kept"] == true {
            acknowledged.push(id_of(&job).to_owned());
        }
        thread::sleep(Duration::from_millis(7 * run as u64));
        service.kill();
    }
    assert_eq!(acknowledged.len(), 6);
}

#[test]
fn a_full_disk_is_told_and_the_job_goes_on_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let service = Service::start(&state);
    // From here on the service cannot write past the first 4 KiB of a file.
    let process = service.process.id().to_string();
    let limited = Command::new("prlimit").args(["--pid", &process, "--fsize=4096"]).status();
    if !limited.is_ok_and(|status| status.success()) {
        service.kill();
        let is_required = std::env::var_os("MARQUIS_REQUIRE_TOOLS").is_some_and(|set| !set.is_empty());
        assert!(!is_required, "MARQUIS_REQUIRE_TOOLS is set, and there is no prlimit here");
        println!("skipped: there is no prlimit here");
        return;
    }
    let (status, job) = service.balance(QUICK);
    assert_eq!((status, &job["kept"]), (202, &Value::Bool(false)), "{job}");
    assert_eq!(service.state_of(id_of(&job), "done"), "done");
    service.kill();
}
