//! The files of one worker of a study, as the worker writes and reads them.

use web_time::Instant;

use super::job_folder::{BEAT, JobFolder, Life};
use crate::EngineError;
use marquis_wire::study::StudyJob;

/// A worker: its heartbeat, and its jobs.
#[derive(Debug)]
pub(super) struct WorkerFiles {
    id: String,
    beat: u64,
    told: Option<Instant>,
    /// The run and number of the last job with a result.
    done: Option<(u64, u64)>,
}

impl WorkerFiles {
    pub(super) const fn new(id: String) -> Self {
        Self { id, beat: 0, told: None, done: None }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Writes a heartbeat for a run when one is due.
    pub(super) fn live(&mut self, jobs: &JobFolder, run: u64) {
        if self.told.is_none_or(|at| at.elapsed() >= BEAT) {
            (self.told, self.beat) = (Some(Instant::now()), self.beat + 1);
            jobs.write_life(&self.id, Life { run, beat: self.beat, is_leaving: false });
        }
    }

    /// The job of a run that has no result yet.
    pub(super) fn job(&self, jobs: &JobFolder, run: u64) -> Option<StudyJob> {
        let job = jobs.order(&self.id).filter(|job| job.run == run)?;
        (self.done != Some((job.run, job.number))).then_some(job)
    }

    /// Writes the result of a job.
    ///
    /// * `job`: its run and number.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn deliver(
        &mut self,
        jobs: &JobFolder,
        job: (u64, u64),
        result: &[u8],
    ) -> Result<(), EngineError> {
        jobs.write_result(&self.id, result)?;
        self.done = Some(job);
        Ok(())
    }

    /// Gives the job back; a result that waits is still judged.
    pub(super) fn leave(&self, jobs: &JobFolder) {
        if let Some(life) = jobs.life(&self.id) {
            jobs.write_life(&self.id, Life { is_leaving: true, ..life });
        }
    }
}
