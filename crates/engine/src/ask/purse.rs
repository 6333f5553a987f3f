//! The remaining limits of a request, and their division between proofs and estimates.

use web_time::{Duration, Instant};

use crate::{Control, JudgeShare, Limits};

/// The remaining budget of an answer; its times are on the clock of its control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse {
    /// The deadline of the answer.
    pub(crate) until: Option<Instant>,
    /// The number of positions that may be examined.
    pub(crate) nodes: Option<u64>,
    /// The start of the request.
    pub(crate) begun: Instant,
}

impl Purse {
    /// The full budget of a request that starts now.
    pub(crate) fn of(limits: &Limits, control: &Control<'_>) -> Self {
        let begun = control.now();
        Self { until: limits.time.and_then(|time| begun.checked_add(time)), nodes: limits.nodes, begun }
    }

    /// Whether neither time nor positions are limited.
    pub(crate) const fn is_endless(&self) -> bool {
        self.until.is_none() && self.nodes.is_none()
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self, control: &Control<'_>) -> bool {
        control.stopped() || self.nodes == Some(0) || control.is_past(self.until)
    }

    /// Subtracts examined positions.
    pub(crate) fn spend(&mut self, nodes: u64) {
        self.nodes = self.nodes.map(|left| left.saturating_sub(nodes));
    }

    /// The budget without the judge's share of the total time and of the positions.
    pub(crate) fn for_proof(&self, judge: JudgeShare) -> Self {
        let all = |until: Instant| until.saturating_duration_since(self.begun);
        Self {
            until: self.until.map(|until| until - judge.of_time(all(until)).min(all(until))),
            nodes: self.nodes.map(|nodes| nodes - judge.of_nodes(nodes)),
            ..*self
        }
    }

    /// `share` hundredths of the rest.
    pub(crate) fn hundredths(&self, share: u32, control: &Control<'_>) -> Self {
        Self {
            until: self.until.map(|until| self.share_of_time(until, |left| left / 100 * share, control)),
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(u64::from(share)) / 100),
            ..*self
        }
    }

    /// One of `parts` equal parts of the rest.
    ///
    /// * `parts`: at least 1.
    pub(crate) fn part(&self, parts: usize, control: &Control<'_>) -> Self {
        Self {
            until: self.until.map(|until| self.share_of_time(until, |left| left / parts as u32, control)),
            nodes: self.nodes.map(|nodes| nodes / parts as u64),
            ..*self
        }
    }

    /// The end of a share of the remaining time: half of it or more if positions divide the work, so that a busy
    /// machine does not change the answer.
    fn share_of_time(
        &self,
        until: Instant,
        share: impl Fn(Duration) -> Duration,
        control: &Control<'_>,
    ) -> Instant {
        let now = control.now();
        let left = until.saturating_duration_since(now);
        now + if self.nodes.is_some() { share(left).max(left / 2) } else { share(left) }
    }

    /// The same budget, or `nodes` positions if only time is limited and the deadline has passed.
    pub(crate) fn at_least(self, nodes: u64, control: &Control<'_>) -> Self {
        let is_late = !control.stopped() && self.nodes.is_none() && control.is_past(self.until);
        if is_late { Self { until: None, nodes: Some(nodes), ..self } } else { self }
    }

    /// The same budget with at most `nodes` positions.
    pub(crate) fn at_most(self, nodes: u64) -> Self {
        Self { nodes: Some(self.nodes.map_or(nodes, |left| left.min(nodes))), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_divide_the_work_if_both_are_limited() {
        let control = Control::none();
        let time = Some(Duration::from_secs(30));
        let purse = |nodes| Purse::of(&Limits { time, nodes, ..Limits::default() }, &control);
        let seconds = |purse: Purse| {
            purse.until.expect("a deadline").saturating_duration_since(control.now()).as_secs()
        };
        let (by_time, by_nodes) = (purse(None), purse(Some(1000)));
        assert_eq!(seconds(by_time.hundredths(2, &control)), 0);
        assert_eq!(seconds(by_time.part(100, &control)), 0);
        assert!(seconds(by_nodes.hundredths(2, &control)) >= 10);
        assert!(seconds(by_nodes.part(100, &control)) >= 10);
        assert_eq!(by_nodes.hundredths(2, &control).nodes, Some(20));
        assert_eq!(by_nodes.part(100, &control).nodes, Some(10));
    }
}
