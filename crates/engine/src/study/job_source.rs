//! Where a worker gets its jobs: a folder that it sees, or a service.

use std::path::Path;

use crate::EngineError;
use marquis_wire::study::{StudyHead, StudyJob};

/// The next job of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextJob {
    /// A job.
    Job(StudyJob),
    /// None yet; the reason for the progress report.
    Wait(&'static str),
    /// None any more: the study is answered.
    Answered,
    /// None any more: the study does not take this worker.
    Closed,
}

/// The connection of one thread to the process that keeps a study.
pub trait JobSource: Send {
    /// The next job; waits a moment for one, and refreshes the heartbeat. A job that was delivered is not returned
    /// again.
    ///
    /// * `stopped`: whether to stop waiting.
    ///
    /// # Errors
    /// The source has the study of something else, or cannot be used.
    fn next(&mut self, stopped: &dyn Fn() -> bool) -> Result<NextJob, EngineError>;

    /// Whether a job is still needed; refreshes the heartbeat. Called often during the search.
    fn is_wanted(&mut self, job: &StudyJob) -> bool;

    /// Delivers the result of a job.
    ///
    /// # Errors
    /// It cannot be written or sent.
    fn deliver(
        &mut self,
        job: &StudyJob,
        result: &[u8],
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), EngineError>;

    /// Says that this worker takes no more jobs.
    fn leave(&mut self);
}

/// A service that passes on the jobs of a study.
pub trait JobServer: Sync {
    /// A connection for one thread.
    ///
    /// * `about`: the expected study.
    fn connect(&self, about: &StudyHead) -> Box<dyn JobSource + '_>;
}

/// Where the jobs of a study come from.
#[derive(Clone, Copy)]
pub enum WorkPlace<'a> {
    /// The folder of the study, which this process sees.
    Folder(&'a Path),
    /// A service.
    Service(&'a dyn JobServer),
}
