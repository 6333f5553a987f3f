//! The server on a socket: it starts, refuses invalid requests, stops in time, and survives failures.

mod client;
mod clients;
mod generated;
mod hostile;
mod killed;
mod readers;
#[path = "../shared/mod.rs"]
mod shared;
mod starting;
mod tables;

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use client::{exchange, get};
use marquis_api::{Config, ServeError, serve};
use shared::{PATIENCE, Server, settings, wait};

/// INTERFACE.md: the time within which a server stops after it was asked to.
const END: Duration = Duration::from_secs(10);
/// The margin for a busy machine. Together they are less than the thirty seconds of a server that waits for its
/// clients or for the search of this test.
const BUSY: Duration = Duration::from_secs(15);

/// Stops a server, which must end without an error and in time.
fn stopped_in_time(running: Server) {
    let told = Instant::now();
    assert!(running.stop());
    assert!(told.elapsed() < END + BUSY, "{:?}", told.elapsed());
}

#[test]
fn a_server_that_is_told_to_stop_ends_within_ten_seconds_in_spite_of_open_work() {
    let running = Server::start(|_| {});
    let _idle = TcpStream::connect(&running.address).unwrap();
    let _half = {
        let mut stream = TcpStream::connect(&running.address).unwrap();
        stream.write_all(b"POST /v1/squish HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{").unwrap();
        stream
    };
    let address = running.address.clone();
    let search = thread::spawn(move || get(&address, "/v1/squinch?position=start:8x8x3&budget_ms=30000"));
    wait("the search begins", || {
        get(&running.address, "/metrics").contains("\nmarquis_searches 1\n").then_some(())
    });
    stopped_in_time(running);
    let reply = search.join().unwrap();
    assert!(reply.starts_with("HTTP/1.1 503") || reply.contains(r#""value":"unknown""#), "{reply}");
}

#[test]
fn an_address_that_is_taken_is_an_error_that_names_it() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let never: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let error = serve(
        marquis_registry::official(),
        Config { bind: address.clone(), ..settings() },
        Vec::new(),
        never,
        |_| {},
    )
    .unwrap_err();
    assert!(matches!(error, ServeError::Bind { .. }) && error.to_string().contains(&address), "{error}");
}

#[test]
fn what_is_no_request_is_refused_and_the_next_one_answered() {
    let running = Server::start(|_| {});
    let slashes = "/".repeat(1 << 20);
    let long = format!("GET /v1/squish?position={slashes} HTTP/1.1\r\nHost: x\r\n\r\n");
    for request in [long.as_bytes(), b"hello\r\n\r\n", b"\0\0\0\0\r\n\r\n"] {
        let reply = exchange(&running.address, request);
        assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{reply}");
    }
    assert!(get(&running.address, "/livez").starts_with("HTTP/1.1 200"));
    assert!(running.stop());
}

/// Opens `count` connections, and keeps all of them open.
fn open(address: &str, count: usize, send: &[u8]) -> Vec<TcpStream> {
    let one = |_| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(send).unwrap();
        stream
    };
    (0..count).map(one).collect()
}

#[test]
fn look_ups_go_on_beside_a_thousand_connections_slow_clients_and_half_sent_bodies() {
    // None of them times out during the look-ups.
    let running = Server::start(|config| config.body_seconds = 3600);
    let address = &running.address;
    let _idle = open(address, 800, b"");
    let _slow = open(address, 100, b"GET /v1/squish?posi");
    let head = b"POST /v1/squish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{";
    let _half = open(address, 100, head);
    for _ in 0..50 {
        let reply = get(address, "/v1/squish?position=3/4/2w2/b3/b1b_w&budget_ms=0");
        assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("unified"), "{reply}");
    }
    stopped_in_time(running);
}

#[test]
fn half_a_body_is_refused_and_its_connection_closed_after_a_time() {
    let running = Server::start(|config| config.body_seconds = 1);
    for path in ["/v1/squish", "/v1/swish/balance"] {
        let half = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{{"
        );
        // The exchange lasts until the server closes the connection.
        let reply = exchange(&running.address, half.as_bytes());
        assert!(reply.starts_with("HTTP/1.1 408") && reply.contains("body-too-slow"), "{path}: {reply}");
        assert!(reply.contains("within 1 s"), "{path}: {reply}");
    }
    assert!(running.stop());
}

#[test]
fn a_client_that_does_not_read_its_answer_holds_up_nobody() {
    let running = Server::start(|_| {});
    let body = format!("{{\"positions\":[{}],\"budget_ms\":0}}", ["\"start:8x8x3\""; 1000].join(","));
    let request = format!(
        "POST /v1/squinch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let deaf = open(&running.address, 8, request.as_bytes());
    for deaf in &deaf {
        // The server has started to answer.
        deaf.set_read_timeout(Some(PATIENCE)).unwrap();
        assert_eq!(deaf.peek(&mut [0]).unwrap(), 1);
        assert!(get(&running.address, "/livez").starts_with("HTTP/1.1 200"));
    }
    assert!(running.stop());
}
