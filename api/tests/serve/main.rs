//! The server on a socket: it starts, refuses what is no request, ends in time, and outlives what befalls it.

mod client;
mod killed;
mod readers;
#[path = "../shared/mod.rs"]
mod shared;
mod tables;

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::{exchange, get, settings, start};
use marquis_api::{ServeError, serve};

#[test]
fn a_server_that_is_told_to_stop_ends_within_ten_seconds_in_spite_of_open_work() {
    let running = start(|_| {});
    let _idle = TcpStream::connect(&running.address).unwrap();
    let _half = {
        let mut stream = TcpStream::connect(&running.address).unwrap();
        stream.write_all(b"POST /v1/squish HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{").unwrap();
        stream
    };
    let address = running.address.clone();
    let search = thread::spawn(move || get(&address, "/v1/squinch?position=start:8x8x3&budget_ms=30000"));
    thread::sleep(Duration::from_millis(300));
    let told = Instant::now();
    running.stop.store(true, Ordering::Relaxed);
    assert!(running.server.join().unwrap().is_ok());
    assert!(told.elapsed() < Duration::from_secs(10), "{:?}", told.elapsed());
    let reply = search.join().unwrap();
    assert!(reply.starts_with("HTTP/1.1 503") || reply.contains(r#""value":"unknown""#), "{reply}");
}

#[test]
fn an_address_that_is_taken_is_an_error_that_names_it() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let never: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let error = serve(settings(&address), never, |_| {}).unwrap_err();
    assert!(matches!(error, ServeError::Bind { .. }) && error.to_string().contains(&address), "{error}");
}

#[test]
fn what_is_no_request_is_refused_and_the_next_one_answered() {
    let running = start(|_| {});
    let slashes = "/".repeat(1 << 20);
    let long = format!("GET /v1/squish?position={slashes} HTTP/1.1\r\nHost: x\r\n\r\n");
    for request in [long.as_bytes(), b"hello\r\n\r\n", b"\0\0\0\0\r\n\r\n"] {
        let reply = exchange(&running.address, request);
        assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{reply}");
    }
    assert!(get(&running.address, "/livez").starts_with("HTTP/1.1 200"));
    running.stop.store(true, Ordering::Relaxed);
    assert!(running.server.join().unwrap().is_ok());
}

/// Many at once, all of them open until the end.
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
    let running = start(|_| {});
    let address = &running.address;
    let _idle = open(address, 800, b"");
    let _slow = open(address, 100, b"GET /v1/squish?posi");
    let head = b"POST /v1/squish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{";
    let _half = open(address, 100, head);
    let began = Instant::now();
    for _ in 0..50 {
        let reply = get(address, "/v1/squish?position=3/4/2w2/b3/b1b_w&budget_ms=0");
        assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("unified"), "{reply}");
    }
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    running.stop.store(true, Ordering::Relaxed);
    let told = Instant::now();
    assert!(running.server.join().unwrap().is_ok());
    assert!(told.elapsed() < Duration::from_secs(10), "{:?}", told.elapsed());
}

#[test]
fn half_a_body_is_refused_and_its_connection_closed_after_a_time() {
    let running = start(|config| config.body_seconds = 1);
    for path in ["/v1/squish", "/v1/swish/balance"] {
        let half = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{{"
        );
        // The exchange lasts until the server closes the connection.
        let reply = exchange(&running.address, half.as_bytes());
        assert!(reply.starts_with("HTTP/1.1 408") && reply.contains("body-too-slow"), "{path}: {reply}");
        assert!(reply.contains("within 1 s"), "{path}: {reply}");
    }
    running.stop.store(true, Ordering::Relaxed);
    assert!(running.server.join().unwrap().is_ok());
}

#[test]
fn a_client_that_does_not_read_its_answer_holds_up_nobody() {
    let running = start(|_| {});
    let body = format!("{{\"positions\":[{}],\"budget_ms\":0}}", ["\"start:8x8x3\""; 1000].join(","));
    let request = format!(
        "POST /v1/squinch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let _deaf = open(&running.address, 8, request.as_bytes());
    thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    assert!(get(&running.address, "/livez").starts_with("HTTP/1.1 200"));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    running.stop.store(true, Ordering::Relaxed);
    assert!(running.server.join().unwrap().is_ok());
}
