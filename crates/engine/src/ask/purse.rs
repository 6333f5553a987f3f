//! What is left of the limits of a question, and how it is shared between proofs and estimates.

use web_time::{Duration, Instant};

use crate::{Control, JudgeShare, Limits};

/// What is left to an answer; its moment is on the clock of its control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse {
    /// When the answer is due.
    pub(crate) until: Option<Instant>,
    /// How many positions may be looked at.
    pub(crate) nodes: Option<u64>,
    /// When it was all there.
    pub(crate) begun: Instant,
}

impl Purse {
    /// All that a question allows that is asked now.
    pub(crate) fn of(limits: &Limits, control: &Control<'_>) -> Self {
        let begun = control.now();
        Self { until: limits.time.and_then(|time| begun.checked_add(time)), nodes: limits.nodes, begun }
    }

    /// Whether there is neither a time nor a number of positions.
    pub(crate) const fn is_endless(&self) -> bool {
        self.until.is_none() && self.nodes.is_none()
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self, control: &Control<'_>) -> bool {
        control.stopped() || self.nodes == Some(0) || control.is_past(self.until)
    }

    /// Takes positions off that were looked at.
    pub(crate) fn spend(&mut self, nodes: u64) {
        self.nodes = self.nodes.map(|left| left.saturating_sub(nodes));
    }

    /// All but what the judge gets of the time since the beginning and of the positions.
    pub(crate) fn for_proof(&self, judge: JudgeShare) -> Self {
        let all = |until: Instant| until.saturating_duration_since(self.begun);
        Self {
            until: self.until.map(|until| until - judge.of_time(all(until)).min(all(until))),
            nodes: self.nodes.map(|nodes| nodes - judge.of_nodes(nodes)),
            ..*self
        }
    }

    /// So many hundredths of what is left.
    pub(crate) fn hundredths(&self, share: u32, control: &Control<'_>) -> Self {
        let now = control.now();
        let part = |left: Duration| left / 100 * share;
        Self {
            until: self.until.map(|until| now + part(until.saturating_duration_since(now))),
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(u64::from(share)) / 100),
            ..*self
        }
    }

    /// One of so many equal parts of what is left.
    ///
    /// * `parts`: at least 1.
    pub(crate) fn part(&self, parts: usize, control: &Control<'_>) -> Self {
        let now = control.now();
        let time = |until: Instant| now + until.saturating_duration_since(now) / parts as u32;
        Self { until: self.until.map(time), nodes: self.nodes.map(|nodes| nodes / parts as u64), ..*self }
    }

    /// The same, or this number of positions if the time is already up.
    pub(crate) fn at_least(self, nodes: u64, control: &Control<'_>) -> Self {
        let is_late = !control.stopped() && self.nodes.is_none() && control.is_past(self.until);
        if is_late { Self { until: None, nodes: Some(nodes), ..self } } else { self }
    }

    /// No more positions than these.
    pub(crate) fn at_most(self, nodes: u64) -> Self {
        Self { nodes: Some(self.nodes.map_or(nodes, |left| left.min(nodes))), ..self }
    }
}
