//! Balances that take longer than a request: queued, running, done, cancelled or failed.
//!
//! A job's id is its question in canonical text, so that the same question is never worked on twice.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use marquis_engine::{
    Balance, BalanceQuery, Control, Engine, EngineError, Immobile, Limits, Pie, Progress, Until,
};
use serde::Serialize;
use tokio::sync::watch;

use crate::pool::Pool;
use crate::problem::{Problem, ProblemDocument};

/// Jobs that are kept, finished ones included; the oldest finished one makes room.
const KEPT: usize = 1000;

/// The question of a job in canonical text: `swish-marquisian-0-majority-loss-choice-w1w.4.1ooo1.4.b1b`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct JobId(String);

impl JobId {
    /// The id of a question whose board is in canonical text.
    pub(crate) fn of(query: &BalanceQuery) -> Self {
        let BalanceQuery { game, board, bait, .. } = query;
        let pie = pie_name(query.pie);
        let target = query.target.map_or_else(|| "majority".to_owned(), |target| target.to_string());
        let immobile = match query.immobile {
            Immobile::Loss => "loss",
            Immobile::Pass => "pass",
        };
        let until = match query.until {
            Until::Choice => "choice",
            Until::BothColours => "both",
        };
        Self(format!("{game}-{pie}-{bait}-{target}-{immobile}-{until}-{}", board.replace('/', ".")))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a pie in commands and answers.
pub(crate) const fn pie_name(pie: Pie) -> &'static str {
    match pie {
        Pie::Marquisian => "marquisian",
        Pie::Bait => "bait",
    }
}

/// How far a job is.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    Queued,
    Running,
    Done(Arc<Balance>),
    Cancelled,
    Failed(Problem),
}

impl Stage {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done(_) => "done",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
        }
    }

    /// Whether nothing will change any more.
    pub(crate) const fn is_final(&self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// What a job says on its way.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Snapshot {
    state: &'static str,
    phase: Option<String>,
    nodes: u64,
    total: Option<u64>,
    /// The worst and the best value still possible, for the player to move in the position at hand.
    bounds: Option<[&'static str; 2]>,
    /// Since the job began to run.
    seconds: f64,
}

/// A job as it is sent.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JobDocument {
    id: JobId,
    state: &'static str,
    game: &'static str,
    board: String,
    pie: &'static str,
    bait: u16,
    progress: Snapshot,
    result: Option<Balance>,
    problem: Option<ProblemDocument>,
}

/// A balance that is worked on, or was.
pub(crate) struct Job {
    id: JobId,
    query: BalanceQuery,
    stop: AtomicBool,
    stage: watch::Sender<Stage>,
    latest: Mutex<Latest>,
}

#[derive(Default)]
struct Latest {
    began: Option<Instant>,
    took: Option<Duration>,
    progress: Option<Progress>,
}

impl Job {
    fn new(id: JobId, query: BalanceQuery) -> Self {
        let (stage, _) = watch::channel(Stage::Queued);
        Self { id, query, stop: AtomicBool::new(false), stage, latest: Mutex::default() }
    }

    pub(crate) fn id(&self) -> &JobId {
        &self.id
    }

    pub(crate) fn stage(&self) -> Stage {
        self.stage.borrow().clone()
    }

    /// Whether an equal question is answered, or going to be, by this job.
    fn is_of_use(&self) -> bool {
        match self.stage() {
            Stage::Queued | Stage::Running => true,
            Stage::Done(balance) => balance.balanced.is_some(),
            Stage::Cancelled | Stage::Failed(_) => false,
        }
    }

    /// The last stage; does not return before it is reached.
    pub(crate) async fn finished(&self) -> Stage {
        let mut stages = self.stage.subscribe();
        match stages.wait_for(Stage::is_final).await {
            Ok(stage) => stage.clone(),
            Err(_) => Stage::Failed(Problem::internal()),
        }
    }

