//! How work shares the processors with other work.

use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// How some work shares the processors: the time that it has slept between its turns, and whether it lets other threads
/// run in between.
///
/// Time slept does not count against deadlines: those of such work are times of a clock that stops while the work
/// sleeps, see [`Sharing::awake`].
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use marquis_core::Sharing;
///
/// let sharing = Sharing::yielding();
/// let deadline = sharing.awake(Instant::now()) + Duration::from_secs(60);
/// sharing.add_sleep(Duration::from_secs(100));
/// assert!(sharing.awake(Instant::now() + Duration::from_secs(100)) < deadline);
/// assert!(sharing.awake(Instant::now() + Duration::from_secs(161)) > deadline);
/// assert!(!sharing.is_past(Some(deadline), || Instant::now() + Duration::from_secs(100)));
/// assert!(sharing.is_past(Some(deadline), || Instant::now() + Duration::from_secs(161)));
/// ```
#[derive(Debug)]
pub struct Sharing {
    /// In nanoseconds.
    slept: AtomicU64,
    yields: bool,
}

impl Sharing {
    /// For work that never sleeps and never yields.
    #[must_use]
    pub fn alone() -> &'static Self {
        static ALONE: Sharing = Sharing { slept: AtomicU64::new(0), yields: false };
        &ALONE
    }

    /// For work beside threads that must not wait for the end of its time slice, such as those that serve clients.
    #[must_use]
    pub const fn yielding() -> Self {
        Self { slept: AtomicU64::new(0), yields: true }
    }

    /// Lets other threads run if the work yields; to be called several times a millisecond.
    #[inline]
    pub fn yield_now(&self) {
        if self.yields {
            thread::yield_now();
        }
    }

    /// Adds a time that all of the work has slept.
    pub fn add_sleep(&self, time: Duration) {
        self.slept.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// The time slept so far.
    #[must_use]
    pub fn slept(&self) -> Duration {
        Duration::from_nanos(self.slept.load(Relaxed))
    }

    /// The time of a clock that stops while the work sleeps.
    ///
    /// * `now`: the time of an ordinary clock, of any type.
    #[must_use]
    pub fn awake<Moment: Sub<Duration, Output = Moment>>(&self, now: Moment) -> Moment {
        now - self.slept()
    }

    /// Whether a moment of that clock has been reached; false for `None`.
    ///
    /// * `now`: reads an ordinary clock, if there is a moment.
    #[must_use]
    pub fn is_past<Moment>(&self, moment: Option<Moment>, now: impl FnOnce() -> Moment) -> bool
    where
        Moment: Sub<Duration, Output = Moment> + PartialOrd,
    {
        moment.is_some_and(|moment| self.awake(now()) >= moment)
    }
}

/// The default is work that never sleeps and never yields.
impl Default for &Sharing {
    fn default() -> Self {
        Sharing::alone()
    }
}
