//! The protocol between the process that keeps a study and its workers: files in a folder that all of them can see.
//!
//! The keeper rewrites `keeper.json` every second, and each worker rewrites `ID.worker.json`. Each file has a count.
//! If the count stops changing, by the reader's own clock, the writer has ended; clocks may differ. A job lies in
//! `ID.job.json` until it is done or cancelled, and its result in `ID.done`. A worker whose result was refused has
//! `ID.refused` for the rest of the run. Files are written atomically. Each worker knows the number of the keeper's
//! run and ignores files of any other run.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use web_time::{Duration, Instant};

use crc32fast::Hasher;
use marquis_core::ByPlayer;
use marquis_proof::Numbers;
use marquis_study::Done;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::EngineError;
use crate::error::FileError;
use marquis_wire::study::{StudyHead, StudyJob};

/// The folder, in that of the study.
const FOLDER: &str = "workers";
/// The version of the file formats.
const FORMAT: u32 = 1;
/// The interval between two heartbeats.
pub(super) const BEAT: Duration = Duration::from_secs(1);
/// The interval between two polls.
pub(super) const LOOK: Duration = Duration::from_millis(100);
/// The longest time without a heartbeat of the keeper. Network folders may show changes half a minute late or more.
pub(super) const KEEPER_LEASE: Duration = Duration::from_secs(150);
/// The largest size of the result of a job.
const MOST_BYTES: u64 = 1 << 30;
/// Strategies of a job: to win and to never lose, for each player.
const MOST_STRATEGIES: usize = 4;

/// A random number that identifies a worker.
pub(super) fn drawn() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// A random number that identifies a run; every JSON reader can hold it.
pub(super) fn drawn_run() -> u64 {
    drawn() >> 11
}

/// The study that a process works at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StudyInWork {
    pub(super) format: u32,
    pub(super) about: StudyHead,
    /// Drawn again by each process.
    pub(super) run: u64,
    pub(super) beat: u64,
    /// Whether the value is known, so that no more work is needed.
    pub(super) is_answered: bool,
}

impl StudyInWork {
    pub(super) fn of(about: StudyHead, run: u64) -> Self {
        Self { format: FORMAT, about, run, beat: 0, is_answered: false }
    }
}

/// A worker that waits for jobs or does one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Life {
    /// The run that it works for.
    pub(super) run: u64,
    pub(super) beat: u64,
    /// Whether it leaves the run, even if it still has a job.
    pub(super) is_leaving: bool,
}

/// The header line before the strategies of a finished job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DoneHead {
    run: u64,
    number: u64,
    nodes: u64,
    /// Proof and disproof number of "the first player wins", then of "the second".
    numbers: [u32; 4],
    /// Bytes of each strategy.
    strategies: Vec<usize>,
    /// The CRC-32 over all their bytes.
    sum: u32,
}

/// The files of one study.
#[derive(Clone, Debug)]
pub(super) struct JobFolder {
    folder: PathBuf,
}

impl JobFolder {
    /// The files of the study in this folder.
    pub(super) fn of(study: &Path) -> Self {
        Self { folder: study.join(FOLDER) }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder, empty.
    ///
    /// # Errors
    /// It cannot be made.
    pub(super) fn clear(&self) -> Result<(), EngineError> {
        fs::create_dir_all(&self.folder).map_err(FileError::system(&self.folder, "make the folder"))?;
        self.empty();
        Ok(())
    }

    /// Removes all files. Active processes write theirs again.
    pub(super) fn empty(&self) {
        self.files().iter().for_each(|file| remove(file));
    }

    pub(super) fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        entries.filter_map(Result::ok).map(|entry| entry.path()).collect()
    }

    /// The workers that have sent a heartbeat for this run.
    pub(super) fn workers(&self, run: u64) -> Vec<String> {
        let own = |file: &PathBuf| {
            let id = file.file_name()?.to_str()?.strip_suffix(".worker.json")?.to_owned();
            self.life(&id).filter(|life| life.run == run && !life.is_leaving).map(|_| id)
        };
        self.files().iter().filter_map(own).collect()
    }

    fn keeper_file(&self) -> PathBuf {
        self.folder.join("keeper.json")
    }

    /// * `what`: `worker.json`, `job.json` or `done`.
    fn file(&self, id: &str, what: &str) -> PathBuf {
        self.folder.join(format!("{id}.{what}"))
    }

    pub(super) fn keeper(&self) -> Option<StudyInWork> {
        read_json(&self.keeper_file()).filter(|keeper: &StudyInWork| keeper.format == FORMAT)
    }

    /// When the keeper's file was last written, by the clock of its disk.
    pub(super) fn keeper_written(&self) -> Option<SystemTime> {
        fs::metadata(self.keeper_file()).ok()?.modified().ok()
    }

    pub(super) fn write_keeper(&self, keeper: &StudyInWork) {
        write_json(&self.keeper_file(), keeper);
    }

    pub(super) fn life(&self, id: &str) -> Option<Life> {
        read_json(&self.file(id, "worker.json"))
    }

    pub(super) fn write_life(&self, id: &str, life: Life) {
        write_json(&self.file(id, "worker.json"), &life);
    }

    pub(super) fn order(&self, id: &str) -> Option<StudyJob> {
        read_json(&self.file(id, "job.json"))
    }

