//! The state that all handlers share.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use actix_web::web::Bytes;
use marquis_core::GameId;
use marquis_engine::{Engine, EngineError, Limits, Registry, causes};
use marquis_wire::DiskSize;

use crate::cache::ReadyAnswers;
use crate::clients::Clients;
use crate::config::Config;
use crate::faults::Faults;
use crate::helpers::Helpers;
use crate::jobs::Jobs;
use crate::jobs::turns::{SchedulerLimits, Turns};
use crate::pieces::PieceThreads;
use crate::pool::{Pool, Priority};
use crate::problem::Problem;
use crate::prometheus::{Levels, Metrics};
use crate::proof_files::ProofFiles;
use crate::remote_pools::RemotePools;
use crate::room::WorkLimits;
use crate::search::Searches;
use crate::store::JobStore;

/// The minimum time that a request waits for a thread, however short the budgets are.
const LEAST_PATIENCE: Duration = Duration::from_secs(2);
/// The polling interval for the lists of remote tables, so that tables can be added and replaced there.
const LOOK_ELSEWHERE: Duration = Duration::from_secs(60);
/// The same if a place was not reached, or a table did not match its list.
const LOOK_FOR_LOST: Duration = Duration::from_secs(5);

/// The engine, once it is open, and the work under way.
///
/// ```
/// use actix_web::App;
/// use actix_web::test::{TestRequest, call_service, init_service};
/// use actix_web::web::Data;
/// use marquis_api::{AppState, Config, configure};
/// use marquis_engine::{Engine, EngineOptions};
///
/// # actix_web::rt::System::new().block_on(async {
/// let games = marquis_registry::official();
/// let state = Data::new(AppState::starting(games.clone(), Config::default())?);
/// state.open(Engine::open(games, EngineOptions::default())?.0);
/// let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
/// let response = call_service(&app, TestRequest::get().uri("/v1/games").to_request()).await;
/// assert_eq!(response.status(), 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).expect("answered");
/// ```
pub struct AppState {
    registry: Registry,
    config: Config,
    engine: OnceLock<Arc<Engine>>,
    stopping: AtomicBool,
    /// Whether tables that answers may need are still being built.
    building: AtomicBool,
    searches: Searches,
    /// The threads for requests about remote tables, if there are any.
    elsewhere: Option<RemotePools>,
    /// The address of the remote tables that the start waits for.
    waits_for: Mutex<Option<String>>,
    jobs: Jobs,
    answers: ReadyAnswers,
    metrics: Metrics,
    clients: Clients,
    helpers: Arc<Helpers>,
    faults: Arc<Faults>,
    room: WorkLimits,
    pieces: PieceThreads,
    description: OnceLock<Option<Bytes>>,
}

impl AppState {
    /// Creates a service of these games without an engine: everything but its health is refused with 503.
    ///
    /// # Errors
    /// The system cannot create threads; the state directory cannot be written, or another process has it open.
    pub fn starting(registry: Registry, config: Config) -> std::io::Result<Self> {
        let searching = Pool::new("search", config.search_threads, config.queue, Priority::Equal)?;
        let working = Turns::new(SchedulerLimits {
            workers: config.job_threads,
            open: config.open_jobs,
            waiting: config.queue,
            slice: Duration::from_secs(config.job_slice_seconds),
        });
        let keeping = Pool::new("keeper", 1, 1024, Priority::Equal)?;
        let pieces = PieceThreads::new(config.search_threads)?;
        let faults = Arc::<Faults>::default();
        faults.note_weights(registry.left_out());
        let kept = match config.state.as_deref() {
            Some(state) => open_state(state, config.proofs.0, &faults)?,
            None => (None, ProofFiles::passing(config.proofs.0)?),
        };
        let memory = config.memory_each();
        let patience = Duration::from_millis(config.budget_max_ms).max(LEAST_PATIENCE);
        let limits = Limits {
            time: Some(Duration::from_secs(config.job_seconds)),
            threads: Some(1),
            memory: Some(memory),
            disk: Some(DiskSize::NONE),
            ..Limits::default()
        };
        let elsewhere = RemotePools::of(&config, memory, patience, &faults)?;
        Ok(Self {
            registry,
            elsewhere,
            waits_for: Mutex::default(),
            description: OnceLock::new(),
            searches: Searches::new(searching, memory, patience, Arc::clone(&faults)),
            jobs: Jobs::new(working, keeping, kept, config.builds(), limits, Arc::clone(&faults)),
            answers: ReadyAnswers::new(config.answers.0),
            metrics: Metrics::new(),
            clients: Clients::new(&config),
            helpers: Arc::new(Helpers::new(&config)),
            faults,
            room: WorkLimits::new(&config),
            pieces,
            engine: OnceLock::new(),
            stopping: AtomicBool::new(false),
            building: AtomicBool::new(false),
            config,
        })
    }

