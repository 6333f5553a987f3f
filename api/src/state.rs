//! What all handlers share.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use actix_web::web::Bytes;
use marquis_engine::{DiskSize, Engine, EngineError, GameId, Limits, Registry, causes};

use crate::cache::ReadyAnswers;
use crate::clients::Clients;
use crate::config::Config;
use crate::elsewhere::Elsewhere;
use crate::faults::Faults;
use crate::jobs::Jobs;
use crate::jobs::turns::{Order, Turns};
use crate::metrics::{Levels, Metrics};
use crate::pieces::Pieces;
use crate::pool::{Pool, Standing};
use crate::problem::Problem;
use crate::proof_files::ProofFiles;
use crate::room::Room;
use crate::search::Searches;
use crate::store::Store;

/// A question waits for a thread at least so long, however short the budgets are.
const LEAST_PATIENCE: Duration = Duration::from_secs(2);
/// How often the lists of tables elsewhere are looked at, so that tables can be added and exchanged there.
const LOOK_ELSEWHERE: Duration = Duration::from_secs(60);
/// The same where somebody was not reached, or a table was not as listed.
const LOOK_FOR_LOST: Duration = Duration::from_secs(5);

/// The engine, once it is open, and the work that is under way.
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
    /// Whether tables are still being built that answers may need.
    building: AtomicBool,
    searches: Searches,
    /// The places for questions about tables elsewhere, if there are such tables.
    elsewhere: Option<Elsewhere>,
    /// The tables elsewhere that are waited for before there is an engine.
    waits_for: Mutex<Option<String>>,
    jobs: Jobs,
    answers: ReadyAnswers,
    metrics: Metrics,
    clients: Clients,
    faults: Arc<Faults>,
    room: Room,
    pieces: Pieces,
    description: OnceLock<Option<Bytes>>,
}

