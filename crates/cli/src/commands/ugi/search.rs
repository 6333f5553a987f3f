//! A search that another program has asked for, and the one `bestmove` that answers it.

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

/// Time in which a finished search without an end notices that it is to stop.
const PACE: Duration = Duration::from_millis(20);
/// What is thought on the way is not said more often.
const BETWEEN_LINES: Duration = Duration::from_millis(5);
/// What answers a search where there is no move.
const NO_MOVE: &str = "(none)";

/// What is to be searched.
pub(super) struct Task {
    pub(super) engine: Arc<Engine>,
    pub(super) posed: Posed,
    pub(super) throw: Option<u8>,
    pub(super) opponent: Opponent,
    pub(super) limits: Limits,
    pub(super) multi_pv: usize,
    /// Ends the search once so many plies were looked ahead.
    pub(super) depth: Option<u64>,
    /// Whether the answer waits for `stop`.
    pub(super) infinite: bool,
}

/// A search under way.
pub(super) struct Search {
    stop: Arc<AtomicBool>,
    owed: Arc<Owed>,
    /// Disconnected when the search has ended.
    ended: Receiver<()>,
}

impl Search {
    /// Begins a search; one that is `hurried` answers at once.
    ///
    /// * `over`: is told when nobody takes the answer.
    pub(super) fn begin(task: Task, hurried: bool, over: SyncSender<io::Result<Heard>>) -> Self {
        let stop = Arc::new(AtomicBool::new(hurried));
        let owed = Arc::new(Owed { best: Mutex::new(Some(task.any_move())), over });
        let (alive, ended) = channel();
        let work = Work { task, stop: Arc::clone(&stop), owed: AtEnd(Arc::clone(&owed)), _alive: alive };
        thread::spawn(move || work.run());
        Self { stop, owed, ended }
    }

    /// Stops the search, which answers, or after so long is answered for with the best move so far.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub(super) fn call_in(self, patience: Duration) -> io::Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        // Nothing is ever sent: the channel is disconnected when the search has ended.
        let _ = self.ended.recv_timeout(patience);
        self.owed.pay("", None)
    }
}

impl Task {
    /// A legal move, as the protocol writes it.
    fn any_move(&self) -> String {
        let is_known = self.throw.is_some() || !self.posed.has_throws();
        let first = self.posed.moves().into_iter().next().filter(|_| is_known);
        first.map_or_else(|| NO_MOVE.to_owned(), |first| throws::in_play(&first.mv, self.throw))
    }
}

/// What one thread does.
struct Work {
    task: Task,
    stop: Arc<AtomicBool>,
    owed: AtEnd,
    _alive: Sender<()>,
}

impl Work {
    fn run(self) {
        let Task { engine, posed, throw, opponent, limits, multi_pv, depth, infinite } = &self.task;
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
                // A search without an end says what it thinks when it is asked to.
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

/// The one `bestmove` that answers a `go`; the lines before it are not said after it.
struct Owed {
    /// The best move so far; none once it is said.
    best: Mutex<Option<String>>,
    over: SyncSender<io::Result<Heard>>,
}

impl Owed {
    /// Notes the best move so far, and says a line if there is one.
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

    /// Says lines and the move, unless it is said already.
    ///
    /// * `best`: the best so far where it is none.
    fn pay(&self, lines: &str, best: Option<&str>) -> io::Result<()> {
        let mut place = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(so_far) = place.take() else { return Ok(()) };
        say(&format!("{lines}bestmove {}", best.unwrap_or(&so_far)))
    }

    /// Ends the conversation where nobody takes what is said.
    fn unless_closed(&self, said: &io::Result<()>) {
        if said.is_err() {
            // Where it is over already, nobody listens.
            let _ = self.over.try_send(Ok(Heard::End));
        }
    }
}

/// Answers for a search however it ends.
struct AtEnd(Arc<Owed>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.unless_closed(&self.0.pay("", None));
    }
}

/// Keeps what is thought on the way from coming faster than anybody reads it.
#[derive(Default)]
struct Paced(Mutex<Option<Instant>>);

impl Paced {
    /// Whether the last line is long enough ago.
    fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= BETWEEN_LINES);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}
