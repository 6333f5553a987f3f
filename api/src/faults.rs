//! Damaged files that were left out, reported where monitors look, so that nothing is lost silently.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use marquis_engine::{Engine, EngineError, LeftOut, causes};
use serde::Serialize;

/// The maximum number of named faults; more are only counted.
const MOST: usize = 100;

/// The kind of the damaged thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Thing {
    /// A table; its positions are answered by searches.
    Table,
    /// Weights; the built-in ones are used instead.
    Weights,
    /// The file of jobs.
    Jobs,
    /// The entry of one job.
    Job,
    /// The proof of a finished job.
    Proof,
}

/// A damaged file or entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Fault {
    thing: Thing,
    /// Its file, or the id of the job.
    name: String,
    /// The fault, and how it was handled.
    detail: String,
}

/// All current faults.
#[derive(Default)]
pub(crate) struct Faults {
    known: Mutex<BTreeMap<(Thing, String), String>>,
    found: AtomicU64,
}

impl Faults {
    fn known(&self) -> MutexGuard<'_, BTreeMap<(Thing, String), String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a fault, and logs it once.
    pub(crate) fn note(&self, thing: Thing, name: &str, detail: String) {
        let mut known = self.known();
        let key = (thing, name.to_owned());
        if known.get(&key) == Some(&detail) {
            return;
        }
        self.found.fetch_add(1, Ordering::Relaxed);
        tracing::error!(?thing, name, detail, "damaged");
        if known.len() < MOST {
            known.insert(key, detail);
        }
    }

    /// Records the weights that were left out.
    pub(crate) fn note_weights(&self, left_out: &[LeftOut]) {
        for LeftOut { file, why } in left_out {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let detail = format!("{}; the built-in weights are used instead", causes(why.as_ref()));
            self.note(Thing::Weights, &name, detail);
        }
    }

    /// Removes the faults of tables that are intact again.
    ///
    /// * `damaged`: the names of the tables that are still damaged.
    pub(crate) fn keep_tables(&self, damaged: &[String]) {
        self.known().retain(|(thing, name), _| *thing != Thing::Table || damaged.contains(name));
    }

    /// The current faults.
    pub(crate) fn all(&self) -> Vec<Fault> {
        let known = self.known();
        let fault = |((thing, name), detail): (&(Thing, String), &String)| Fault {
            thing: *thing,
            name: name.clone(),
            detail: detail.clone(),
        };
        known.iter().map(fault).collect()
    }

    /// The number of faults found so far.
    pub(crate) fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }
}

/// The result of `ask` without damaged tables: each table that turns out to be damaged is evicted and reported once,
/// and then `ask` runs again.
pub(crate) fn without_damaged<T>(
    engine: &Engine,
    faults: &Faults,
    ask: impl Fn() -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    loop {
        match ask() {
            Err(EngineError::File(error)) => {
                let path = error.path();
                if !engine.let_go(path) {
                    return Err(error.into());
                }
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let causes = causes(&error);
                tracing::error!(path = %path.display(), error = %causes, "a table is damaged and evicted");
                let detail =
                    "it is damaged and left out until it changes; searches answer instead".to_owned();
                faults.note(Thing::Table, &name, detail);
            }
            asked => return asked,
        }
    }
}
