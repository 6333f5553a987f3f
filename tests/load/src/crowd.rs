//! A crowd that requests huge batches: a third never reads, a third disconnects in the middle, a third reads all.
//!
//! Meanwhile sequential look-ups are timed, and the memory of the service is read every few seconds, also after the
//! crowd has left.

use std::io::{Error, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::chance::Chance;

const CLIENTS: usize = 1000;
/// Positions per batch.
const BATCH: usize = 1000;
/// The interval between memory readings.
const LOOK: Duration = Duration::from_secs(10);
/// The time during which memory is read after the crowd has left.
const AFTERWARDS: Duration = Duration::from_secs(60);
/// The pause of a client after a refusal, and after a finished request.
const REST: Duration = Duration::from_secs(2);
/// A client that never reads gives up after this time.
const DEAF: Duration = Duration::from_secs(60);
/// The stack size of each of a thousand clients.
const STACK: usize = 128 << 10;

#[derive(Default)]
struct Counts {
    asked: AtomicU64,
    refused: AtomicU64,
    whole: AtomicU64,
    left: AtomicU64,
    cut_off: AtomicU64,
    deaf_to_the_end: AtomicU64,
    broken: AtomicU64,
    bytes: AtomicU64,
}

/// Runs the crowd for this time and prints the results.
///
/// * Result: the number of broken promises.
pub fn run(address: SocketAddr, time: Duration) -> Result<u64> {
    let (counts, over) = (Counts::default(), AtomicBool::new(false));
    let began = Instant::now();
    println!("{CLIENTS} clients, batches of {BATCH} times start:8x8x3 with moves, {} s", time.as_secs());
    println!("second    MB resident    MB in room   MB unsent   refused   cut off");
    line(address, began)?;
    let mut took = thread::scope(|scope| -> Result<Vec<Duration>> {
        for number in 0..CLIENTS {
            let (counts, over) = (&counts, &over);
            let client = move || client(address, number, counts, over);
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, client)?;
        }
        let looks = scope.spawn(|| look_ups(address, &over));
        while began.elapsed() < time {
            thread::sleep(LOOK.min(time.saturating_sub(began.elapsed())));
            line(address, began)?;
        }
        over.store(true, Relaxed);
        looks.join().map_err(|_| Error::other("panic"))?
    })?;
    println!("the crowd has left");
    let left = Instant::now();
    while left.elapsed() < AFTERWARDS {
        thread::sleep(LOOK);
        line(address, began)?;
    }
    took.sort_unstable();
    Ok(report(&counts, &took))
}

fn report(counts: &Counts, took: &[Duration]) -> u64 {
    let of = |count: &AtomicU64| count.load(Relaxed);
    let part = |per_mille: usize| took.get(took.len() * per_mille / 1000).copied().unwrap_or_default();
    println!("batches asked for              {:>8}", of(&counts.asked));
    println!("told to come again             {:>8}", of(&counts.refused));
    println!("read whole                     {:>8}", of(&counts.whole));
    println!("left in the middle             {:>8}", of(&counts.left));
    println!("did not read and were cut off  {:>8}", of(&counts.cut_off));
    println!("did not read to the end        {:>8}", of(&counts.deaf_to_the_end));
    println!("broken off                     {:>8}", of(&counts.broken));
    println!("read by clients                {:>8} MB", of(&counts.bytes) >> 20);
    println!(
        "look-ups beside them           {:>8}   p50 {:.2?}  p99 {:.2?}  p99.9 {:.2?}  longest {:.2?}",
        took.len(),
        part(500),
        part(990),
        part(999),
        took.last().copied().unwrap_or_default()
    );
    of(&counts.broken)
}

/// Prints a line with the memory of the service and its current work.
fn line(address: SocketAddr, began: Instant) -> Result<()> {
    let text = ask(address, b"GET /metrics HTTP/1.1\r\nHost: load\r\nConnection: close\r\n\r\n")?;
    let figure = |name: &str| figure(&text, name);
    let refused: u64 = text
        .lines()
        .filter(|line| line.contains("status=\"503\"") && line.starts_with("marquis_http_requests_total"))
        .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
        .sum();
    println!(
        "{:>6} {:>14} {:>13} {:>11} {:>9} {:>9}",
        began.elapsed().as_secs(),
        figure("process_resident_memory_bytes") >> 20,
        figure("marquis_reply_room_used_bytes") >> 20,
        figure("marquis_unsent_bytes") >> 20,
        refused,
        figure("marquis_clients_cut_off")
    );
    Ok(())
}

/// A metric of the service.
pub fn figure(metrics: &str, name: &str) -> u64 {
    let found = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    found.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

/// The whole response to a request.
pub fn ask(address: SocketAddr, request: &[u8]) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(DEAF))?;
    stream.write_all(request)?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply)?;
    Ok(String::from_utf8_lossy(&reply).into_owned())
}

