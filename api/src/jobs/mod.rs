//! The jobs of the service.
//!
//! A job's id is its question in canonical text, so that the same question is never worked on twice. With a
//! state directory a job is on the disk before it is acknowledged, and a decided balance for good.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use marquis_engine::{Engine, Limits, PosedSetUp, Replayed};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::clients::Permit;
use crate::faults::Faults;
use crate::job::{FailIfDropped, Job, JobState};
use crate::line::Line;
use crate::pool::Pool;
use crate::problem::Problem;
use crate::proof_files::ProofFiles;
use crate::question::{JobId, SetUpQuestion, Token};
use crate::store::{Noted, Store};

/// How long a job that is cancelled may take to say what it knows.
const WINDING_UP: Duration = Duration::from_secs(3);
/// Jobs that are kept, finished ones included; the oldest finished one makes room.
const KEPT: usize = 1000;

/// The jobs of the service.
pub(crate) struct Jobs {
    pool: Pool,
    /// Writes what is new, so that no thread that talks to clients waits for the disk.
    keeper: Pool,
    store: Option<Arc<Store>>,
    proofs: Option<Arc<ProofFiles>>,
    faults: Arc<Faults>,
    limits: Limits,
    line: Arc<Line>,
    jobs: DashMap<JobId, Arc<Job>, foldhash::fast::RandomState>,
    ages: Mutex<VecDeque<JobId>>,
}

impl Jobs {
    /// * `kept`: what outlives the service; nothing without a state directory.
    /// * `keeper`: one thread, so that what is written later is later.
    /// * `limits`: of one job.
    pub(crate) fn new(
        pool: Pool,
        keeper: Pool,
        kept: Option<(Store, ProofFiles)>,
        limits: Limits,
        faults: Arc<Faults>,
    ) -> Self {
        let (store, proofs) = kept.map(|(store, proofs)| (Arc::new(store), Arc::new(proofs))).unzip();
        Self {
            pool,
            keeper,
            store,
            proofs,
            faults,
            limits,
            line: Arc::default(),
            jobs: DashMap::default(),
            ages: Mutex::default(),
        }
    }

