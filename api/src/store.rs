//! Jobs on disk: unfinished questions and finished results.
//!
//! One redb file, `jobs.redb`, with a table of unfinished questions and a table of results, both keyed by the job's
//! id and with JSON values, so that a later version can read the parts that it knows. Every change is on the disk
//! before it is acknowledged.
//!
//! A damaged file is kept under another name and replaced by its readable entries. If nothing can be read, the file
//! is left unchanged and the service does not start.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use redb::{Database, ReadableDatabase as _, ReadableTable as _, TableDefinition, TableHandle as _};
use serde::{Deserialize, Serialize};

use crate::faults::{Faults, Thing};
use crate::identity::{JobId, Token};
use crate::kinds::{self, JobQuestion};
use crate::proof_files;
use crate::salvage::{JobEntries, JobFile, examine, is_taken};

pub(crate) const UNFINISHED: TableDefinition<'static, &'static str, &'static [u8]> =
    TableDefinition::new("unfinished");
pub(crate) const FINISHED: TableDefinition<'static, &'static str, &'static [u8]> =
    TableDefinition::new("finished");
pub(crate) const FILE: &str = "jobs.redb";

/// The entry of a finished job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FinishedJob {
    pub(crate) question: JobQuestion,
    /// Tagged with its kind.
    #[serde(flatten)]
    pub(crate) found: kinds::JobResult,
    pub(crate) seconds: f64,
    /// The limit in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) limit_ms: Option<u64>,
}

/// The entry of an unfinished job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Noted {
    #[serde(flatten)]
    pub(crate) question: JobQuestion,
    /// The tokens of its owners.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) holders: Vec<Token>,
    /// The limit in milliseconds; by default the maximum of any job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) limit_ms: Option<u64>,
    /// Whether it continues if nobody asks about it any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) go_on: bool,
    /// The result so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) earlier: Option<kinds::JobResult>,
}

/// Why an entry could not be written or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error(transparent)]
    Database(#[from] redb::Error),
    #[error("an entry cannot be read: {0}")]
    Entry(#[from] serde_json::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(
        "{file} is damaged and no job in it can be read ({why}): restore a copy of it, or move it away to \
         start without these jobs"
    )]
    Lost { file: String, why: String },
}

/// The jobs of a state directory; only one process can open it at a time.
pub(crate) struct JobStore {
    file: PathBuf,
    /// `None` if the database failed, because the disk was full or missing, and could not be reopened yet.
    database: RwLock<Option<Database>>,
}

