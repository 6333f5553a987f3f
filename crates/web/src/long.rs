//! Long questions, with progress: the review of a game and the balance of a set-up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use marquis_core::Bounds;
use marquis_engine::{Control, Progress};
use marquis_wire::progress::{KnownByColour, Snapshot};
use marquis_wire::words::names;
use serde::Serialize;
use web_time::Instant;

use crate::offline::OfflineEngine;
use crate::questions::{Refused, ReviewQuestion, SetUpQuestion};

/// The least interval between two reports of progress.
const PERIOD: Duration = Duration::from_millis(200);

/// Receives the events that the service sends for a job: the name, and the data as JSON.
pub(crate) type Tell<'a> = dyn Fn(&str, &str) + Send + Sync + 'a;

impl OfflineEngine {
    /// The review of a game; each reviewed move is a `move` event.
    pub(crate) fn review(&self, question: &str, tell: &Tell<'_>) -> Result<String, Refused> {
        let question: ReviewQuestion = serde_json::from_str(question)?;
        let game = Arc::new(question.replayed(self.engine())?);
        let reporter = Reporter::new(tell);
        let control = reporter.control();
        let mut so_far = |own: &_| reporter.send("move", own);
        let review = self.engine().review(&game, &question.limits(), &control, &mut so_far)?;
        Ok(serde_json::to_string(&review)?)
    }

    /// The balance of a set-up; what its limits leave open is unknown.
    pub(crate) fn balance(&self, question: &str, tell: &Tell<'_>) -> Result<String, Refused> {
        let question: SetUpQuestion = serde_json::from_str(question)?;
        let set_up = question.laid_out(self.engine())?;
        let reporter = Reporter::new(tell);
        let control = reporter.control().with_firsts(|bounds| reporter.firsts(*bounds));
        let balance = self.engine().balance(&set_up, &question.limits(), &control)?;
        Ok(serde_json::to_string(&balance)?)
    }
}

/// Turns the progress of the engine into events.
struct Reporter<'a> {
    begun: Instant,
    latest: Mutex<Latest>,
    tell: &'a Tell<'a>,
}

/// The latest news.
#[derive(Default)]
struct Latest {
    firsts: Option<[Bounds; 2]>,
    sent: Option<Instant>,
}

impl<'a> Reporter<'a> {
    fn new(tell: &'a Tell<'a>) -> Self {
        Self { begun: Instant::now(), latest: Mutex::default(), tell }
    }

    /// Watches the work; it ends with its worker.
    fn control(&self) -> Control<'_> {
        Control::none().of_part(|progress| self.progress(progress))
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn firsts(&self, bounds: [Bounds; 2]) {
        self.latest().firsts = Some(bounds);
    }

    fn progress(&self, progress: &Progress) {
        let mut latest = self.latest();
        if latest.sent.is_some_and(|sent| sent.elapsed() < PERIOD) {
            return;
        }
        latest.sent = Some(Instant::now());
        let firsts = latest.firsts.map(KnownByColour::from);
        drop(latest);
        let snapshot = Snapshot {
            state: "running",
            phase: Some(progress.phase.clone()),
            nodes: progress.done,
            total: progress.total,
            bounds: progress.bounds.map(names),
            leaning: None,
            first_mover: firsts,
            seconds: self.begun.elapsed().as_secs_f64(),
            ahead: None,
        };
        self.send("progress", &snapshot);
    }

    fn send(&self, name: &str, data: &impl Serialize) {
        // The shapes hold texts and numbers: they always serialize.
        (self.tell)(name, &serde_json::to_string(data).unwrap_or_default());
    }
}
