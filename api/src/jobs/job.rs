//! One job: queued, running, done, cancelled or failed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use marquis_core::{Bounds, Sharing};
use marquis_engine::{Control, Engine, Limits, Look, Progress, ReviewSoFar};
use marquis_wire::answer::Wdl;
use tokio::sync::watch;

use super::turns::{QueueTicket, Turn, Turns};
use crate::faults::Faults;
use crate::identity::{JobId, Token};
use crate::kinds::{BuildSite, JobContext, JobQuestion, JobResult, JobWork};
use crate::problem::Problem;
use crate::proof_files::ProofFiles;
use crate::store::{FinishedJob, Noted, StoreError};

/// The state of a job.
#[derive(Clone, Debug)]
pub(crate) enum JobState {
    Queued,
    Running,
    Done(Arc<JobResult>),
    Cancelled,
    Failed(Problem),
}

impl JobState {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done(_) => "done",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
        }
    }

    /// Whether the state is final.
    pub(crate) const fn is_final(&self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// A job that is waiting, running or finished.
pub(crate) struct Job {
    id: JobId,
    question: JobQuestion,
    /// The maximum time of work.
    limit: Duration,
    /// Time slept is the total wait between its turns.
    sharing: Sharing,
    stop: AtomicBool,
    state: watch::Sender<JobState>,
    kept: watch::Sender<Persistence>,
    latest: Mutex<LatestState>,
    place: OnceLock<(Arc<Turns>, QueueTicket)>,
    audience: Mutex<Audience>,
    /// The tokens of its owners.
    holders: Mutex<Vec<Token>>,
}

/// Whether a job is cancelled when nobody asks about it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listening {
    Needed,
    NotNeeded,
}

impl Listening {
    /// * `go_on`: whether a client asked for the job to continue without listeners.
    pub(crate) const fn of(go_on: bool) -> Self {
        if go_on { Self::NotNeeded } else { Self::Needed }
    }
}

/// The listeners of a job.
struct Audience {
    /// The number of current listeners.
    there: usize,
    /// The time of the last request about the job.
    last: Instant,
    listening: Listening,
}

/// A listener of a job, until it is dropped.
pub(crate) struct Listener(Arc<Job>);

impl Listener {
    pub(crate) fn to(job: &Arc<Job>) -> Self {
        job.audience().there += 1;
        Self(Arc::clone(job))
    }

    /// The job.
    pub(crate) fn job(&self) -> &Job {
        &self.0
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut audience = self.0.audience();
        audience.there -= 1;
        audience.last = Instant::now();
    }
}

/// The remaining owners of a job after one has released it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemainingOwners {
    ByOthers,
    ByNobody,
    /// The token was not one of an owner.
    NeverAskedFor,
}

/// The maximum number of remembered owners of a job; the oldest are forgotten.
const HOLDERS: usize = 64;

/// Whether a job is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Persistence {
    /// Not yet.
    Writing,
    Yes,
    /// There is no state directory, or it cannot be written.
    No,
}

/// The latest state of the work.
#[derive(Clone, Default)]
pub(super) struct LatestState {
    pub(super) began: Option<Instant>,
    /// The start of the current wait for a turn.
    asleep: Option<Instant>,
    pub(super) took: Option<Duration>,
    pub(super) progress: Option<Progress>,
    /// The estimate of a look-ahead.
    pub(super) leaning: Option<Wdl>,
    /// For a balance: the knowledge about White moving first, and about Black.
    pub(super) firsts: Option<[Bounds; 2]>,
    /// The result so far; the whole result once the job is over.
    pub(super) found: Option<Arc<JobResult>>,
    /// A review under way.
    growing: Option<Arc<ReviewSoFar>>,
}

/// The resources that all jobs use.
pub(super) struct Workplace<'a> {
    pub(super) engine: &'a Engine,
    pub(super) proofs: &'a ProofFiles,
    pub(super) faults: &'a Faults,
    /// Where tables are generated, if clients may have some.
    pub(super) builds: Option<&'a BuildSite>,
    /// The limits of each job, except for the time.
    pub(super) limits: Limits,
    /// Writes the result so far of an unfinished job to the disk.
    pub(super) note: &'a (dyn Fn(&Job) + Sync),
}

impl Job {
    pub(crate) fn new(id: JobId, question: JobQuestion, limit: Duration) -> Self {
        let (state, _) = watch::channel(JobState::Queued);
        let (kept, _) = watch::channel(Persistence::Writing);
        let stop = AtomicBool::new(false);
        let (latest, place, holders) = (Mutex::default(), OnceLock::new(), Mutex::default());
        let audience = Mutex::new(Audience { there: 0, last: Instant::now(), listening: Listening::Needed });
        let sharing = Sharing::yielding();
        Self { id, question, limit, sharing, stop, state, kept, latest, place, audience, holders }
    }

