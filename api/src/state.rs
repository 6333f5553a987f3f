//! What all handlers share.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use marquis_engine::{Answer, Engine, Limits, Query};

use crate::config::Config;
use crate::jobs::Jobs;
use crate::pool::Pool;
use crate::problem::Problem;
use crate::search::Searches;

/// The engine, once it is open, and the work that is under way.
pub struct AppState {
    config: Config,
    engine: OnceLock<Arc<Engine>>,
    stopping: AtomicBool,
    searches: Searches,
    jobs: Jobs,
}

impl AppState {
    /// A service that has no engine yet: everything but its health is refused with 503.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn starting(config: Config) -> std::io::Result<Self> {
        let searching = Pool::new("search", config.search_threads, config.queue)?;
        let working = Pool::new("job", config.job_threads, config.queue)?;
        let memory = config.memory_each();
        let patience = Duration::from_millis(config.budget_max_ms);
        let limits = Limits {
            time: Some(Duration::from_secs(config.job_seconds)),
            threads: Some(1),
            memory: Some(memory),
            ..Limits::default()
        };
        Ok(Self {
            searches: Searches::new(searching, memory, patience),
            jobs: Jobs::new(working, limits),
            engine: OnceLock::new(),
            stopping: AtomicBool::new(false),
            config,
        })
    }

    /// Begins to answer; a second engine is ignored.
    pub fn open(&self, engine: Engine) {
        // The first one stays.
        let _ = self.engine.set(Arc::new(engine));
    }

    /// Refuses whatever comes from now on with 503, and stops searches and jobs.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.searches.stop();
        self.jobs.stop();
    }

    /// Whether the service is about to end.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    pub(crate) const fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) const fn searches(&self) -> &Searches {
        &self.searches
    }

    pub(crate) const fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// The engine, unless the service is starting or stopping.
    pub(crate) fn engine(&self) -> Result<&Arc<Engine>, Problem> {
        if self.is_stopping() {
            return Err(Problem::stopping());
        }
        self.engine.get().ok_or_else(Problem::starting)
    }
}

/// What tables and proofs say; on the thread of the caller, for it is never long.
pub(crate) fn probe(engine: &Engine, query: &Query) -> Result<Answer, Problem> {
    // A fault of the program must not cost the client his connection.
    match catch_unwind(AssertUnwindSafe(|| engine.probe(query))) {
        Ok(found) => Ok(found?),
        Err(_) => {
            tracing::error!(game = %query.game, position = %query.position, "a look-up panicked");
            Err(Problem::internal())
        }
    }
}
