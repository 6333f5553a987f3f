//! What the tests with a server on a socket share.

use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything that a test waits for takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// An address that was free a moment ago.
pub(crate) fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// What `look` finds, as soon as it finds something.
pub(crate) fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
