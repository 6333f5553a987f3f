//! What can still be read of a damaged file of jobs.
//!
//! The file is looked at in memory, so that looking changes nothing of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use redb::backends::InMemoryBackend;
use redb::{
    Builder, Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase as _, ReadableTable as _,
    StorageBackend as _, TableDefinition,
};

/// The entries of a table of jobs: id and JSON.
pub(crate) type Entries = Vec<(String, Vec<u8>)>;

/// A table of jobs by its name.
pub(crate) type Definition = TableDefinition<'static, &'static str, &'static [u8]>;

/// What a file of jobs holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Everything that was written.
    Sound,
    /// These entries of the tables asked for; others may be lost.
    Parts(Vec<Entries>),
    /// Nothing that can be read.
    Nothing(String),
}

/// What the bytes of a file of jobs hold.
pub(crate) fn examine(bytes: &[u8], tables: &[Definition]) -> Found {
    if bytes.is_empty() {
        return Found::Nothing("the file is empty".to_owned());
    }
    match opened(bytes) {
        Ok(mut database) => {
            let is_sound = guarded(|| database.check_integrity().unwrap_or(false)).unwrap_or(false);
            let parts = parts(&database, tables);
            close(database);
            if is_sound && parts.iter().flatten().all(|(_, whole)| *whole) {
                return Found::Sound;
            }
            // The check mends what it can, which may be the last writing lost.
            let again = opened(bytes).or_else(|_| opened(&distrusted(bytes)));
            readable(again.map(|database| read_and_close(database, tables)))
        }
        Err(why) => {
            let again = opened(&distrusted(bytes));
            readable(again.map(|database| read_and_close(database, tables)).map_err(|_| why))
        }
    }
}

/// What can be read, where it is not all.
fn readable(parts: Result<Vec<Option<(Entries, bool)>>, String>) -> Found {
    match parts {
        Err(why) => Found::Nothing(why),
        Ok(parts) if parts.iter().all(Option::is_none) => {
            Found::Nothing("none of its tables can be read".to_owned())
        }
        Ok(parts) => {
            let entries = |part: Option<(Entries, bool)>| part.map(|(found, _)| found).unwrap_or_default();
            Found::Parts(parts.into_iter().map(entries).collect())
        }
    }
}

/// What `act` finds; none where it panics: damaged lengths and pointers lead a reader astray.
fn guarded<T>(act: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(act)).ok()
}

/// A copy of a database, mended where it was not closed.
pub(crate) fn in_memory(bytes: &[u8]) -> Result<Database, redb::Error> {
    let memory = InMemoryBackend::new();
    memory.set_len(bytes.len() as u64)?;
    memory.write(0, bytes)?;
    Ok(Builder::new().create_with_backend(memory)?)
}

fn opened(bytes: &[u8]) -> Result<Database, String> {
    match guarded(|| in_memory(bytes)) {
        Some(opened) => opened.map_err(|error| error.to_string()),
        None => Err("its pages lead nowhere".to_owned()),
    }
}

/// The same file as one that was not closed, of which less is taken on trust.
///
/// Source: redb, `design.md`, "Database header": the second bit of the byte after the magic number.
fn distrusted(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_owned();
    if let Some(state) = bytes.get_mut(9) {
        *state |= 2;
    }
    bytes
}

/// Whether another process, or another part of this one, has the file of a database open.
pub(crate) fn is_taken(file: &Path) -> bool {
    let open = || matches!(ReadOnlyDatabase::open(file), Err(DatabaseError::DatabaseAlreadyOpen));
    guarded(open).unwrap_or(false)
}

fn read_and_close(database: Database, tables: &[Definition]) -> Vec<Option<(Entries, bool)>> {
    let parts = parts(&database, tables);
    close(database);
    parts
}

/// Closing reads and writes as well.
fn close(database: Database) {
    // What is closed is a copy in memory: nothing is lost with it.
    let _ = guarded(|| drop(database));
}

/// The entries of each table.
fn parts(database: &Database, tables: &[Definition]) -> Vec<Option<(Entries, bool)>> {
    tables.iter().map(|table| entries(database, *table)).collect()
}

/// The entries of a table that can be read, and whether those are all; none where there is no such table.
fn entries(database: &Database, table: Definition) -> Option<(Entries, bool)> {
    let mut found = Entries::new();
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
