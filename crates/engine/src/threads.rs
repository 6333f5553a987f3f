//! The thread pool of long computations.

use crate::{EngineError, Limits};

/// Runs `work` in a pool of as many threads as the limits allow.
pub(crate) fn in_pool<T: Send>(
    limits: &Limits,
    work: impl FnOnce() -> Result<T, EngineError> + Send,
) -> Result<T, EngineError> {
    // A browser starts no threads; rayon works on the calling one.
    if cfg!(target_family = "wasm") {
        return work();
    }
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = limits.threads {
        pool = pool.num_threads(threads);
    }
    let pool = pool.build().map_err(|error| EngineError::LimitReached(format!("no threads: {error}")))?;
    pool.install(work)
}
