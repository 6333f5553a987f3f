//! The jobs of the service.
//!
//! The id of a job is its question in canonical text if that is short, so that no question is worked on twice. With a
//! state directory, a job is on the disk before it is acknowledged, and a settled result stays forever.

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
use crate::kinds::{BuildSite, JobQuestion, JobResult, JobWork};
use crate::pool::Pool;
use crate::problem::Problem;
use crate::proof_files::ProofFiles;
use crate::store::{FinishedJob, JobStore, Noted};

/// How long a cancelled job may take to report its result so far.
const WINDING_UP: Duration = Duration::from_secs(3);
/// The maximum number of jobs in memory, including finished ones; the oldest finished one is evicted.
const KEPT: usize = 1000;

/// The jobs of the service.
pub(crate) struct Jobs {
    turns: Arc<Turns>,
    /// Writes new jobs, so that no thread that serves clients waits for the disk.
    keeper: Pool,
    store: Option<Arc<JobStore>>,
    proofs: Arc<ProofFiles>,
    faults: Arc<Faults>,
    /// Where tables are generated, if clients may have some.
    builds: Option<BuildSite>,
    limits: Limits,
    /// The maximum time of work of a job.
    most: Duration,
    jobs: DashMap<JobId, Arc<Job>, foldhash::fast::RandomState>,
    ages: Mutex<VecDeque<JobId>>,
}

/// A request for a job.
pub(crate) struct JobRequest {
    pub(crate) question: JobQuestion,
    pub(crate) work: Box<dyn JobWork>,
    /// The requested time of work, limited to that of any job.
    pub(crate) limit: Duration,
    pub(crate) listening: Listening,
    /// The tokens of the client.
    pub(crate) holders: Vec<Token>,
}

impl Jobs {
    /// * `turns`: schedules the jobs.
    /// * `keeper`: a single thread, so that writes stay in order.
    /// * `store`: survives the service; `None` without a state directory.
    /// * `builds`: where tables are generated, if clients may have some.
    /// * `limits`: of one job, including the time.
    pub(crate) fn new(
        turns: Arc<Turns>,
        keeper: Pool,
        (store, proofs): (Option<JobStore>, ProofFiles),
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

    /// The folder of proofs.
    pub(crate) fn proofs(&self) -> &ProofFiles {
        &self.proofs
    }

    /// The job with this id, from this run of the service or an earlier one.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, Problem> {
        let found = self.jobs.get(&JobId(id.to_owned())).map(|job| Arc::clone(&job));
        found.or_else(|| self.remembered(id)).ok_or_else(|| Problem::unknown_job(id))
    }

    /// A finished job from the disk.
    fn remembered(&self, id: &str) -> Option<Arc<Job>> {
        match self.store.as_ref()?.finished(id) {
            Ok(found) => found.map(|finished| Arc::new(Job::remembered(JobId(id.to_owned()), finished))),
            Err(error) => {
                tracing::error!(job = id, %error, "a finished job cannot be read");
                None
            }
        }
    }

    /// Returns the job that answers the question: an existing one or a new one.
    ///
    /// * `permit`: called for a new job, which holds the permit until its work is over.
    ///
    /// # Errors
    /// 429 if the queue is full; errors of `permit`.
    pub(crate) fn job_for(
        &self,
        engine: &Arc<Engine>,
        wish: JobRequest,
        permit: impl FnOnce() -> Result<Option<Permit>, Problem>,
    ) -> Result<Arc<Job>, Problem> {
        let id = wish.question.id();
        for job in self.about(&wish.question) {
            if job.is_of_use(wish.limit.min(self.most)) {
                job.hold(&wish.holders);
                job.heed(wish.listening);
                return Ok(job);
            }
        }
        self.begin(engine, id, wish, None, permit)
    }

    /// The jobs whose answer answers the question.
    fn about(&self, question: &JobQuestion) -> impl Iterator<Item = Arc<Job>> {
        let ids = [Some(question.id()), question.wider().map(|wider| wider.id())];
        ids.into_iter().flatten().filter_map(|id| self.get(&id.0).ok())
    }

    /// The result of an earlier job about the question, settled if there is such a result.
    pub(crate) fn found_earlier(&self, question: &JobQuestion) -> Option<Arc<JobResult>> {
        let found: Vec<_> = self.about(question).filter_map(|job| job.found()).collect();
        found.iter().find(|found| found.is_settled()).or(found.first()).cloned()
    }

