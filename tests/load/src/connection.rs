//! A keep-alive connection with one request at a time.

use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Interest, Registry, Token};

/// Longer than any response may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A response.
pub struct Reply {
    pub status: u16,
    pub took: Duration,
    pub bytes: usize,
}

pub struct Connection {
    stream: TcpStream,
    began: Option<Instant>,
    buffer: Vec<u8>,
    filled: usize,
}

impl Connection {
    pub fn open(address: SocketAddr) -> Result<Self> {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let stream = TcpStream::from_std(stream);
        Ok(Self { stream, began: None, buffer: vec![0; 1 << 16], filled: 0 })
    }

    /// Registers the connection for readable events.
    pub fn watch(&mut self, registry: &Registry, token: Token) -> Result<()> {
        registry.register(&mut self.stream, token, Interest::READABLE)
    }

    pub fn is_waiting(&self) -> bool {
        self.began.is_some()
    }

    pub fn send(&mut self, request: &[u8]) -> Result<()> {
        self.began = Some(Instant::now());
        self.filled = 0;
        let mut sent = 0;
        while sent < request.len() {
            match self.stream.write(&request[sent..]) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::yield_now(),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns the response once it is complete.
    pub fn poll(&mut self) -> Result<Option<Reply>> {
        let Some(began) = self.began else { return Ok(None) };
        loop {
            if self.filled == self.buffer.len() {
                self.buffer.resize(2 * self.filled, 0);
            }
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(0) => return Err(Error::other("the service closed the connection")),
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
            if let Some(reply) = self.complete(began) {
                self.began = None;
                return Ok(Some(reply));
            }
        }
        if began.elapsed() > PATIENCE { Err(Error::other("no answer within a minute")) } else { Ok(None) }
    }

    /// The body of the last response.
    pub fn body(&self) -> String {
        let text = std::str::from_utf8(&self.buffer[..self.filled]).unwrap_or_default();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        // JSON on one line: every second line of a chunked body is the length of the next chunk.
        if is_in_pieces(head) { body.split("\r\n").skip(1).step_by(2).collect() } else { body.to_owned() }
    }

    fn complete(&self, began: Instant) -> Option<Reply> {
        let bytes = &self.buffer[..self.filled];
        let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let text = std::str::from_utf8(&bytes[..head]).ok()?;
        let status = text.get(9..12)?.parse().ok()?;
        if is_in_pieces(text) {
            let bytes = bytes.len() - head - 4;
            let ended = self.buffer[..self.filled].ends_with(b"\r\n0\r\n\r\n");
            return ended.then(|| Reply { status, took: began.elapsed(), bytes });
        }
        let length: usize = text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        })?;
        (bytes.len() >= head + 4 + length).then(|| Reply { status, took: began.elapsed(), bytes: length })
    }
}

/// Whether the body is chunked, without a length in advance.
pub fn is_in_pieces(head: &str) -> bool {
    head.to_ascii_lowercase().contains("transfer-encoding: chunked")
}

/// A GET request for a position of Squish.
pub fn get_request(position: &str) -> Vec<u8> {
    let position = position.replace(' ', "_");
    format!("GET /v1/squish?position={position}&budget_ms=0 HTTP/1.1\r\nHost: load\r\n\r\n").into_bytes()
}

/// A POST request for many positions of Squish.
pub fn post_request(positions: &[String], moves: bool) -> Vec<u8> {
    let body =
        format!("{{\"positions\":[\"{}\"],\"moves\":{moves},\"budget_ms\":0}}", positions.join("\",\""));
    let length = body.len();
    format!(
        "POST /v1/squish HTTP/1.1\r\nHost: load\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