/// Sequential look-ups on one connection, with the time of each.
fn look_ups(address: SocketAddr, over: &AtomicBool) -> Result<Vec<Duration>> {
    let (mut chance, mut took, mut buffer) = (Chance::seeded(17), Vec::new(), vec![0; 1 << 16]);
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(DEAF))?;
    while !over.load(Relaxed) {
        let request = crate::connection::get_request(&chance.position());
        let began = Instant::now();
        stream.write_all(&request)?;
        let mut came = 0;
        loop {
            let count = stream.read(&mut buffer[came..])?;
            if count == 0 {
                return Err(Error::other("a look-up was not answered"));
            }
            came += count;
            if is_complete(&buffer[..came]) {
                break;
            }
        }
        if !buffer.starts_with(b"HTTP/1.1 200") {
            return Err(Error::other(String::from_utf8_lossy(&buffer[..came.min(300)]).into_owned()));
        }
        took.push(began.elapsed());
        thread::sleep(Duration::from_millis(10));
    }
    Ok(took)
}

/// Whether these bytes are a complete response with a length.
fn is_complete(bytes: &[u8]) -> bool {
    let Some(head) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    length.is_some_and(|length: usize| bytes.len() >= head + 4 + length)
}

/// One client of the crowd; its behaviour follows from its number.
fn client(address: SocketAddr, number: usize, counts: &Counts, over: &AtomicBool) {
    let mut chance = Chance::seeded(number as u64);
    // Spreads the starts.
    thread::sleep(Duration::from_millis(chance.below(5000)));
    while !over.load(Relaxed) {
        let round = match number % 3 {
            0 => deaf(address, number, counts, over),
            1 => visit(address, number, counts, Some(100_000 + chance.below(2_000_000) as usize)),
            _ => visit(address, number, counts, None),
        };
        if round.is_err() && !over.load(Relaxed) {
            counts.broken.fetch_add(1, Relaxed);
        }
        thread::sleep(REST + Duration::from_millis(chance.below(1000)));
    }
}

/// A connection with a batch request sent; each client has its own address, as behind a proxy.
fn begin(address: SocketAddr, number: usize, counts: &Counts) -> Result<TcpStream> {
    let body = format!("{{\"positions\":[{}],\"moves\":true}}", ["\"start:8x8x3\""; BATCH].join(","));
    let (high, low, length) = (number / 250, number % 250, body.len());
    let request = format!(
        "POST /v1/squinch HTTP/1.1\r\nHost: load\r\nX-Forwarded-For: 10.0.{high}.{low}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(2 * DEAF))?;
    stream.write_all(request.as_bytes())?;
    counts.asked.fetch_add(1, Relaxed);
    Ok(stream)
}

/// Never reads the response.
fn deaf(address: SocketAddr, number: usize, counts: &Counts, over: &AtomicBool) -> Result<()> {
    let stream = begin(address, number, counts)?;
    let began = Instant::now();
    let mut status = [0; 12];
    while began.elapsed() < DEAF && !over.load(Relaxed) {
        thread::sleep(Duration::from_millis(500));
        if let Some(error) = stream.take_error()? {
            drop(error);
            counts.cut_off.fetch_add(1, Relaxed);
            return Ok(());
        }
        // Peeked without consuming it.
        if stream.peek(&mut status)? == status.len() && &status[9..] == b"503" {
            counts.refused.fetch_add(1, Relaxed);
            return Ok(());
        }
    }
    counts.deaf_to_the_end.fetch_add(1, Relaxed);
    Ok(())
}

/// Reads until the end, or until it disconnects.
///
/// * `leaves_after`: bytes.
fn visit(address: SocketAddr, number: usize, counts: &Counts, leaves_after: Option<usize>) -> Result<()> {
    let mut stream = begin(address, number, counts)?;
    let (mut buffer, mut came, mut end) = (vec![0; 64 << 10], 0, Vec::new());
    loop {
        let count = stream.read(&mut buffer)?;
        let first = came == 0;
        came += count;
        counts.bytes.fetch_add(count as u64, Relaxed);
        if first && buffer[..count].starts_with(b"HTTP/1.1 503") {
            counts.refused.fetch_add(1, Relaxed);
            return Ok(());
        }
        if leaves_after.is_some_and(|most| came >= most) {
            counts.left.fetch_add(1, Relaxed);
            return Ok(());
        }
        if count == 0 {
            break;
        }
        end.extend_from_slice(&buffer[count.saturating_sub(16)..count]);
        end.drain(..end.len().saturating_sub(16));
    }
    if !end.ends_with(b"]}\r\n0\r\n\r\n") {
        return Err(Error::other("the answer ended early"));
    }
    counts.whole.fetch_add(1, Relaxed);
    Ok(())
}
