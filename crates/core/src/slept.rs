//! Time that work has slept, which no deadline counts.

use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// How long some work has slept between its turns.
///
/// The deadlines of such work are moments of a clock that stands still meanwhile: what [`Slept::awake`] shows.
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
    /// Of work that never sleeps.
    #[must_use]
    pub fn never() -> &'static Self {
        static NEVER: Slept = Slept { nanoseconds: AtomicU64::new(0) };
        &NEVER
    }

    /// Notes that all of the work has slept so long.
    pub fn add(&self, time: Duration) {
        self.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// How long it has slept so far.
    #[must_use]
    pub fn so_far(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Relaxed))
    }

    /// What a clock shows that stands still while the work sleeps.
    ///
    /// * `now`: what a common clock shows, whatever its type.
    #[must_use]
    pub fn awake<Moment: Sub<Duration, Output = Moment>>(&self, now: Moment) -> Moment {
        now - self.so_far()
    }
}

/// Work that does not say when it sleeps never does.
impl Default for &Slept {
    fn default() -> Self {
        Slept::never()
    }
}