    /// A job that an earlier run of the service finished.
    pub(crate) fn remembered(id: JobId, finished: FinishedJob) -> Self {
        let took = Duration::try_from_secs_f64(finished.seconds).unwrap_or_default();
        let job = Self::new(id, finished.question, finished.limit_ms.map_or(took, Duration::from_millis));
        let nodes = match &finished.found {
            JobResult::Balance(balance) => balance.difficulty.nodes,
            JobResult::Review(_) | JobResult::Design(_) | JobResult::Answer(_) | JobResult::Build(_) => 0,
        };
        let progress = Progress { phase: "kept".to_owned(), done: nodes, total: None, bounds: None };
        let found = Arc::new(finished.found);
        let (took, progress) = (Some(took), Some(progress));
        *job.latest() =
            LatestState { took, progress, found: Some(Arc::clone(&found)), ..LatestState::default() };
        job.state.send_replace(JobState::Done(found));
        job.kept.send_replace(Persistence::Yes);
        job
    }

    /// The entry of the unfinished job on the disk.
    pub(super) fn noted(&self) -> Noted {
        Noted {
            question: self.question.clone(),
            holders: self.held_by(),
            limit_ms: Some(self.limit_ms()),
            go_on: self.audience().listening == Listening::NotNeeded,
            earlier: self.found().filter(|found| found.is_gone_on_from()).as_deref().cloned(),
        }
    }

    fn latest(&self) -> MutexGuard<'_, LatestState> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest state of the work.
    pub(super) fn said(&self) -> LatestState {
        self.latest().clone()
    }

    /// The time of work so far, without the wait between turns.
    pub(super) fn worked(&self) -> Duration {
        let latest = self.latest();
        let awake = |began: Instant| latest.asleep.unwrap_or_else(Instant::now).duration_since(began);
        let worked = || latest.began.map(|began| awake(began).saturating_sub(self.sharing.slept()));
        latest.took.or_else(worked).unwrap_or_default()
    }

    /// The result so far.
    pub(crate) fn found(&self) -> Option<Arc<JobResult>> {
        self.latest().found.clone()
    }

    /// The review under way; `None` once it is over.
    pub(crate) fn growing(&self) -> Option<Arc<ReviewSoFar>> {
        self.latest().growing.clone()
    }

    /// Stores the result so far.
    pub(super) fn know(&self, found: Arc<JobResult>) {
        let mut latest = self.latest();
        (latest.found, latest.growing) = (Some(found), None);
    }

    fn audience(&self) -> MutexGuard<'_, Audience> {
        self.audience.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request about the job.
    pub(crate) fn hear(&self) {
        self.audience().last = Instant::now();
    }

    /// Records whether a client needs the job to continue without listeners; one such client is enough.
    pub(super) fn heed(&self, listening: Listening) {
        let mut audience = self.audience();
        audience.last = Instant::now();
        if listening == Listening::NotNeeded {
            audience.listening = listening;
        }
    }

    /// Whether it is unfinished, needs listeners, and had none for `patience`.
    pub(super) fn is_unheard(&self, patience: Duration) -> bool {
        let audience = self.audience();
        let unheard = audience.there == 0 && audience.last.elapsed() >= patience;
        unheard && audience.listening == Listening::Needed && !self.state.borrow().is_final()
    }

    fn holders(&self) -> MutexGuard<'_, Vec<Token>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds owners of the job.
    pub(crate) fn hold(&self, tokens: &[Token]) {
        let mut holders = self.holders();
        for token in tokens {
            if !holders.contains(token) {
                if holders.len() >= HOLDERS {
                    holders.remove(0);
                }
                holders.push(token.clone());
            }
        }
    }

    /// The remembered owners of the job.
    pub(crate) fn held_by(&self) -> Vec<Token> {
        self.holders().clone()
    }

    /// Removes an owner of the job.
    pub(crate) fn let_go(&self, token: &Token) -> RemainingOwners {
        let mut holders = self.holders();
        let Some(place) = holders.iter().position(|holder| holder == token) else {
            return RemainingOwners::NeverAskedFor;
        };
        holders.remove(place);
        if holders.is_empty() { RemainingOwners::ByNobody } else { RemainingOwners::ByOthers }
    }

    /// Records its place in the queue; a job is queued only once.
    pub(super) fn wait_at(&self, turns: &Arc<Turns>, place: QueueTicket) {
        let _ = self.place.set((Arc::clone(turns), place));
    }

    /// The number of jobs before it while it waits for a turn.
    pub(super) fn ahead(&self) -> Option<u64> {
        let (turns, place) = self.place.get()?;
        turns.ahead(*place)
    }

    /// Records that the job is not on the disk, unless this is already settled.
    pub(crate) fn not_kept(&self) {
        self.kept.send_if_modified(|kept| {
            let open = *kept == Persistence::Writing;
            if open {
                *kept = Persistence::No;
            }
            open
        });
    }

    pub(super) fn is_kept(&self) -> bool {
        *self.kept.borrow() == Persistence::Yes
    }

    pub(crate) const fn id(&self) -> &JobId {
        &self.id
    }

    pub(crate) const fn question(&self) -> &JobQuestion {
        &self.question
    }