impl AppState {
    /// A service of these games that has no engine yet: everything but its health is refused with 503.
    ///
    /// # Errors
    /// The system gives no threads; the state directory cannot be written, or another process has it.
    pub fn starting(registry: Registry, config: Config) -> std::io::Result<Self> {
        let searching = Pool::new("search", config.search_threads, config.queue, Standing::Equal)?;
        let working = Turns::new(Order {
            workers: config.job_threads,
            open: config.open_jobs,
            waiting: config.queue,
            slice: Duration::from_secs(config.job_slice_seconds),
        });
        let keeping = Pool::new("keeper", 1, 1024, Standing::Equal)?;
        let pieces = Pieces::new(config.search_threads)?;
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
        let elsewhere = Elsewhere::of(&config, memory, patience, &faults)?;
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
            faults,
            room: Room::new(&config),
            pieces,
            engine: OnceLock::new(),
            stopping: AtomicBool::new(false),
            building: AtomicBool::new(false),
            config,
        })
    }

    /// Begins to answer, and resumes the jobs of an earlier run; a second engine is ignored.
    pub fn open(&self, engine: Engine) {
        // The first one stays.
        let _ = self.engine.set(Arc::new(engine));
        if let Some(engine) = self.engine.get() {
            self.jobs.resume_earlier(engine);
        }
    }

    /// The same while tables are being built: what needs one of them is refused with 503 until [`AppState::built`].
    pub fn open_before_built(&self, engine: Engine) {
        self.building.store(true, Ordering::Relaxed);
        self.open(engine);
    }

    /// Loads the tables that were built.
    pub fn built(&self) {
        self.rescan();
        self.building.store(false, Ordering::Relaxed);
    }

    /// Cancels the jobs that nobody has asked about for long, except those that were asked to go on.
    pub async fn tidy(&self) {
        self.jobs.cancel_unheard(Duration::from_secs(self.config.job_patience_seconds)).await;
    }

    /// Refuses whatever comes from now on with 503, and stops searches and jobs; jobs on the disk stay there.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.searches.stop();
        self.elsewhere.iter().for_each(|elsewhere| elsewhere.searches.stop());
        self.jobs.stop();
    }

    /// Whether the service is about to end.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// The games that can be asked about, before there is an engine too.
    pub(crate) const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The description of the service, which `write` writes the first time.
    pub(crate) fn description(&self, write: impl FnOnce() -> Option<Bytes>) -> Option<Bytes> {
        self.description.get_or_init(write).clone()
    }

    pub(crate) const fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) const fn searches(&self) -> &Searches {
        &self.searches
    }

    /// The searches that those of a game are among: apart where one may have to wait for tables elsewhere.
    pub(crate) fn searches_of(&self, game: GameId) -> &Searches {
        match (&self.elsewhere, self.engine.get()) {
            (Some(elsewhere), Some(engine)) if engine.has_elsewhere(game) => &elsewhere.searches,
            _ => &self.searches,
        }
    }

    /// The place for questions about tables elsewhere, if there are such tables.
    pub(crate) const fn elsewhere(&self) -> Option<&Elsewhere> {
        self.elsewhere.as_ref()
    }

    /// Whether somebody is waiting for tables elsewhere of a game at this moment.
    pub(crate) fn is_waiting_elsewhere(&self, game: GameId) -> bool {
        let waits = |engine: &Arc<Engine>| {
            engine.has_elsewhere(game) && engine.elsewhere().iter().any(|place| place.pieces.waiting > 0)
        };
        self.engine.get().is_some_and(waits)
    }

    /// Says which tables elsewhere are waited for before there is an engine.
    pub(crate) fn wait_for(&self, address: &str) {
        *self.waits_for.lock().unwrap_or_else(PoisonError::into_inner) = Some(address.to_owned());
    }

    /// How long after one look at the tables elsewhere the next one is.
    pub(crate) fn until_next_look(&self) -> Duration {
        let all_well =
            |engine: &Arc<Engine>| engine.elsewhere().iter().all(|place| place.reached && place.as_listed);
        if self.engine.get().is_none_or(all_well) { LOOK_ELSEWHERE } else { LOOK_FOR_LOST }
    }

    /// The tables elsewhere once more, where they are others by now; waits for whoever keeps them.
    pub(crate) fn look_elsewhere(&self) {
        let Some(engine) = self.engine.get() else { return };
        match engine.look_elsewhere() {
            Ok(None) => {}
            Ok(Some(left_out)) => self.loaded(engine, left_out),
            Err(error) => tracing::warn!(error = %causes(&error), "tables elsewhere are not reached"),
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

    pub(crate) const fn faults(&self) -> &Arc<Faults> {
        &self.faults
    }

    pub(crate) const fn room(&self) -> &Room {
        &self.room
    }

    pub(crate) const fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    pub(crate) const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// What is counted only when somebody asks.
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

    /// Loads tables that came, revalidates those that changed and evicts those that went.
    pub(crate) fn rescan(&self) {
        if let Some(engine) = self.engine.get() {
            self.loaded(engine, engine.rescan());
        }
    }

    /// Forgets what was said by other tables than there are now.
    fn loaded(&self, engine: &Engine, left_out: Vec<EngineError>) {
        for error in left_out {
            tracing::warn!(error = %causes(&error), "a table is left out");
        }
        let name = |file: PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let damaged: Vec<String> = engine.damaged_tables().into_iter().map(name).collect();
        self.faults.keep_tables(&damaged);
        self.answers.clear();
        tracing::info!(tables = engine.tables().len(), "the tables were looked at again");
    }

    /// Refuses what a table may know that is still being built: 503.
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

/// The jobs and the proofs of a state directory.
fn open_state(
    directory: &Path,
    proof_bytes: u64,
    faults: &Faults,
) -> std::io::Result<(Option<Store>, ProofFiles)> {
    let opened = Store::open(directory, faults)
        .and_then(|store| Ok((Some(store), ProofFiles::open(directory, proof_bytes)?)));
    opened.map_err(|error| {
        let place = directory.display();
        std::io::Error::other(format!(
            "cannot keep jobs in {place}: {error}; choose another folder with --state"
        ))
    })
}
