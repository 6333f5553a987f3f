//! Pieces of answers, computed one at a time for each answer and a few at a time for all.

use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};

use crate::pool::{Pool, Standing};

/// Threads for pieces, and the queue of those that wait for one.
///
/// Whoever waits and leaves costs nothing: the queue holds no work, only whose turn it is.
pub(crate) struct Pieces {
    pool: Pool,
    turns: Arc<Semaphore>,
}

/// The piece was not computed: a fault of the program.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a piece of an answer could not be computed")]
pub(crate) struct Broken;

impl Pieces {
    /// # Errors
    /// The system gives no more threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<Self> {
        // A thread that ended a piece may not be back at the queue when the next one comes.
        let pool = Pool::new("pieces", threads, 2 * threads, Standing::Back)?;
        Ok(Self { pool, turns: Arc::new(Semaphore::new(threads)) })
    }

    /// What the task finds, on a thread of the pool, in turn.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        task: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Broken> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Broken)?;
        let (sender, found) = oneshot::channel();
        let work = move || {
            let _turn = turn;
            // Whoever waited may have left.
            let _ = sender.send(task());
        };
        self.pool.submit(work).map_err(|_| Broken)?;
        found.await.map_err(|_| Broken)
    }
}