    /// Starts to answer, and resumes the jobs of an earlier run; a second engine is ignored.
    pub fn open(&self, engine: Engine) {
        // The first engine stays.
        let _ = self.engine.set(Arc::new(engine));
        if let Some(engine) = self.engine.get() {
            self.jobs.resume_earlier(engine);
        }
    }

    /// The same while tables are being built: requests that need one of them get 503 until [`AppState::built`].
    pub fn open_before_built(&self, engine: Engine) {
        self.building.store(true, Ordering::Relaxed);
        self.open(engine);
    }

    /// Loads the tables that were built.
    pub fn built(&self) {
        self.rescan();
        self.building.store(false, Ordering::Relaxed);
    }

    /// Cancels the jobs that nobody has asked about for long, except those that continue without listeners; lets silent
    /// helpers of studies leave.
    pub async fn tidy(&self) {
        let helpers = Arc::clone(&self.helpers);
        // It reads and writes files. A panic of it must not end the service.
        let _ = actix_web::web::block(move || helpers.sweep()).await;
        self.jobs.cancel_unheard(Duration::from_secs(self.config.job_patience_seconds)).await;
    }

    /// Refuses all further requests with 503, and stops searches and jobs; jobs on the disk stay there.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.searches.stop();
        self.elsewhere.iter().for_each(|elsewhere| elsewhere.searches.stop());
        self.jobs.stop();
    }

    /// Whether the service is stopping.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// The available games, also before there is an engine.
    pub(crate) const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The description of the service, created by `write` on first use.
    pub(crate) fn description(&self, write: impl FnOnce() -> Option<Bytes>) -> Option<Bytes> {
        self.description.get_or_init(write).clone()
    }

    pub(crate) const fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) const fn searches(&self) -> &Searches {
        &self.searches
    }

    /// The pool for searches of a game: a separate one if they may have to wait for remote tables.
    pub(crate) fn searches_of(&self, game: GameId) -> &Searches {
        match (&self.elsewhere, self.engine.get()) {
            (Some(elsewhere), Some(engine)) if engine.has_elsewhere(game) => &elsewhere.searches,
            _ => &self.searches,
        }
    }

    /// The threads for requests about remote tables, if there are any.
    pub(crate) const fn elsewhere(&self) -> Option<&RemotePools> {
        self.elsewhere.as_ref()
    }

    /// Whether any request currently waits for remote tables of a game.
    pub(crate) fn is_waiting_elsewhere(&self, game: GameId) -> bool {
        let waits = |engine: &Arc<Engine>| {
            engine.has_elsewhere(game) && engine.elsewhere().iter().any(|place| place.pieces.waiting > 0)
        };
        self.engine.get().is_some_and(waits)
    }

    /// Records which remote tables the start waits for.
    pub(crate) fn wait_for(&self, address: &str) {
        *self.waits_for.lock().unwrap_or_else(PoisonError::into_inner) = Some(address.to_owned());
    }

    /// The time until the next poll of the remote tables.
    pub(crate) fn until_next_look(&self) -> Duration {
        let all_well =
            |engine: &Arc<Engine>| engine.elsewhere().iter().all(|place| place.reached && place.as_listed);
        if self.engine.get().is_none_or(all_well) { LOOK_ELSEWHERE } else { LOOK_FOR_LOST }
    }

    /// Reloads the remote tables if they have changed; waits for their servers.
    pub(crate) fn look_elsewhere(&self) {
        let Some(engine) = self.engine.get() else { return };
        match engine.look_elsewhere() {
            Ok(None) => {}
            Ok(Some(left_out)) => self.loaded(engine, left_out),
            Err(error) => tracing::warn!(error = %causes(&error), "remote tables cannot be reached"),
        }
    }

    pub(crate) const fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    pub(crate) const fn answers(&self) -> &ReadyAnswers {
        &self.answers
    }

    pub(crate) const fn clients(&self) -> &Clients {
        &self.clients
    }

    pub(crate) fn helpers(&self) -> &Helpers {
        &self.helpers
    }

    pub(crate) const fn faults(&self) -> &Arc<Faults> {
        &self.faults
    }

    pub(crate) const fn room(&self) -> &WorkLimits {
        &self.room
    }

    pub(crate) const fn pieces(&self) -> &PieceThreads {
        &self.pieces
    }

    pub(crate) const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Values that are read only when the metrics are requested.
    pub(crate) fn levels(&self) -> Levels {
        Levels {
            jobs: self.jobs.counts(),
            searches: self.searches.count() + self.elsewhere.as_ref().map_or(0, |far| far.searches.count()),
            elsewhere: self.engine.get().map(|engine| engine.elsewhere()).unwrap_or_default(),
            tables: self.engine.get().map_or(0, |engine| engine.tables().len()),
            sub_tables: self.engine.get().map(|engine| engine.sub_tables()).unwrap_or_default(),
            cached: self.answers.size(),
            under_way: self.room.under_way(),
            damaged: self.faults.all().len(),
            faults: self.faults.found(),
        }
    }

    /// Loads new tables, revalidates changed ones and evicts removed ones.
    pub(crate) fn rescan(&self) {
        if let Some(engine) = self.engine.get() {
            self.loaded(engine, engine.rescan());
        }
    }

    /// Drops answers and faults that no longer match the tables.
    fn loaded(&self, engine: &Engine, left_out: Vec<EngineError>) {
        for error in left_out {
            tracing::warn!(error = %causes(&error), "a table is left out");
        }
        let name = |file: PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let damaged: Vec<String> = engine.damaged_tables().into_iter().map(name).collect();
        self.faults.keep_tables(&damaged);
        self.answers.clear();
        tracing::info!(tables = engine.tables().len(), "the tables were reloaded");
    }

    /// 503 while tables that may know the answer are being built.
    pub(crate) fn complete(&self) -> Result<(), Problem> {
        if self.building.load(Ordering::Relaxed) { Err(Problem::building()) } else { Ok(()) }
    }

    /// The engine, unless the service is starting or stopping.
    pub(crate) fn engine(&self) -> Result<&Arc<Engine>, Problem> {
        if self.is_stopping() {
            return Err(Problem::stopping());
        }
        let starting = || match &*self.waits_for.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(address) => Problem::starting_without(address),
            None => Problem::starting(),
        };
        self.engine.get().ok_or_else(starting)
    }
}

/// Opens the jobs and the proofs of a state directory.
fn open_state(
    directory: &Path,
    proof_bytes: u64,
    faults: &Faults,
) -> std::io::Result<(Option<JobStore>, ProofFiles)> {
    let opened = JobStore::open(directory, faults)
        .and_then(|store| Ok((Some(store), ProofFiles::open(directory, proof_bytes)?)));
    opened.map_err(|error| {
        let place = directory.display();
        std::io::Error::other(format!(
            "cannot keep jobs in {place}: {error}; choose another folder with --state"
        ))
    })
}
