//! A search that another program requested, and the one `bestmove` that answers it.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use marquis_engine::{Control, Engine, Limits, Look, Opponent, Posed, causes};

use super::words::{self, say};
use crate::input::Heard;
use crate::throws;

/// How long a finished infinite search may take to notice `stop`.
const PACE: Duration = Duration::from_millis(20);
/// The least time between two lines of a running search.
const BETWEEN_LINES: Duration = Duration::from_millis(5);
/// The answer to a search in a position without moves.
const NO_MOVE: &str = "(none)";

/// The search to run.
pub(super) struct SearchTask {
    pub(super) engine: Arc<Engine>,
    pub(super) posed: Posed,
    pub(super) throw: Option<u8>,
    pub(super) opponent: Opponent,
    pub(super) limits: Limits,
    pub(super) multi_pv: usize,
    /// Ends the search at this depth, in plies.
    pub(super) depth: Option<u64>,
    /// Whether the answer waits for `stop`.
    pub(super) infinite: bool,
}

/// A search under way.
pub(super) struct RunningSearch {
    stop: Arc<AtomicBool>,
    owed: Arc<Owed>,
    /// Disconnected when the search ends.
    ended: Receiver<()>,
}

impl RunningSearch {
    /// Starts a search; if `hurried`, it answers at once.
    ///
    /// * `over`: receives the end of the conversation if nobody reads the answer.
    pub(super) fn begin(task: SearchTask, hurried: bool, over: SyncSender<io::Result<Heard>>) -> Self {
        let stop = Arc::new(AtomicBool::new(hurried));
        let owed = Arc::new(Owed { best: Mutex::new(Some(task.any_move())), over });
        let (alive, ended) = channel();
        let work =
            SearchThread { task, stop: Arc::clone(&stop), owed: AtEnd(Arc::clone(&owed)), _alive: alive };
        thread::spawn(move || work.run());
        Self { stop, owed, ended }
    }

    /// Stops the search. If it does not answer within `patience`, the best move so far is sent.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub(super) fn call_in(self, patience: Duration) -> io::Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        // Nothing is ever sent: the channel is disconnected when the search ends.
        let _ = self.ended.recv_timeout(patience);
        self.owed.pay("", None)
    }
}

impl SearchTask {
    /// A legal move, as the protocol writes it.
    fn any_move(&self) -> String {
        let is_known = self.throw.is_some() || !self.posed.has_throws();
        let first = self.posed.moves().into_iter().next().filter(|_| is_known);
        first.map_or_else(|| NO_MOVE.to_owned(), |first| throws::in_play(&first.mv, self.throw))
    }
}

/// The work of the search thread.
struct SearchThread {
    task: SearchTask,
    stop: Arc<AtomicBool>,
    owed: AtEnd,
    _alive: Sender<()>,
}

impl SearchThread {
    fn run(self) {
        let SearchTask { engine, posed, throw, opponent, limits, multi_pv, depth, infinite } = &self.task;
        let owed = &self.owed.0;
        let (begun, paced) = (Instant::now(), Paced::default());
        let control = Control::new(&self.stop, |_| {}).with_looks(|look: &Look| {
            if depth.is_some_and(|depth| u64::from(look.insight.depth) >= depth) {
                self.stop.store(true, Ordering::Relaxed);
            }
            let best = look.insight.pv.first().map(|best| throws::in_play(best, *throw));
            owed.think(best, || paced.is_due().then(|| words::look(look, begun.elapsed())));
        });
        let said = match engine.advise(posed, *opponent, limits, &control) {
            Ok(advice) => {
                // An infinite search waits for `stop` before it answers.
                while *infinite && !self.stop.load(Ordering::Relaxed) {
                    thread::sleep(PACE);
                }
                let infos = words::infos(&advice.answer, &advice.mv, *multi_pv, begun.elapsed());
                let infos: String = infos.into_iter().map(|info| info + "\n").collect();
                owed.pay(&infos, Some(&throws::in_play(&advice.mv, advice.throw)))
            }
            Err(error) => owed.pay(&format!("info string error: {}\n", causes(&error)), Some(NO_MOVE)),
        };
        owed.unless_closed(&said);
    }
}

/// The one `bestmove` that answers a `go`; no `info` line follows it.
struct Owed {
    /// The best move so far; `None` once it was printed.
    best: Mutex<Option<String>>,
    over: SyncSender<io::Result<Heard>>,
}

impl Owed {
    /// Records the best move so far, and prints a line if there is one.
    fn think(&self, best: Option<String>, line: impl FnOnce() -> Option<String>) {
        let mut place = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if place.is_none() {
            return;
        }
        *place = best.or_else(|| place.take());
        if let Some(line) = line() {
            self.unless_closed(&say(&line));
        }
    }

    /// Prints lines and the move, unless the move was printed already.
    ///
    /// * `best`: `None` for the best move so far.
    fn pay(&self, lines: &str, best: Option<&str>) -> io::Result<()> {
        let mut place = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(so_far) = place.take() else { return Ok(()) };
        say(&format!("{lines}bestmove {}", best.unwrap_or(&so_far)))
    }

    /// Ends the conversation if nobody reads its output.
    fn unless_closed(&self, said: &io::Result<()>) {
        if said.is_err() {
            // If the conversation is over already, nobody listens.
            let _ = self.over.try_send(Ok(Heard::End));
        }
    }
}

/// Answers for a search, however the search ends.
struct AtEnd(Arc<Owed>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.unless_closed(&self.0.pay("", None));
    }
}

/// Limits the rate of lines of a running search.
#[derive(Default)]
struct Paced(Mutex<Option<Instant>>);

impl Paced {
    /// Whether enough time has passed since the last line.
    fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= BETWEEN_LINES);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}
