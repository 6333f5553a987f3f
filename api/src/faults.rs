//! What is damaged and was left out: named where monitors look, so that nothing is lost without a word.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use marquis_engine::{Engine, EngineError, LeftOut, causes};
use serde::Serialize;
use utoipa::ToSchema;

/// Faults that are named; more are only counted.
const MOST: usize = 100;

/// What kind of thing is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Thing {
    /// A table; its positions are answered by searches.
    Table,
    /// Weights; those that come with the program are used instead.
    Weights,
    /// The file of jobs.
    Jobs,
    /// The entry of one job.
    Job,
    /// The proof of a finished job.
    Proof,
}

/// Something that is damaged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Fault {
    thing: Thing,
    /// Its file, or the id of the job.
    name: String,
    /// What is wrong with it, and what was done.
    detail: String,
}

/// All that is damaged now.
#[derive(Default)]
pub(crate) struct Faults {
    known: Mutex<BTreeMap<(Thing, String), String>>,
    found: AtomicU64,
}

impl Faults {
    fn known(&self) -> MutexGuard<'_, BTreeMap<(Thing, String), String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a fault, in the log only once.
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

    /// Notes the weights that games are made without.
    pub(crate) fn note_weights(&self, left_out: &[LeftOut]) {
        for LeftOut { file, why } in left_out {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let detail = format!("{}; what comes with the program is used instead", causes(why.as_ref()));
            self.note(Thing::Weights, &name, detail);
        }
    }

    /// Forgets the faults of tables that are sound again.
    ///
    /// * `damaged`: the names of those that are not.
    pub(crate) fn keep_tables(&self, damaged: &[String]) {
        self.known().retain(|(thing, name), _| *thing != Thing::Table || damaged.contains(name));
    }

    /// What is damaged now.
    pub(crate) fn all(&self) -> Vec<Fault> {
        let known = self.known();
        let fault = |((thing, name), detail): (&(Thing, String), &String)| Fault {
            thing: *thing,
            name: name.clone(),
            detail: detail.clone(),
        };
        known.iter().map(fault).collect()
    }

    /// How many faults were found so far.
    pub(crate) fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }
}

/// What the question comes to without the tables that turn out to be damaged on the way: each is evicted, named
/// once, and the question asked again.
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
                let detail = "it is damaged and left out until it changes; searches answer for it".to_owned();
                faults.note(Thing::Table, &name, detail);
            }
            asked => return asked,
        }
    }
}