    /// The job with this id, of this run of the service or of an earlier one.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, Problem> {
        let found = self.jobs.get(&JobId(id.to_owned())).map(|job| Arc::clone(&job));
        found.or_else(|| self.remembered(id)).ok_or_else(|| Problem::unknown_job(id))
    }

    /// What the disk knows of a finished job.
    fn remembered(&self, id: &str) -> Option<Arc<Job>> {
        match self.store.as_ref()?.finished(id) {
            Ok(found) => found.map(|finished| Arc::new(Job::remembered(finished))),
            Err(error) => {
                tracing::error!(job = id, %error, "a finished job cannot be read");
                None
            }
        }
    }

    /// The job that answers the question: one that there is or was, or a new one.
    ///
    /// * `holders`: who asks.
    /// * `permit`: asked for a new job, which holds what it gives until its work is over.
    ///
    /// # Errors
    /// 429 when the queue is full; what the permit says.
    pub(crate) fn job_for(
        &self,
        engine: &Arc<Engine>,
        set_up: PosedSetUp,
        holders: &[Token],
        permit: impl Fn() -> Result<Option<Permit>, Problem>,
    ) -> Result<Arc<Job>, Problem> {
        let question = SetUpQuestion::of(&set_up);
        let asked = question.clone();
        let (id, for_both) = (question.id(), question.for_both().id());
        for known in [&id, &for_both] {
            if let Ok(job) = self.get(&known.0)
                && job.is_of_use()
            {
                job.hold(holders);
                return Ok(job);
            }
        }
        let job = Arc::new(Job::new(question));
        job.hold(holders);
        match self.jobs.entry(id.clone()) {
            // Somebody was faster.
            Entry::Occupied(found) if found.get().is_of_use() => {
                found.get().hold(holders);
                return Ok(Arc::clone(found.get()));
            }
            Entry::Occupied(mut found) => {
                self.submit(engine, &job, (asked, set_up), permit()?)?;
                found.insert(Arc::clone(&job));
                return Ok(job);
            }
            Entry::Vacant(empty) => {
                self.submit(engine, &job, (asked, set_up), permit()?)?;
                empty.insert(Arc::clone(&job));
            }
        }
        self.make_room(id);
        Ok(job)
    }

    /// A job that looks a game over.
    ///
    /// * `time`, `nodes`: for each position; all of them together get no more time than any job.
    ///
    /// # Errors
    /// 429 when the queue is full.
    pub(crate) fn review(
        &self,
        engine: &Arc<Engine>,
        game: Replayed,
        (time, nodes): (Duration, Option<u64>),
        holder: &Token,
        permit: Permit,
    ) -> Result<Arc<Job>, Problem> {
        let job = Arc::new(Job::review(&game));
        job.hold(std::slice::from_ref(holder));
        let positions = u32::try_from(game.plies() + 1).unwrap_or(u32::MAX);
        let share = self.limits.time.map_or(time, |all| all / positions);
        let limits = Limits { time: Some(time.min(share)), nodes, ..self.limits };
        let (engine, worked, faults) = (Arc::clone(engine), Arc::clone(&job), Arc::clone(&self.faults));
        let task = move || {
            let _permit = permit;
            let _failing = FailIfDropped(&worked);
            worked.look_over(&engine, &game, &limits, &faults);
        };
        self.queue(&job, task)?;
        self.jobs.insert(job.id().clone(), Arc::clone(&job));
        self.make_room(job.id().clone());
        Ok(job)
    }

    /// Loads what an earlier run of the service proved, and resumes what it did not finish.
    pub(crate) fn resume_earlier(&self, engine: &Arc<Engine>) {
        if let Some(proofs) = &self.proofs {
            proofs.load(engine, &self.faults);
        }
        let Some(store) = &self.store else { return };
        let unfinished = store.unfinished().unwrap_or_else(|error| {
            tracing::error!(%error, "the unfinished jobs cannot be read");
            Vec::new()
        });
        for Noted { question, holders } in unfinished {
            let id = question.id();
            let set_up = match question.lay_out(engine.registry()) {
                Ok(set_up) => set_up,
                Err(problem) => {
                    tracing::warn!(job = %id, %problem, "not understood, and forgotten");
                    Job::new(question).drop_from(Some(store));
                    continue;
                }
            };
            match self.job_for(engine, set_up, &holders, || Ok(None)) {
                Ok(job) if job.state().is_final() => job.drop_from(Some(store)),
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
            cancelled.drop_from(store.as_deref());
            // Whoever asked may have left.
            let _ = sender.send(());
        };
        if self.keeper.submit(task).is_ok() {
            let _ = done.await;
        }
    }

    fn submit(
        &self,
        engine: &Arc<Engine>,
        job: &Arc<Job>,
        (question, set_up): (SetUpQuestion, PosedSetUp),
        permit: Option<Permit>,
    ) -> Result<(), Problem> {
        let (engine, worked, limits) = (Arc::clone(engine), Arc::clone(job), self.limits);
        let (store, proofs, faults) = (self.store.clone(), self.proofs.clone(), Arc::clone(&self.faults));
        let task = move || {
            let _permit = permit;
            let _failing = FailIfDropped(&worked);
            worked.run(&engine, &set_up, &limits, store.as_deref(), proofs.as_deref(), &faults);
        };
        self.queue(job, task)?;
        let (noted, store) = (Arc::clone(job), self.store.clone());
        let note = move || match store {
            // What is finished already has been kept, or is not to be.
            Some(_) if noted.state().is_final() => noted.not_kept(),
            Some(store) => {
                let holders = noted.held_by();
                let done = store.begin(noted.id(), &Noted { question, holders });
                noted.note(&done);
            }
            None => noted.not_kept(),
        };
        if self.keeper.submit(note).is_err() {
            job.not_kept();
        }
        Ok(())
    }

    /// Puts a job into the queue.
    ///
    /// # Errors
    /// 429 when it is full.
    fn queue(&self, job: &Job, task: impl FnOnce() + Send + 'static) -> Result<(), Problem> {
        // Before its task, which may begin at once.
        job.wait_in(&self.line);
        self.pool.submit(task).map_err(|_| {
            // It is not called by anybody else.
            self.line.call();
            Problem::queue_full()
        })
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
