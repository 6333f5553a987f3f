//! One job: queued, running, done, cancelled or failed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use marquis_engine::{Bounds, Control, Engine, Limits, Look, Progress, ReviewSoFar, Slept, Wdl};
use tokio::sync::watch;

use super::turns::{Place, Turn, Turns};
use crate::faults::Faults;
use crate::identity::{JobId, Token};
use crate::kinds::{BuildSite, Desk, Found, Question, Work};
use crate::problem::Problem;
use crate::proof_files::ProofFiles;
use crate::store::{Finished, Noted, StoreError};

/// How far a job is.
#[derive(Clone, Debug)]
pub(crate) enum JobState {
    Queued,
    Running,
    Done(Arc<Found>),
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

    /// Whether nothing will change any more.
    pub(crate) const fn is_final(&self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// Work that is under way, or was.
pub(crate) struct Job {
    id: JobId,
    question: Question,
    /// How long it may work.
    limit: Duration,
    /// How long it has waited between its turns.
    slept: Slept,
    stop: AtomicBool,
    state: watch::Sender<JobState>,
    kept: watch::Sender<Kept>,
    latest: Mutex<Latest>,
    place: OnceLock<(Arc<Turns>, Place)>,
    audience: Mutex<Audience>,
    /// Who asked for it.
    holders: Mutex<Vec<Token>>,
}

/// Whether a job goes on when nobody asks about it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listening {
    Needed,
    NotNeeded,
}

impl Listening {
    /// * `go_on`: whether somebody has asked for that.
    pub(crate) const fn of(go_on: bool) -> Self {
        if go_on { Self::NotNeeded } else { Self::Needed }
    }
}

/// Who asks about a job.
struct Audience {
    /// How many listen at this moment.
    there: usize,
    /// When somebody last asked.
    last: Instant,
    listening: Listening,
}

/// Somebody who listens to a job, until it is dropped.
pub(crate) struct Listener(Arc<Job>);

impl Listener {
    pub(crate) fn to(job: &Arc<Job>) -> Self {
        job.audience().there += 1;
        Self(Arc::clone(job))
    }

    /// What is listened to.
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

/// Who still wants a job after somebody has let it go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    ByOthers,
    ByNobody,
    /// Whoever let it go had not asked for it.
    NeverAskedFor,
}

/// So many who asked for a job are known; the first ones are forgotten.
const HOLDERS: usize = 64;

/// Whether a job is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// Not yet.
    Writing,
    Yes,
    /// There is no state directory, or it cannot be written.
    No,
}

/// What a job has said last.
#[derive(Clone, Default)]
pub(super) struct Latest {
    pub(super) began: Option<Instant>,
    /// Since when it waits for its next turn.
    asleep: Option<Instant>,
    pub(super) took: Option<Duration>,
    pub(super) progress: Option<Progress>,
    /// What a look ahead thinks.
    pub(super) leaning: Option<Wdl>,
    /// Of a balance: what is known of White moving first, and of Black.
    pub(super) firsts: Option<[Bounds; 2]>,
    /// What is known so far; all of it once the job is over.
    pub(super) found: Option<Arc<Found>>,
    /// A review on its way.
    growing: Option<Arc<ReviewSoFar>>,
}

/// What all jobs work with.
pub(super) struct Workplace<'a> {
    pub(super) engine: &'a Engine,
    pub(super) proofs: &'a ProofFiles,
    pub(super) faults: &'a Faults,
    /// Where tables are generated, if clients may have some.
    pub(super) builds: Option<&'a BuildSite>,
    /// Of each job, the time aside.
    pub(super) limits: Limits,
    /// Puts what is known of an unfinished job on the disk.
    pub(super) note: &'a (dyn Fn(&Job) + Sync),
}

impl Job {
    pub(crate) fn new(id: JobId, question: Question, limit: Duration) -> Self {
        let (state, _) = watch::channel(JobState::Queued);
        let (kept, _) = watch::channel(Kept::Writing);
        let stop = AtomicBool::new(false);
        let (latest, place, holders) = (Mutex::default(), OnceLock::new(), Mutex::default());
        let audience = Mutex::new(Audience { there: 0, last: Instant::now(), listening: Listening::Needed });
        let slept = Slept::default();
        Self { id, question, limit, slept, stop, state, kept, latest, place, audience, holders }
    }

