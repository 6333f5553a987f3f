//! Loads a service on this machine and reports its throughput and latencies.
//!
//! `cargo run --release --manifest-path tests/load/Cargo.toml -- 127.0.0.1:8017 [SECONDS]`
//! `cargo run --release --manifest-path tests/load/Cargo.toml -- mixed 127.0.0.1:8017 [MINUTES]`
//! `cargo run --release --manifest-path tests/load/Cargo.toml -- crowd 127.0.0.1:8017 [MINUTES]`
//! `cargo run --release --manifest-path tests/load/Cargo.toml -- visitors 127.0.0.1:8017 [MINUTES]`
//!
//! The second form runs all kinds of client requests at once, by default for an hour, and prints the memory of the
//! service. The third is a thousand clients with huge batches, most of whom do not read them, for five minutes
//! (crowd.toml has the settings of the service). The fourth is a thousand visitors who play games against a level,
//! for a minute, with the same settings. The rest of this text is about the first form.
//!
//! The positions are those of the starter set, found by following the moves of the responses from the start. Every
//! run is bounded: a number of seconds (5 by default), at most 60,000 positions, 16 keep-alive connections, loopback
//! only. A latency runs from the first byte written to the last byte read; the generator shares the processors with
//! the service.
#![forbid(unsafe_code)]

mod chance;
mod connection;
mod crowd;
mod mixed;
mod positions;
mod report;
mod visitors;

use std::io::{Error, ErrorKind};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mio::{Events, Poll, Token};

use connection::{Connection, PATIENCE, get_request, post_request};
use report::Run;

/// Connections, and the threads that share them.
const CONNECTIONS: usize = 16;
const THREADS: usize = 2;
/// The maximum number of positions collected.
const POSITIONS: usize = 60_000;
/// Positions per batch.
const BATCH: usize = 1000;
/// Positions that are requested repeatedly.
const HOT: usize = 1000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let mixed = arguments.next_if_eq("mixed").is_some();
    let crowd = arguments.next_if_eq("crowd").is_some();
    let visitors = arguments.next_if_eq("visitors").is_some();
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8017".to_owned());
    let number: Option<f64> = arguments.next().and_then(|text| text.parse().ok());
    let Some(address) = address.parse::<SocketAddr>().ok().filter(|address| address.ip().is_loopback())
    else {
        eprintln!("expected an address of this machine such as 127.0.0.1:8017, found {address}");
        return ExitCode::from(2);
    };
    let done = if mixed {
        let minutes = number.unwrap_or(60.0).clamp(0.1, 24.0 * 60.0);
        mixed::run(address, Duration::from_secs_f64(60.0 * minutes))
    } else if crowd {
        let minutes = number.unwrap_or(5.0).clamp(0.1, 60.0);
        crowd::run(address, Duration::from_secs_f64(60.0 * minutes))
    } else if visitors {
        let minutes = number.unwrap_or(1.0).clamp(0.1, 60.0);
        visitors::run(address, Duration::from_secs_f64(60.0 * minutes))
    } else {
        let seconds = number.unwrap_or(5.0).clamp(0.5, 60.0);
        measure(address, Duration::from_secs_f64(seconds)).map(|()| 0)
    };
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{address}: {error}");
            ExitCode::from(4)
        }
    }
}

fn measure(address: SocketAddr, time: Duration) -> std::io::Result<()> {
    let positions = positions::collect(address, POSITIONS)?;
    println!(
        "{} positions with tables; {CONNECTIONS} connections, {THREADS} threads of load",
        positions.len()
    );
    let fresh: Vec<Vec<u8>> = positions.iter().map(|text| get_request(text)).collect();
    let hot: Vec<Vec<u8>> = fresh[..HOT.min(fresh.len())].to_vec();
    let batches = |moves| -> Vec<Vec<u8>> {
        let full = positions.chunks(BATCH).filter(|chunk| chunk.len() == BATCH);
        full.take(20).map(|chunk| post_request(chunk, moves)).collect()
    };
    // Warm up with everything except the positions that must be new.
    rounds(address, &batches(false), Duration::from_millis(300), true)?;
    let new = rounds(address, &fresh[HOT.min(fresh.len())..], time, false)?;
    new.print("not asked before, every move", 1);
    rounds(address, &hot, Duration::from_millis(300), true)?;
    rounds(address, &hot, time, true)?.print("asked before, every move", 1);
    rounds(address, &batches(true), time, true)?.print("batches of 1000 with moves", BATCH);
    rounds(address, &batches(false), time, true)?.print("batches of 1000 without moves", BATCH);
    Ok(())
}

/// Sends the requests over all connections until the time is over, or once each.
fn rounds(address: SocketAddr, requests: &[Vec<u8>], time: Duration, again: bool) -> std::io::Result<Run> {
    let next = AtomicUsize::new(0);
    let began = Instant::now();
    let parts: Vec<std::io::Result<Run>> = thread::scope(|scope| {
        let work = || lane(address, requests, &next, began + time, again);
        let lanes: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|_| Err(Error::other("panic")))).collect()
    });
    let mut all = Run::default();
    for part in parts {
        all.add(part?);
    }
    all.took = began.elapsed();
    Ok(all)
}

/// One thread's connections, each with one request at a time.
fn lane(
    address: SocketAddr,
    requests: &[Vec<u8>],
    next: &AtomicUsize,
    until: Instant,
    again: bool,
) -> std::io::Result<Run> {
    let (mut poll, mut events) = (Poll::new()?, Events::with_capacity(CONNECTIONS));
    let mut connections = Vec::new();
    for number in 0..CONNECTIONS / THREADS {
        let mut connection = Connection::open(address)?;
        connection.watch(poll.registry(), Token(number))?;
        connections.push(connection);
    }
    let mut run = Run::default();
    let take = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let over = requests.is_empty() || Instant::now() >= until || (!again && at >= requests.len());
        (!over).then(|| &requests[at % requests.len()])
    };
    for connection in &mut connections {
        if let Some(request) = take() {
            connection.send(request)?;
        }
    }
    while connections.iter().any(Connection::is_waiting) {
        // Sleep instead of polling in a loop: the service needs the processor.
        match poll.poll(&mut events, Some(PATIENCE)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            polled => polled?,
        }
        if events.is_empty() {
            return Err(Error::other("no answer within a minute"));
        }
        for event in &events {
            let connection = &mut connections[event.token().0];
            let Some(reply) = connection.poll()? else { continue };
            run.note(&reply);
            if let Some(request) = take() {
                connection.send(request)?;
            }
        }
    }
    Ok(run)
}
