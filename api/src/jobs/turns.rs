//! A time-sharing scheduler: jobs share a few workers, and a job yields to waiting ones after its slice.
//!
//! A job has its thread from its first turn on. Between two turns the thread sleeps and keeps the state of its
//! search, so that it can resume; the limit on started jobs bounds the memory that this takes.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a sleeping job checks whether it has to stop.
const LOOK: Duration = Duration::from_millis(50);

type TurnTask = Box<dyn FnOnce(&Turn) + Send>;

/// The limits of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SchedulerLimits {
    /// Jobs that work at a time.
    pub(crate) workers: usize,
    /// Jobs that may be started at a time, at least `workers`.
    pub(crate) open: usize,
    /// Jobs that may wait for their first turn.
    pub(crate) waiting: usize,
    /// The time after which a job yields to waiting ones.
    pub(crate) slice: Duration,
}

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TurnsFull;

/// A place in the queue, for the lifetime of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueueTicket(u64);

/// The queue of all waiting jobs.
pub(crate) struct Turns {
    order: SchedulerLimits,
    line: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    /// The number of jobs submitted so far.
    come: u64,
    waiting: VecDeque<(QueueTicket, Waiting)>,
    /// The number of jobs working now.
    working: usize,
    /// The number of jobs that have started and are not over.
    begun: usize,
}

enum Waiting {
    ForTheFirst(TurnTask),
    ForTheNext(Arc<Bell>),
}

/// Wakes a job.
#[derive(Default)]
struct Bell {
    rung: Mutex<bool>,
    heard: Condvar,
}

