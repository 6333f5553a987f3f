//! A thousand visitors who play games against a level, with a request every few seconds.
//!
//! Each requests the moves of a position, makes a random one, and lets the level answer. Prints the latencies by
//! kind, the refusals, and every few seconds the memory of the service.

use std::io::{Error, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::chance::Chance;
use crate::crowd::{ask, figure};

const VISITORS: usize = 1000;
/// The games that they play, with their starts.
const GAMES: [(&str, &str); 3] = [("squish", "start:4"), ("flowish", "start:4"), ("squinch", "start:8x8x3")];
const LEVEL: u8 = 3;
const BUDGET_MS: u64 = 20;
/// The interval between memory readings.
const LOOK: Duration = Duration::from_secs(5);
/// The minimum thinking time of a visitor; the maximum is twice as long.
const THINKS_MS: u64 = 2000;
/// The maximum time of a response.
const PATIENCE: Duration = Duration::from_secs(60);
/// The stack size of each of a thousand visitors.
const STACK: usize = 128 << 10;

/// The outcomes of the requests of one kind.
#[derive(Default)]
struct Kind {
    took: Mutex<Vec<Duration>>,
    /// 429 and 503.
    refused: AtomicU64,
    /// Any other status, and broken connections.
    failed: AtomicU64,
}

#[derive(Default)]
struct Counts {
    moves: Kind,
    replies: Kind,
    finished: AtomicU64,
}

/// Lets the visitors play for this time and prints the results.
///
/// * Result: the number of failed requests; a refusal is not a failure.
pub fn run(address: SocketAddr, time: Duration) -> Result<u64> {
    let (counts, over) = (Counts::default(), AtomicBool::new(false));
    let began = Instant::now();
    println!(
        "{VISITORS} visitors against level {LEVEL} with budgets of {BUDGET_MS} ms, {} s",
        time.as_secs()
    );
    println!("second    MB resident   searches     load average");
    line(address, began)?;
    thread::scope(|scope| -> Result<()> {
        for number in 0..VISITORS {
            let (counts, over) = (&counts, &over);
            let visitor = move || visitor(address, number, counts, over);
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, visitor)?;
        }
        while began.elapsed() < time {
            thread::sleep(LOOK.min(time.saturating_sub(began.elapsed())));
            line(address, began)?;
        }
        over.store(true, Relaxed);
        Ok(())
    })?;
    println!("games played to the end  {:>7}", counts.finished.load(Relaxed));
    let failed = [("legal moves", &counts.moves), ("replies of the level", &counts.replies)];
    Ok(failed.into_iter().map(|(name, kind)| kind.print(name)).sum())
}

impl Kind {
    /// * Result: the number of failures.
    fn print(&self, name: &str) -> u64 {
        let mut took = self.took.lock().map(|took| took.clone()).unwrap_or_default();
        took.sort_unstable();
        let part = |per_mille: usize| took.get(took.len() * per_mille / 1000).copied().unwrap_or_default();
        let (refused, failed) = (self.refused.load(Relaxed), self.failed.load(Relaxed));
        println!(
            "{name:<24} {:>7}   p50 {:.1?}  p99 {:.1?}  p99.9 {:.1?}  longest {:.1?}   refused {refused}   failed {failed}",
            took.len(),
            part(500),
            part(990),
            part(999),
            took.last().copied().unwrap_or_default(),
        );
        failed
    }

    /// The response to a GET, if there is one.
    fn get(&self, address: SocketAddr, number: usize, uri: &str) -> Option<String> {
        let began = Instant::now();
        let Ok(reply) = get(address, number, uri) else {
            self.failed.fetch_add(1, Relaxed);
            return None;
        };
        match reply.get(9..12) {
            Some("200") => {
                if let Ok(mut took) = self.took.lock() {
                    took.push(began.elapsed());
                }
                Some(reply)
            }
            Some("429" | "503") => {
                self.refused.fetch_add(1, Relaxed);
                None
            }
            _ => {
                eprintln!("{uri}: {}", reply.chars().take(300).collect::<String>());
                self.failed.fetch_add(1, Relaxed);
                None
            }
        }
    }
}

/// Each visitor has its own address, as behind a proxy.
fn get(address: SocketAddr, number: usize, uri: &str) -> Result<String> {
    let (high, low) = (number / 250, number % 250);
    let request = format!(
        "GET {uri} HTTP/1.1\r\nHost: load\r\nX-Forwarded-For: 10.0.{high}.{low}\r\nConnection: close\r\n\r\n"
    );
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(request.as_bytes())?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply)?;
    String::from_utf8(reply).map_err(Error::other)
}

/// Plays until the time is over.
fn visitor(address: SocketAddr, number: usize, counts: &Counts, over: &AtomicBool) {
    let mut chance = Chance::seeded(number as u64);
    let think = |chance: &mut Chance| {
        let until = Instant::now() + Duration::from_millis(THINKS_MS + chance.below(THINKS_MS));
        while Instant::now() < until && !over.load(Relaxed) {
            thread::sleep(Duration::from_millis(100));
        }
    };
    let (game, start) = GAMES[number % GAMES.len()];
    // Spreads the starts.
    thread::sleep(Duration::from_millis(chance.below(2 * THINKS_MS)));
    let mut here = start.to_owned();
    while !over.load(Relaxed) {
        let uri = format!("/v1/{game}/moves?position={}", here.replace(' ', "_"));
        let listed = counts.moves.get(address, number, &uri);
        think(&mut chance);
        let Some(listed) = listed else { continue };
        let after = positions(listed.split_once("\"moves\":[").map_or("", |(_, moves)| moves));
        if after.is_empty() {
            counts.finished.fetch_add(1, Relaxed);
            here = start.to_owned();
            continue;
        }
        let own = &after[chance.below(after.len() as u64) as usize];
        let position = own.replace(' ', "_");
        let uri = format!("/v1/{game}?position={position}&level={LEVEL}&seed={number}&budget_ms={BUDGET_MS}");
        // If the visitor's move has ended the game there is nothing to answer.
        let listed = counts.moves.get(address, number, &format!("/v1/{game}/moves?position={position}"));
        if listed.is_some_and(|listed| !listed.contains("\"over\":null")) {
            counts.finished.fetch_add(1, Relaxed);
            here = start.to_owned();
            continue;
        }
        let reply = counts.replies.get(address, number, &uri);
        think(&mut chance);
        let chosen = reply.as_deref().and_then(|reply| reply.split_once("\"chosen\":{"));
        if let Some(next) = chosen.and_then(|(_, chosen)| positions(chosen).into_iter().next()) {
            here = next;
        }
    }
}

/// All further positions in a document.
fn positions(text: &str) -> Vec<String> {
    let rest = |part: &str| part.split_once('"').map(|(position, _)| position.to_owned());
    text.split("\"position\":\"").skip(1).filter_map(rest).collect()
}

/// Prints a line with the memory and the current work of the service, and the load of the machine.
fn line(address: SocketAddr, began: Instant) -> Result<()> {
    let text = ask(address, b"GET /metrics HTTP/1.1\r\nHost: load\r\nConnection: close\r\n\r\n")?;
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "{:>6} {:>14} {:>10}     {}",
        began.elapsed().as_secs(),
        figure(&text, "process_resident_memory_bytes") >> 20,
        figure(&text, "marquis_searches"),
        load.split_whitespace().take(3).collect::<Vec<_>>().join(" "),
    );
    Ok(())
}
