//! The jobs of the service.
//!
//! A job's id is its question in canonical text where that is short, so that the same question is never worked on twice.
//! With a state directory a job is on the disk before it is acknowledged, and what is settled stays for good.

pub(crate) mod document;
pub(crate) mod job;
pub(crate) mod turns;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use marquis_engine::{Engine, Limits};
use tokio::sync::oneshot;
use tokio::time::timeout;

use self::job::{FailIfDropped, Job, JobState, Listening, Workplace};
use self::turns::Turns;
use crate::clients::Permit;
use crate::faults::Faults;
use crate::identity::{JobId, Token};
use crate::kinds::{BuildSite, Found, Question, Work};
use crate::pool::Pool;
use crate::problem::Problem;
use crate::proof_files::ProofFiles;
use crate::store::{Finished, Noted, Store};

/// How long a job that is cancelled may take to say what it knows.
const WINDING_UP: Duration = Duration::from_secs(3);
/// Jobs that are kept, finished ones included; the oldest finished one makes room.
const KEPT: usize = 1000;

/// The jobs of the service.
pub(crate) struct Jobs {
    turns: Arc<Turns>,
    /// Writes what is new, so that no thread that talks to clients waits for the disk.
    keeper: Pool,
    store: Option<Arc<Store>>,
    proofs: Arc<ProofFiles>,
    faults: Arc<Faults>,
    /// Where tables are generated, if clients may have some.
    builds: Option<BuildSite>,
    limits: Limits,
    /// How long a job may work at most.
    most: Duration,
    jobs: DashMap<JobId, Arc<Job>, foldhash::fast::RandomState>,
    ages: Mutex<VecDeque<JobId>>,
}

/// What somebody wants a job to do.
pub(crate) struct Wish {
    pub(crate) question: Question,
    pub(crate) work: Box<dyn Work>,
    /// How long it may work, never more than any job may.
    pub(crate) limit: Duration,
    pub(crate) listening: Listening,
    /// Who asks.
    pub(crate) holders: Vec<Token>,
}

impl Jobs {
    /// * `turns`: whose turn it is to work.
    /// * `keeper`: one thread, so that what is written later is later.
    /// * `store`: what outlives the service; none without a state directory.
    /// * `builds`: where tables are generated, if clients may have some.
    /// * `limits`: of one job, the time too.
    pub(crate) fn new(
        turns: Arc<Turns>,
        keeper: Pool,
        (store, proofs): (Option<Store>, ProofFiles),
        builds: Option<BuildSite>,
        limits: Limits,
        faults: Arc<Faults>,
    ) -> Self {
        Self {
            turns,
            keeper,
            store: store.map(Arc::new),
            proofs: Arc::new(proofs),
            faults,
            builds,
            limits,
            most: limits.time.unwrap_or(Duration::MAX),
            jobs: DashMap::default(),
            ages: Mutex::default(),
        }
    }

    /// Where proofs lie.
    pub(crate) fn proofs(&self) -> &ProofFiles {
        &self.proofs
    }