    /// Ends the job unless it is finished; what it found is dropped.
    pub(crate) fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.turn(|stage| !stage.is_final(), Stage::Cancelled);
    }

    /// Changes the stage if it is still such that it may.
    fn turn(&self, may: impl Fn(&Stage) -> bool, next: Stage) -> bool {
        self.stage.send_if_modified(|stage| {
            let turns = may(stage);
            if turns {
                *stage = next;
            }
            turns
        })
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let state = self.stage.borrow().name();
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let progress = latest.progress.as_ref();
        let seconds = latest.took.or_else(|| latest.began.map(|began| began.elapsed()));
        Snapshot {
            state,
            phase: progress.map(|progress| progress.phase.clone()),
            nodes: progress.map_or(0, |progress| progress.done),
            total: progress.and_then(|progress| progress.total),
            bounds: progress.and_then(|p| p.bounds).map(|bounds| [bounds.worst.name(), bounds.best.name()]),
            seconds: seconds.unwrap_or_default().as_secs_f64(),
        }
    }

    pub(crate) fn document(&self) -> JobDocument {
        let stage = self.stage();
        let BalanceQuery { game, board, bait, .. } = &self.query;
        JobDocument {
            id: self.id.clone(),
            state: stage.name(),
            game: game.name(),
            board: board.clone(),
            pie: pie_name(self.query.pie),
            bait: *bait,
            progress: self.snapshot(),
            result: if let Stage::Done(balance) = &stage { Some(balance.as_ref().clone()) } else { None },
            problem: if let Stage::Failed(problem) = &stage { Some(problem.document(None)) } else { None },
        }
    }

    fn run(&self, engine: &Engine, limits: &Limits) {
        if !self.turn(|stage| matches!(stage, Stage::Queued), Stage::Running) {
            return;
        }
        let began = Instant::now();
        let latest = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest().began = Some(began);
        let control = Control::new(&self.stop, |progress| latest().progress = Some(progress.clone()));
        let result = engine.balance(&self.query, limits, &control);
        latest().took = Some(began.elapsed());
        let last = match result {
            Ok(_) | Err(EngineError::Interrupted) if self.stop.load(Ordering::Relaxed) => Stage::Cancelled,
            Ok(balance) => Stage::Done(Arc::new(balance)),
            Err(error) => Stage::Failed(error.into()),
        };
        self.turn(|stage| matches!(stage, Stage::Running), last);
    }
}

/// The jobs of the service.
pub(crate) struct Jobs {
    pool: Pool,
    limits: Limits,
    jobs: DashMap<JobId, Arc<Job>>,
    ages: Mutex<VecDeque<JobId>>,
}

impl Jobs {
    /// * `limits`: of one job.
    pub(crate) fn new(pool: Pool, limits: Limits) -> Self {
        Self { pool, limits, jobs: DashMap::new(), ages: Mutex::default() }
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, Problem> {
        let found = self.jobs.get(&JobId(id.to_owned())).map(|job| Arc::clone(&job));
        found.ok_or_else(|| Problem::unknown_job(id))
    }

    /// The job that answers the question: one that there is already, or a new one.
    ///
    /// * `query`: with its board in canonical text.
    ///
    /// # Errors
    /// 429 when the queue is full.
    pub(crate) fn take_up(&self, engine: &Arc<Engine>, query: BalanceQuery) -> Result<Arc<Job>, Problem> {
        let id = JobId::of(&query);
        let job = Arc::new(Job::new(id.clone(), query));
        match self.jobs.entry(id.clone()) {
            Entry::Occupied(found) if found.get().is_of_use() => return Ok(Arc::clone(found.get())),
            Entry::Occupied(mut found) => {
                self.submit(engine, &job)?;
                found.insert(Arc::clone(&job));
                return Ok(job);
            }
            Entry::Vacant(empty) => {
                self.submit(engine, &job)?;
                empty.insert(Arc::clone(&job));
            }
        }
        self.make_room(id);
        Ok(job)
    }

    fn submit(&self, engine: &Arc<Engine>, job: &Arc<Job>) -> Result<(), Problem> {
        let (engine, job, limits) = (Arc::clone(engine), Arc::clone(job), self.limits);
        let task = move || {
            let _failing = FailIfDropped(&job);
            job.run(&engine, &limits);
        };
        self.pool.submit(task).map_err(|_| Problem::queue_full())
    }

    /// Notes a new job and forgets the oldest finished one if there are too many.
    fn make_room(&self, new: JobId) {
        let mut ages = self.ages.lock().unwrap_or_else(PoisonError::into_inner);
        ages.push_back(new);
        for _ in 0..ages.len().saturating_sub(KEPT) {
            let Some(oldest) = ages.pop_front() else { return };
            let removed = self.jobs.remove_if(&oldest, |_, job| job.stage().is_final());
            if removed.is_none() {
                ages.push_back(oldest);
            }
        }
    }

    /// Cancels everything.
    pub(crate) fn stop(&self) {
        for job in &self.jobs {
            job.cancel();
        }
    }
}

/// Marks a job as failed that is still running when its task ends, which only a panic brings about.
struct FailIfDropped<'a>(&'a Job);

impl Drop for FailIfDropped<'_> {
    fn drop(&mut self) {
        self.0.turn(|stage| matches!(stage, Stage::Running), Stage::Failed(Problem::internal()));
    }
}
