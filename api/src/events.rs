//! The progress of a job as server-sent events.
//!
//! Source: WHATWG HTML, "Server-sent events".

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::{Bytes, Data};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::job::Job;
use crate::state::AppState;

/// How often a job is looked at.
const PERIOD: Duration = Duration::from_millis(200);
/// After so many looks without news a comment keeps the connection alive.
const QUIET: u32 = 50;

/// `progress` events while the job goes on, in a review a `move` for each move that was looked over, one event named
/// after its last state with the whole job, the end.
pub(crate) struct Events {
    job: Arc<Job>,
    state: Data<AppState>,
    clock: Interval,
    last: String,
    /// The moves of a review that were sent.
    moves: usize,
    quiet: u32,
    ended: bool,
}

impl Events {
    pub(crate) fn new(job: Arc<Job>, state: Data<AppState>) -> Self {
        let mut clock = interval(PERIOD);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { job, state, clock, last: String::new(), moves: 0, quiet: 0, ended: false }
    }

    /// What there is to send now.
    fn news(&mut self) -> Option<String> {
        // Before the state: a browser connects again, and finds the job resumed by the next run.
        if self.state.is_stopping() {
            self.ended = true;
            return None;
        }
        let state = self.job.state();
        let moves = self.moves();
        if state.is_final() {
            self.ended = true;
            return Some(moves + &event(state.name(), &self.job.document()));
        }
        if !moves.is_empty() {
            return Some(moves);
        }
        let progress = event("progress", &self.job.snapshot());
        self.quiet = if progress == self.last { self.quiet + 1 } else { 0 };
        if self.quiet == 0 {
            self.last.clone_from(&progress);
            return Some(progress);
        }
        self.quiet.is_multiple_of(QUIET).then(|| ": still there\n\n".to_owned())
    }

    /// An event for each move that was looked over since the last look.
    fn moves(&mut self) -> String {
        let Some(review) = self.job.looked_over() else { return String::new() };
        let news = review.moves.iter().skip(self.moves).map(|own| event("move", own)).collect();
        self.moves = review.moves.len();
        news
    }
}

fn event(name: &str, data: &impl serde::Serialize) -> String {
    // The shapes hold texts and numbers: they have a form in JSON, on one line.
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