    /// The maximum milliseconds of work.
    pub(super) fn limit_ms(&self) -> u64 {
        u64::try_from(self.limit.as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn state(&self) -> JobState {
        self.state.borrow().clone()
    }

    /// Whether this job answers, or will answer, an equal question that may take this long.
    pub(super) fn is_of_use(&self, limit: Duration) -> bool {
        match self.state() {
            // A job that is winding up is as good as cancelled.
            JobState::Queued | JobState::Running => !self.stop.load(Ordering::Relaxed),
            JobState::Done(found) => found.is_settled() && (found.is_whole() || limit <= self.limit),
            JobState::Cancelled | JobState::Failed(_) => false,
        }
    }

    /// Waits for the final state.
    pub(crate) async fn finished(&self) -> JobState {
        let mut states = self.state.subscribe();
        match states.wait_for(JobState::is_final).await {
            Ok(state) => state.clone(),
            Err(_) => JobState::Failed(Problem::internal()),
        }
    }

    /// Waits until it is settled whether the job is on the disk.
    pub(crate) async fn settled(&self) {
        // The sender is part of the job, so it still exists.
        let _ = self.kept.subscribe().wait_for(|kept| *kept != Persistence::Writing).await;
    }

    /// Asks a running job to stop; it ends as cancelled and keeps its result so far.
    pub(crate) fn wind_up(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Ends the job unless it is finished; later results are dropped.
    ///
    /// * `last`: the final state.
    pub(crate) fn end(&self, last: JobState) -> bool {
        self.stop.store(true, Ordering::Relaxed);
        self.turn(|state| !state.is_final(), last)
    }

    /// Changes the state if `may` accepts the current one.
    fn turn(&self, may: impl Fn(&JobState) -> bool, next: JobState) -> bool {
        self.state.send_if_modified(|state| {
            let turns = may(state);
            if turns {
                *state = next;
            }
            turns
        })
    }

    /// Yields to other jobs when it is their turn; the wait does not count as work.
    fn give_way(&self, turn: &Turn) {
        let asleep = Instant::now();
        self.latest().asleep = Some(asleep);
        turn.give_way(&self.stop);
        let mut latest = self.latest();
        latest.asleep = None;
        self.sharing.add_sleep(asleep.elapsed());
    }

    /// The result of the work and its seconds; `None` if the job had ended before or was stopped meanwhile.
    pub(super) fn run(
        &self,
        work: &dyn JobWork,
        at: &Workplace<'_>,
        turn: &Turn,
    ) -> Option<Result<(Arc<JobResult>, f64), Problem>> {
        if !self.turn(|state| matches!(state, JobState::Queued), JobState::Running) {
            return None;
        }
        let earlier = {
            let mut latest = self.latest();
            latest.began = Some(Instant::now());
            latest.found.clone()
        };
        let tell = |progress: &Progress| {
            self.latest().progress = Some(progress.clone());
            self.give_way(turn);
        };
        let look = |look: &Look| {
            self.latest().leaning = Some(look.wdl);
            self.give_way(turn);
        };
        let firsts = |bounds: &[Bounds; 2]| self.latest().firsts = Some(*bounds);
        let control = Control::new(&self.stop, tell).with_sharing(&self.sharing);
        let control = control.with_looks(look).with_firsts(firsts);
        let so_far = |found: JobResult| {
            let is_gone_on_from = found.is_gone_on_from();
            self.know(Arc::new(found));
            if is_gone_on_from {
                (at.note)(self);
            }
        };
        let growing = |review: Arc<ReviewSoFar>| self.latest().growing = Some(review);
        let (engine, faults, proofs, builds) = (at.engine, at.faults, at.proofs, at.builds);
        let limits = Limits { time: Some(self.limit), ..at.limits };
        let desk = JobContext {
            id: &self.id,
            engine,
            faults,
            proofs,
            builds,
            limits,
            control: &control,
            earlier: earlier.as_deref(),
            so_far: &so_far,
            growing: &growing,
        };
        let result = work.run(&desk).map(Arc::new);
        let took = self.worked();
        self.latest().took = Some(took);
        if let Ok(found) = &result {
            self.know(Arc::clone(found));
        }
        if self.stop.load(Ordering::Relaxed) {
            // `end` may have set the final state already.
            self.turn(|state| matches!(state, JobState::Running), JobState::Cancelled);
            return None;
        }
        Some(result.map(|found| (found, took.as_secs_f64())))
    }

    /// Sets the final state of finished work.
    pub(super) fn conclude(&self, result: Result<Arc<JobResult>, Problem>) {
        let last = result.map_or_else(JobState::Failed, JobState::Done);
        self.turn(|state| matches!(state, JobState::Running), last);
    }

    /// Records whether the job is on the disk.
    pub(crate) fn note(&self, done: &Result<(), StoreError>) {
        if let Err(error) = done {
            tracing::error!(job = %self.id, %error, "a job cannot be kept; it lives in memory");
        }
        self.kept.send_replace(if done.is_ok() { Persistence::Yes } else { Persistence::No });
    }
}

/// Marks an unfinished job as failed when its task is dropped, because of a panic or a lack of threads.
pub(super) struct FailIfDropped(pub(super) Arc<Job>);

impl Drop for FailIfDropped {
    fn drop(&mut self) {
        self.0.turn(|state| !state.is_final(), JobState::Failed(Problem::internal()));
    }
}
