//! When a search stops.

use std::sync::atomic::{AtomicBool, Ordering};

use marquis_core::Sharing;
use web_time::Instant;

/// The limits of a search; it stops at the first one reached and answers with the best move so far.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// The maximum number of positions searched.
    pub nodes: u64,
    /// The maximum depth, in plies.
    pub depth: u8,
    /// The time at which the answer is due, on the clock of `sharing`.
    pub until: Option<Instant>,
    /// How the work shares the processors.
    pub sharing: &'a Sharing,
    /// A flag that stops the search from outside.
    pub stop: Option<&'a AtomicBool>,
}

impl Budget<'_> {
    /// The number of positions between two clock reads.
    const PACE: u64 = 256;

    /// A budget of `nodes` positions and no other limit.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, depth: u8::MAX, until: None, sharing: Sharing::alone(), stop: None }
    }

    /// A budget until a moment, with no other limit.
    #[must_use]
    pub fn until(moment: Instant) -> Self {
        Self { until: Some(moment), ..Self::nodes(u64::MAX) }
    }

    /// The budget divided into `parts` equal parts, in positions and remaining time; at least one position.
    ///
    /// If positions divide the work, a part has half of the time, so that a busy machine does not change the result.
    ///
    /// * `parts`: at least 1.
    #[must_use]
    pub fn part(&self, parts: usize) -> Self {
        let now = self.sharing.awake(Instant::now());
        let parts = u32::try_from(parts).unwrap_or(u32::MAX).max(1);
        let of_time = if self.nodes == u64::MAX { parts } else { parts.min(2) };
        let until = self.until.map(|until| now + until.saturating_duration_since(now) / of_time);
        Self { nodes: (self.nodes / u64::from(parts)).max(1), until, ..*self }
    }

    /// The budget without `nodes` positions and without one of `parts` equal parts of the remaining time; at least
    /// one position.
    ///
    /// * `parts`: at least 1.
    #[must_use]
    pub fn without(&self, nodes: u64, parts: u32) -> Self {
        let (now, parts) = (self.sharing.awake(Instant::now()), parts.max(1));
        let left = |until: Instant| until.saturating_duration_since(now);
        let until = self.until.map(|until| now + left(until) / parts * (parts - 1));
        Self { nodes: self.nodes.saturating_sub(nodes).max(1), until, ..*self }
    }

    /// Whether to stop after `nodes` positions.
    #[inline]
    pub(crate) fn reached(&self, nodes: u64) -> bool {
        nodes >= self.nodes || nodes.is_multiple_of(Self::PACE) && self.called_off()
    }

    /// Whether to stop before any number of positions; lets other threads run first.
    pub(crate) fn called_off(&self) -> bool {
        self.sharing.yield_now();
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.sharing.is_past(self.until, Instant::now)
    }
}
