//! Jobs from the folders of studies that this process sees.

use std::thread::sleep;
use web_time::Instant;

use super::job_folder::{BEAT, JobFolder, KEEPER_LEASE, LOOK, Life, Pulse, StudyInWork, drawn};
use super::job_source::{JobSource, NextJob};
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
        let told = |head: &StudyHead| {
            format!("{} {} with immobile {}, rules {}", head.game, head.position, head.immobile, head.rules)
        };
        let advice = "name the folder of that study, and run the same version of the program";
        let (expected, found) = (format!("a study of {}", told(&self.about)), told(&keeper.about));
        Err(FileError::unexpected(self.jobs.folder(), expected, found, advice).into())
    }
}

/// One worker for all of these studies.
pub(super) struct FolderSource<'w> {
    wanted: &'w [WorkRequest],
    id: String,
    /// The heartbeats of the keeper of each study.
    pulses: Vec<Pulse>,
    beat: u64,
    told: Option<Instant>,
    /// The run and number of the last finished job.
    done: Option<(u64, u64)>,
    /// The number of the study that gave the last job.
    at: usize,
}

impl<'w> FolderSource<'w> {
    pub(super) fn new(wanted: &'w [WorkRequest]) -> Self {
        let pulses = wanted.iter().map(|_| Pulse::within(KEEPER_LEASE)).collect();
        Self { wanted, id: format!("{:016x}", drawn()), pulses, beat: 0, told: None, done: None, at: 0 }
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

    /// Writes a heartbeat when one is due.
    fn live(&mut self, run: u64) {
        if self.told.is_none_or(|at| at.elapsed() >= BEAT) {
            (self.told, self.beat) = (Some(Instant::now()), self.beat + 1);
            self.wanted[self.at].jobs.write_life(&self.id, Life { run, beat: self.beat, is_leaving: false });
        }
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
        self.live(keeper.run);
        let job = self.wanted[self.at].jobs.order(&self.id).filter(|job| job.run == keeper.run);
        if let Some(job) = job.filter(|job| self.done != Some((job.run, job.number))) {
            return Ok(NextJob::Job(job));
        }
        sleep(LOOK);
        Ok(NextJob::Wait("waiting for the next"))
    }

    fn is_wanted(&mut self, job: &StudyJob) -> bool {
        self.live(job.run);
        self.wanted[self.at].jobs.order(&self.id).as_ref() == Some(job)
    }

    fn deliver(&mut self, job: &StudyJob, result: &[u8], _: &dyn Fn() -> bool) -> Result<(), EngineError> {
        self.done = Some((job.run, job.number));
        self.wanted[self.at].jobs.write_result(&self.id, result)
    }

    fn leave(&mut self) {
        for wanted in self.wanted {
            if let Some(life) = wanted.jobs.life(&self.id) {
                wanted.jobs.write_life(&self.id, Life { is_leaving: true, ..life });
            }
        }
    }
}