    /// The job with this id, of this run of the service or of an earlier one.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, Problem> {
        let found = self.jobs.get(&JobId(id.to_owned())).map(|job| Arc::clone(&job));
        found.or_else(|| self.remembered(id)).ok_or_else(|| Problem::unknown_job(id))
    }

    /// What the disk knows of a finished job.
    fn remembered(&self, id: &str) -> Option<Arc<Job>> {
        match self.store.as_ref()?.finished(id) {
            Ok(found) => found.map(|finished| Arc::new(Job::remembered(JobId(id.to_owned()), finished))),
            Err(error) => {
                tracing::error!(job = id, %error, "a finished job cannot be read");
                None
            }
        }
    }

    /// The job that answers the question: one that there is or was, or a new one.
    ///
    /// * `permit`: asked for a new job, which holds what it gives until its work is over.
    ///
    /// # Errors
    /// 429 when the queue is full; what the permit says.
    pub(crate) fn job_for(
        &self,
        engine: &Arc<Engine>,
        wish: Wish,
        permit: impl FnOnce() -> Result<Option<Permit>, Problem>,
    ) -> Result<Arc<Job>, Problem> {
        let id = wish.question.id();
        for known in [Some(id.clone()), wish.question.wider().map(|wider| wider.id())].into_iter().flatten() {
            if let Ok(job) = self.get(&known.0)
                && job.is_of_use()
            {
                job.hold(&wish.holders);
                job.heed(wish.listening);
                return Ok(job);
            }
        }
        self.begin(engine, id, wish, None, permit)
    }

    /// A job of this id, unless there is one of use.
    ///
    /// * `earlier`: what an earlier run of the service knew of it.
    fn begin(
        &self,
        engine: &Arc<Engine>,
        id: JobId,
        wish: Wish,
        earlier: Option<Found>,
        permit: impl FnOnce() -> Result<Option<Permit>, Problem>,
    ) -> Result<Arc<Job>, Problem> {
        let Wish { question, work, limit, listening, holders } = wish;
        let job = Arc::new(Job::new(id.clone(), question, limit.min(self.most)));
        job.hold(&holders);
        job.heed(listening);
        if let Some(earlier) = earlier {
            job.know(Arc::new(earlier));
        }
        match self.jobs.entry(id.clone()) {
            // Somebody was faster.
            Entry::Occupied(found) if found.get().is_of_use() => {
                found.get().hold(&holders);
                found.get().heed(listening);
                return Ok(Arc::clone(found.get()));
            }
            Entry::Occupied(mut found) => {
                self.submit(engine, &job, work, permit()?)?;
                found.insert(Arc::clone(&job));
                return Ok(job);
            }
            Entry::Vacant(empty) => {
                self.submit(engine, &job, work, permit()?)?;
                empty.insert(Arc::clone(&job));
            }
        }
        self.make_room(id);
        Ok(job)
    }

    /// Loads what an earlier run of the service proved, and resumes what that did not finish.
    pub(crate) fn resume_earlier(&self, engine: &Arc<Engine>) {
        self.proofs.load(engine, &self.faults);
        let Some(store) = &self.store else { return };
        let unfinished = store.unfinished().unwrap_or_else(|error| {
            tracing::error!(%error, "the unfinished jobs cannot be read");
            Vec::new()
        });
        for (id, Noted { question, holders, limit_ms, go_on, earlier }) in unfinished {
            let work = match question.read(engine.registry()) {
                Ok(work) => work,
                Err(problem) => {
                    tracing::warn!(job = %id, %problem, "not understood, and forgotten");
                    self.drop_from_disk(&id);
                    continue;
                }
            };
            let limit = limit_ms.map_or(Duration::MAX, Duration::from_millis);
            let wish = Wish { question, work, limit, listening: Listening::of(go_on), holders };
            match self.begin(engine, id.clone(), wish, earlier, || Ok(None)) {
                Ok(job) if job.state().is_final() => self.drop_from_disk(&id),
                Ok(_) => tracing::info!(job = %id, "resumed"),
                Err(problem) => tracing::warn!(job = %id, %problem, "not resumed yet"),
            }
        }
    }

    /// Cancels a job for good; one that is finished stays as it is, and one that runs keeps what it knows.
    pub(crate) async fn cancel(&self, job: &Arc<Job>) {
        if job.state().is_final() {
            return;
        }
        if matches!(job.state(), JobState::Running) {
            job.wind_up();
            // Some milliseconds, or until it is said that it took too long.
            let _ = timeout(WINDING_UP, job.finished()).await;
        }
        job.end(JobState::Cancelled);
        job.settled().await;
        // Asked for again meanwhile, the question is on the disk for another job.
        if self.jobs.get(job.id()).is_some_and(|other| !Arc::ptr_eq(&other, job)) {
            return;
        }
        let (cancelled, store) = (Arc::clone(job), self.store.clone());
        let (sender, done) = oneshot::channel();
        let task = move || {
            forget(store.as_deref(), cancelled.id());
            // Whoever asked may have left.
            let _ = sender.send(());
        };
        if self.keeper.submit(task).is_ok() {
            let _ = done.await;
        }
    }

    /// Cancels what nobody has asked about for so long, except jobs that were asked to go on.
    pub(crate) async fn cancel_unheard(&self, patience: Duration) {
        let unheard = |job: dashmap::mapref::multiple::RefMulti<'_, JobId, Arc<Job>>| {
            job.is_unheard(patience).then(|| Arc::clone(&job))
        };
        let unheard: Vec<Arc<Job>> = self.jobs.iter().filter_map(unheard).collect();
        for job in unheard {
            tracing::info!(job = %job.id(), "nobody asks about it any more");
            self.cancel(&job).await;
        }
    }

    fn drop_from_disk(&self, id: &JobId) {
        forget(self.store.as_deref(), id);
    }

    /// Puts a job into the line, and on the disk.
    ///
    /// # Errors
    /// 429 when the line is full.
    fn submit(
        &self,
        engine: &Arc<Engine>,
        job: &Arc<Job>,
        work: Box<dyn Work>,
        permit: Option<Permit>,
    ) -> Result<(), Problem> {
        let (engine, limits, failing) = (Arc::clone(engine), self.limits, FailIfDropped(Arc::clone(job)));
        let (store, proofs, faults) =
            (self.store.clone(), Arc::clone(&self.proofs), Arc::clone(&self.faults));
        let builds = self.builds.clone();
        let task = move |turn: &turns::Turn| {
            let (_permit, FailIfDropped(job)) = (permit, &failing);
            let note = |job: &Job| {
                if let Some(store) = &store
                    && let Err(error) = store.begin(job.id(), &job.noted())
                {
                    tracing::warn!(job = %job.id(), %error, "what is known of a job cannot be kept");
                }
            };
            let (builds, note) = (builds.as_ref(), &note);
            let at = Workplace { engine: &engine, proofs: &proofs, faults: &faults, builds, limits, note };
            let Some(result) = job.run(work.as_ref(), &at, turn) else { return };
            // On the disk before anybody hears of it.
            match &result {
                Ok((found, seconds)) => keep(store.as_deref(), job, found, *seconds),
                Err(_) => forget(store.as_deref(), job.id()),
            }
            job.conclude(result.map(|(found, _)| found));
        };
        let place = |place| job.wait_at(&self.turns, place);
        self.turns.submit(place, task).map_err(|_| Problem::queue_full())?;
        let (noted, store) = (Arc::clone(job), self.store.clone());
        let note = move || match store {
            // What is finished already has been kept, or is not to be.
            Some(_) if noted.state().is_final() => noted.not_kept(),
            Some(store) => noted.note(&store.begin(noted.id(), &noted.noted())),
            None => noted.not_kept(),
        };
        if self.keeper.submit(note).is_err() {
            job.not_kept();
        }
        Ok(())
    }

    /// Notes a new job and forgets the oldest finished one if there are too many.
    fn make_room(&self, new: JobId) {
        let mut ages = self.ages.lock().unwrap_or_else(PoisonError::into_inner);
        ages.push_back(new);
        for _ in 0..ages.len().saturating_sub(KEPT) {
            let Some(oldest) = ages.pop_front() else { return };
            let removed = self.jobs.remove_if(&oldest, |_, job| job.state().is_final());
            if removed.is_none() {
                ages.push_back(oldest);
            }
        }
    }

    /// The jobs that somebody asked for, of those in memory, in the order of their ids.
    pub(crate) fn of(&self, holder: &Token) -> Vec<Arc<Job>> {
        let mut jobs: Vec<Arc<Job>> = self.jobs.iter().map(|job| Arc::clone(&job)).collect();
        jobs.retain(|job| job.held_by().contains(holder));
        jobs.sort_by(|a, b| a.id().0.cmp(&b.id().0));
        jobs
    }

    /// How many jobs there are in each state, of those in memory.
    pub(crate) fn counts(&self) -> Vec<(&'static str, i64)> {
        let mut counts = ["queued", "running", "done", "cancelled", "failed"].map(|state| (state, 0));
        for job in &self.jobs {
            let state = job.state().name();
            for (name, count) in &mut counts {
                *count += i64::from(*name == state);
            }
        }
        counts.to_vec()
    }

    /// Ends everything for this run of the service; what is on the disk is resumed by the next.
    pub(crate) fn stop(&self) {
        for job in &self.jobs {
            job.end(JobState::Failed(Problem::stopping()));
        }
    }
}

/// Puts what was found on the disk.
fn keep(store: Option<&Store>, job: &Job, found: &Found, seconds: f64) {
    let Some(store) = store else { return };
    let (question, found, limit_ms) = (job.question().clone(), found.clone(), Some(job.limit_ms()));
    job.note(&store.finish(job.id(), &Finished { question, found, seconds, limit_ms }));
}

/// Takes a job off the disk that nobody wants any more, or that cannot be done.
fn forget(store: Option<&Store>, id: &JobId) {
    if let Some(store) = store
        && let Err(error) = store.forget(id)
    {
        tracing::warn!(job = %id, %error, "a job cannot be taken off the disk");
    }
}
