//! Jobs on disk: what is to be done, and what was found out.
//!
//! One redb file, `jobs.redb`, with a table of unfinished questions and one of finished balances, both by the
//! job's id and in JSON, so that a later version can read what it knows of them. Every change is on the disk
//! before it is acknowledged.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use marquis_engine::Balance;
use redb::{Database, ReadableDatabase as _, ReadableTable as _, TableDefinition};
use serde::{Deserialize, Serialize};

use crate::question::{JobId, Question};

const UNFINISHED: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("unfinished");
const FINISHED: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("finished");
const FILE: &str = "jobs.redb";

/// A finished job as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    pub(crate) question: Question,
    pub(crate) balance: Balance,
    pub(crate) seconds: f64,
}

/// Why something could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error(transparent)]
    Database(#[from] redb::Error),
    #[error("an entry cannot be read: {0}")]
    Entry(#[from] serde_json::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The jobs of a state directory; only one process has it at a time.
pub(crate) struct Store {
    file: PathBuf,
    /// None where it broke, for a disk was full or gone, and could not be opened again yet.
    database: RwLock<Option<Database>>,
}

impl Store {
    /// Opens the state of a directory, which is made if it is not there.
    ///
    /// # Errors
    /// The directory cannot be written, another process has it, or the file is no state of jobs.
    pub(crate) fn open(directory: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(directory)?;
        let file = directory.join(FILE);
        let database = Database::create(&file).map_err(redb::Error::from)?;
        let store = Self { file, database: RwLock::new(Some(database)) };
        // Both tables are there from now on, so that reading never finds none.
        store.change(|_, _| Ok(()))?;
        Ok(store)
    }

    /// Notes that a question is to be answered, unless it has been.
    pub(crate) fn begin(&self, id: &JobId, question: &Question) -> Result<(), StoreError> {
        let entry = serde_json::to_vec(question)?;
        self.change(|unfinished, finished| {
            if finished.get(id.0.as_str())?.is_none() {
                unfinished.insert(id.0.as_str(), entry.as_slice())?;
            }
            Ok(())
        })
    }

    /// Keeps what was found out.
    pub(crate) fn finish(&self, id: &JobId, finished: &Finished) -> Result<(), StoreError> {
        let entry = serde_json::to_vec(finished)?;
        self.change(|open, done| {
            open.remove(id.0.as_str())?;
            done.insert(id.0.as_str(), entry.as_slice())?;
            Ok(())
        })
    }

    /// Forgets a question that nobody wants answered any more.
    pub(crate) fn forget(&self, id: &JobId) -> Result<(), StoreError> {
        self.change(|unfinished, _| unfinished.remove(id.0.as_str()).map(|_| ()))
    }

    /// What was found out about a question.
    pub(crate) fn finished(&self, id: &str) -> Result<Option<Finished>, StoreError> {
        self.with(|database| {
            let read = database.begin_read().map_err(redb::Error::from)?;
            let table = read.open_table(FINISHED).map_err(redb::Error::from)?;
            let entry = table.get(id).map_err(redb::Error::from)?;
            Ok(entry.map(|entry| serde_json::from_slice(entry.value())).transpose()?)
        })
    }

    /// The questions that are still to be answered; one that cannot be read is left out with a warning.
    pub(crate) fn unfinished(&self) -> Result<Vec<Question>, StoreError> {
        self.with(|database| {
            let read = database.begin_read().map_err(redb::Error::from)?;
            let table = read.open_table(UNFINISHED).map_err(redb::Error::from)?;
            let mut questions = Vec::new();
            for entry in table.iter().map_err(redb::Error::from)? {
                let (id, entry) = entry.map_err(redb::Error::from)?;
                match serde_json::from_slice(entry.value()) {
                    Ok(question) => questions.push(question),
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

    /// Works on the database, which is opened anew for the next one after a fault of the disk.
    fn with<T>(&self, act: impl FnOnce(&Database) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let done = match &*self.database.read().unwrap_or_else(PoisonError::into_inner) {
            Some(database) => act(database),
            None => Err(redb::Error::PreviousIo.into()),
        };
        if let Err(StoreError::Database(redb::Error::Io(_) | redb::Error::PreviousIo)) = done {
            let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
            // The old one has to be closed first.
            *database = None;
            match Database::create(&self.file) {
                Ok(opened) => *database = Some(opened),
                Err(error) => tracing::error!(%error, "the jobs on the disk cannot be reached"),
            }
        }
        done
    }
}
