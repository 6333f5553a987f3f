//! Pieces of responses, computed one at a time per response and a few at a time overall.

use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};

use crate::pool::{Pool, Priority};

/// Threads for pieces, and a queue of waiting ones.
///
/// A client that leaves the queue costs nothing: the queue holds turns, not work.
pub(crate) struct PieceThreads {
    pool: Pool,
    turns: Arc<Semaphore>,
}

/// The piece was not computed because of a bug.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a piece of an answer could not be computed")]
pub(crate) struct PieceFailed;

impl PieceThreads {
    /// # Errors
    /// The system cannot create more threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<Self> {
        // A thread that finished a piece may not be back at the queue when the next one arrives.
        let pool = Pool::new("pieces", threads, 2 * threads, Priority::Back)?;
        Ok(Self { pool, turns: Arc::new(Semaphore::new(threads)) })
    }

    /// Runs the task on a thread of the pool, in turn, and returns its result.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        task: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PieceFailed> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| PieceFailed)?;
        let (sender, found) = oneshot::channel();
        let work = move || {
            let _turn = turn;
            // The receiver may be gone.
            let _ = sender.send(task());
        };
        self.pool.submit(work).map_err(|_| PieceFailed)?;
        found.await.map_err(|_| PieceFailed)
    }
}
