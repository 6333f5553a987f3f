//! The examples of the README and of the guide, run as they stand.

#[path = "cli/running.rs"]
mod running;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use running::Running;

const MARQUIS: &str = env!("CARGO_BIN_EXE_marquis");

/// The README and all pages of the guide, by name.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md")];
    let mut folders = vec![root.join("guide/src")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).expect("the guide can be listed");
        let (inner, pages): (Vec<PathBuf>, Vec<PathBuf>) =
            entries.map(|entry| entry.expect("an entry").path()).partition(|path| path.is_dir());
        folders.extend(inner);
        files.extend(pages.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "md")));
    }
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.strip_prefix(&root).unwrap_or(&path).display().to_string(), text)
    };
    files.into_iter().map(read).collect()
}

/// The code blocks of a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    page.split(opening.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Runs the commands of a page one after the other in an empty folder; returns their number.
fn run(name: &str, page: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let mut commands = 0;
    for block in blocks(page, "console") {
        for example in block.split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').expect("a command and its output");
            let arguments = command.strip_prefix("marquis ").expect("a marquis command").split(' ');
            let output = Command::new(MARQUIS).args(arguments).current_dir(folder.path()).output();
            let output = output.expect("the program runs");
            let text = String::from_utf8(output.stdout).expect("text");
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: {command}: {error}");
            for line in expected.lines() {
                assert!(text.contains(line), "{name}: {command} does not print `{line}` but:\n{text}");
            }
            commands += 1;
        }
    }
    commands
}

#[test]
fn every_command_of_the_pages_prints_what_the_page_says() {
    let commands: usize = pages().iter().map(|(name, page)| run(name, page)).sum();
    assert!(commands >= 20, "only {commands} commands are left in the pages");
}

/// A service on a free port.
struct Service {
    _child: Running,
    address: String,
}

impl Service {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(MARQUIS)
            .args(["serve", "--bind", "127.0.0.1:0", "--no-starter"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the service starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its standard output");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().rsplit("http://").next().expect("an address").to_owned();
        Self { _child: Running(child), address }
    }

    /// Sends a request as curl would; returns the status line and the body.
    fn send(&self, curl: &str) -> (String, String) {
        let quoted: Vec<&str> = curl.split('\'').collect();
        let body = quoted.iter().find(|part| part.starts_with('{')).copied().unwrap_or("");
        let at = curl.find("http://127.0.0.1:8017").expect("the address of the page");
        let path = curl[at + "http://127.0.0.1:8017".len()..].split(['\'', ' ']).next().unwrap_or("/");
        let method = if curl.contains("-X POST") { "POST" } else { "GET" };
        let mut stream = TcpStream::connect(&self.address).expect("the service listens");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .expect("the request is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
        (head.lines().next().unwrap_or("").to_owned(), body.to_owned())
    }
}

#[test]
fn every_request_of_the_pages_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path());
    let pages = pages();
    let requests = pages.iter().flat_map(|(name, page)| {
        let lines = blocks(page, "sh").into_iter().flat_map(str::lines);
        lines.filter(|line| line.starts_with("curl ")).map(move |line| (name, line))
    });
    let mut sent = 0;
    for (name, request) in requests {
        let (status, body) = service.send(request);
        assert!(status.contains(" 200 ") || status.contains(" 202 "), "{name}: {request}: {status}\n{body}");
        assert!(body.contains('{'), "{name}: {request}: {body}");
        sent += 1;
    }
    assert!(sent >= 8, "only {sent} requests are left in the pages");
    let (_, body) = service.send("curl 'http://127.0.0.1:8017/v1/squish?position=b1w/1wb1/wb1wb/1wb1/b1w_w'");
    assert!(body.contains("\"value\":\"win\",\"plies\":5"), "{body}");
}

#[test]
fn every_python_program_of_the_pages_ends_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path());
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../api/clients/python");
    let has_httpx = Command::new("python3").args(["-c", "import httpx"]).output();
    if !has_httpx.is_ok_and(|ran| ran.status.success()) {
        assert!(std::env::var_os("MARQUIS_REQUIRE_TOOLS").is_none(), "python3 with httpx is missing");
        println!("skipped: python3 with httpx is not installed");
        return;
    }
    let pages = pages();
    let programs =
        pages.iter().flat_map(|(name, page)| blocks(page, "python").into_iter().map(move |own| (name, own)));
    let mut run = 0;
    for (name, program) in programs {
        let program = program.replace("http://127.0.0.1:8017", &format!("http://{}", service.address));
        let ran = Command::new("python3").args(["-c", &program]).env("PYTHONPATH", &client).output();
        let ran = ran.expect("python3 runs");
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        run += 1;
    }
    assert!(run > 0, "no program is left in the pages");
}
