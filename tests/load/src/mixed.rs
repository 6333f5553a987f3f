//! All kinds of client requests, at once and for long, and the memory of the service meanwhile.

use std::io::{BufRead as _, BufReader, Error, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::chance::Chance;
use crate::connection::{get_request, is_in_pieces, post_request};

/// The interval between memory readings.
const LOOK: Duration = Duration::from_secs(15);
/// The maximum time of a response.
const PATIENCE: Duration = Duration::from_secs(90);

/// The requests of one kind, and their outcomes.
#[derive(Default)]
struct Count {
    asked: AtomicU64,
    /// 429 and 503: the client should retry later.
    later: AtomicU64,
    /// Any other error.
    faults: AtomicU64,
}

impl Count {
    /// A broken connection is a fault, too.
    fn note(&self, name: &str, reply: &Result<Reply>) {
        self.asked.fetch_add(1, Relaxed);
        match reply {
            Ok((200..=299, _)) => {}
            Ok((429 | 503, _)) => drop(self.later.fetch_add(1, Relaxed)),
            fault => {
                self.faults.fetch_add(1, Relaxed);
                match fault {
                    Ok((status, body)) => eprintln!("{name}: {status} {body}"),
                    Err(error) => eprintln!("{name}: {error}"),
                }
            }
        }
    }
}

/// Status and body.
type Reply = (u16, String);
/// A client of one kind: its requests in a round, and its pause after it.
type Client = (&'static str, fn(SocketAddr, &mut Chance) -> Result<Reply>, Duration);

const CLIENTS: [Client; 8] = [
    (
        "new look-ups",
        |at, chance| look_ups(at, &(0..200).map(|_| chance.position()).collect::<Vec<_>>()),
        REST,
    ),
    ("the same look-ups", |at, _| look_ups(at, &same()), REST),
    (
        "batches",
        |at, chance| ask(at, &post_request(&(0..500).map(|_| chance.position()).collect::<Vec<_>>(), true)),
        REST,
    ),
    ("searches", search, Duration::from_millis(300)),
    (
        "chances",
        |at, chance| {
            get(
                at,
                ["/v1/senet?position=wb8/10/10_b&budget_ms=500", "/v1/senet?position=10/10/5b2w1_b"]
                    [chance.below(2) as usize],
            )
        },
        Duration::from_secs(2),
    ),
    ("small balances", small_balance, Duration::from_secs(1)),
    ("vast balances, followed and cancelled", vast_balance, Duration::from_secs(5)),
    ("the page and the figures", page, Duration::from_secs(2)),
];
const REST: Duration = Duration::from_millis(100);

/// Runs all clients for this time and regularly prints a line with the memory.
///
/// * Result: the number of faults.
pub fn run(address: SocketAddr, time: Duration) -> Result<u64> {
    let (began, over) = (Instant::now(), AtomicBool::new(false));
    let counts: [Count; CLIENTS.len()] = Default::default();
    let mut seen = Vec::new();
    thread::scope(|scope| {
        for (number, (client, count)) in CLIENTS.iter().zip(&counts).enumerate() {
            let over = &over;
            scope.spawn(move || live(address, client, count, number as u64, over));
        }
        println!("minute    MB in use   requests so far");
        while began.elapsed() < time {
            if let Ok(bytes) = resident(address) {
                let asked: u64 = counts.iter().map(|count| count.asked.load(Relaxed)).sum();
                let minute = began.elapsed().as_secs_f64() / 60.0;
                println!("{minute:6.2} {:12} {asked:12}", bytes >> 20);
                seen.push(bytes);
            }
            thread::sleep(LOOK.min(time.saturating_sub(began.elapsed())));
        }
        over.store(true, Relaxed);
    });
    for ((name, ..), count) in CLIENTS.iter().zip(&counts) {
        let [asked, later, faults] = [&count.asked, &count.later, &count.faults].map(|n| n.load(Relaxed));
        println!("{name:38} {asked:9} rounds  {later:6} told to come again  {faults:4} faults");
    }
    print_quarters(&seen);
    Ok(counts.iter().map(|count| count.faults.load(Relaxed)).sum())
}

/// Prints the minimum and maximum of each quarter of the run: flat memory shows as equal quarters.
fn print_quarters(seen: &[u64]) {
    for (number, part) in seen.chunks(seen.len().div_ceil(4).max(1)).enumerate() {
        let (least, most) = (part.iter().min().unwrap_or(&0), part.iter().max().unwrap_or(&0));
        println!("quarter {}: {} to {} MB", number + 1, least >> 20, most >> 20);
    }
}

fn live(address: SocketAddr, (name, act, rest): &Client, count: &Count, seed: u64, over: &AtomicBool) {
    let mut chance = Chance::seeded(seed);
    while !over.load(Relaxed) {
        count.note(name, &act(address, &mut chance));
        thread::sleep(*rest);
    }
}

fn same() -> Vec<String> {
    let mut chance = Chance::seeded(17);
    (0..200).map(|_| chance.position()).collect()
}

/// Sequential requests on one connection; returns the last response, or the first that fails.
fn look_ups(address: SocketAddr, positions: &[String]) -> Result<Reply> {
    let mut stream = BufReader::new(connect(address)?);
    let mut last = (0, String::new());
    for position in positions {
        stream.get_mut().write_all(&get_request(position))?;
        last = reply(&mut stream)?;
        if last.0 != 200 {
            break;
        }
    }
    Ok(last)
}

fn search(address: SocketAddr, chance: &mut Chance) -> Result<Reply> {
    let budget = 50 + chance.below(400);
    let path = match chance.below(4) {
        0 => format!("/v1/squish?position=start:4&budget_ms={budget}"),
        1 => format!("/v1/squinch?position=start:8x8x3&budget_ms={budget}"),
        2 => format!("/v1/swish?position={}_w&budget_ms={budget}", chance.board()),
        _ => format!("/v1/squeeze?position={}_b&budget_ms={budget}", chance.board()),
    };
    get(address, &path)
}

fn small_balance(address: SocketAddr, chance: &mut Chance) -> Result<Reply> {
    let body = format!("{{\"board\":\"{}\",\"budget_ms\":3000}}", chance.board());
    ask(address, &post("/v1/swish/balance", &body))
}

/// Starts a balance that no search finishes, follows its progress for some seconds, and cancels it.
fn vast_balance(address: SocketAddr, chance: &mut Chance) -> Result<Reply> {
    let board = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    let (game, bait) = (if chance.below(2) == 0 { "swish" } else { "squeeze" }, 1 + chance.below(9));
    let body = format!("{{\"board\":\"{board}\",\"pie\":\"bait\",\"bait\":{bait},\"budget_ms\":0}}");
    let mut stream = BufReader::new(connect(address)?);
    stream.get_mut().write_all(&post(&format!("/v1/{game}/balance"), &body))?;
    let (status, text) = reply(&mut stream)?;
    let field =
        |name: &str| Some(text.split(&format!("\"{name}\":\"")).nth(1)?.split('"').next()?.to_owned());
    let Some((id, token)) = field("id").zip(field("token")) else { return Ok((status, text)) };
    let mut events = BufReader::new(connect(address)?);
    write!(events.get_mut(), "GET /v1/jobs/{id}/events HTTP/1.1\r\nHost: load\r\n\r\n")?;
    let (began, follow) = (Instant::now(), Duration::from_secs(5 + chance.below(20)));
    let mut line = String::new();
    while began.elapsed() < follow && events.read_line(&mut line)? > 0 {
        line.clear();
    }
    // The first connection was idle for too long to be kept alive.
    let cancel = format!("DELETE /v1/jobs/{id} HTTP/1.1\r\nHost: load\r\nJob-Token: {token}\r\n\r\n");
    ask(address, cancel.as_bytes())
}

fn page(address: SocketAddr, _: &mut Chance) -> Result<Reply> {
    for path in
        ["/", "/assets/app.js", "/assets/style.css", "/docs/", "/openapi.json", "/v1/games", "/v1/tables"]
    {
        let reply = get(address, path)?;
        if reply.0 != 200 {
            return Ok(reply);
        }
    }
    get(address, "/metrics")
}

/// The memory that the service reports, in bytes.
fn resident(address: SocketAddr) -> Result<u64> {
    let mut stream = BufReader::new(connect(address)?);
    stream.get_mut().write_all(b"GET /metrics HTTP/1.1\r\nHost: load\r\n\r\n")?;
    let (_, text) = reply(&mut stream)?;
    let figure = text.lines().find_map(|line| line.strip_prefix("process_resident_memory_bytes "));
    let bytes = figure.and_then(|figure| figure.parse().ok());
    bytes.ok_or_else(|| Error::other("the service does not say how much memory it takes"))
}

fn get(address: SocketAddr, path: &str) -> Result<Reply> {
    ask(address, format!("GET {path} HTTP/1.1\r\nHost: load\r\n\r\n").as_bytes())
}

fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nHost: load\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

/// The response to one request on a new connection.
fn ask(address: SocketAddr, request: &[u8]) -> Result<Reply> {
    let mut stream = BufReader::new(connect(address)?);
    stream.get_mut().write_all(request)?;
    reply(&mut stream)
}

fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The status and the body of a response.
fn reply(stream: &mut BufReader<TcpStream>) -> Result<Reply> {
    let (mut status, mut length, mut in_pieces) = (0, 0, false);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Err(Error::other("the service closed the connection"));
        }
        let line = line.trim();
        match line.split_once(':') {
            _ if line.is_empty() => break,
            _ if line.starts_with("HTTP/1.1 ") => {
                status = line.get(9..12).and_then(|text| text.parse().ok()).unwrap_or(0);
            }
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap_or(0);
            }
            _ if is_in_pieces(line) => in_pieces = true,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    while in_pieces {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(Error::other)?;
        let from = body.len();
        body.resize(from + length + 2, 0);
        stream.read_exact(&mut body[from..])?;
        body.truncate(from + length);
        in_pieces = length > 0;
    }
    Ok((status, String::from_utf8_lossy(&body).into_owned()))
}
