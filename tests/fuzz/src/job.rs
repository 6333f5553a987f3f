//! The jobs of a state folder as the fuzzer mutates them: records, or bytes of their database.
//!
//! The first byte selects the form. Each record is a kind (0 unfinished, 1 finished), the length of the id, the id,
//! the length of the entry in two bytes, and the entry; each change of the database is a position in four bytes, a
//! length, and bytes. Numbers are little-endian.

use std::path::Path;

use redb::{Database, TableDefinition};

const UNFINISHED: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("unfinished");
const FINISHED: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("finished");
/// The file of the jobs in a state folder.
pub const FILE: &str = "jobs.redb";

/// The first byte of a seed with records.
pub const RECORDS: u8 = 0;
/// The first byte of a seed with changes of a valid database.
pub const CHANGES: u8 = 1;

/// A stored job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whether it has a result.
    pub finished: bool,
    /// Its id.
    pub id: String,
    /// Its request, with the result if there is one.
    pub entry: Vec<u8>,
}

/// The records of a database.
///
/// # Errors
/// The file is not a database of jobs.
pub fn records(file: &Path) -> Result<Vec<Record>, redb::Error> {
    use redb::{ReadableDatabase as _, ReadableTable as _};
    let database = Database::open(file)?;
    let read = database.begin_read()?;
    let mut records = Vec::new();
    for (definition, finished) in [(UNFINISHED, false), (FINISHED, true)] {
        for row in read.open_table(definition)?.iter()? {
            let (id, entry) = row?;
            let (id, entry) = (id.value().to_owned(), entry.value().to_vec());
            records.push(Record { finished, id, entry });
        }
    }
    Ok(records)
}

/// Encodes records for [`parse`].
#[must_use]
pub fn bytes(records: &[Record]) -> Vec<u8> {
    let mut bytes = vec![RECORDS];
    for record in records {
        bytes.extend([u8::from(record.finished), record.id.len() as u8]);
        bytes.extend(record.id.as_bytes());
        bytes.extend((record.entry.len() as u16).to_le_bytes());
        bytes.extend(&record.entry);
    }
    bytes
}

/// Decodes as many records as these bytes hold.
#[must_use]
pub fn parse(mut bytes: &[u8]) -> Vec<Record> {
    let mut one = || {
        let (&[kind, length], rest) = bytes.split_first_chunk()?;
        let (id, rest) = rest.split_at_checked(length.into())?;
        let (length, rest) = rest.split_first_chunk()?;
        let (entry, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
        bytes = rest;
        let id = String::from_utf8_lossy(id).into_owned();
        Some(Record { finished: kind & 1 == 1, id, entry: entry.to_vec() })
    };
    std::iter::from_fn(&mut one).take(16).collect()
}

/// Writes a database with these records.
///
/// # Errors
/// The file cannot be written.
pub fn write(file: &Path, records: &[Record]) -> Result<(), redb::Error> {
    let database = Database::create(file)?;
    let write = database.begin_write()?;
    {
        let (mut unfinished, mut finished) = (write.open_table(UNFINISHED)?, write.open_table(FINISHED)?);
        for record in records {
            let table = if record.finished { &mut finished } else { &mut unfinished };
            table.insert(record.id.as_str(), record.entry.as_slice())?;
        }
    }
    Ok(write.commit()?)
}

/// The bytes of a database with these changes applied.
#[must_use]
pub fn changed(database: &[u8], mut changes: &[u8]) -> Vec<u8> {
    let mut database = database.to_vec();
    while let Some((&[a, b, c, d, length], rest)) = changes.split_first_chunk() {
        let (new, rest) = rest.split_at(rest.len().min(length.into()));
        changes = rest;
        let place = u32::from_le_bytes([a, b, c, d]) as usize % database.len().max(1);
        for (old, new) in database[place..].iter_mut().zip(new) {
            *old = *new;
        }
    }
    database
}
