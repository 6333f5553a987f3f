//! The progress of a build for other terminals: `building.json` in the folder of its tables.
//!
//! The file is rewritten every two seconds, under another name that is then renamed, and removed when the build is
//! finished.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use marquis_engine::Progress;
use marquis_wire::reports::BuildPlan;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::output;

/// The file name.
const FILE: &str = "building.json";
/// The time between two writes.
const BETWEEN: Duration = Duration::from_secs(2);

/// The progress of a build that runs or was interrupted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BuildProgress {
    /// The game.
    pub(crate) game: String,
    /// Its variant.
    pub(crate) variant: String,
    /// The process that builds.
    pub(crate) process: u32,
    /// The current phase.
    pub(crate) phase: String,
    /// Slots done, over all layers.
    pub(crate) done: u64,
    /// All slots, over all layers.
    pub(crate) total: Option<u64>,
    /// The number of layers.
    pub(crate) layers: usize,
    /// Layers that were finished before this run.
    pub(crate) kept: usize,
    /// Seconds since this run started.
    pub(crate) seconds: f64,
    /// Slots per second in this run; `None` until it can be measured.
    pub(crate) rate: Option<f64>,
    /// Seconds left at this rate.
    pub(crate) remaining_seconds: Option<f64>,
    /// The time of this write, in seconds of the Unix clock.
    pub(crate) written: u64,
}

impl BuildProgress {
    /// The progress kept in the folder; `None` if no build runs there and none was interrupted.
    ///
    /// # Errors
    /// The file exists and cannot be read.
    pub(crate) fn of(folder: &Path) -> io::Result<Option<Self>> {
        kept(&folder.join(FILE))
    }

    /// Whether the process still runs.
    pub(crate) fn goes_on(&self) -> bool {
        is_there(self.process)
    }
}

/// Whether a process with this number exists.
pub(crate) fn is_there(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    process.is_some_and(|process| rustix::process::test_kill_process(process).is_ok())
}

/// The contents of a file that [`keep`] wrote; `None` if the file does not exist.
///
/// # Errors
/// The file exists and cannot be read.
pub(crate) fn kept<T: DeserializeOwned>(file: &Path) -> io::Result<Option<T>> {
    match fs::read(file) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file under another name and renames it, so that readers never see a part of it.
///
/// # Errors
/// It cannot be written.
pub(crate) fn keep(file: &Path, said: &impl Serialize) -> io::Result<()> {
    let new = file.with_extension("json.new");
    fs::write(&new, serde_json::to_vec_pretty(said)?)?;
    fs::rename(&new, file)
}

/// Seconds of the Unix clock.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Writes the progress file of a running build.
pub(crate) struct ProgressFile {
    file: PathBuf,
    began: Instant,
    latest: Mutex<LatestProgress>,
}

struct LatestProgress {
    building: BuildProgress,
    /// Slots that were done at the first report of this run.
    first: Option<u64>,
    written: Option<Instant>,
    /// Whether a write error was reported; it is reported once.
    complained: bool,
}

impl ProgressFile {
    /// Nothing is written before the build reports progress.
    pub(crate) fn new(folder: &Path, plan: &BuildPlan) -> Self {
        let building = BuildProgress {
            game: plan.game.clone(),
            variant: plan.variant.clone(),
            process: std::process::id(),
            phase: String::new(),
            done: 0,
            total: None,
            layers: plan.layers.len(),
            kept: plan.layers.iter().filter(|layer| layer.finished).count(),
            seconds: 0.0,
            rate: None,
            remaining_seconds: None,
            written: 0,
        };
        let latest = LatestProgress { building, first: None, written: None, complained: false };
        Self { file: folder.join(FILE), began: Instant::now(), latest: Mutex::new(latest) }
    }

    /// Records the progress of the build.
    pub(crate) fn note(&self, progress: &Progress) {
        // Another thread is writing a report that is as recent.
        let Ok(mut latest) = self.latest.try_lock() else { return };
        if latest.written.is_some_and(|written| written.elapsed() < BETWEEN) {
            return;
        }
        latest.written = Some(Instant::now());
        let first = *latest.first.get_or_insert(progress.done);
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = Some(progress.done.saturating_sub(first) as f64 / seconds).filter(|rate| *rate > 0.0);
        let left = progress.total.map(|total| total.saturating_sub(progress.done) as f64);
        let building = &mut latest.building;
        building.phase.clone_from(&progress.phase);
        (building.done, building.total, building.seconds) = (progress.done, progress.total, seconds);
        building.rate = rate;
        building.remaining_seconds = left.zip(rate).map(|(left, rate)| left / rate);
        building.written = now();
        let written = keep(&self.file, building);
        if let Err(error) = written
            && !std::mem::replace(&mut latest.complained, true)
        {
            output::remark(&format!(
                "{}: cannot be written: {error}; the build continues",
                self.file.display()
            ));
        }
    }

    /// Removes the file: the tables themselves show the result.
    pub(crate) fn finished(self) {
        // A file that cannot be removed names a process that has ended.
        let _ = fs::remove_file(self.file);
    }
}