    /// A job that an earlier run of the service finished.
    pub(crate) fn remembered(id: JobId, finished: Finished) -> Self {
        let took = Duration::try_from_secs_f64(finished.seconds).unwrap_or_default();
        let job = Self::new(id, finished.question, finished.limit_ms.map_or(took, Duration::from_millis));
        let nodes = match &finished.found {
            Found::Balance(balance) => balance.difficulty.nodes,
            Found::Review(_) | Found::Design(_) | Found::Answer(_) | Found::Build(_) => 0,
        };
        let progress = Progress { phase: "kept".to_owned(), done: nodes, total: None, bounds: None };
        let found = Arc::new(finished.found);
        let (took, progress) = (Some(took), Some(progress));
        *job.latest() = Latest { took, progress, found: Some(Arc::clone(&found)), ..Latest::default() };
        job.state.send_replace(JobState::Done(found));
        job.kept.send_replace(Kept::Yes);
        job
    }

    /// The job as it is kept while it goes on.
    pub(super) fn noted(&self) -> Noted {
        Noted {
            question: self.question.clone(),
            holders: self.held_by(),
            limit_ms: Some(self.limit_ms()),
            go_on: self.audience().listening == Listening::NotNeeded,
            earlier: self.found().filter(|found| found.is_gone_on_from()).as_deref().cloned(),
        }
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the job has said last.
    pub(super) fn said(&self) -> Latest {
        self.latest().clone()
    }

    /// How long it has worked so far; what it waited between its turns is not counted.
    pub(super) fn worked(&self) -> Duration {
        let latest = self.latest();
        let awake = |began: Instant| latest.asleep.unwrap_or_else(Instant::now).duration_since(began);
        let worked = || latest.began.map(|began| awake(began).saturating_sub(self.slept.so_far()));
        latest.took.or_else(worked).unwrap_or_default()
    }

    /// What is known so far.
    pub(crate) fn found(&self) -> Option<Arc<Found>> {
        self.latest().found.clone()
    }

    /// The review that is on its way; `None` once it is over.
    pub(crate) fn growing(&self) -> Option<Arc<ReviewSoFar>> {
        self.latest().growing.clone()
    }

    /// Puts down what is known.
    pub(super) fn know(&self, found: Arc<Found>) {
        let mut latest = self.latest();
        (latest.found, latest.growing) = (Some(found), None);
    }

    fn audience(&self) -> MutexGuard<'_, Audience> {
        self.audience.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that somebody asks about the job.
    pub(crate) fn hear(&self) {
        self.audience().last = Instant::now();
    }

    /// Notes what somebody who asks for the job says of its listeners: who wants it to go on decides for all.
    pub(super) fn heed(&self, listening: Listening) {
        let mut audience = self.audience();
        audience.last = Instant::now();
        if listening == Listening::NotNeeded {
            audience.listening = listening;
        }
    }

    /// Whether it is under way and nobody has asked about it for so long, where that is needed.
    pub(super) fn is_unheard(&self, patience: Duration) -> bool {
        let audience = self.audience();
        let unheard = audience.there == 0 && audience.last.elapsed() >= patience;
        unheard && audience.listening == Listening::Needed && !self.state.borrow().is_final()
    }

    fn holders(&self) -> MutexGuard<'_, Vec<Token>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes who asked for the job.
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

    /// Everybody who asked for the job, as far as they are known.
    pub(crate) fn held_by(&self) -> Vec<Token> {
        self.holders().clone()
    }

    /// Notes that somebody does not want the job any more.
    pub(crate) fn let_go(&self, token: &Token) -> Wanted {
        let mut holders = self.holders();
        let Some(place) = holders.iter().position(|holder| holder == token) else {
            return Wanted::NeverAskedFor;
        };
        holders.remove(place);
        if holders.is_empty() { Wanted::ByNobody } else { Wanted::ByOthers }
    }

    /// Notes its place in the line; a job stands there once.
    pub(super) fn wait_at(&self, turns: &Arc<Turns>, place: Place) {
        let _ = self.place.set((Arc::clone(turns), place));
    }

    /// How many come before it, while it waits for a turn.
    pub(super) fn ahead(&self) -> Option<u64> {
        let (turns, place) = self.place.get()?;
        turns.ahead(*place)
    }

    /// Says that the job is not on the disk, unless it is settled.
    pub(crate) fn not_kept(&self) {
        self.kept.send_if_modified(|kept| {
            let open = *kept == Kept::Writing;
            if open {
                *kept = Kept::No;
            }
            open
        });
    }

    pub(super) fn is_kept(&self) -> bool {
        *self.kept.borrow() == Kept::Yes
    }

    pub(crate) const fn id(&self) -> &JobId {
        &self.id
    }

    pub(crate) const fn question(&self) -> &Question {
        &self.question
    }

    /// Milliseconds that it may work.
    pub(super) fn limit_ms(&self) -> u64 {
        u64::try_from(self.limit.as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn state(&self) -> JobState {
        self.state.borrow().clone()
    }

    /// Whether an equal question is answered, or going to be, by this job.
    pub(crate) fn is_of_use(&self) -> bool {
        match self.state() {
            // One that winds up is as good as cancelled.
            JobState::Queued | JobState::Running => !self.stop.load(Ordering::Relaxed),
            JobState::Done(found) => found.is_settled(),
            JobState::Cancelled | JobState::Failed(_) => false,
        }
    }

    /// The last state; does not return before it is reached.
    pub(crate) async fn finished(&self) -> JobState {
        let mut states = self.state.subscribe();
        match states.wait_for(JobState::is_final).await {
            Ok(state) => state.clone(),
            Err(_) => JobState::Failed(Problem::internal()),
        }
    }

    /// Waits until it is settled whether the job is on the disk.
    pub(crate) async fn settled(&self) {
        // The sender is part of the job and cannot be gone.
        let _ = self.kept.subscribe().wait_for(|kept| *kept != Kept::Writing).await;
    }

    /// Tells a running job to stop, which then ends as cancelled and keeps what it knows.
    pub(crate) fn wind_up(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Ends the job unless it is finished; what it finds after that is dropped.
    ///
    /// * `last`: the state that it ends in.
    pub(crate) fn end(&self, last: JobState) -> bool {
        self.stop.store(true, Ordering::Relaxed);
        self.turn(|state| !state.is_final(), last)
    }

    /// Changes the state if it is still such that it may.
    fn turn(&self, may: impl Fn(&JobState) -> bool, next: JobState) -> bool {
        self.state.send_if_modified(|state| {
            let turns = may(state);
            if turns {
                *state = next;
            }
            turns
        })
    }

    /// Lets others go first where it is their turn; the time until it goes on counts for nothing.
    fn give_way(&self, turn: &Turn) {
        let asleep = Instant::now();
        self.latest().asleep = Some(asleep);
        turn.give_way(&self.stop);
        let mut latest = self.latest();
        latest.asleep = None;
        self.slept.add(asleep.elapsed());
    }

    /// What the work comes to and the seconds that it took; none where the job had ended before or was stopped
    /// meanwhile.
    pub(super) fn run(
        &self,
        work: &dyn Work,
        at: &Workplace<'_>,
        turn: &Turn,
    ) -> Option<Result<(Arc<Found>, f64), Problem>> {
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
        let control = Control::new(&self.stop, tell).with_sleep(&self.slept);
        let control = control.with_looks(look).with_firsts(firsts);
        let so_far = |found: Found| {
            let is_gone_on_from = found.is_gone_on_from();
            self.know(Arc::new(found));
            if is_gone_on_from {
                (at.note)(self);
            }
        };
        let growing = |review: Arc<ReviewSoFar>| self.latest().growing = Some(review);
        let (engine, faults, proofs, builds) = (at.engine, at.faults, at.proofs, at.builds);
        let limits = Limits { time: Some(self.limit), ..at.limits };
        let desk = Desk {
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
            // Whoever stopped it has said what it ends as.
            self.turn(|state| matches!(state, JobState::Running), JobState::Cancelled);
            return None;
        }
        Some(result.map(|found| (found, took.as_secs_f64())))
    }

    /// Ends the work that has come to its end.
    pub(super) fn conclude(&self, result: Result<Arc<Found>, Problem>) {
        let last = result.map_or_else(JobState::Failed, JobState::Done);
        self.turn(|state| matches!(state, JobState::Running), last);
    }

    /// Notes whether it is on the disk.
    pub(crate) fn note(&self, done: &Result<(), StoreError>) {
        if let Err(error) = done {
            tracing::error!(job = %self.id, %error, "a job cannot be kept; it lives in memory");
        }
        self.kept.send_replace(if done.is_ok() { Kept::Yes } else { Kept::No });
    }
}

/// Marks a job as failed that is not over when its task is dropped, which a panic or a lack of threads brings about.
pub(super) struct FailIfDropped(pub(super) Arc<Job>);

impl Drop for FailIfDropped {
    fn drop(&mut self) {
        self.0.turn(|state| !state.is_final(), JobState::Failed(Problem::internal()));
    }
}
