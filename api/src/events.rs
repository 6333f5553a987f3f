//! The progress of a job as server-sent events, or as JSON lines.
//!
//! Sources: WHATWG HTML, "Server-sent events"; <https://github.com/ndjson/ndjson-spec>.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::{Bytes, Data};
use marquis_wire::review::ReviewedMove;
use serde::Serialize;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::jobs::document::{JobDocument, snapshot};
use crate::jobs::job::{Job, Listener};
use crate::kinds::{FindDocument, JobResult};
use crate::state::AppState;

/// The polling interval for a job.
const PERIOD: Duration = Duration::from_millis(200);
/// After this many polls without an event, a comment keeps the connection alive.
const QUIET: u32 = 50;

/// The form of a stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// `text/event-stream`.
    ServerSent,
    /// `application/x-ndjson`: an object with `event`, `data` and perhaps `id` on each line.
    Lines,
}

impl Framing {
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::ServerSent => "text/event-stream",
            Self::Lines => "application/x-ndjson",
        }
    }

    /// An event.
    ///
    /// * `id`: the number of a move or find.
    fn event(self, name: &str, id: Option<u32>, data: &impl Serialize) -> String {
        // The shapes hold texts and numbers: they always serialize, on one line.
        let data = serde_json::to_string(data).unwrap_or_default();
        match (self, id) {
            (Self::ServerSent, None) => format!("event: {name}\ndata: {data}\n\n"),
            (Self::ServerSent, Some(id)) => format!("id: {id}\nevent: {name}\ndata: {data}\n\n"),
            (Self::Lines, None) => format!("{{\"event\":\"{name}\",\"data\":{data}}}\n"),
            (Self::Lines, Some(id)) => format!("{{\"id\":\"{id}\",\"event\":\"{name}\",\"data\":{data}}}\n"),
        }
    }

    /// Keeps a connection without events alive.
    const fn pulse(self) -> &'static str {
        match self {
            Self::ServerSent => ": still there\n\n",
            Self::Lines => "\n",
        }
    }
}

/// `progress` events while the job runs; in a review a `move` for each reviewed move, in a design a `find` for each
/// set-up that is kept; and one final event with the whole job, named after its last state.
pub(crate) struct Events {
    job: Listener,
    framing: Framing,
    state: Data<AppState>,
    clock: Interval,
    last: String,
    /// The number of the last move or find that was sent.
    sent: u32,
    quiet: u32,
    ended: bool,
}

impl Events {
    /// The events of a job.
    ///
    /// * `received`: the number of the last move or find that the client has received on an earlier connection, or 0.
    pub(crate) fn new(job: &Arc<Job>, state: Data<AppState>, framing: Framing, received: u32) -> Self {
        let mut clock = interval(PERIOD);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            job: Listener::to(job),
            framing,
            state,
            clock,
            last: String::new(),
            sent: received,
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
            return Some(parts + &self.framing.event(state.name(), None, &whole));
        }
        if !parts.is_empty() {
            return Some(parts);
        }
        let progress = self.framing.event("progress", None, &snapshot(self.job.job()));
        self.quiet = if progress == self.last { self.quiet + 1 } else { 0 };
        if self.quiet == 0 {
            self.last.clone_from(&progress);
            return Some(progress);
        }
        self.quiet.is_multiple_of(QUIET).then(|| self.framing.pulse().to_owned())
    }

    /// An event for each part of the result that is new since the last poll.
    fn parts(&mut self) -> String {
        match self.job.job().found().as_deref() {
            Some(JobResult::Review(review)) => {
                self.moves(review.moves.get(self.sent as usize..).unwrap_or_default())
            }
            Some(JobResult::Design(designs)) => self.finds(&designs.designs),
            Some(JobResult::Balance(_) | JobResult::Answer(_) | JobResult::Build(_)) => String::new(),
            None => {
                let new = self.job.job().growing().map(|review| review.moves_after(self.sent as usize));
                self.moves(&new.unwrap_or_default())
            }
        }
    }

    /// An event for each of these moves of a review.
    fn moves(&mut self, new: &[ReviewedMove]) -> String {
        let numbered = (self.sent..).zip(new);
        let text = numbered.map(|(before, own)| self.framing.event("move", Some(before + 1), own)).collect();
        self.sent += new.len() as u32;
        text
    }

    /// An event for each of these finds that is new; their numbers rise with time.
    fn finds(&mut self, finds: &[FindDocument]) -> String {
        let mut new: Vec<_> = finds.iter().filter(|find| find.number > self.sent).collect();
        new.sort_by_key(|find| find.number);
        self.sent = new.last().map_or(self.sent, |find| find.number);
        new.into_iter().map(|find| self.framing.event("find", Some(find.number), find)).collect()
    }
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
