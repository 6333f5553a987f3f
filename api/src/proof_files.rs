//! The proof files of finished jobs: they answer the positions inside them without a search.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use marquis_engine::{Engine, EngineError, causes};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::faults::{Faults, Thing};
use crate::identity::JobId;

pub(crate) const FOLDER: &str = "proofs";
const EXTENSION: &str = "proof";

/// The download address of a proof file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofAt {
    /// Its address on this server.
    #[cfg_attr(test, schema(example = "/v1/jobs/swish-marquisian-0-2-loss-choice-w1w.4.1ooo1.4.b1b/proof"))]
    href: String,
    /// Its size.
    bytes: u64,
}

impl ProofAt {
    /// A file of `bytes` bytes at the address `href`.
    pub(crate) const fn new(href: String, bytes: u64) -> Self {
        Self { href, bytes }
    }
}

/// The folder of proof files in a state directory, or a temporary one.
pub(crate) struct ProofFiles {
    folder: PathBuf,
    most_bytes: u64,
    /// Removes the temporary folder in the end.
    _passing: Option<TempDir>,
}

impl ProofFiles {
    /// Opens the folder, and creates it if it does not exist.
    ///
    /// * `most_bytes`: the limit for all files together.
    pub(crate) fn open(state: &Path, most_bytes: u64) -> std::io::Result<Self> {
        let folder = state.join(FOLDER);
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, most_bytes, _passing: None })
    }

    /// Creates a temporary folder.
    pub(crate) fn passing(most_bytes: u64) -> std::io::Result<Self> {
        let passing = tempfile::Builder::new().prefix("marquis-proofs-").tempdir()?;
        Ok(Self { folder: passing.path().to_owned(), most_bytes, _passing: Some(passing) })
    }

    /// The proof file of a job.
    pub(crate) fn of(&self, id: &JobId) -> PathBuf {
        self.folder.join(format!("{id}.{EXTENSION}"))
    }

    /// The proof file of a set-up that a design tried.
    pub(crate) fn of_find(&self, id: &JobId, number: u32) -> PathBuf {
        self.folder.join(format!("{id}.{number}.{EXTENSION}"))
    }

    /// The proof file of a job, or of a find of a design.
    pub(crate) fn file(&self, id: &JobId, number: Option<u32>) -> PathBuf {
        number.map_or_else(|| self.of(id), |number| self.of_find(id, number))
    }

    /// The address of the proof of a job, or of a find of a design, if it exists.
    pub(crate) fn at(&self, id: &JobId, number: Option<u32>) -> Option<ProofAt> {
        let which = number.map_or(String::new(), |number| format!("?number={number}"));
        let bytes = fs::metadata(self.file(id, number)).ok()?.len();
        Some(ProofAt { href: format!("/v1/jobs/{id}/proof{which}"), bytes })
    }

    /// Removes the oldest files until the rest fits.
    pub(crate) fn make_room(&self) {
        let mut bytes = 0;
        for (_, size, path) in self.newest_first() {
            bytes += size;
            if bytes > self.most_bytes
                && let Err(error) = fs::remove_file(&path)
            {
                tracing::warn!(path = %path.display(), %error, "an old proof cannot be removed");
            }
        }
    }

    /// Loads the proofs of earlier runs on a separate thread, because each is replayed before it is trusted.
    ///
    /// A damaged proof is renamed. A proof that no longer holds, because it depends on missing tables, stays.
    pub(crate) fn load(&self, engine: &Arc<Engine>, faults: &Arc<Faults>) {
        let files = self.newest_first();
        let (engine, faults) = (Arc::clone(engine), Arc::clone(faults));
        // The newest last: if the memory is too small, the oldest are dropped.
        let work = move || {
            for (_, _, path) in files.into_iter().rev() {
                match engine.load_proof(&path) {
                    Ok(()) => {}
                    Err(error @ EngineError::Refuted(_)) => {
                        let error = causes(&error);
                        tracing::warn!(path = %path.display(), %error, "a kept proof is left out");
                    }
                    Err(error) => put_aside(&path, &error, &faults),
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("proofs".to_owned()).spawn(work) {
            tracing::warn!(%error, "the kept proofs are left out");
        }
    }

    /// Modification time, bytes and path of every proof file.
    fn newest_first(&self) -> Vec<(SystemTime, u64, PathBuf)> {
        let about = |entry: fs::DirEntry| {
            let (path, about) = (entry.path(), entry.metadata().ok()?);
            let is_proof = path.extension().is_some_and(|kind| kind == EXTENSION);
            is_proof.then_some((about.modified().ok()?, about.len(), path))
        };
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.filter_map(about).collect();
        files.sort_unstable();
        files.reverse();
        files
    }
}

/// Renames an unreadable proof, and reports it.
fn put_aside(path: &Path, error: &EngineError, faults: &Faults) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let aside = path.with_file_name(format!("{name}.damaged"));
    let done = match fs::rename(path, &aside) {
        Ok(()) => format!("it is renamed to {name}.damaged"),
        Err(error) => format!("it cannot be renamed: {error}"),
    };
    let error = causes(error);
    tracing::error!(path = %path.display(), %error, "a kept proof cannot be read");
    faults.note(Thing::Proof, &name, format!("it cannot be read; {done}"));
}
