//! Limits on the time and size of an answer, and the means to watch and stop the work.

use std::sync::atomic::{AtomicBool, Ordering};
use web_time::{Duration, Instant};

use marquis_core::{Bounds, Sharing};

use marquis_wire::Goal;
use marquis_wire::answer::{Insight, Source, Wdl};
use marquis_wire::{DiskSize, MemorySize};

/// The limits of a computation; without any, it runs until the position is solved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Time from the start of the call.
    pub time: Option<Duration>,
    /// The number of positions that a search expands.
    pub nodes: Option<u64>,
    /// Worker threads; by default the number of cores.
    pub threads: Option<usize>,
    /// Memory for tables of all kinds; 4 GiB by default.
    pub memory: Option<MemorySize>,
    /// Disk for proofs that do not fit the memory, in the folder for temporary files; 16 GiB by default.
    pub disk: Option<DiskSize>,
    /// The judge's share of time and nodes if nothing is proved by then.
    pub judge: JudgeShare,
    /// The goal at which the answer may stop. The default is [`Goal::Plies`] within a limit of time or nodes; without
    /// a limit it is the value, with the values of the moves if they are found soon.
    pub goal: Option<Goal>,
}

/// The share of a limit that is left to the judge, which estimates chances; the rest is for proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgeShare {
    hundredths: u32,
}

impl JudgeShare {
    /// The default share.
    const USUAL: Self = Self { hundredths: 20 };

    /// A share of this many hundredths of the limit.
    ///
    /// `None` if there are more than a hundred.
    #[must_use]
    pub const fn hundredths(hundredths: u32) -> Option<Self> {
        if hundredths <= 100 { Some(Self { hundredths }) } else { None }
    }

    /// Whether nothing is left to a search for a proof.
    pub(crate) const fn is_all(self) -> bool {
        self.hundredths == 100
    }

    /// The judge's share of `time`.
    pub(crate) fn of_time(self, time: Duration) -> Duration {
        // Divided first, because `time` may be of any size.
        time / 100 * self.hundredths
    }

    /// The judge's share of `nodes`.
    pub(crate) const fn of_nodes(self, nodes: u64) -> u64 {
        nodes / 100 * self.hundredths as u64 + nodes % 100 * self.hundredths as u64 / 100
    }
}

/// A fifth; `tests/strength/RESULTS.md` has the results of other shares.
impl Default for JudgeShare {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        time: None,
        nodes: None,
        threads: None,
        memory: None,
        disk: None,
        judge: JudgeShare::USUAL,
        goal: None,
    };

    /// The deadline of work that starts now, on the clock of `control`.
    #[must_use]
    pub fn deadline(&self, control: &Control<'_>) -> Option<Instant> {
        self.time.and_then(|time| control.now().checked_add(time))
    }

    /// The number of worker threads.
    pub(crate) fn threads_allowed(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores)
    }

    /// The memory in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.memory.unwrap_or(MemorySize(4 << 30)).0
    }

    /// The disk in bytes; zero if no disk may be used.
    #[must_use]
    pub fn disk_bytes(&self) -> u64 {
        self.disk.unwrap_or(DiskSize(16 << 30)).0
    }
}

/// A progress report of a long computation.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The current phase: `enumerating`, `searching`, `layer 4v3`.
    pub phase: String,
    /// The number of positions, nodes or slots done.
    pub done: u64,
    /// Their total, if it is known.
    pub total: Option<u64>,
    /// The current bounds of the value, for the player to move.
    pub bounds: Option<Bounds>,
}

/// The intermediate result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The chances of the player to move.
    pub wdl: Wdl,
    /// Whether they are proved.
    pub source: Source,
    /// The line, and the depth and size of the search.
    pub insight: Insight,
}

/// A callback that receives progress.
type Watch<'a, T> = Box<dyn Fn(&T) + Sync + Send + 'a>;

/// How the caller watches and stops a computation.
pub struct Control<'a> {
    stop: &'a AtomicBool,
    sharing: &'a Sharing,
    watch: Watch<'a, Progress>,
    looks: Option<Watch<'a, Look>>,
    firsts: Option<Watch<'a, [Bounds; 2]>>,
}

impl<'a> Control<'a> {
    /// Stops when `stop` becomes true; `watch` is called from time to time, from any thread.
    pub fn new(stop: &'a AtomicBool, watch: impl Fn(&Progress) + Sync + Send + 'a) -> Self {
        Self { stop, sharing: Sharing::alone(), watch: Box::new(watch), looks: None, firsts: None }
    }

    /// Cannot be stopped and is not watched.
    #[must_use]
    pub fn none() -> Control<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Control::new(&NEVER, |_| {})
    }

    /// The same control for work that shares the processors; the time that it sleeps counts for no limit.
    #[must_use]
    pub fn with_sharing(self, sharing: &'a Sharing) -> Self {
        Self { sharing, ..self }
    }

    /// The control of a part of the work, which stops and sleeps with the whole; only `watch` receives its progress.
    #[must_use]
    pub fn of_part<'b>(&self, watch: impl Fn(&Progress) + Sync + Send + 'b) -> Control<'b>
    where
        'a: 'b,
    {
        Control::new(self.stop, watch).with_sharing(self.sharing)
    }

    /// The same control; `looks` is called each time that a search has finished one ply more.
    #[must_use]
    pub fn with_looks(self, looks: impl Fn(&Look) + Sync + Send + 'a) -> Self {
        Self { looks: Some(Box::new(looks)), ..self }
    }

    /// The same control; in a balance, `firsts` receives the current bounds of both first positions: of White moving
    /// first, and of Black, each for the player to move.
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

    /// How the work shares the processors.
    #[must_use]
    pub const fn sharing(&self) -> &'a Sharing {
        self.sharing
    }

    /// The time on a clock that stands still while the work sleeps.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.sharing.awake(Instant::now())
    }

    /// Whether `moment` of that clock has been reached; false for `None`.
    #[must_use]
    pub fn is_past(&self, moment: Option<Instant>) -> bool {
        self.sharing.is_past(moment, Instant::now)
    }

    /// Reports progress to the caller.
    pub fn tell(&self, progress: &Progress) {
        (self.watch)(progress);
    }

    /// Reports the bounds of both first positions of a set-up to the caller, if it asked for them.
    pub(crate) fn weighed(&self, bounds: &[Bounds; 2]) {
        if let Some(firsts) = &self.firsts {
            firsts(bounds);
        }
    }

    /// Whether the caller asked for the intermediate results of searches.
    pub(crate) const fn has_looks(&self) -> bool {
        self.looks.is_some()
    }

    /// Reports the intermediate result of a search to the caller, if it asked for them.
    pub(crate) fn show(&self, look: impl FnOnce() -> Look) {
        if let Some(looks) = &self.looks {
            looks(&look());
        }
    }
}
