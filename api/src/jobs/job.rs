//! A balance or a review that may take longer than a request: queued, running, done, cancelled or failed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use marquis_engine::wire::review::Review;
use marquis_engine::{Balance, Control, Engine, Limits, PosedSetUp, Progress, Replayed, SearchEnd, causes};
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::faults::Faults;
use crate::faults::without_damaged;
use crate::line::{Line, Ticket};
use crate::problem::{Problem, ProblemDocument};
use crate::proof_files::ProofFiles;
use crate::question::{JobId, SetUpQuestion, Token};
use crate::store::{Finished, Store, StoreError};

/// What a job is about.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    SetUp(SetUpQuestion),
    /// The name of the game that a reviewed record is of.
    Game(String),
}

/// What a job has found out.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Balance(Arc<Balance>),
    Review(Arc<Review>),
}

/// How far a job is.
#[derive(Clone, Debug)]
pub(crate) enum JobState {
    Queued,
    Running,
    Done(Found),
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

/// What a job says on its way.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Snapshot {
    /// `queued`, `running`, `done`, `cancelled` or `failed`.
    state: &'static str,
    /// What is being done.
    phase: Option<String>,
    /// Nodes or states looked at so far.
    nodes: u64,
    /// How many there are at most, where that is known.
    total: Option<u64>,
    /// The worst and the best value still possible, for the player to move in the position at hand.
    bounds: Option<[&'static str; 2]>,
    /// Since the job began to run.
    seconds: f64,
    /// While it is queued, how many jobs come before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    ahead: Option<u64>,
}

/// A job as it is sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobDocument {
    id: JobId,
    /// `queued`, `running`, `done`, `cancelled` or `failed`.
    state: &'static str,
    game: String,
    /// The set-up, of a balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// How Player Two chooses, of a balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pie: Option<String>,
    /// The beads beside the board, of a balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    bait: Option<u16>,
    /// Whether the job outlives the server: it, or its result, is on the disk.
    kept: bool,
    progress: Snapshot,
    /// The balance, once the job is done; what was known of it when the job was cancelled.
    result: Option<Balance>,
    /// Of a review: what was looked over so far, and all of it once the job is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<Review>,
    /// Why the job failed.
    problem: Option<ProblemDocument>,
    /// Why its search ended: as the result says, or `stopped` where the job was cancelled; left out before that, and
    /// where nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<SearchEnd>,
}

/// A balance or a review that is worked on, or was.
pub(crate) struct Job {
    id: JobId,
    subject: Subject,
    stop: AtomicBool,
    state: watch::Sender<JobState>,
    kept: watch::Sender<Kept>,
    latest: Mutex<Latest>,
    place: OnceLock<(Arc<Line>, Ticket)>,
    /// Who asked for it.
    holders: Mutex<Vec<Token>>,
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
enum Kept {
    /// Not yet.
    Writing,
    Yes,
    /// There is no state directory, or it cannot be written.
    No,
}

#[derive(Default)]
struct Latest {
    began: Option<Instant>,
    took: Option<Duration>,
    progress: Option<Progress>,
    review: Option<Arc<Review>>,
    /// What was known when the job was cancelled.
    balance: Option<Arc<Balance>>,
}

impl Job {
    pub(crate) fn new(question: SetUpQuestion) -> Self {
        Self::of(question.id(), Subject::SetUp(question))
    }

    /// A review of a game, which has an id that nobody guesses and is not kept.
    pub(crate) fn review(game: &Replayed) -> Self {
        let game = game.start().game().name();
        let job = Self::of(JobId::random(&format!("{game}-review")), Subject::Game(game.to_owned()));
        job.not_kept();
        job
    }

    fn of(id: JobId, subject: Subject) -> Self {
        let (state, _) = watch::channel(JobState::Queued);
        let (kept, _) = watch::channel(Kept::Writing);
        let stop = AtomicBool::new(false);
        let (latest, place, holders) = (Mutex::default(), OnceLock::new(), Mutex::default());
        Self { id, subject, stop, state, kept, latest, place, holders }
    }