    /// Starts a job with this id, unless a usable one exists.
    ///
    /// * `earlier`: the result so far of an earlier run of the service.
    fn begin(
        &self,
        engine: &Arc<Engine>,
        id: JobId,
        wish: JobRequest,
        earlier: Option<JobResult>,
        permit: impl FnOnce() -> Result<Option<Permit>, Problem>,
    ) -> Result<Arc<Job>, Problem> {
        let JobRequest { question, work, limit, listening, holders } = wish;
        let limit = limit.min(self.most);
        let job = Arc::new(Job::new(id.clone(), question, limit));
        job.hold(&holders);
        job.heed(listening);
        if let Some(earlier) = earlier {
            job.know(Arc::new(earlier));
        }
        match self.jobs.entry(id.clone()) {
            // Another request was faster.
            Entry::Occupied(found) if found.get().is_of_use(limit) => {
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

    /// Loads the proofs of earlier runs of the service, and resumes their unfinished jobs.
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
                    tracing::warn!(job = %id, %problem, "a stored job cannot be parsed and is dropped");
                    self.drop_from_disk(&id);
                    continue;
                }
            };
            let limit = limit_ms.map_or(Duration::MAX, Duration::from_millis);
            let wish = JobRequest { question, work, limit, listening: Listening::of(go_on), holders };
            match self.begin(engine, id.clone(), wish, earlier, || Ok(None)) {
                Ok(job) if job.state().is_final() => self.drop_from_disk(&id),
                Ok(_) => tracing::info!(job = %id, "resumed"),
                Err(problem) => tracing::warn!(job = %id, %problem, "not resumed yet"),
            }
        }
    }

    /// Cancels a job permanently; a finished job is not changed, and a running one keeps its result so far.
    pub(crate) async fn cancel(&self, job: &Arc<Job>) {
        if job.state().is_final() {
            return;
        }
        if matches!(job.state(), JobState::Running) {
            job.wind_up();
            // A few milliseconds, or until the timeout.
            let _ = timeout(WINDING_UP, job.finished()).await;
        }
        job.end(JobState::Cancelled);
        job.settled().await;
        // The question may have been asked again meanwhile; then its entry on the disk belongs to the new job.
        if self.jobs.get(job.id()).is_some_and(|other| !Arc::ptr_eq(&other, job)) {
            return;
        }
        let (cancelled, store) = (Arc::clone(job), self.store.clone());
        let (sender, done) = oneshot::channel();
        let task = move || {
            forget(store.as_deref(), cancelled.id());
            // The receiver may be gone.
            let _ = sender.send(());
        };
        if self.keeper.submit(task).is_ok() {
            let _ = done.await;
        }
    }

    /// Cancels jobs without a request for `patience`, except those that continue without listeners.
    pub(crate) async fn cancel_unheard(&self, patience: Duration) {
        let unheard = |job: dashmap::mapref::multiple::RefMulti<'_, JobId, Arc<Job>>| {
            job.is_unheard(patience).then(|| Arc::clone(&job))
        };
        let unheard: Vec<Arc<Job>> = self.jobs.iter().filter_map(unheard).collect();
        for job in unheard {
            tracing::info!(job = %job.id(), "cancelled: no client asks about the job any more");
            self.cancel(&job).await;
        }
    }

    fn drop_from_disk(&self, id: &JobId) {
        forget(self.store.as_deref(), id);
    }

    /// Queues a job and writes it to the disk.
    ///
    /// # Errors
    /// 429 if the queue is full.
    fn submit(
        &self,
        engine: &Arc<Engine>,
        job: &Arc<Job>,
        work: Box<dyn JobWork>,
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
                    tracing::warn!(job = %job.id(), %error, "the progress of a job cannot be saved");
                }
            };
            let (builds, note) = (builds.as_ref(), &note);
            let at = Workplace { engine: &engine, proofs: &proofs, faults: &faults, builds, limits, note };
            let Some(result) = job.run(work.as_ref(), &at, turn) else { return };
            // Written to the disk before any client sees it.
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
            // A finished job is already on the disk, or must not be there.
            Some(_) if noted.state().is_final() => noted.not_kept(),
            Some(store) => noted.note(&store.begin(noted.id(), &noted.noted())),
            None => noted.not_kept(),
        };
        if self.keeper.submit(note).is_err() {
            job.not_kept();
        }
        Ok(())
    }

    /// Records a new job and drops the oldest finished one if there are too many.
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

    /// The jobs in memory with this owner, sorted by id.
    pub(crate) fn of(&self, holder: &Token) -> Vec<Arc<Job>> {
        let mut jobs: Vec<Arc<Job>> = self.jobs.iter().map(|job| Arc::clone(&job)).collect();
        jobs.retain(|job| job.held_by().contains(holder));
        jobs.sort_by(|a, b| a.id().0.cmp(&b.id().0));
        jobs
    }

    /// The number of jobs in memory in each state.
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

    /// Ends all jobs for this run of the service; those on the disk are resumed by the next run.
    pub(crate) fn stop(&self) {
        for job in &self.jobs {
            job.end(JobState::Failed(Problem::stopping()));
        }
    }
}

/// Writes the result of a job to the disk.
fn keep(store: Option<&JobStore>, job: &Job, found: &JobResult, seconds: f64) {
    let Some(store) = store else { return };
    let (question, found, limit_ms) = (job.question().clone(), found.clone(), Some(job.limit_ms()));
    job.note(&store.finish(job.id(), &FinishedJob { question, found, seconds, limit_ms }));
}

/// Removes a job that nobody wants any more, or that failed, from the disk.
fn forget(store: Option<&JobStore>, id: &JobId) {
    if let Some(store) = store
        && let Err(error) = store.forget(id)
    {
        tracing::warn!(job = %id, %error, "a job cannot be taken off the disk");
    }
}
