//! The progress of a job as server-sent events.
//!
//! Source: WHATWG HTML, "Server-sent events".

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::{Bytes, Data};
use marquis_wire::review::ReviewedMove;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::jobs::document::{JobDocument, Snapshot};
use crate::jobs::job::{Job, Listener};
use crate::kinds::JobResult;
use crate::state::AppState;

/// The polling interval for a job.
const PERIOD: Duration = Duration::from_millis(200);
/// After this many polls without an event, a comment keeps the connection alive.
const QUIET: u32 = 50;

/// `progress` events while the job runs; in a review a `move` for each reviewed move, in a design a `find` for each
/// set-up that is kept; and one final event with the whole job, named after its last state.
pub(crate) struct Events {
    job: Listener,
    state: Data<AppState>,
    clock: Interval,
    last: String,
    /// The number of moves of a review that were sent.
    moves: usize,
    /// The numbers of the finds that were sent.
    finds: BTreeSet<u32>,
    quiet: u32,
    ended: bool,
}

impl Events {
    pub(crate) fn new(job: &Arc<Job>, state: Data<AppState>) -> Self {
        let mut clock = interval(PERIOD);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            job: Listener::to(job),
            state,
            clock,
            last: String::new(),
            moves: 0,
            finds: BTreeSet::new(),
            quiet: 0,
            ended: false,
        }
    }

    /// The events to send now.
    fn news(&mut self) -> Option<String> {
        // Check this before the state: the browser reconnects, and finds the job resumed by the next run.
        if self.state.is_stopping() {
            self.ended = true;
            return None;
        }
        let state = self.job.job().state();
        let parts = self.parts();
        if state.is_final() {
            self.ended = true;
            let whole = JobDocument::of(self.job.job(), self.state.jobs().proofs());
            return Some(parts + &event(state.name(), &whole));
        }
        if !parts.is_empty() {
            return Some(parts);
        }
        let progress = event("progress", &Snapshot::of(self.job.job()));
        self.quiet = if progress == self.last { self.quiet + 1 } else { 0 };
        if self.quiet == 0 {
            self.last.clone_from(&progress);
            return Some(progress);
        }
        self.quiet.is_multiple_of(QUIET).then(|| ": still there\n\n".to_owned())
    }

    /// An event for each part of the result that is new since the last poll.
    fn parts(&mut self) -> String {
        match self.job.job().found().as_deref() {
            Some(JobResult::Review(review)) => self.moves(review.moves.get(self.moves..).unwrap_or_default()),
            Some(JobResult::Design(designs)) => {
                let new = designs.designs.iter().filter(|find| self.finds.insert(find.number));
                new.map(|find| event("find", find)).collect()
            }
            Some(JobResult::Balance(_) | JobResult::Answer(_) | JobResult::Build(_)) => String::new(),
            None => {
                let new = self.job.job().growing().map(|review| review.moves_after(self.moves));
                self.moves(&new.unwrap_or_default())
            }
        }
    }

    /// An event for each of these moves of a review.
    fn moves(&mut self, new: &[ReviewedMove]) -> String {
        self.moves += new.len();
        new.iter().map(|own| event("move", own)).collect()
    }
}

fn event(name: &str, data: &impl serde::Serialize) -> String {
    // The shapes hold texts and numbers: they always serialize, on one line.
    format!("event: {name}\ndata: {}\n\n", serde_json::to_string(data).unwrap_or_default())
}

impl MessageBody for Events {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let events = self.get_mut();
        while !events.ended {
            ready!(events.clock.poll_tick(context));
            if let Some(text) = events.news() {
                return Poll::Ready(Some(Ok(Bytes::from(text))));
            }
        }
        Poll::Ready(None)
    }
}
