//! How a limit is shared between the search for a proof and the judge.

use web_time::{Duration, Instant};

use crate::{Control, Limits};

/// How the limits of a question are shared; its moments are on the clock of its control.
#[derive(Clone, Copy)]
pub(crate) struct Shares {
    /// When a search for proofs ends.
    pub(crate) proof_until: Option<Instant>,
    /// How many positions it looks at.
    pub(crate) proof_nodes: Option<u64>,
    /// When the answer is due.
    pub(crate) until: Option<Instant>,
    /// How many positions are left for the judge.
    pub(crate) nodes: Option<u64>,
}

impl Shares {
    /// The shares of a question that is asked now.
    pub(crate) fn of(limits: &Limits, control: &Control<'_>) -> Self {
        let (time, nodes) = (limits.time, limits.nodes);
        let moment = |time: Duration| control.now().checked_add(time);
        let judged = nodes.map(|nodes| limits.judge.of_nodes(nodes));
        Self {
            proof_until: time.and_then(|time| moment(time - limits.judge.of_time(time))),
            proof_nodes: nodes.zip(judged).map(|(nodes, judged)| nodes - judged),
            until: time.and_then(moment),
            nodes: judged,
        }
    }

    /// One of so many equal parts of what is left.
    ///
    /// * `parts`: at least 1.
    pub(crate) fn part(self, parts: usize, control: &Control<'_>) -> Self {
        let now = control.now();
        let time = |until: Instant| now + until.saturating_duration_since(now) / parts as u32;
        Self { until: self.until.map(time), nodes: self.nodes.map(|nodes| nodes / parts as u64), ..self }
    }
}
