//! How long and how large an answer may become, and how the work is watched and stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use web_time::{Duration, Instant};

use marquis_core::{Bounds, Slept};

use crate::goal::Goal;
use crate::memory_size::{DiskSize, MemorySize};
use crate::wire::answer::{Insight, Source, Wdl};

/// What a computation may use; nothing said means until it is solved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Time from the start of the call.
    pub time: Option<Duration>,
    /// Positions that a search expands.
    pub nodes: Option<u64>,
    /// Worker threads; as many as there are cores where nothing is said.
    pub threads: Option<usize>,
    /// Memory for tables of all kinds; 4 GiB where nothing is said.
    pub memory: Option<MemorySize>,
    /// Disk for proofs that do not fit the memory, in the folder for temporary files; 16 GiB where nothing is said.
    pub disk: Option<DiskSize>,
    /// The part of time and nodes that the judge has where nothing is proved by then.
    pub judge: JudgeShare,
    /// Where the answer may stop; where nothing is said, [`Goal::Plies`] within a limit of time or nodes, and without one
    /// the value, with the values of the moves where they are soon found.
    pub goal: Option<Goal>,
}

/// The part of a limit that is left to the judge, who says what is likely; the rest is for proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgeShare {
    hundredths: u32,
}

impl JudgeShare {
    /// What it has where nothing is said.
    const USUAL: Self = Self { hundredths: 20 };

    /// So many hundredths of the limit.
    ///
    /// Nothing where there are more than a hundred.
    #[must_use]
    pub const fn hundredths(hundredths: u32) -> Option<Self> {
        if hundredths <= 100 { Some(Self { hundredths }) } else { None }
    }

    /// Whether nothing is left to a search for a proof.
    pub(crate) const fn is_all(self) -> bool {
        self.hundredths == 100
    }

    /// The judge's part of so much time.
    pub(crate) fn of_time(self, time: Duration) -> Duration {
        // Divided first: any time may be given.
        time / 100 * self.hundredths
    }

    /// The judge's part of so many positions.
    pub(crate) const fn of_nodes(self, nodes: u64) -> u64 {
        nodes / 100 * self.hundredths as u64 + nodes % 100 * self.hundredths as u64 / 100
    }
}

/// A fifth; `tests/strength/RESULTS.md` has what other parts do.
impl Default for JudgeShare {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Limits {
    /// No limit at all.
    pub const NONE: Self = Self {
        time: None,
        nodes: None,
        threads: None,
        memory: None,
        disk: None,
        judge: JudgeShare::USUAL,
        goal: None,
    };

    /// The moment at which the time is up, for work that begins now, on the clock of its control.
    #[must_use]
    pub fn deadline(&self, control: &Control<'_>) -> Option<Instant> {
        self.time.and_then(|time| control.now().checked_add(time))
    }

    /// The worker threads.
    pub(crate) fn threads_allowed(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores)
    }

    /// The memory in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.memory.unwrap_or(MemorySize(4 << 30)).0
    }

    /// The disk in bytes; zero for none.
    #[must_use]
    pub fn disk_bytes(&self) -> u64 {
        self.disk.unwrap_or(DiskSize(16 << 30)).0
    }
}

/// What a long computation tells on its way.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is being done: `enumerating`, `searching`, `layer 4v3`.
    pub phase: String,
    /// Positions, nodes or slots done.
    pub done: u64,
    /// How many there are in all, where that is known.
    pub total: Option<u64>,
    /// What is known of the value by now, for the player to move.
    pub bounds: Option<Bounds>,
}

/// What a look ahead thinks on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The chances of the player to move.
    pub wdl: Wdl,
    /// Whether they are proved.
    pub source: Source,
    /// The line, and how far it was thought.
    pub insight: Insight,
}

/// Who is told how far the work is.
type Watch<'a, T> = Box<dyn Fn(&T) + Sync + Send + 'a>;

/// How the caller watches and stops a computation.
pub struct Control<'a> {
    stop: &'a AtomicBool,
    slept: &'a Slept,
    watch: Watch<'a, Progress>,
    looks: Option<Watch<'a, Look>>,
    firsts: Option<Watch<'a, [Bounds; 2]>>,
}

impl<'a> Control<'a> {
    /// Stops when `stop` becomes true; `watch` is called every now and then, from any thread.
    pub fn new(stop: &'a AtomicBool, watch: impl Fn(&Progress) + Sync + Send + 'a) -> Self {
        Self { stop, slept: Slept::never(), watch: Box::new(watch), looks: None, firsts: None }
    }

    /// Cannot be stopped and is not watched.
    #[must_use]
    pub fn none() -> Control<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Control::new(&NEVER, |_| {})
    }

    /// The same of work that sleeps now and then, for so long: that time counts for no limit.
    #[must_use]
    pub fn with_sleep(self, slept: &'a Slept) -> Self {
        Self { slept, ..self }
    }

    /// How a part of the work is watched, which stops and sleeps with all of it; nothing but `watch` is told.
    #[must_use]
    pub fn of_part<'b>(&self, watch: impl Fn(&Progress) + Sync + Send + 'b) -> Control<'b>
    where
        'a: 'b,
    {
        Control::new(self.stop, watch).with_sleep(self.slept)
    }

    /// The same, and `looks` is told each time that a look ahead has gone one ply farther.
    #[must_use]
    pub fn with_looks(self, looks: impl Fn(&Look) + Sync + Send + 'a) -> Self {
        Self { looks: Some(Box::new(looks)), ..self }
    }

    /// The same, and `firsts` is told in a balance what is known of both first positions by then: of White moving first,
    /// and of Black, each for the player to move.
    #[must_use]
    pub fn with_firsts(self, firsts: impl Fn(&[Bounds; 2]) + Sync + Send + 'a) -> Self {
        Self { firsts: Some(Box::new(firsts)), ..self }
    }

    /// Whether the work should end.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag itself, for solvers that poll it.
    #[must_use]
    pub const fn flag(&self) -> &'a AtomicBool {
        self.stop
    }

    /// How long the work has slept.
    #[must_use]
    pub const fn slept(&self) -> &'a Slept {
        self.slept
    }

    /// What a clock shows that stands still while the work sleeps.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.slept.awake(Instant::now())
    }

    /// Whether a moment of that clock is there or past; none never is.
    #[must_use]
    pub fn is_past(&self, moment: Option<Instant>) -> bool {
        moment.is_some_and(|moment| self.now() >= moment)
    }

    /// Tells the caller how far the work is.
    pub fn tell(&self, progress: &Progress) {
        (self.watch)(progress);
    }

    /// Tells the caller of both first positions of a set-up, where he wants to know.
    pub(crate) fn weighed(&self, bounds: &[Bounds; 2]) {
        if let Some(firsts) = &self.firsts {
            firsts(bounds);
        }
    }

    /// Whether the caller wants to know what a look ahead thinks on its way.
    pub(crate) const fn has_looks(&self) -> bool {
        self.looks.is_some()
    }

    /// Tells the caller what a look ahead thinks, where he wants to know.
    pub(crate) fn show(&self, look: impl FnOnce() -> Look) {
        if let Some(looks) = &self.looks {
            looks(&look());
        }
    }
}