impl JobStore {
    /// Opens a state directory, and creates it if it does not exist.
    ///
    /// * `faults`: receives damaged or missing parts.
    ///
    /// # Errors
    /// The directory cannot be written, another process has it open, or nothing can be read of the file.
    pub(crate) fn open(directory: &Path, faults: &Faults) -> Result<Self, StoreError> {
        std::fs::create_dir_all(directory)?;
        let file = directory.join(FILE);
        match std::fs::read(&file) {
            Ok(bytes) => Self::made_sound(directory, &file, &bytes, faults)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if directory.join(proof_files::FOLDER).exists() {
                    let detail = "it is missing; the jobs of earlier runs are lost".to_owned();
                    faults.note(Thing::Jobs, FILE, detail);
                }
                Self::write(&file, &[JobEntries::new(), JobEntries::new()])?;
            }
            Err(error) => return Err(error.into()),
        }
        let database = Database::open(&file).map_err(redb::Error::from)?;
        let store = Self { file, database: RwLock::new(Some(database)) };
        // From now on both tables exist, so that reads always find them.
        store.change(|_, _| Ok(()))?;
        store.name_unreadable(faults)?;
        Ok(store)
    }

    /// Keeps a damaged file under another name, and replaces it by its readable entries.
    fn made_sound(directory: &Path, file: &Path, bytes: &[u8], faults: &Faults) -> Result<(), StoreError> {
        let found = examine(bytes, &[UNFINISHED, FINISHED]);
        if found == JobFile::Sound {
            return Ok(());
        }
        // A file that another process is writing looks damaged too.
        if is_taken(file) {
            return Err(redb::Error::DatabaseAlreadyOpen.into());
        }
        let parts = match found {
            JobFile::Parts(parts) => parts,
            JobFile::Nothing(why) => return Err(StoreError::Lost { file: file.display().to_string(), why }),
            JobFile::Sound => return Ok(()),
        };
        let free = |number: &u32| !directory.join(format!("{FILE}.damaged-{number}")).exists();
        let aside = format!("{FILE}.damaged-{}", (1..).find(free).unwrap_or(u32::MAX));
        std::fs::copy(file, directory.join(&aside))?;
        Self::write(file, &parts)?;
        let count: usize = parts.iter().map(Vec::len).sum();
        let detail = format!("{count} jobs could be read, others may be lost; it is kept aside as {aside}");
        faults.note(Thing::Jobs, FILE, detail);
        Ok(())
    }

    /// Writes a job file with these unfinished and finished entries, under a temporary name first, so that the final
    /// name never has a partial file.
    fn write(file: &Path, parts: &[JobEntries]) -> Result<(), StoreError> {
        let unfinished = file.with_extension("redb.new");
        let _ = std::fs::remove_file(&unfinished);
        let database = Database::create(&unfinished).map_err(redb::Error::from)?;
        let write = database.begin_write().map_err(redb::Error::from)?;
        for (definition, entries) in [UNFINISHED, FINISHED].into_iter().zip(parts) {
            let mut table = write.open_table(definition).map_err(redb::Error::from)?;
            for (id, entry) in entries {
                table.insert(id.as_str(), entry.as_slice()).map_err(redb::Error::from)?;
            }
        }
        write.commit().map_err(redb::Error::from)?;
        drop(database);
        std::fs::rename(&unfinished, file)?;
        if let Some(directory) = file.parent() {
            std::fs::File::open(directory)?.sync_all()?;
        }
        Ok(())
    }

    /// Reports the entries that are not jobs; they stay where they are.
    fn name_unreadable(&self, faults: &Faults) -> Result<(), StoreError> {
        self.with(|database| {
            let read = database.begin_read().map_err(redb::Error::from)?;
            for definition in [UNFINISHED, FINISHED] {
                let table = read.open_table(definition).map_err(redb::Error::from)?;
                for entry in table.iter().map_err(redb::Error::from)? {
                    let (id, entry) = entry.map_err(redb::Error::from)?;
                    let wrong = if definition.name() == UNFINISHED.name() {
                        serde_json::from_slice::<Noted>(entry.value()).err()
                    } else {
                        serde_json::from_slice::<FinishedJob>(entry.value()).err()
                    };
                    if let Some(error) = wrong {
                        let detail = format!("its entry cannot be read and stays as it is: {error}");
                        faults.note(Thing::Job, id.value(), detail);
                    }
                }
            }
            Ok(())
        })
    }

    /// Stores an unfinished question, unless it is already answered.
    pub(crate) fn begin(&self, id: &JobId, noted: &Noted) -> Result<(), StoreError> {
        let entry = serde_json::to_vec(noted)?;
        self.change(|unfinished, finished| {
            if finished.get(id.0.as_str())?.is_none() {
                unfinished.insert(id.0.as_str(), entry.as_slice())?;
            }
            Ok(())
        })
    }

    /// Stores a result.
    pub(crate) fn finish(&self, id: &JobId, finished: &FinishedJob) -> Result<(), StoreError> {
        let entry = serde_json::to_vec(finished)?;
        self.change(|open, done| {
            open.remove(id.0.as_str())?;
            done.insert(id.0.as_str(), entry.as_slice())?;
            Ok(())
        })
    }

    /// Removes a question that nobody wants answered any more.
    pub(crate) fn forget(&self, id: &JobId) -> Result<(), StoreError> {
        self.change(|unfinished, _| unfinished.remove(id.0.as_str()).map(|_| ()))
    }

    /// The result of a question.
    pub(crate) fn finished(&self, id: &str) -> Result<Option<FinishedJob>, StoreError> {
        self.with(|database| {
            let read = database.begin_read().map_err(redb::Error::from)?;
            let table = read.open_table(FINISHED).map_err(redb::Error::from)?;
            let entry = table.get(id).map_err(redb::Error::from)?;
            Ok(entry.map(|entry| serde_json::from_slice(entry.value())).transpose()?)
        })
    }

    /// The unfinished questions; one that cannot be read is left out with a warning.
    pub(crate) fn unfinished(&self) -> Result<Vec<(JobId, Noted)>, StoreError> {
        self.with(|database| {
            let read = database.begin_read().map_err(redb::Error::from)?;
            let table = read.open_table(UNFINISHED).map_err(redb::Error::from)?;
            let mut questions = Vec::new();
            for entry in table.iter().map_err(redb::Error::from)? {
                let (id, entry) = entry.map_err(redb::Error::from)?;
                match serde_json::from_slice(entry.value()) {
                    Ok(noted) => questions.push((JobId(id.value().to_owned()), noted)),
                    Err(error) => {
                        tracing::warn!(job = id.value(), %error, "an unfinished job cannot be read");
                    }
                }
            }
            Ok(questions)
        })
    }

    fn change(
        &self,
        act: impl FnOnce(
            &mut redb::Table<'_, &'static str, &'static [u8]>,
            &mut redb::Table<'_, &'static str, &'static [u8]>,
        ) -> Result<(), redb::StorageError>,
    ) -> Result<(), StoreError> {
        self.with(|database| {
            let write = database.begin_write().map_err(redb::Error::from)?;
            {
                let mut unfinished = write.open_table(UNFINISHED).map_err(redb::Error::from)?;
                let mut finished = write.open_table(FINISHED).map_err(redb::Error::from)?;
                act(&mut unfinished, &mut finished).map_err(redb::Error::from)?;
            }
            write.commit().map_err(redb::Error::from)?;
            Ok(())
        })
    }

    /// Runs `act` on the database, and reopens the database after an I/O error.
    fn with<T>(&self, act: impl FnOnce(&Database) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let done = match &*self.database.read().unwrap_or_else(PoisonError::into_inner) {
            Some(database) => act(database),
            None => Err(redb::Error::PreviousIo.into()),
        };
        if let Err(StoreError::Database(redb::Error::Io(_) | redb::Error::PreviousIo)) = done {
            let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
            // The old database has to be closed first.
            *database = None;
            match Database::create(&self.file) {
                Ok(opened) => *database = Some(opened),
                Err(error) => tracing::error!(%error, "the jobs on the disk cannot be reached"),
            }
        }
        done
    }
}
