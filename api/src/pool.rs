//! A few threads with a short queue, for work that is too long for the threads that serve clients.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The priority of the threads of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// The same as the threads that serve clients.
    Equal,
    /// Lower: cheap requests never queue behind expensive ones.
    Back,
}

/// The nice(1) value of [`Priority::Back`].
const BACK: i32 = 5;

type Task = Box<dyn FnOnce() + Send>;

/// Threads that take tasks from a queue of fixed length; they end when the pool is dropped.
pub(crate) struct Pool {
    queue: SyncSender<Task>,
}

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Pool {
    /// A pool of `threads` threads with room for `waiting` queued tasks.
    ///
    /// # Errors
    /// The system cannot create more threads.
    pub(crate) fn new(
        name: &str,
        threads: usize,
        waiting: usize,
        standing: Priority,
    ) -> std::io::Result<Self> {
        let (queue, tasks) = sync_channel::<Task>(waiting);
        let tasks = Arc::new(Mutex::new(tasks));
        for number in 0..threads {
            let tasks = Arc::clone(&tasks);
            thread::Builder::new().name(format!("{name}-{number}")).spawn(move || work(&tasks, standing))?;
        }
        Ok(Self { queue })
    }

    /// Puts a task into the queue; never waits.
    pub(crate) fn submit(&self, task: impl FnOnce() + Send + 'static) -> Result<(), Full> {
        self.queue.try_send(Box::new(task)).map_err(|_| Full)
    }
}

fn work(tasks: &Mutex<Receiver<Task>>, standing: Priority) {
    if standing == Priority::Back {
        // On Linux, process 0 is the calling thread. If the system refuses, other requests only wait longer.
        let _ = rustix::process::setpriority_process(None, BACK);
    }
    loop {
        let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = next else { return };
        // A task that panics drops its sender, so its client gets an error; the thread continues.
        if catch_unwind(AssertUnwindSafe(task)).is_err() {
            tracing::error!("a task panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_task_beyond_the_queue_is_refused_and_a_panic_stops_nobody() {
        let pool = Pool::new("test", 1, 1, Priority::Equal).unwrap();
        let (release, gate) = channel::<()>();
        let (started, running) = channel::<()>();
        pool.submit(move || {
            started.send(()).unwrap();
            let _ = gate.recv();
            panic!("on purpose");
        })
        .unwrap();
        running.recv().unwrap();
        let (done, answer) = channel();
        pool.submit(move || done.send(17).unwrap()).unwrap();
        assert_eq!(pool.submit(|| ()), Err(Full));
        release.send(()).unwrap();
        assert_eq!(answer.recv().unwrap(), 17);
    }
}
