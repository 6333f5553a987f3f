//! How often a request is retried, and how long a server may be silent.

use std::time::{Duration, Instant};

/// How long to wait for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How long requests are retried without any progress before the server counts as not reached.
    pub total: Duration,
    /// The wait after the first failed try; each further one is twice as long.
    pub first_wait: Duration,
    /// The longest wait.
    pub longest_wait: Duration,
    /// How long a connection may be silent before it counts as broken.
    pub silence: Duration,
}

impl Patience {
    /// The patience with this total; zero allows one try.
    #[must_use]
    pub fn of(total: Duration) -> Self {
        Self {
            total,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(15),
            // A silent connection leaves patience for another one.
            silence: (total / 4).clamp(Duration::from_secs(1), Duration::from_secs(30)),
        }
    }
}

/// A minute, so that a server may restart.
impl Default for Patience {
    fn default() -> Self {
        Self::of(Duration::from_secs(60))
    }
}

/// The time between two checks whether to stop during a wait.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

impl Patience {
    /// The wait after this number of failed tries in a row, counted from 1.
    #[must_use]
    pub fn wait_after(&self, tries: u32) -> Duration {
        let times = 1_u32.checked_shl(tries.saturating_sub(1)).unwrap_or(u32::MAX);
        self.first_wait.saturating_mul(times).min(self.longest_wait)
    }

    /// Waits for this time; returns false if stopped before.
    pub fn wait(wait: Duration, stopped: &dyn Fn() -> bool) -> bool {
        let begun = Instant::now();
        while let Some(left) = wait.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) {
            if stopped() {
                return false;
            }
            std::thread::sleep(left.min(LOOK));
        }
        !stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let seconds = Duration::from_secs;
        let patience = Patience { first_wait: seconds(1), longest_wait: seconds(5), ..Patience::default() };
        let waits: Vec<u64> =
            [1, 2, 3, 4, 40, u32::MAX].map(|tries| patience.wait_after(tries).as_secs()).into();
        assert_eq!(waits, [1, 2, 4, 5, 5, 5]);
    }

    #[test]
    fn a_wait_ends_when_it_is_to_stop() {
        let begun = Instant::now();
        assert!(!Patience::wait(Duration::from_secs(60), &|| begun.elapsed() > Duration::from_millis(20)));
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert!(Patience::wait(Duration::from_millis(1), &|| false));
    }
}