    /// A job that an earlier run of the service finished.
    pub(crate) fn remembered(finished: Finished) -> Self {
        let job = Self::new(finished.question);
        let took = Duration::try_from_secs_f64(finished.seconds).unwrap_or_default();
        let nodes = finished.balance.difficulty.nodes;
        let progress = Progress { phase: "kept".to_owned(), done: nodes, total: None, bounds: None };
        *job.latest() = Latest { took: Some(took), progress: Some(progress), ..Latest::default() };
        job.state.send_replace(JobState::Done(Found::Balance(Arc::new(finished.balance))));
        job.kept.send_replace(Kept::Yes);
        job
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was looked over of a game so far, of a review.
    pub(crate) fn looked_over(&self) -> Option<Arc<Review>> {
        self.latest().review.clone()
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

    /// Takes a place in the line; a job stands there once.
    pub(crate) fn wait_in(&self, line: &Arc<Line>) {
        let _ = self.place.get_or_init(|| (Arc::clone(line), line.join()));
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

    pub(crate) fn id(&self) -> &JobId {
        &self.id
    }

    pub(crate) fn state(&self) -> JobState {
        self.state.borrow().clone()
    }

    /// Whether an equal question is answered, or going to be, by this job.
    pub(crate) fn is_of_use(&self) -> bool {
        match self.state() {
            // One that winds up is as good as cancelled.
            JobState::Queued | JobState::Running => !self.stop.load(Ordering::Relaxed),
            JobState::Done(Found::Balance(balance)) => balance.balanced.is_some(),
            JobState::Done(Found::Review(_)) | JobState::Cancelled | JobState::Failed(_) => false,
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

    pub(crate) fn snapshot(&self) -> Snapshot {
        let state = self.state.borrow().name();
        let latest = self.latest();
        let progress = latest.progress.as_ref();
        let seconds = latest.took.or_else(|| latest.began.map(|began| began.elapsed()));
        let place = self.place.get().filter(|_| state == JobState::Queued.name());
        Snapshot {
            state,
            ahead: place.map(|(line, ticket)| line.ahead(*ticket)),
            phase: progress.map(|progress| progress.phase.clone()),
            nodes: progress.map_or(0, |progress| progress.done),
            total: progress.and_then(|progress| progress.total),
            bounds: progress.and_then(|p| p.bounds).map(|bounds| [bounds.worst.name(), bounds.best.name()]),
            seconds: seconds.unwrap_or_default().as_secs_f64(),
        }
    }

    pub(crate) fn document(&self) -> JobDocument {
        let state = self.state();
        let (game, board, pie, bait) = match self.subject.clone() {
            Subject::SetUp(SetUpQuestion { game, board, pie, bait, .. }) => {
                (game, Some(board), Some(pie), Some(bait))
            }
            Subject::Game(game) => (game, None, None, None),
        };
        let balance = match &state {
            JobState::Done(Found::Balance(balance)) => Some(Arc::clone(balance)),
            JobState::Cancelled => self.latest().balance.clone(),
            _ => None,
        };
        let balance = balance.as_deref();
        JobDocument {
            id: self.id.clone(),
            state: state.name(),
            game,
            board,
            pie,
            bait,
            kept: *self.kept.borrow() == Kept::Yes,
            progress: self.snapshot(),
            result: balance.cloned(),
            review: self.looked_over().map(|review| review.as_ref().clone()),
            problem: if let JobState::Failed(problem) = &state { Some(problem.document(None)) } else { None },
            ended: match &state {
                JobState::Done(_) => balance.and_then(|balance| balance.ended),
                JobState::Cancelled => Some(SearchEnd::Stopped),
                JobState::Queued | JobState::Running | JobState::Failed(_) => None,
            },
        }
    }

    /// Works on the question, unless the job has ended already.
    ///
    /// * `set_up`: that of the question, read.
    /// * `proofs`: where what the search proved is written.
    /// * `faults`: is told of tables that turn out to be damaged.
    pub(crate) fn run(
        &self,
        engine: &Engine,
        set_up: &PosedSetUp,
        limits: &Limits,
        store: Option<&Store>,
        proofs: Option<&ProofFiles>,
        faults: &Faults,
    ) {
        let file = proofs.map(|proofs| proofs.of(&self.id));
        let work = |control: &Control<'_>| {
            let balance = || engine.balance_and_keep(set_up, limits, control, file.as_deref());
            without_damaged(engine, faults, balance).map_err(Problem::from)
        };
        let keep = |(balance, _): &(Balance, _)| self.latest().balance = Some(Arc::new(balance.clone()));
        let Some((result, took)) = self.work(work, keep) else { return };
        let last = match result {
            Ok((balance, written)) => {
                if let Err(error) = written {
                    let error = causes(&error);
                    tracing::error!(job = %self.id, %error, "a proof cannot be kept; it lives in memory");
                }
                if let Some(proofs) = proofs {
                    proofs.make_room();
                }
                if let Some((end, help)) = balance.ended.and_then(|end| Some((end, end.remedy()?))) {
                    tracing::info!(job = %self.id, ended = end.name(), help, "a balance is undecided");
                }
                self.keep(store, &balance, took);
                JobState::Done(Found::Balance(Arc::new(balance)))
            }
            Err(problem) => {
                self.drop_from(store);
                JobState::Failed(problem)
            }
        };
        self.turn(|state| matches!(state, JobState::Running), last);
    }

    /// Looks a game over, unless the job has ended already.
    ///
    /// * `limits`: of each position.
    /// * `faults`: is told of tables that turn out to be damaged.
    pub(crate) fn look_over(&self, engine: &Engine, game: &Replayed, limits: &Limits, faults: &Faults) {
        let work = |control: &Control<'_>| {
            let review = || {
                let mut so_far = |so_far: &Review| self.latest().review = Some(Arc::new(so_far.clone()));
                engine.review(game, limits, control, &mut so_far)
            };
            without_damaged(engine, faults, review).map_err(Problem::from)
        };
        // What was looked over is kept move by move.
        let Some((result, _)) = self.work(work, |_| {}) else { return };
        let last = match result {
            Ok(review) => {
                let review = Arc::new(review);
                self.latest().review = Some(Arc::clone(&review));
                JobState::Done(Found::Review(review))
            }
            Err(problem) => JobState::Failed(problem),
        };
        self.turn(|state| matches!(state, JobState::Running), last);
    }

    /// What `work` comes to and how long it took; none where the job had ended before or was stopped meanwhile.
    ///
    /// * `keep`: takes what is known when the job is stopped.
    fn work<T>(
        &self,
        work: impl FnOnce(&Control<'_>) -> Result<T, Problem>,
        keep: impl FnOnce(&T),
    ) -> Option<(Result<T, Problem>, Duration)> {
        if let Some((line, _)) = self.place.get() {
            line.call();
        }
        if !self.turn(|state| matches!(state, JobState::Queued), JobState::Running) {
            return None;
        }
        let began = Instant::now();
        self.latest().began = Some(began);
        let control = Control::new(&self.stop, |progress| self.latest().progress = Some(progress.clone()));
        let result = work(&control);
        let took = began.elapsed();
        self.latest().took = Some(took);
        if self.stop.load(Ordering::Relaxed) {
            if let Ok(known) = &result {
                keep(known);
            }
            // Whoever stopped it has said what it ends as.
            self.turn(|state| matches!(state, JobState::Running), JobState::Cancelled);
            return None;
        }
        Some((result, took))
    }

    /// Puts the result on the disk, before anybody hears of it.
    fn keep(&self, store: Option<&Store>, balance: &Balance, took: Duration) {
        let (Some(store), Subject::SetUp(question)) = (store, &self.subject) else { return };
        let (question, balance, seconds) = (question.clone(), balance.clone(), took.as_secs_f64());
        let done = store.finish(&self.id, &Finished { question, balance, seconds });
        self.note(&done);
    }

    pub(crate) fn drop_from(&self, store: Option<&Store>) {
        if let Some(store) = store
            && let Err(error) = store.forget(&self.id)
        {
            tracing::warn!(job = %self.id, %error, "a job cannot be taken off the disk");
        }
    }

    pub(crate) fn note(&self, done: &Result<(), StoreError>) {
        if let Err(error) = done {
            tracing::error!(job = %self.id, %error, "a job cannot be kept; it lives in memory");
        }
        self.kept.send_replace(if done.is_ok() { Kept::Yes } else { Kept::No });
    }
}

/// Marks a job as failed that is still running when its task ends, which only a panic brings about.
pub(crate) struct FailIfDropped<'a>(pub(crate) &'a Job);

impl Drop for FailIfDropped<'_> {
    fn drop(&mut self) {
        self.0.turn(|state| matches!(state, JobState::Running), JobState::Failed(Problem::internal()));
    }
}
