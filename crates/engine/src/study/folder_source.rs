//! Jobs from the folders of studies that this process sees.

use std::thread::sleep;

use super::job_folder::{JobFolder, KEEPER_LEASE, LOOK, Pulse, StudyInWork, drawn};
use super::job_source::{JobSource, NextJob};
use super::worker_files::WorkerFiles;
use crate::EngineError;
use crate::error::FileError;
use marquis_wire::study::{StudyHead, StudyJob};

/// A study to work for.
pub(super) struct WorkRequest {
    /// The expected subject.
    pub(super) about: StudyHead,
    pub(super) jobs: JobFolder,
}

impl WorkRequest {
    /// Checks that the study has the expected subject.
    fn check(&self, keeper: &StudyInWork) -> Result<(), EngineError> {
        if keeper.about == self.about {
            return Ok(());
        }
        let advice = "name the folder of that study, and run the same version of the program";
        let (expected, found) = (format!("a study of {}", self.about), &keeper.about);
        Err(FileError::unexpected(self.jobs.folder(), expected, found, advice).into())
    }
}

/// One worker for all of these studies.
pub(super) struct FolderSource<'w> {
    wanted: &'w [WorkRequest],
    worker: WorkerFiles,
    /// The heartbeats of the keeper of each study.
    pulses: Vec<Pulse>,
    /// The number of the study that gave the last job.
    at: usize,
}

impl<'w> FolderSource<'w> {
    pub(super) fn new(wanted: &'w [WorkRequest]) -> Self {
        let pulses = wanted.iter().map(|_| Pulse::within(KEEPER_LEASE)).collect();
        Self { wanted, worker: WorkerFiles::new(format!("{:016x}", drawn())), pulses, at: 0 }
    }

    /// The first study with a live keeper, and that keeper; else whether all are answered.
    fn kept(&mut self) -> Result<Result<(usize, StudyInWork), NextJob>, EngineError> {
        let mut answered = 0;
        for (at, (wanted, pulse)) in self.wanted.iter().zip(&mut self.pulses).enumerate() {
            let keeper = wanted.jobs.keeper();
            let beats = pulse.beats(keeper.as_ref().map(|keeper| (keeper.run, keeper.beat)));
            let Some(keeper) = keeper else { continue };
            wanted.check(&keeper)?;
            if keeper.is_answered {
                answered += 1;
            } else if beats {
                return Ok(Ok((at, keeper)));
            }
        }
        let all = answered == self.wanted.len();
        Ok(Err(if all { NextJob::Answered } else { NextJob::Wait("no process works on the study") }))
    }

    /// The folder of the study that gave the last job.
    fn jobs(&self) -> &'w JobFolder {
        &self.wanted[self.at].jobs
    }
}

impl JobSource for FolderSource<'_> {
    fn next(&mut self, _: &dyn Fn() -> bool) -> Result<NextJob, EngineError> {
        let keeper = match self.kept()? {
            Ok((at, keeper)) => {
                self.at = at;
                keeper
            }
            Err(none) => {
                sleep(LOOK);
                return Ok(none);
            }
        };
        self.worker.live(self.jobs(), keeper.run);
        if let Some(job) = self.worker.job(self.jobs(), keeper.run) {
            return Ok(NextJob::Job(job));
        }
        sleep(LOOK);
        Ok(NextJob::Wait("waiting for the next"))
    }

    fn is_wanted(&mut self, job: &StudyJob) -> bool {
        self.worker.live(self.jobs(), job.run);
        self.jobs().order(self.worker.id()).as_ref() == Some(job)
    }

    fn deliver(&mut self, job: &StudyJob, result: &[u8], _: &dyn Fn() -> bool) -> Result<(), EngineError> {
        self.worker.deliver(self.jobs(), (job.run, job.number), result)
    }

    fn leave(&mut self) {
        self.wanted.iter().for_each(|wanted| self.worker.leave(&wanted.jobs));
    }
}
