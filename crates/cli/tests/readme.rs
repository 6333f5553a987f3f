//! The examples of the README, run as they stand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const README: &str = include_str!("../../../README.md");
const MARQUIS: &str = env!("CARGO_BIN_EXE_marquis");

/// The code blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let opening = format!("```{language}\n");
    README.split(opening.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_command_of_the_page_prints_what_the_page_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut commands = 0;
    for block in blocks("console") {
        for example in block.split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').expect("a command and its output");
            let arguments = command.strip_prefix("marquis ").expect("a marquis command").split(' ');
            let output = Command::new(MARQUIS).args(arguments).current_dir(folder.path()).output();
            let output = output.expect("the program runs");
            let text = String::from_utf8(output.stdout).expect("text");
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            for line in expected.lines() {
                assert!(text.contains(line), "{command} does not print `{line}` but:\n{text}");
            }
            commands += 1;
        }
    }
    assert!(commands >= 8, "only {commands} commands are left in the page");
}

/// A service on a free port; it is killed when the test ends.
struct Service {
    child: Child,
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
        Self { child, address }
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

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn every_request_of_the_page_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path());
    let requests: Vec<&str> =
        blocks("sh").into_iter().flat_map(str::lines).filter(|l| l.starts_with("curl ")).collect();
    assert!(requests.len() >= 5, "only {} requests are left in the page", requests.len());
    for request in requests {
        let (status, body) = service.send(request);
        assert!(status.contains(" 200 ") || status.contains(" 202 "), "{request}: {status}\n{body}");
        assert!(body.contains('{'), "{request}: {body}");
    }
    let (_, body) = service.send("curl 'http://127.0.0.1:8017/v1/squish?position=b1w/1wb1/wb1wb/1wb1/b1w_w'");
    assert!(body.contains("\"value\":\"win\",\"plies\":5"), "{body}");
}
