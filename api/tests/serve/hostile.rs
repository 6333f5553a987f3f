//! Bodies that try to exhaust memory: sent all at once, they must not affect other requests.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use marquis_wire::MemorySize;

use crate::client::{exchange, get};
use crate::shared::Server;

/// The unpacked size of a bomb; ten of them exceed the memory limit.
const BOMB: usize = 64 << 20;
/// The number of concurrent bombs.
const AT_ONCE: usize = 24;
/// The maximum memory of the process, under `memory = "256MiB"`.
const MOST_MIB: u64 = 400;

/// A body of each kind, with its content coding.
fn bodies() -> Vec<(&'static str, Vec<u8>)> {
    let spaces = vec![b' '; BOMB];
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&spaces).unwrap();
    let mut deflate = ZlibEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(&spaces).unwrap();
    let zstd = zstd::encode_all(&spaces[..], 3).unwrap();
    let lists = |item: &str| {
        let items = vec![item; (2 << 20) / (item.len() + 1) - 20];
        format!("{{\"positions\":[{}]}}", items.join(",")).into_bytes()
    };
    vec![
        ("gzip", gzip.finish().unwrap()),
        ("deflate", deflate.finish().unwrap()),
        ("zstd", zstd.clone()),
        // Many frames, and a body that is compressed twice.
        ("zstd", zstd.repeat(100)),
        ("gzip, zstd", zstd),
        ("br", vec![0xff; 1 << 20]),
        // As large as a body may be, with as many texts as fit.
        ("identity", lists("\"\"")),
        ("identity", lists("[[[[[]]]]]")),
    ]
}

fn request(path: &str, coding: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// The peak memory of the process, in MiB.
fn peak_mib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

#[test]
fn hostile_bodies_of_every_kind_at_once_take_little_memory_and_hold_up_no_look_up() {
    let running = Server::start(|config| config.memory = MemorySize(256 << 20));
    let address = &running.address;
    let bodies = bodies();
    let paths = ["/v1/squish", "/v1/squish/record", "/v1/swish/balance", "/v1/squish/review"];
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let mut asked = 0;
            while !over.load(Ordering::Relaxed) {
                let reply = get(address, "/v1/squish?position=3/4/2w2/b3/b1b_w&budget_ms=0");
                assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("unified"), "{reply}");
                asked += 1;
            }
            asked
        });
        let hostile: Vec<_> = (0..AT_ONCE)
            .map(|number| {
                let (coding, body) = &bodies[number % bodies.len()];
                let request = request(paths[number / bodies.len() % paths.len()], coding, body);
                scope.spawn(move || (coding, exchange(address, &request)))
            })
            .collect();
        for one in hostile {
            let (coding, reply) = one.join().unwrap();
            let refused = ["400", "413", "415", "503"].map(|status| format!("HTTP/1.1 {status}"));
            // If a connection is refused early, it may be reset before the client reads the refusal.
            let is_refused = reply.is_empty() || refused.iter().any(|status| reply.starts_with(status));
            assert!(is_refused, "{coding}: {reply:.300}");
        }
        over.store(true, Ordering::Relaxed);
        assert!(asking.join().unwrap() > 0);
    });
    let peak = peak_mib(running.process.id());
    assert!(peak < MOST_MIB, "{peak} MiB");
    assert!(running.stop());
}

#[test]
fn a_body_that_comes_a_byte_at_a_time_holds_room_for_no_more_than_it_says() {
    let running = Server::start(|config| config.memory = MemorySize(64 << 20));
    let head = b"POST /v1/squish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: zstd\r\n\
        Content-Length: 900\r\n\r\n(";
    let _slow: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(&running.address).unwrap();
            stream.write_all(head).unwrap();
            stream
        })
        .collect();
    let body = zstd::encode_all(&br#"{"positions":["3/4/2w2/b3/b1b w"]}"#[..], 3).unwrap();
    let reply = exchange(&running.address, &request("/v1/squish", "zstd", &body));
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
}
