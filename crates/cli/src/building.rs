//! How far a build is, for whoever asks from another terminal: `building.json` in the folder of its tables.
//!
//! It is written anew every other second under another name and renamed, and gone when the build is finished.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use marquis_engine::Progress;
use marquis_engine::reports::BuildPlan;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::output;

/// What the file is called.
const FILE: &str = "building.json";
/// The time between two writings.
const BETWEEN: Duration = Duration::from_secs(2);

/// How far a build is, or was when it ended without being finished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Building {
    /// The game.
    pub(crate) game: String,
    /// Its variant.
    pub(crate) variant: String,
    /// The process that builds.
    pub(crate) process: u32,
    /// What it does.
    pub(crate) phase: String,
    /// Slots that are done, of all layers together.
    pub(crate) done: u64,
    /// How many there are.
    pub(crate) total: Option<u64>,
    /// Layers, and those that were finished before this run began.
    pub(crate) layers: usize,
    /// Layers that were finished before this run.
    pub(crate) kept: usize,
    /// Since this run began.
    pub(crate) seconds: f64,
    /// Slots a second in this run; none before there is something to tell it by.
    pub(crate) rate: Option<f64>,
    /// Seconds that are left at this rate.
    pub(crate) remaining_seconds: Option<f64>,
    /// When this was written, in seconds of the Unix clock.
    pub(crate) written: u64,
}

impl Building {
    /// What the folder says; nothing where no build goes on there and none was broken off.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub(crate) fn of(folder: &Path) -> io::Result<Option<Self>> {
        kept(&folder.join(FILE))
    }

    /// Whether the process is still there.
    pub(crate) fn goes_on(&self) -> bool {
        is_there(self.process)
    }
}

/// Whether there is a process of this number.
pub(crate) fn is_there(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    process.is_some_and(|process| rustix::process::test_kill_process(process).is_ok())
}

/// What a file holds of what [`keep`] writes; nothing where there is none.
///
/// # Errors
/// The file is there and cannot be read.
pub(crate) fn kept<T: DeserializeOwned>(file: &Path) -> io::Result<Option<T>> {
    match fs::read(file) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file anew under another name and renames it: who reads it meets all of it.
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

/// Keeps the file of a build that goes on.
pub(crate) struct Keeper {
    file: PathBuf,
    began: Instant,
    latest: Mutex<Latest>,
}

struct Latest {
    building: Building,
    /// Slots that were done when the run told something first.
    first: Option<u64>,
    written: Option<Instant>,
    /// A folder that cannot be written is complained about once.
    complained: bool,
}

impl Keeper {
    /// Nothing is written before the build has told something.
    pub(crate) fn new(folder: &Path, plan: &BuildPlan) -> Self {
        let building = Building {
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
        let latest = Latest { building, first: None, written: None, complained: false };
        Self { file: folder.join(FILE), began: Instant::now(), latest: Mutex::new(latest) }
    }

    /// Takes note of how far the build is.
    pub(crate) fn note(&self, progress: &Progress) {
        // Another thread is just writing something as new.
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
                "{}: cannot be written: {error}; the build goes on",
                self.file.display()
            ));
        }
    }

    /// Takes the file away: the tables themselves say what is there.
    pub(crate) fn finished(self) {
        // One that cannot be taken away names a process that is gone.
        let _ = fs::remove_file(self.file);
    }
}
