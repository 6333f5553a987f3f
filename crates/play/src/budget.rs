//! When a search stops.

use std::sync::atomic::{AtomicBool, Ordering};

use marquis_core::Slept;
use web_time::Instant;

/// What ends a search, whichever comes first; the best move so far is its answer.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Positions looked at.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u8,
    /// When the answer is due, on the clock of `slept`.
    pub until: Option<Instant>,
    /// How long the work has slept.
    pub slept: &'a Slept,
    /// Set from outside.
    pub stop: Option<&'a AtomicBool>,
}

impl Budget<'_> {
    /// Positions looked at between two looks at the clock.
    const PACE: u64 = 256;

    /// So many positions and no other limit.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, depth: u8::MAX, until: None, slept: Slept::never(), stop: None }
    }

    /// Until a moment and no other limit.
    #[must_use]
    pub fn until(moment: Instant) -> Self {
        Self { until: Some(moment), ..Self::nodes(u64::MAX) }
    }

    /// The same with one of so many equal parts of the positions and of the time that is left; at least one position.
    ///
    /// * `parts`: at least 1.
    #[must_use]
    pub fn part(&self, parts: usize) -> Self {
        let now = self.slept.awake(Instant::now());
        let parts = u32::try_from(parts).unwrap_or(u32::MAX).max(1);
        let until = self.until.map(|until| now + until.saturating_duration_since(now) / parts);
        Self { nodes: (self.nodes / u64::from(parts)).max(1), until, ..*self }
    }

    /// The same without a part of the positions and without one of some equal parts of the remaining time; at least one
    /// position.
    ///
    /// * `parts`: at least 1.
    #[must_use]
    pub fn without(&self, nodes: u64, parts: u32) -> Self {
        let (now, parts) = (self.slept.awake(Instant::now()), parts.max(1));
        let left = |until: Instant| until.saturating_duration_since(now);
        let until = self.until.map(|until| now + left(until) / parts * (parts - 1));
        Self { nodes: self.nodes.saturating_sub(nodes).max(1), until, ..*self }
    }

    /// Whether it is time to stop after so many positions.
    #[inline]
    pub(crate) fn reached(&self, nodes: u64) -> bool {
        nodes >= self.nodes || nodes.is_multiple_of(Self::PACE) && self.called_off()
    }

    pub(crate) fn called_off(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.until.is_some_and(|until| self.slept.awake(Instant::now()) >= until)
    }
}
