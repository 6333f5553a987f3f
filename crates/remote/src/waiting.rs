//! Waits for a response, as long as a server may be silent.

use std::error::Error;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use crate::patience::LOOK;

/// Why there is no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoResponse {
    /// The caller stopped the wait.
    Stopped,
    /// Nothing came in time.
    Silent,
}

/// Waits for a response.
///
/// * `silence`: the longest wait.
pub(crate) fn response<T>(
    runtime: &Runtime,
    silence: Duration,
    stopped: &dyn Fn() -> bool,
    coming: impl Future<Output = T>,
) -> Result<T, NoResponse> {
    let begun = Instant::now();
    runtime.block_on(async {
        let mut coming = pin!(coming);
        loop {
            match tokio::time::timeout(LOOK, &mut coming).await {
                Ok(response) => return Ok(response),
                Err(_) if stopped() => return Err(NoResponse::Stopped),
                Err(_) if begun.elapsed() >= silence => return Err(NoResponse::Silent),
                Err(_) => {}
            }
        }
    })
}

/// The error of a server that was silent for this long.
pub(crate) fn silent(silence: Duration) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, format!("nothing came for {silence:?}"))
}

/// The deepest cause; the other errors repeat it with their context.
pub(crate) fn deepest(error: &dyn Error) -> io::Error {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    io::Error::other(cause.to_string())
}