impl Bell {
    fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.heard.notify_all();
    }

    /// Waits until it rings or `stop` becomes true; returns whether it rang.
    fn wait(&self, stop: &AtomicBool) -> bool {
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        while !*rung && !stop.load(Ordering::Relaxed) {
            rung = self.heard.wait_timeout(rung, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        *rung
    }
}

impl Turns {
    pub(crate) fn new(order: SchedulerLimits) -> Arc<Self> {
        let order = SchedulerLimits { open: order.open.max(order.workers), ..order };
        Arc::new(Self { order, line: Mutex::default() })
    }

    fn line(&self) -> MutexGuard<'_, Queue> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a task; never waits. `place` is called before the task starts.
    ///
    /// # Errors
    /// The queue is full.
    pub(crate) fn submit(
        self: &Arc<Self>,
        place: impl FnOnce(QueueTicket),
        task: impl FnOnce(&Turn) + Send + 'static,
    ) -> Result<(), TurnsFull> {
        let mut line = self.line();
        let new =
            line.waiting.iter().filter(|(_, waiting)| matches!(waiting, Waiting::ForTheFirst(_))).count();
        if new >= self.order.waiting && !self.can_begin(&line) {
            return Err(TurnsFull);
        }
        let own = QueueTicket(line.come);
        line.come += 1;
        place(own);
        line.waiting.push_back((own, Waiting::ForTheFirst(Box::new(task))));
        self.call(&mut line);
        Ok(())
    }

    /// The number of jobs before a waiting one; `None` while it works, and once it is over.
    pub(crate) fn ahead(&self, place: QueueTicket) -> Option<u64> {
        self.line().waiting.iter().position(|(waiting, _)| *waiting == place).map(|before| before as u64)
    }

    /// Whether a new job would start at once.
    fn can_begin(&self, line: &Queue) -> bool {
        line.working < self.order.workers && line.begun < self.order.open && self.next(line).is_none()
    }

    /// The index of the waiting job whose turn is next.
    fn next(&self, line: &Queue) -> Option<usize> {
        line.waiting.iter().position(|(_, waiting)| match waiting {
            Waiting::ForTheFirst(_) => line.begun < self.order.open,
            Waiting::ForTheNext(_) => true,
        })
    }

    /// Gives free workers to waiting jobs.
    fn call(self: &Arc<Self>, line: &mut Queue) {
        while line.working < self.order.workers
            && let Some((place, next)) = self.next(line).and_then(|next| line.waiting.remove(next))
        {
            line.working += 1;
            match next {
                Waiting::ForTheNext(bell) => bell.ring(),
                Waiting::ForTheFirst(task) => {
                    line.begun += 1;
                    let turn = Turn { turns: Arc::clone(self), place, since: Mutex::new(Instant::now()) };
                    let work = move || turn.take(task);
                    if let Err(error) = thread::Builder::new().name("job".to_owned()).spawn(work) {
                        // The task is dropped, so its client gets an error.
                        tracing::error!(%error, "the system provides no thread for a job");
                        line.working -= 1;
                        line.begun -= 1;
                    }
                }
            }
        }
    }
}

/// The right to work until the next yield.
pub(crate) struct Turn {
    turns: Arc<Turns>,
    place: QueueTicket,
    /// The start of the turn; locked by the thread that sleeps between two turns.
    since: Mutex<Instant>,
}

impl Turn {
    /// Runs the task, and then releases the worker.
    fn take(self, task: TurnTask) {
        // A task that panics drops its sender, so its client gets an error.
        if catch_unwind(AssertUnwindSafe(|| task(&self))).is_err() {
            tracing::error!("a job panicked");
        }
        let mut line = self.turns.line();
        line.working -= 1;
        line.begun -= 1;
        self.turns.call(&mut line);
    }

    /// Yields if the slice is over and another job waits; returns at the start of the next turn.
    ///
    /// * `stop`: a job that has to stop does not wait.
    pub(crate) fn give_way(&self, stop: &AtomicBool) {
        // Another thread of the same job already sleeps here for all.
        let Ok(mut since) = self.since.try_lock() else { return };
        if since.elapsed() < self.turns.order.slice || stop.load(Ordering::Relaxed) {
            return;
        }
        let bell = Arc::new(Bell::default());
        {
            let mut line = self.turns.line();
            if self.turns.next(&line).is_some() {
                line.working -= 1;
                line.waiting.push_back((self.place, Waiting::ForTheNext(Arc::clone(&bell))));
                self.turns.call(&mut line);
            } else {
                bell.ring();
            }
        }
        if !bell.wait(stop) {
            let mut line = self.turns.line();
            let own = line.waiting.iter().position(|(place, _)| *place == self.place);
            if own.and_then(|own| line.waiting.remove(own)).is_some() {
                // Exceeds the number of workers for the moment that it takes to stop.
                line.working += 1;
            }
        }
        *since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    const PATIENCE: Duration = Duration::from_secs(60);
    static NEVER: AtomicBool = AtomicBool::new(false);

    fn order(workers: usize, open: usize, waiting: usize, slice_ms: u64) -> SchedulerLimits {
        SchedulerLimits { workers, open, waiting, slice: Duration::from_millis(slice_ms) }
    }

    /// A job that takes turns until `end` is set, and counts its steps.
    fn working(turns: &Arc<Turns>) -> (Receiver<u64>, Arc<AtomicBool>) {
        let (count, counts) = channel();
        let end = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&end);
        let task = move |turn: &Turn| {
            for number in 0.. {
                thread::sleep(Duration::from_millis(1));
                if count.send(number).is_err() || ends.load(Ordering::Relaxed) {
                    return;
                }
                turn.give_way(&NEVER);
            }
        };
        turns.submit(|_| {}, task).unwrap();
        (counts, end)
    }

    #[test]
    fn a_job_too_many_is_refused_and_a_panic_stops_nobody() {
        let turns = Turns::new(order(1, 1, 1, 1000));
        let (release, gate) = channel::<()>();
        let (started, running) = channel::<()>();
        let panics = move |_: &Turn| {
            started.send(()).unwrap();
            let _ = gate.recv();
            panic!("on purpose");
        };
        turns.submit(|_| {}, panics).unwrap();
        running.recv().unwrap();
        let (done, answer) = channel();
        turns.submit(|_| {}, move |_| done.send(17).unwrap()).unwrap();
        assert_eq!(turns.submit(|_| {}, |_| ()), Err(TurnsFull));
        release.send(()).unwrap();
        assert_eq!(answer.recv_timeout(PATIENCE).unwrap(), 17);
    }

    #[test]
    fn two_jobs_on_one_worker_both_get_on_and_go_on_where_they_were() {
        let turns = Turns::new(order(1, 2, 1, 5));
        let (first, second) = (working(&turns), working(&turns));
        for (counts, _) in [&first, &second] {
            for number in 0..50 {
                assert_eq!(counts.recv_timeout(PATIENCE).unwrap(), number);
            }
        }
        for (_, end) in [&first, &second] {
            end.store(true, Ordering::Relaxed);
        }
    }

    #[test]
    fn no_more_jobs_are_begun_than_may_be_open_and_who_waits_knows_his_place() {
        let turns = Turns::new(order(1, 1, 2, 1));
        let (counts, end) = working(&turns);
        counts.recv_timeout(PATIENCE).unwrap();
        let (done, answers) = channel();
        let mut places = Vec::new();
        for number in 0..2 {
            let done = done.clone();
            turns.submit(|place| places.push(place), move |_| done.send(number).unwrap()).unwrap();
        }
        // Many slices later.
        for _ in 0..20 {
            counts.recv_timeout(PATIENCE).unwrap();
        }
        assert_eq!((turns.ahead(places[0]), turns.ahead(places[1])), (Some(0), Some(1)));
        assert!(answers.try_recv().is_err(), "a second one was started");
        end.store(true, Ordering::Relaxed);
        assert_eq!(answers.recv_timeout(PATIENCE), Ok(0));
        assert_eq!(answers.recv_timeout(PATIENCE), Ok(1));
    }

    #[test]
    fn one_that_sleeps_between_turns_stops_when_it_is_told() {
        let turns = Turns::new(order(1, 2, 1, 0));
        let stop = Arc::new(AtomicBool::new(false));
        let (slept, woke) = channel();
        let (begin, begun) = channel::<()>();
        let stops = Arc::clone(&stop);
        turns
            .submit(
                |_| {},
                move |turn| {
                    begun.recv().unwrap();
                    turn.give_way(&stops);
                    slept.send(()).unwrap();
                },
            )
            .unwrap();
        let (release, gate) = channel::<()>();
        turns
            .submit(
                |_| {},
                move |_| {
                    let _ = gate.recv();
                },
            )
            .unwrap();
        begin.send(()).unwrap();
        // The other job has the only worker, and keeps it.
        assert!(woke.recv_timeout(Duration::from_millis(300)).is_err());
        stop.store(true, Ordering::Relaxed);
        woke.recv_timeout(PATIENCE).unwrap();
        release.send(()).unwrap();
    }
}
