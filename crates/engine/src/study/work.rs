//! A process that works for the studies of other processes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};
use web_time::Instant;

use marquis_core::Immobile;
use marquis_proof::{Heuristic, ProofSearch, SearchLimits};

use super::job_folder::result_bytes;
use super::job_source::{JobSource, NextJob};
use crate::ask::hints::SearchHints;
use crate::ask::memory::{job_settings, scratch_disk};
use crate::game::exact::ExactGame;
use crate::game::judge::Judge;
use crate::knowledge::sources::Knowledge;
use crate::{Control, EngineError, Limits, Progress};
use marquis_wire::ending::SearchEnd;
use marquis_wire::study::{StudyJob, WorkReport};

/// The rules of the studies, and the judge of the game.
pub(super) struct Trade<'a, G: ExactGame> {
    pub(super) game: &'a G::Rules,
    pub(super) immobile: Immobile,
    pub(super) judge: &'a dyn Judge<G>,
}

/// Does jobs for the studies of other processes, until all are answered or a limit is reached.
///
/// * `connect`: called by each thread.
///
/// # Errors
/// A source has the study of something else; a job cannot be read, or its result cannot be delivered.
pub(super) fn work<'s, G: ExactGame>(
    trade: &Trade<'_, G>,
    connect: &(dyn Fn() -> Box<dyn JobSource + 's> + Sync),
    limits: &Limits,
    control: &Control<'_>,
) -> Result<WorkReport, EngineError> {
    let (begun, threads) = (Instant::now(), limits.threads_allowed().max(1));
    // The node limit is for the whole work; it does not size the table.
    let settings = job_settings(&Limits { nodes: None, ..*limits });
    let (hints, disk) = (SearchHints::new(trade.game, trade.judge), scratch_disk(limits));
    let search = ProofSearch::with_knowledge(trade.game, &None, &hints, settings);
    let search = search.with_disk_if_any(disk.as_ref());
    let crew = Crew {
        trade,
        search: &search,
        limits,
        deadline: limits.deadline(control),
        control,
        ended: Mutex::new(None),
        failed: Mutex::new(None),
        jobs: AtomicU64::new(0),
        nodes: AtomicU64::new(0),
    };
    scope(|scope| {
        for _ in 0..threads {
            let work = || Hand { crew: &crew, source: connect() }.work();
            // A limit applies from the first thread on, and the system may refuse threads.
            if crew.end().is_some() || Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
    });
    if let Some(error) = crew.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    Ok(WorkReport {
        jobs: crew.jobs.into_inner(),
        nodes: crew.nodes.into_inner(),
        ended: crew.ended.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(SearchEnd::Stopped),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// All threads of the process.
struct Crew<'c, G: ExactGame, H> {
    trade: &'c Trade<'c, G>,
    search: &'c ProofSearch<'c, G::Rules, Option<&'c Knowledge<'c, G>>, H>,
    limits: &'c Limits,
    deadline: Option<Instant>,
    control: &'c Control<'c>,
    ended: Mutex<Option<SearchEnd>>,
    failed: Mutex<Option<EngineError>>,
    jobs: AtomicU64,
    nodes: AtomicU64,
}

impl<G: ExactGame, H: Heuristic<G::Rules>> Crew<'_, G, H> {
    /// Why the work should end, or `None`.
    fn end(&self) -> Option<SearchEnd> {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.is_none() {
            *ended = if self.control.stopped() {
                Some(SearchEnd::Stopped)
            } else if self.control.is_past(self.deadline) {
                Some(SearchEnd::Time)
            } else {
                let spent = self.nodes.load(Relaxed);
                self.limits.nodes.filter(|&most| spent >= most).map(|_| SearchEnd::Nodes)
            };
        }
        *ended
    }

    fn finish(&self, end: SearchEnd) {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(end);
    }

    fn fail(&self, error: EngineError) {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.finish(SearchEnd::Stopped);
    }

    fn tell(&self, doing: &str) {
        let jobs = self.jobs.load(Relaxed);
        let phase = format!("work: {jobs} jobs done, {doing}");
        self.control.tell(&Progress { phase, done: self.nodes.load(Relaxed), total: None, bounds: None });
    }
}

/// A thread that waits for jobs and does them, as a separate worker.
struct Hand<'h, 'c, 's, G: ExactGame, H> {
    crew: &'h Crew<'c, G, H>,
    source: Box<dyn JobSource + 's>,
}

impl<G: ExactGame, H: Heuristic<G::Rules>> Hand<'_, '_, '_, G, H> {
    fn work(mut self) {
        while self.crew.end().is_none() {
            if let Err(error) = self.turn() {
                self.crew.fail(error);
            }
        }
        self.source.leave();
    }

    /// Does the next job, or waits for one for a moment.
    fn turn(&mut self) -> Result<(), EngineError> {
        let crew = self.crew;
        match self.source.next(&|| crew.end().is_some())? {
            NextJob::Job(job) => return self.search(&job),
            NextJob::Wait(why) => crew.tell(why),
            NextJob::Answered => crew.finish(SearchEnd::Answered),
            NextJob::Closed => crew.finish(SearchEnd::Stopped),
        }
        Ok(())
    }

    fn search(&mut self, job: &StudyJob) -> Result<(), EngineError> {
        let (crew, halt) = (self.crew, AtomicBool::new(false));
        let (_, position) = G::parse(&job.position, crew.trade.immobile)?;
        let limits = SearchLimits {
            nodes: Some(job.nodes),
            deadline: crew.deadline,
            stop: Some(&halt),
            ..SearchLimits::default()
        };
        let mut told = 0;
        let findings = crew.search.solve(&position, &limits, |progress| {
            crew.nodes.fetch_add(progress.nodes.saturating_sub(told), Relaxed);
            told = told.max(progress.nodes);
            crew.tell("one under way");
            if !self.source.is_wanted(job) || crew.end().is_some() {
                halt.store(true, Relaxed);
            }
        });
        crew.nodes.fetch_add(findings.nodes.saturating_sub(told), Relaxed);
        let is_past = || crew.end().is_some_and(|end| end != SearchEnd::Nodes);
        // An interrupted job is done again by another worker.
        if !halt.load(Relaxed) && !is_past() {
            self.source.deliver(job, &result_bytes(job, &findings.into()), &is_past)?;
            crew.jobs.fetch_add(1, Relaxed);
        }
        Ok(())
    }
}
