//! Time that work has slept, which does not count against deadlines.

use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The time that some work has slept between its turns.
///
/// The deadlines of such work are times of a clock that stops while the work sleeps: see [`Slept::awake`].
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use marquis_core::Slept;
///
/// let slept = Slept::default();
/// let deadline = slept.awake(Instant::now()) + Duration::from_secs(60);
/// slept.add(Duration::from_secs(100));
/// assert!(slept.awake(Instant::now() + Duration::from_secs(100)) < deadline);
/// assert!(slept.awake(Instant::now() + Duration::from_secs(161)) > deadline);
/// ```
#[derive(Debug, Default)]
pub struct Slept {
    nanoseconds: AtomicU64,
}

impl Slept {
    /// For work that never sleeps.
    #[must_use]
    pub fn never() -> &'static Self {
        static NEVER: Slept = Slept { nanoseconds: AtomicU64::new(0) };
        &NEVER
    }

    /// Adds a time that all of the work has slept.
    pub fn add(&self, time: Duration) {
        self.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// The time slept so far.
    #[must_use]
    pub fn so_far(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Relaxed))
    }

    /// The time of a clock that stops while the work sleeps.
    ///
    /// * `now`: the time of an ordinary clock, of any type.
    #[must_use]
    pub fn awake<Moment: Sub<Duration, Output = Moment>>(&self, now: Moment) -> Moment {
        now - self.so_far()
    }
}

/// The default for work that never sleeps.
impl Default for &Slept {
    fn default() -> Self {
        Slept::never()
    }
}
