//! A process that works for the studies of other processes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope, sleep};
use web_time::Instant;

use marquis_core::Immobile;
use marquis_proof::{Heuristic, ProofSearch, SearchLimits};

use super::job_folder::{BEAT, JobFolder, JobPosition, LOOK, Life, Pulse, StudyInWork, drawn};
use super::store::StudyHead;
use crate::ask::hints::SearchHints;
use crate::ask::memory::{job_settings, scratch_disk};
use crate::error::FileError;
use crate::game::exact::ExactGame;
use crate::game::judge::Judge;
use crate::knowledge::sources::Knowledge;
use crate::query::StudyOptions;
use crate::{Control, EngineError, Limits, Progress};
use marquis_wire::ending::SearchEnd;
use marquis_wire::study::WorkReport;

/// A study to work for.
pub(super) struct WorkRequest {
    /// The expected subject.
    pub(super) about: StudyHead,
    pub(super) jobs: JobFolder,
}

/// The rules of the studies, and the judge of the game.
pub(super) struct Trade<'a, G: ExactGame> {
    pub(super) game: &'a G::Rules,
    pub(super) immobile: Immobile,
    pub(super) judge: &'a dyn Judge<G>,
}

/// Does jobs for the studies of other processes, one at a time, until all are answered or a limit is reached.
///
/// # Errors
/// A folder holds the study of something else; a job cannot be read, or its result cannot be written.
pub(super) fn work<G: ExactGame>(
    trade: &Trade<'_, G>,
    wanted: &[WorkRequest],
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
        wanted,
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
            let work = || Hand::new(&crew).work();
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
    wanted: &'c [WorkRequest],
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
struct Hand<'h, 'c, G: ExactGame, H> {
    crew: &'h Crew<'c, G, H>,
    id: String,
    /// The heartbeats of the keeper of each study.
    pulses: Vec<Pulse>,
    beat: u64,
    told: Option<Instant>,
    /// The run and number of the last finished job.
    done: Option<(u64, u64)>,
}

impl<'h, 'c, G: ExactGame, H: Heuristic<G::Rules>> Hand<'h, 'c, G, H> {
    fn new(crew: &'h Crew<'c, G, H>) -> Self {
        let pulses = crew.wanted.iter().map(|_| Pulse::within(StudyOptions::LEASE)).collect();
        Self { crew, id: format!("{:016x}", drawn()), pulses, beat: 0, told: None, done: None }
    }

    fn work(mut self) {
        while self.crew.end().is_none() {
            if let Err(error) = self.turn() {
                self.crew.fail(error);
            }
        }
        for wanted in self.crew.wanted {
            if let Some(life) = wanted.jobs.life(&self.id) {
                wanted.jobs.write_life(&self.id, Life { is_leaving: true, ..life });
            }
        }
    }

    /// Does the current job, or waits for one.
    fn turn(&mut self) -> Result<(), EngineError> {
        let Some((wanted, keeper)) = self.kept()? else {
            self.crew.tell("no process works on the study");
            sleep(LOOK);
            return Ok(());
        };
        self.live(wanted, keeper.run);
        let order = wanted.jobs.order(&self.id).filter(|order| order.run == keeper.run);
        match order.filter(|order| self.done != Some((order.run, order.number))) {
            Some(order) => self.search(wanted, &order),
            None => {
                self.crew.tell("waiting for the next");
                sleep(LOOK);
                Ok(())
            }
        }
    }

    /// The first study with a live keeper, and that keeper; `None` if no study has one. Ends the work if all are
    /// answered.
    fn kept(&mut self) -> Result<Option<(&'c WorkRequest, StudyInWork)>, EngineError> {
        let mut answered = 0;
        for (wanted, pulse) in self.crew.wanted.iter().zip(&mut self.pulses) {
            let keeper = wanted.jobs.keeper();
            let beats = pulse.beats(keeper.as_ref().map(|keeper| (keeper.run, keeper.beat)));
            let Some(keeper) = keeper else { continue };
            wanted.check(&keeper)?;
            if keeper.is_answered {
                answered += 1;
            } else if beats {
                return Ok(Some((wanted, keeper)));
            }
        }
        if answered == self.crew.wanted.len() {
            self.crew.finish(SearchEnd::Answered);
        }
        Ok(None)
    }

    /// Writes a heartbeat when one is due.
    fn live(&mut self, wanted: &WorkRequest, run: u64) {
        if self.told.is_none_or(|at| at.elapsed() >= BEAT) {
            (self.told, self.beat) = (Some(Instant::now()), self.beat + 1);
            wanted.jobs.write_life(&self.id, Life { run, beat: self.beat, is_leaving: false });
        }
    }

    fn search(&mut self, wanted: &WorkRequest, order: &JobPosition) -> Result<(), EngineError> {
        let (crew, halt) = (self.crew, AtomicBool::new(false));
        let (_, position) = G::parse(&order.position, crew.trade.immobile)?;
        let limits = SearchLimits {
            nodes: Some(order.nodes),
            deadline: crew.deadline,
            stop: Some(&halt),
            ..SearchLimits::default()
        };
        let mut told = 0;
        let findings = crew.search.solve(&position, &limits, |progress| {
            crew.nodes.fetch_add(progress.nodes.saturating_sub(told), Relaxed);
            told = told.max(progress.nodes);
            self.live(wanted, order.run);
            crew.tell("one under way");
            let is_wanted = wanted.jobs.order(&self.id).as_ref() == Some(order);
            if !is_wanted || crew.end().is_some() {
                halt.store(true, Relaxed);
            }
        });
        crew.nodes.fetch_add(findings.nodes.saturating_sub(told), Relaxed);
        // An interrupted job is done again by another worker.
        if !halt.load(Relaxed) && crew.end().is_none_or(|end| end == SearchEnd::Nodes) {
            self.done = Some((order.run, order.number));
            wanted.jobs.write_done(&self.id, order, &findings.into())?;
            crew.jobs.fetch_add(1, Relaxed);
        }
        Ok(())
    }
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
