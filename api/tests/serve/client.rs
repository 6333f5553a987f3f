//! Requests to a server on a socket.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use crate::shared::PATIENCE;

/// Everything that the server sends until the connection ends; empty if there is no server.
pub(crate) fn exchange(address: &str, request: &[u8]) -> String {
    let Ok(mut stream) = TcpStream::connect(address) else { return String::new() };
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // The server may refuse before it has read everything.
    let _ = stream.write_all(request);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    String::from_utf8_lossy(&reply).into_owned()
}

pub(crate) fn get(address: &str, path: &str) -> String {
    exchange(address, format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes())
}

/// The JSON response to a GET.
pub(crate) fn json(address: &str, path: &str) -> Value {
    body(&get(address, path)).unwrap_or_else(|| panic!("{path} gives no JSON"))
}

/// The JSON response to a POST; `None` if the connection broke.
pub(crate) fn post(address: &str, path: &str, sent: &Value) -> Option<Value> {
    let sent = sent.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{sent}",
        sent.len()
    );
    body(&exchange(address, request.as_bytes()))
}

fn body(reply: &str) -> Option<Value> {
    serde_json::from_str(reply.split_once("\r\n\r\n")?.1).ok()
}
