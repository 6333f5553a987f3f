//! Opens the engine on the tables in the directories, and builds the starter set on a first start.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{Control, Engine, EngineError, EngineOptions, FileError, Limits, Registry, causes};
use marquis_table::FarFolder;

use crate::config::{Config, ConfigError};
use crate::kinds;

/// Marks a table directory with an unfinished starter set, so that the next start resumes it.
const UNFINISHED: &str = ".starter-set-unfinished";

/// Why the service did not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A setting is out of range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The service cannot listen on the address.
    #[error("cannot listen on {bind}: {source}; choose another address with --bind")]
    Bind {
        /// The address.
        bind: String,
        /// The system error.
        source: io::Error,
    },
    /// The tables cannot be opened or built.
    #[error("cannot prepare the tables: {}", causes(.0))]
    Tables(#[from] EngineError),
    /// The server failed.
    #[error("the server failed: {0}")]
    Server(#[from] io::Error),
}

/// The retry interval for remote tables that were not reached.
const AGAIN: Duration = Duration::from_secs(2);
/// How often the stop flag is checked while waiting.
const LOOK: Duration = Duration::from_millis(50);

/// Opens the engine on the configured tables.
///
/// Tables that cannot be opened are left out with a warning in the log. Remote tables are waited for, because without
/// them it is unknown which answers need them. There is no wait if access to them is refused.
///
/// * `elsewhere`: the remote tables.
/// * `not_reached`: receives an address that is waited for.
/// * Returns `None` if `stop` became true meanwhile.
///
/// # Errors
/// A directory that cannot be read, remote tables with refused access.
pub(crate) fn open(
    registry: &Registry,
    config: &Config,
    elsewhere: &[Arc<FarFolder>],
    stop: &AtomicBool,
    not_reached: &dyn Fn(&str),
) -> Result<Option<Engine>, EngineError> {
    loop {
        match open_tables(registry, config, elsewhere) {
            Err(error) if error.is_not_reached() => {
                tracing::warn!(error = %causes(&error), "remote tables cannot be reached; waiting for them");
                let away = elsewhere.iter().find(|folder| !folder.is_reached());
                away.iter().for_each(|folder| not_reached(folder.address()));
            }
            opened => return opened.map(Some),
        }
        if !wait_for(elsewhere, stop, not_reached) {
            return Ok(None);
        }
    }
}

/// Waits until all remote tables are reached; returns false if `stop` becomes true first.
fn wait_for(elsewhere: &[Arc<FarFolder>], stop: &AtomicBool, not_reached: &dyn Fn(&str)) -> bool {
    let is_away = |folder: &Arc<FarFolder>| folder.has_changed().is_err_and(|error| error.is_not_reached());
    for folder in elsewhere {
        loop {
            // Wait even before the first try, so that a server that has just recovered is not flooded.
            let begun = Instant::now();
            while begun.elapsed() < AGAIN && !stop.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK);
            }
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            if !is_away(folder) {
                break;
            }
            not_reached(folder.address());
        }
    }
    true
}

/// Opens the engine on the existing directories and on those that will be created.
fn open_tables(
    registry: &Registry,
    config: &Config,
    elsewhere: &[Arc<FarFolder>],
) -> Result<Engine, EngineError> {
    let options = EngineOptions {
        tables: config.folders(),
        elsewhere: elsewhere.to_vec(),
        proofs: Vec::new(),
        cache_bytes: config.cache.0,
        proof_bytes: config.proofs.0,
        sub_table_bytes: config.sub_tables.0,
        ..EngineOptions::default()
    };
    let (engine, left_out) = Engine::open_expecting(registry.clone(), options)?;
    for error in left_out {
        tracing::warn!(error = %causes(&error), "a table is left out");
    }
    Ok(engine)
}

fn limits(config: &Config) -> Limits {
    Limits { memory: Some(config.memory), ..Limits::default() }
}

/// The directory for the starter set, on a first start and after an interrupted one; `None` if it must not be built.
pub(crate) fn lacks_starter<'a>(engine: &Engine, config: &'a Config) -> Option<&'a Path> {
    let lacks = |home: &&Path| engine.tables().is_empty() || home.join(UNFINISHED).exists();
    config.home().filter(|_| config.build_starter).filter(lacks)
}

/// Builds the starter set.
///
/// A part that does not fit in memory is left out with a warning in the log; the service then answers by search.
///
/// # Errors
/// A directory that cannot be written, or an interruption.
pub(crate) fn build_starter(
    registry: &Registry,
    home: &Path,
    config: &Config,
    control: &Control<'_>,
) -> Result<(), EngineError> {
    let _alone = kinds::building_alone(control)?;
    let mark = home.join(UNFINISHED);
    fs::create_dir_all(home)
        .and_then(|()| fs::write(&mark, b""))
        .map_err(|error| at(&mark, "write it", error))?;
    for query in registry.starter_set() {
        match generate(registry, &query, home, CHECKPOINT_EVERY, &limits(config), control) {
            Err(error @ EngineError::TooLarge { .. }) => {
                tracing::warn!(error = %causes(&error), "a layer of the starter set is left out");
            }
            built => drop(built?),
        }
    }
    fs::remove_file(&mark).map_err(|error| at(&mark, "remove it", error))
}

fn at(path: &Path, doing: &'static str, source: io::Error) -> EngineError {
    let advice = Some("choose a writable directory with --tables");
    FileError::System { path: path.to_owned(), doing, advice, source }.into()
}