    pub(super) fn write_order(&self, id: &str, order: &StudyJob) {
        write_json(&self.file(id, "job.json"), order);
    }

    /// Cancels a job and removes its result.
    pub(super) fn remove_order(&self, id: &str) {
        remove(&self.file(id, "job.json"));
        remove(&self.file(id, "done"));
    }

    /// Marks a worker whose result is not trusted, and removes its other files.
    pub(super) fn refuse(&self, id: &str) {
        self.remove_worker(id);
        write_json(&self.file(id, "refused"), &());
    }

    /// Whether a result of the worker was refused in this run.
    pub(super) fn is_refused(&self, id: &str) -> bool {
        self.file(id, "refused").exists()
    }

    /// Whether a result waits for the keeper.
    pub(super) fn has_result(&self, id: &str) -> bool {
        self.file(id, "done").exists()
    }

    /// Removes all files of a worker.
    pub(super) fn remove_worker(&self, id: &str) {
        self.remove_order(id);
        remove(&self.file(id, "worker.json"));
    }

    /// Writes the result of a job.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write_result(&self, id: &str, bytes: &[u8]) -> Result<(), EngineError> {
        Ok(marquis_table::write_whole(&self.file(id, "done"), bytes)?)
    }

    /// The result of a job, once it is there; `None` for the result of another job, an error if the file is not a
    /// result.
    pub(super) fn done(&self, id: &str, order: &StudyJob) -> Result<Option<Done>, NoDone> {
        let file = self.file(id, "done");
        let length = match fs::metadata(&file) {
            Ok(metadata) => metadata.len(),
            Err(_) => return Ok(None),
        };
        let bytes = if length > MOST_BYTES { None } else { fs::read(&file).ok() };
        let (head, strategies) = bytes.as_deref().and_then(read_done).ok_or(NoDone)?;
        let is_own = (head.run, head.number) == (order.run, order.number);
        let [a, b, c, d] = head.numbers;
        let numbers = ByPlayer::new(sane(a, b), sane(c, d));
        Ok(is_own.then_some(Done { nodes: head.nodes, numbers, strategies }))
    }
}

/// The bytes of the result of a job: a line of JSON, and the strategies.
pub(super) fn result_bytes(job: &StudyJob, done: &Done) -> Vec<u8> {
    let Done { nodes, numbers, strategies } = done;
    let each = [numbers.first, numbers.second].map(|own| [own.proof, own.disproof]);
    let head = DoneHead {
        run: job.run,
        number: job.number,
        nodes: *nodes,
        numbers: [each[0][0], each[0][1], each[1][0], each[1][1]],
        strategies: strategies.iter().map(Vec::len).collect(),
        sum: sum(strategies),
    };
    let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
    bytes.push(b'\n');
    strategies.iter().for_each(|strategy| bytes.extend(strategy));
    bytes
}

/// The run and the number of the job that a result names; `None` if the bytes are not a result.
pub(super) fn job_of_result(bytes: &[u8]) -> Option<(u64, u64)> {
    read_done(bytes).map(|(head, _)| (head.run, head.number))
}

/// The error of a file that is not the result of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoDone;

fn read_done(bytes: &[u8]) -> Option<(DoneHead, Vec<Vec<u8>>)> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (head, mut rest) = (serde_json::from_slice::<DoneHead>(&bytes[..end]).ok()?, &bytes[end + 1..]);
    if head.strategies.len() > MOST_STRATEGIES {
        return None;
    }
    let mut strategies = Vec::new();
    for &length in &head.strategies {
        let (own, after) = rest.split_at_checked(length)?;
        strategies.push(own.to_vec());
        rest = after;
    }
    (rest.is_empty() && sum(&strategies) == head.sum).then_some((head, strategies))
}

fn sum(strategies: &[Vec<u8>]) -> u32 {
    let mut hasher = Hasher::new();
    strategies.iter().for_each(|bytes| hasher.update(bytes));
    hasher.finalize()
}

/// Consistent numbers, whatever the file says.
fn sane(proof: u32, disproof: u32) -> Numbers {
    match (proof, disproof) {
        (0, _) => Numbers::PROVED,
        (_, 0) => Numbers::DISPROVED,
        (proof, disproof) => Numbers { proof, disproof }.open(),
    }
}

fn read_json<T: DeserializeOwned>(file: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// A file that cannot be written counts as missing: its reader keeps waiting.
fn write_json(file: &Path, told: &impl Serialize) {
    if let Ok(text) = serde_json::to_vec(told) {
        let _ = marquis_table::write_whole(file, &text);
    }
}

/// A file that cannot be removed is ignored later, because its run or job number differs.
fn remove(file: &Path) {
    let _ = fs::remove_file(file);
}

/// The last heartbeat that was seen, and when it changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulse {
    seen: Option<(u64, u64)>,
    at: Instant,
    lease: Duration,
}

impl Pulse {
    pub(super) fn within(lease: Duration) -> Self {
        Self { seen: None, at: Instant::now(), lease }
    }

    /// Whether there was a new heartbeat within the lease.
    ///
    /// * `sign`: the run and the count as they are read now; `None` if there is no file.
    pub(super) fn beats(&mut self, sign: Option<(u64, u64)>) -> bool {
        if sign.is_some() && sign != self.seen {
            (self.seen, self.at) = (sign, Instant::now());
        }
        self.seen.is_some() && self.at.elapsed() < self.lease
    }
}
