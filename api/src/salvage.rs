//! Recovers the readable entries of a damaged job file.
//!
//! The file is examined in memory, so that it is not changed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use redb::backends::InMemoryBackend;
use redb::{
    Builder, Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase as _, ReadableTable as _,
    StorageBackend as _, TableDefinition,
};

/// The entries of a job table: id and JSON.
pub(crate) type JobEntries = Vec<(String, Vec<u8>)>;

/// A job table by its name.
pub(crate) type Definition = TableDefinition<'static, &'static str, &'static [u8]>;

/// The contents of a job file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JobFile {
    /// The file is intact.
    Sound,
    /// Only these entries of the requested tables could be read; others may be lost.
    Parts(Vec<JobEntries>),
    /// Nothing could be read, for this reason.
    Nothing(String),
}

/// Examines the bytes of a job file.
pub(crate) fn examine(bytes: &[u8], tables: &[Definition]) -> JobFile {
    if bytes.is_empty() {
        return JobFile::Nothing("the file is empty".to_owned());
    }
    match opened(bytes) {
        Ok(mut database) => {
            let is_sound = guarded(|| database.check_integrity().unwrap_or(false)).unwrap_or(false);
            let parts = parts(&database, tables);
            close(database);
            if is_sound && parts.iter().flatten().all(|(_, whole)| *whole) {
                return JobFile::Sound;
            }
            // The check repairs the copy, which may discard the last write.
            let again = opened(bytes).or_else(|_| opened(&distrusted(bytes)));
            readable(again.map(|database| read_and_close(database, tables)))
        }
        Err(why) => {
            let again = opened(&distrusted(bytes));
            readable(again.map(|database| read_and_close(database, tables)).map_err(|_| why))
        }
    }
}

/// The readable entries of a damaged file.
fn readable(parts: Result<Vec<Option<(JobEntries, bool)>>, String>) -> JobFile {
    match parts {
        Err(why) => JobFile::Nothing(why),
        Ok(parts) if parts.iter().all(Option::is_none) => {
            JobFile::Nothing("none of its tables can be read".to_owned())
        }
        Ok(parts) => {
            let entries = |part: Option<(JobEntries, bool)>| part.map(|(found, _)| found).unwrap_or_default();
            JobFile::Parts(parts.into_iter().map(entries).collect())
        }
    }
}

/// Runs `act`; `None` if it panics: damaged lengths and pointers can mislead a reader.
fn guarded<T>(act: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(act)).ok()
}

/// An in-memory copy of a database, repaired if it was not closed.
pub(crate) fn in_memory(bytes: &[u8]) -> Result<Database, redb::Error> {
    let memory = InMemoryBackend::new();
    memory.set_len(bytes.len() as u64)?;
    memory.write(0, bytes)?;
    Ok(Builder::new().create_with_backend(memory)?)
}

fn opened(bytes: &[u8]) -> Result<Database, String> {
    match guarded(|| in_memory(bytes)) {
        Some(opened) => opened.map_err(|error| error.to_string()),
        None => Err("its pages do not form a database".to_owned()),
    }
}

/// Marks the file as not closed, so that redb trusts less of it.
///
/// Source: redb, `design.md`, "Database header": the second bit of the byte after the magic number.
fn distrusted(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_owned();
    if let Some(state) = bytes.get_mut(9) {
        *state |= 2;
    }
    bytes
}

/// Whether another process, or another part of this one, has a database file open.
pub(crate) fn is_taken(file: &Path) -> bool {
    let open = || matches!(ReadOnlyDatabase::open(file), Err(DatabaseError::DatabaseAlreadyOpen));
    guarded(open).unwrap_or(false)
}

fn read_and_close(database: Database, tables: &[Definition]) -> Vec<Option<(JobEntries, bool)>> {
    let parts = parts(&database, tables);
    close(database);
    parts
}

/// Closing reads and writes as well, so it may panic.
fn close(database: Database) {
    // The database is a copy in memory: nothing is lost with it.
    let _ = guarded(|| drop(database));
}

/// The entries of each table.
fn parts(database: &Database, tables: &[Definition]) -> Vec<Option<(JobEntries, bool)>> {
    tables.iter().map(|table| entries(database, *table)).collect()
}

/// The readable entries of a table, and whether they are complete; `None` if there is no such table.
fn entries(database: &Database, table: Definition) -> Option<(JobEntries, bool)> {
    let mut found = JobEntries::new();
    let read = guarded(|| -> Result<(), redb::Error> {
        let read = database.begin_read()?;
        for entry in read.open_table(table)?.iter()? {
            let (id, entry) = entry?;
            found.push((id.value().to_owned(), entry.value().to_owned()));
        }
        Ok(())
    });
    match read {
        Some(Ok(())) => Some((found, true)),
        Some(Err(redb::Error::TableDoesNotExist(_))) => None,
        Some(Err(_)) | None => Some((found, false)),
    }
}
