//! From directories to an engine: the tables that there are, and on a first start the starter set.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use marquis_engine::{
    CHECKPOINT_EVERY, Control, Engine, EngineError, EngineOptions, FarFolder, FileError, Limits, Registry,
    causes, generate,
};

use crate::config::{Config, ConfigError};
use crate::kinds;

/// Lies in the table directory while the starter set is unfinished, so that the next start goes on with it.
const UNFINISHED: &str = ".starter-set-unfinished";

/// Why the service did not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A setting is out of range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The address cannot be listened on.
    #[error("cannot listen on {bind}: {source}; choose another address with --bind")]
    Bind {
        /// Which address.
        bind: String,
        /// What the system says.
        source: io::Error,
    },
    /// The tables cannot be opened or built.
    #[error("cannot prepare the tables: {}", causes(.0))]
    Tables(#[from] EngineError),
    /// The server broke off.
    #[error("the server failed: {0}")]
    Server(#[from] io::Error),
}

/// Tables elsewhere that were not reached are asked for again after so long.
const AGAIN: Duration = Duration::from_secs(2);
/// How often one who waits looks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// The engine on the configured tables.
///
/// Tables that cannot be opened are left out with a warning in the log. Those that lie elsewhere are waited for: without
/// them, nobody could tell which answers need them. Where they are refused, waiting is in vain.
///
/// * `elsewhere`: the tables that lie elsewhere.
/// * `not_reached`: is told of an address that is waited for.
/// * Result: none if `stop` became true meanwhile.
///
/// # Errors
/// A directory that cannot be read, tables elsewhere that are refused.
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
                tracing::warn!(error = %causes(&error), "tables elsewhere are not reached and are waited for");
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

/// Waits until all tables elsewhere are reached; false where it is to stop before.
fn wait_for(elsewhere: &[Arc<FarFolder>], stop: &AtomicBool, not_reached: &dyn Fn(&str)) -> bool {
    let is_away = |folder: &Arc<FarFolder>| folder.has_changed().is_err_and(|error| error.is_not_reached());
    for folder in elsewhere {
        loop {
            // Also who has come back is not pestered.
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

/// The engine on the directories that there are and on those that will be.
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

/// Where the starter set is to be built: on a first start, and after one that was cut off; `None` where it is not.
pub(crate) fn lacks_starter<'a>(engine: &Engine, config: &'a Config) -> Option<&'a Path> {
    let lacks = |home: &&Path| engine.tables().is_empty() || home.join(UNFINISHED).exists();
    config.home().filter(|_| config.build_starter).filter(lacks)
}

/// Builds the starter set.
///
/// A part that does not fit the memory is left out with a warning in the log: the service answers by search then.
///
/// # Errors
/// A folder that cannot be written, or an interruption.
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
                tracing::warn!(error = %causes(&error), "a part of the starter set is left out");
            }
            built => drop(built?),
        }
    }
    fs::remove_file(&mark).map_err(|error| at(&mark, "remove it", error))
}

fn at(path: &Path, doing: &'static str, source: io::Error) -> EngineError {
    let advice = Some("choose a directory that can be written with --tables");
    FileError::System { path: path.to_owned(), doing, advice, source }.into()
}
