//! A small web server for one folder, with ranges and `ETag`s, that can be made to fail.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The outcome of one request for the bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// This status and no body.
    Status(u16),
    /// The connection is closed after this many bytes of the body.
    Cut(usize),
    /// No response while the client waits.
    Silent(Duration),
    /// A byte every now and then.
    Slow(Duration),
    /// Wrong bytes.
    Wrong,
    /// The connection is closed without a response.
    Gone,
    /// All bytes are sent, whatever the requested range.
    Whole,
    /// The bytes are right, but the file has another `ETag`.
    Renewed,
}

#[derive(Default)]
struct State {
    /// The outcomes of the next requests for the bytes of a file whose path ends with the key; later requests are
    /// served.
    faults: BTreeMap<String, Vec<Fault>>,
    /// Requests as `GET /path from`.
    asked: Vec<String>,
    /// The size reported to HEAD requests for files whose path ends with the key.
    said: BTreeMap<String, u64>,
}

/// A server on a free port, until the test ends.
pub(crate) struct Server {
    address: String,
    state: Arc<Mutex<State>>,
}

impl Server {
    pub(crate) fn start(root: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let state = Arc::<Mutex<State>>::default();
        let (root, shared) = (root.to_owned(), Arc::clone(&state));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (root, state) = (root.clone(), Arc::clone(&shared));
                // A client that disconnects is not an error of the server.
                std::thread::spawn(move || drop(answer(&stream, &root, &state)));
            }
        });
        Self { address, state }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics with it")
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Sets the outcomes of the next requests for the bytes of files whose paths end with `path`.
    pub(crate) fn fail(&self, path: &str, faults: &[Fault]) {
        self.state().faults.insert(path.to_owned(), faults.to_vec());
    }

    /// Sets the size reported to HEAD requests for files whose paths end with `path`.
    pub(crate) fn say_bytes(&self, path: &str, bytes: u64) {
        self.state().said.insert(path.to_owned(), bytes);
    }

    /// The requests since the last call.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.state().asked)
    }
}

fn answer(stream: &TcpStream, root: &Path, state: &Mutex<State>) -> std::io::Result<()> {
    let (mut lines, mut request, mut from) =
        (BufReader::new(stream).lines(), String::new(), None::<(usize, usize)>);
    for (number, line) in lines.by_ref().enumerate() {
        let line = line?;
        if number == 0 {
            request = line;
        } else if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            let (first, last) = range.trim().split_once('-').unwrap_or_default();
            let end = last.parse::<usize>().map_or(usize::MAX, |last| last + 1);
            from = first.parse::<usize>().ok().map(|first| (first, end));
        } else if line.is_empty() {
            break;
        }
    }
    let mut words = request.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (fault, said) = {
        let mut state = state.lock().expect("no test panics with it");
        state.asked.push(format!("{method} {path} {}", from.map_or(0, |(first, _)| first)));
        let fails = |ends: &&String| method == "GET" && path.ends_with(ends.as_str());
        let ends = state.faults.keys().find(fails).cloned();
        let next = ends.and_then(|ends| state.faults.get_mut(&ends)).filter(|faults| !faults.is_empty());
        let fault = next.map(|faults| faults.remove(0));
        let said = state.said.iter().find(|(ends, _)| method == "HEAD" && path.ends_with(ends.as_str()));
        (fault, said.map(|(_, &bytes)| bytes))
    };
    if let Some(bytes) = said {
        return send(stream, 200, &format!("Content-Length: {bytes}\r\nETag: \"{bytes:x}\"\r\n"), &[]);
    }
    let Ok(bytes) = fs::read(root.join(path.trim_start_matches('/'))) else {
        return send(stream, 404, "", &[]);
    };
    serve(stream, method, &bytes, from, fault)
}

fn serve(
    mut stream: &TcpStream,
    method: &str,
    bytes: &[u8],
    range: Option<(usize, usize)>,
    fault: Option<Fault>,
) -> std::io::Result<()> {
    match fault {
        Some(Fault::Gone) => return stream.shutdown(Shutdown::Both),
        Some(Fault::Status(status)) => return send(stream, status, "", &[]),
        Some(Fault::Silent(time)) => std::thread::sleep(time),
        _ => {}
    }
    let range = range.filter(|_| fault != Some(Fault::Whole));
    let (status, size) = (if range.is_some() { 206 } else { 200 }, bytes.len());
    let (first, end) = range.map_or((0, size), |(first, end)| (first, end.min(size)));
    let Some(mut rest) = bytes.get(first..end).map(<[u8]>::to_vec) else {
        return send(stream, 416, "", &[]);
    };
    if fault == Some(Fault::Wrong) {
        rest.iter_mut().for_each(|byte| *byte ^= 1);
    }
    let renewed = if fault == Some(Fault::Renewed) { "-2" } else { "" };
    let etag = format!("ETag: \"{size:x}{renewed}\"\r\n");
    let range =
        range.map(|_| format!("Content-Range: bytes {first}-{}/{size}\r\n", end - 1)).unwrap_or_default();
    let head = format!("Content-Length: {}\r\n{etag}{range}", rest.len());
    let body: &[u8] = if method == "HEAD" { &[] } else { &rest };
    match fault {
        Some(Fault::Cut(most)) => send(stream, status, &head, body.get(..most).unwrap_or(body)),
        Some(Fault::Slow(pause)) => {
            send(stream, status, &head, &[])?;
            for piece in body.chunks(64) {
                std::thread::sleep(pause);
                stream.write_all(piece)?;
            }
            Ok(())
        }
        _ => send(stream, status, &head, body),
    }
}

fn send(mut stream: &TcpStream, status: u16, head: &str, body: &[u8]) -> std::io::Result<()> {
    let length = if head.is_empty() { "Content-Length: 0\r\n" } else { head };
    write!(stream, "HTTP/1.1 {status} Said\r\n{length}Connection: close\r\n\r\n")?;
    stream.write_all(body)?;
    stream.flush()
}
