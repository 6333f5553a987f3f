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

    /// Writes the result of a job, if it is still wanted: a study that ends removes the files of its workers.
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
        self.done = Some(job);
        let is_wanted = || jobs.order(&self.id).is_some_and(|order| (order.run, order.number) == job);
        jobs.write_result(&self.id, result).or_else(|error| if is_wanted() { Err(error) } else { Ok(()) })
    }

    /// Gives the job back; a result that waits is still judged.
    pub(super) fn leave(&self, jobs: &JobFolder) {
        if let Some(life) = jobs.life(&self.id) {
            jobs.write_life(&self.id, Life { is_leaving: true, ..life });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_result_that_cannot_be_written_is_an_error_while_it_is_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        let jobs = JobFolder::of(folder.path());
        let mut worker = WorkerFiles::new("a".to_owned());
        worker.deliver(&jobs, (1, 2), b"late").expect("the study has ended");
        jobs.clear().expect("a folder for workers");
        let order = StudyJob { run: 1, number: 2, position: String::new(), nodes: 1 };
        jobs.write_order("a", &order);
        worker.deliver(&jobs, (1, 2), b"in time").expect("written");
        assert!(jobs.has_result("a"));
        let file =
            jobs.files().into_iter().find(|file| fs::read(file).is_ok_and(|bytes| bytes == b"in time"));
        let file = file.expect("the result");
        fs::remove_file(&file).and_then(|()| fs::create_dir(&file)).expect("in the way");
        worker.deliver(&jobs, (1, 2), b"blocked").expect_err("in the way");
        worker.deliver(&jobs, (1, 1), b"old").expect("another job is wanted");
    }
}
