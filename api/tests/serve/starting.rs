//! A first start: the starter set is built while the service answers requests that need no table.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use marquis_api::{Config, ServeError, serve};
use marquis_wire::MemorySize;

use crate::client::get;
use crate::shared::{settings, wait};

/// A server in this process, stopped when it is dropped.
struct Starting {
    address: String,
    stop: &'static AtomicBool,
    serving: Option<thread::JoinHandle<Result<(), ServeError>>>,
}

impl Starting {
    /// * `last`: the last part of the address, different for each server of these tests.
    fn begin(last: u8, change: impl FnOnce(&mut Config)) -> Self {
        // An address that no other process has, because a server reports its port only when everything is built.
        let [_, _, high, low] = std::process::id().to_be_bytes();
        let address = format!("127.{high}.{low}.{last}:8017");
        let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
        let mut config = Config { bind: address.clone(), build_starter: true, ..settings() };
        change(&mut config);
        let serving =
            thread::spawn(move || serve(marquis_registry::official(), config, Vec::new(), stop, |_| {}));
        Self { address, stop, serving: Some(serving) }
    }

    fn end(mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.serving.take().unwrap().join().unwrap().unwrap();
    }

    fn is_ready(&self) -> bool {
        get(&self.address, "/readyz").starts_with("HTTP/1.1 200")
    }
}

fn folder() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let tables = vec![folder.path().join("tables")];
    (folder, tables)
}

#[test]
fn a_move_of_a_player_is_found_before_the_starter_set_is_built() {
    let (_folder, tables) = folder();
    let starting = Starting::begin(1, |config| config.tables = tables);
    let question = "/v1/squish?position=start:3&level=1&seed=1&budget_ms=0";
    let reply = wait("an answer", || {
        let reply = get(&starting.address, question);
        assert!(
            reply.is_empty() || reply.starts_with("HTTP/1.1 200") || reply.contains("being opened"),
            "{reply}"
        );
        reply.starts_with("HTTP/1.1 200").then_some(reply)
    });
    assert!(reply.contains("\"chosen\":"), "{reply}");
    // The build takes seconds.
    assert!(!starting.is_ready());
    starting.end();
}

#[test]
fn a_starter_set_that_does_not_fit_the_memory_is_left_out() {
    let (_folder, tables) = folder();
    let starting = Starting::begin(2, |config| {
        (config.tables, config.memory) = (tables, MemorySize(64 << 20));
    });
    wait("it is ready", || starting.is_ready().then_some(()));
    let reply = get(&starting.address, "/v1/squish?position=3/wb2/5/1w1b/3_w&budget_ms=30000");
    assert!(reply.contains("\"value\":\"win\""), "{reply}");
    starting.end();
}
