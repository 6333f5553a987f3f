//! Helpers of a study that do not see its folder: a service reads and writes the files of each for it.

use std::path::Path;
use std::time::SystemTime;

use super::job_folder::{JobFolder, KEEPER_LEASE, Pulse, job_of_result};
use super::worker_files::WorkerFiles;
use crate::EngineError;
use marquis_wire::study::{HelperState, HelperTurn, StudyHead, StudyHelpers};

/// Whether the study in a folder takes helpers, as far as its files say.
#[must_use]
pub fn helpers_of(folder: &Path) -> StudyHelpers {
    let jobs = JobFolder::of(folder);
    // A keeper that was killed leaves its file; a helper that joins watches the heartbeat as well.
    let is_new = |at: SystemTime| at.elapsed().is_ok_and(|age| age < KEEPER_LEASE);
    match jobs.keeper() {
        Some(keeper) if keeper.is_answered => StudyHelpers::Answered,
        Some(_) if jobs.keeper_written().is_some_and(is_new) => StudyHelpers::Wanted,
        _ => StudyHelpers::Unattended,
    }
}

/// Why a helper cannot join a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSeat {
    /// No process works on the study.
    Unattended,
    /// The study is answered.
    Answered,
    /// The helper expects another study, or has other rules than the process that keeps it.
    Other(StudyHead),
}

/// Why a result was not accepted.
#[derive(Debug)]
pub enum NoResult {
    /// It is no result.
    Malformed,
    /// It is not the result of the current job, which may have been cancelled.
    NotCurrent,
    /// It cannot be written.
    Failed(EngineError),
}

/// A helper of a study.
#[derive(Debug)]
pub struct HelperSeat {
    jobs: JobFolder,
    worker: WorkerFiles,
    keeper: Pulse,
}

impl HelperSeat {
    /// Joins the study in a folder.
    ///
    /// * `id`: names files of the folder, so that the caller must draw it.
    /// * `about`: the study that the helper expects.
    ///
    /// # Errors
    /// [`NoSeat`].
    pub fn join(folder: &Path, id: String, about: &StudyHead) -> Result<Self, NoSeat> {
        let jobs = JobFolder::of(folder);
        let keeper = jobs.keeper().ok_or(NoSeat::Unattended)?;
        if keeper.about != *about {
            return Err(NoSeat::Other(keeper.about));
        }
        if keeper.is_answered {
            return Err(NoSeat::Answered);
        }
        let mut worker = WorkerFiles::new(id);
        worker.live(&jobs, keeper.run);
        Ok(Self { jobs, worker, keeper: Pulse::within(KEEPER_LEASE) })
    }

    /// Refreshes the heartbeat, and returns the current job of the helper.
    pub fn turn(&mut self) -> HelperTurn {
        let without = |state| HelperTurn { state, job: None };
        let keeper = self.jobs.keeper();
        let beats = self.keeper.beats(keeper.as_ref().map(|keeper| (keeper.run, keeper.beat)));
        let Some(keeper) = keeper.filter(|keeper| beats || keeper.is_answered) else {
            return without(HelperState::Unattended);
        };
        if keeper.is_answered {
            return without(HelperState::Answered);
        }
        self.worker.live(&self.jobs, keeper.run);
        let job = self.worker.job(&self.jobs, keeper.run);
        let state = if job.is_some() { HelperState::Job } else { HelperState::Waiting };
        HelperTurn { state, job }
    }

    /// Passes on the result of the current job.
    ///
    /// # Errors
    /// [`NoResult`].
    pub fn deliver(&mut self, result: &[u8]) -> Result<(), NoResult> {
        let named = job_of_result(result).ok_or(NoResult::Malformed)?;
        let job = self.worker.job(&self.jobs, named.0);
        if job.is_none_or(|job| job.number != named.1) {
            return Err(NoResult::NotCurrent);
        }
        self.worker.deliver(&self.jobs, named, result).map_err(NoResult::Failed)
    }

    /// Whether a result of the helper was refused.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.jobs.is_refused(self.worker.id())
    }

    /// Whether a result of the helper waits to be judged.
    #[must_use]
    pub fn has_result(&self) -> bool {
        self.jobs.has_result(self.worker.id())
    }

    /// Gives the job of the helper back; a result that waits is still judged.
    pub fn leave(&self) {
        self.worker.leave(&self.jobs);
    }
}
