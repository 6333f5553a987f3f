//! Clients that do not read their answers, or leave in the middle of one: they must not affect other clients.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use marquis_wire::MemorySize;

use crate::client::{exchange, get};
use crate::shared::{PATIENCE, Server, wait};

/// A request of nine kilobytes, an answer of thirty megabytes.
fn vast(connection: &str) -> Vec<u8> {
    let body = format!("{{\"positions\":[{}],\"budget_ms\":0}}", ["\"start:8x8x3\""; 1000].join(","));
    let length = body.len();
    format!(
        "POST /v1/squinch HTTP/1.1\r\nHost: x\r\nConnection: {connection}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn ask(address: &str, request: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request).unwrap();
    stream
}

/// A metric of the service.
fn figure(address: &str, name: &str) -> u64 {
    let text = get(address, "/metrics");
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or_else(|| panic!("no {name}: {text}"))
}

fn wait_for_nothing_under_way(address: &str) {
    wait("nothing is under way", || {
        let names = ["marquis_reply_room_used_bytes", "marquis_unsent_bytes", "marquis_batch_positions"];
        names.iter().all(|name| figure(address, name) == 0).then_some(())
    });
}

#[test]
fn a_client_that_does_not_read_is_cut_off_and_what_it_took_given_back() {
    let running = Server::start(|config| config.write_seconds = 1);
    let address = &running.address;
    let mut deaf = ask(address, &vast("keep-alive"));
    wait("a batch is under way", || (figure(address, "marquis_reply_room_used_bytes") > 0).then_some(()));
    wait("it is cut off", || (figure(address, "marquis_clients_cut_off") == 1).then_some(()));
    wait_for_nothing_under_way(address);
    let mut came = Vec::new();
    // The connection was reset, or ended early.
    let _ = deaf.read_to_end(&mut came);
    assert!(!came.ends_with(b"0\r\n\r\n"), "{} bytes", came.len());
    assert!(running.stop());
}

#[test]
fn a_client_that_reads_slowly_is_not_cut_off() {
    let running = Server::start(|config| config.write_seconds = 5);
    let mut slow = ask(&running.address, &vast("close"));
    let (mut part, mut came) = (vec![0; 256 << 10], 0);
    for _ in 0..16 {
        // The client reads the waiting data slowly: in total it takes longer than a client may read nothing.
        came += slow.read(&mut part).unwrap();
        thread::sleep(Duration::from_millis(400));
    }
    let mut rest = Vec::new();
    slow.read_to_end(&mut rest).unwrap();
    assert!(rest.ends_with(b"]}\r\n0\r\n\r\n"), "{} bytes", came + rest.len());
    assert_eq!(figure(&running.address, "marquis_clients_cut_off"), 0);
    assert!(running.stop());
}

#[test]
fn what_a_client_who_left_asked_for_is_dropped() {
    // The connection is not closed for a slow client.
    let running = Server::start(|config| config.write_seconds = 3600);
    let mut leaving = ask(&running.address, &vast("keep-alive"));
    leaving.read_exact(&mut [0; 1000]).unwrap();
    drop(leaving);
    wait_for_nothing_under_way(&running.address);
    assert_eq!(figure(&running.address, "marquis_clients_cut_off"), 0);
    assert!(running.stop());
}

#[test]
fn batches_for_which_there_is_no_room_are_told_to_come_again_and_look_ups_are_answered() {
    let running = Server::start(|config| {
        (config.replies, config.client_batches) = (Some(MemorySize(8 << 20)), 1000);
    });
    let address = &running.address;
    let mut deaf: Vec<TcpStream> = (0..60).map(|_| ask(address, &vast("keep-alive"))).collect();
    let statuses: Vec<String> = deaf
        .iter_mut()
        .map(|stream| {
            let mut status = [0; 12];
            stream.read_exact(&mut status).unwrap();
            String::from_utf8_lossy(&status[9..]).into_owned()
        })
        .collect();
    let count = |wanted: &str| statuses.iter().filter(|status| *status == wanted).count();
    // Each takes a third of a megabyte of the eight.
    assert!(count("200") >= 16 && count("503") >= 16 && count("200") + count("503") == 60, "{statuses:?}");
    let refused = exchange(address, &vast("close")).to_lowercase();
    assert!(refused.contains("503") && refused.contains("retry-after"), "{refused}");
    for _ in 0..20 {
        let reply = get(address, "/v1/squish?position=3/4/2w2/b3/b1b_w&budget_ms=0");
        assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    }
    drop(deaf);
    wait_for_nothing_under_way(address);
    assert!(running.stop());
}

/// Sends requests until there is room, and reads a whole document.
fn read_whole(address: &str) {
    wait("a batch is answered whole", || {
        let reply = exchange(address, &vast("close"));
        let whole = reply.starts_with("HTTP/1.1 200") && reply.ends_with("]}\r\n0\r\n\r\n");
        assert!(whole || reply.starts_with("HTTP/1.1 503"), "{} bytes: {:.200}", reply.len(), reply);
        whole.then_some(())
    });
}

#[test]
fn a_crowd_of_which_a_third_never_reads_and_a_third_leaves_takes_little_memory() {
    let running = Server::start(|config| {
        (config.memory, config.client_batches, config.write_seconds) = (MemorySize(64 << 20), 1000, 2);
    });
    let address = &running.address;
    let before = figure(address, "process_resident_memory_bytes");
    let most = thread::scope(|scope| {
        let _deaf: Vec<TcpStream> = (0..30).map(|_| ask(address, &vast("keep-alive"))).collect();
        for _ in 0..30 {
            drop(ask(address, &vast("keep-alive")));
        }
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(|| read_whole(address))).collect();
        let mut most = 0;
        while readers.iter().any(|reader| !reader.is_finished()) {
            most = most.max(figure(address, "process_resident_memory_bytes"));
            let reply = get(address, "/v1/squish?position=3/4/2w2/b3/b1b_w&budget_ms=0");
            assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
            thread::sleep(Duration::from_millis(20));
        }
        most
    });
    wait_for_nothing_under_way(address);
    // Sixty-three of the answers in memory as a whole would take 1.8 GiB.
    let grown = most.saturating_sub(before) >> 20;
    assert!(grown < 100, "{grown} MiB");
    assert!(running.stop());
}
