//! A study on disk: one redb file with a header, the events of the tree, and the strategies of its jobs.
//!
//! Every job is one transaction, which is on the disk before it counts; expanded leaves reach the disk with the next
//! job. Each event has a checksum over itself and all earlier events, so that a file that was damaged, or put
//! together from several, is an error and never a tree.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use marquis_core::ByPlayer;
use marquis_proof::Numbers;
use marquis_study::{Event, Id, Journal};
use marquis_wire::study::StudyHead;
use redb::{
    Database, DatabaseError, Durability, ReadableDatabase as _, ReadableTable, StorageError, TableDefinition,
    TableError,
};

use crate::EngineError;
use crate::error::FileError;

/// The name of the file.
const FILE: &str = "study.redb";
/// The format of the file; part of its header.
const FORMAT: &str = "1";
const HEAD: TableDefinition<'static, &'static str, &'static str> = TableDefinition::new("head");
/// By event number: 0 for a job and 1 for an expanded leaf, the leaf, nodes, numbers, the number of strategies,
/// checksum.
const EVENTS: TableDefinition<'static, u32, Row> = TableDefinition::new("events");
/// By the event's number and the strategy's number among those of its job.
const STRATEGIES: TableDefinition<'static, (u32, u8), &'static [u8]> = TableDefinition::new("strategies");

type Row = (u8, u32, u64, Vec<u32>, u8, u32);

const JOB: u8 = 0;
const EXPANDED: u8 = 1;

/// The memory for pages of the file; stored events are seldom read again.
const CACHE_BYTES: usize = 64 << 20;

const DAMAGED: &str = "restore a copy of the folder, or start again in another one";

/// The entries of the header, with their names.
fn words(head: &StudyHead) -> [(&'static str, &str); 5] {
    [
        ("format", FORMAT),
        ("game", &head.game),
        ("rules", &head.rules),
        ("immobile", &head.immobile),
        ("position", &head.position),
    ]
}

/// The study of a folder; only one process can open it at a time.
pub(crate) struct StudyStore {
    file: PathBuf,
    database: Database,
    /// The checksum over all events so far.
    sum: u32,
}

impl StudyStore {
    /// Opens the study of a folder, or starts one if there is none.
    ///
    /// * `replay`: receives the stored events, in order.
    ///
    /// # Errors
    /// The folder holds something else, another process has it open, or it is damaged or cannot be written.
    pub(crate) fn open(
        folder: &Path,
        head: &StudyHead,
        mut replay: impl FnMut(&Event) -> Result<(), String>,
    ) -> Result<Self, EngineError> {
        std::fs::create_dir_all(folder).map_err(FileError::system(folder, "make the folder"))?;
        let file = folder.join(FILE);
        if !file.exists() {
            begin(&file, head)?;
        }
        // Damaged lengths and pointers can make redb panic.
        let opened = catch_unwind(AssertUnwindSafe(|| read(&file, head, &mut replay)));
        let (database, sum) = opened.unwrap_or_else(|_| Err(damaged(&file, "pages that lead nowhere")))?;
        Ok(Self { file, database, sum })
    }

    fn write(&mut self, number: u32, event: &Event) -> Result<u32, redb::Error> {
        let mut write = self.database.begin_write()?;
        let (row, strategies) = row(event);
        let sum = sum(self.sum, number, &row, strategies);
        {
            let mut events = write.open_table(EVENTS)?;
            events.insert(number, (row.0, row.1, row.2, row.3, row.4, sum))?;
            let mut kept = write.open_table(STRATEGIES)?;
            for (which, bytes) in (0..).zip(strategies) {
                kept.insert((number, which), bytes.as_slice())?;
            }
        }
        if matches!(event, Event::Expanded { .. }) {
            write.set_durability(Durability::None)?;
        }
        write.commit()?;
        Ok(sum)
    }

    fn read(&self, number: u32) -> Result<Vec<Vec<u8>>, redb::Error> {
        Ok(strategies(&self.database.begin_read()?.open_table(STRATEGIES)?, number)?)
    }
}

impl Journal for StudyStore {
    type Error = EngineError;

    fn keep(&mut self, number: u32, event: &Event) -> Result<(), EngineError> {
        self.sum = self.write(number, event).map_err(|error| failed(&self.file, "write it", error))?;
        Ok(())
    }

    fn strategies(&self, number: u32) -> Result<Vec<Vec<u8>>, EngineError> {
        self.read(number).map_err(|error| failed(&self.file, "read it", error))
    }
}

/// Creates the file of a new study; it appears under its name only once it is complete and on the disk.
fn begin(file: &Path, head: &StudyHead) -> Result<(), EngineError> {
    let unfinished = file.with_extension("redb.new");
    if unfinished.exists() {
        std::fs::remove_file(&unfinished).map_err(FileError::system(&unfinished, "remove it"))?;
    }
    let make = || -> Result<(), redb::Error> {
        let database = Database::create(&unfinished)?;
        let write = database.begin_write()?;
        {
            let mut table = write.open_table(HEAD)?;
            for (name, word) in words(head) {
                table.insert(name, word)?;
            }
            write.open_table(EVENTS)?;
            write.open_table(STRATEGIES)?;
        }
        write.commit()?;
        Ok(())
    };
    make().map_err(|error| failed(&unfinished, "write it", error))?;
    std::fs::rename(&unfinished, file).map_err(FileError::system(file, "give it its name"))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let synced = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    Ok(synced.map_err(FileError::system(folder, "sync the folder"))?)
}

/// Reads a study; returns its database and the checksum over its events.
fn read(
    file: &Path,
    head: &StudyHead,
    replay: &mut impl FnMut(&Event) -> Result<(), String>,
) -> Result<(Database, u32), EngineError> {
    let opened = Database::builder().set_cache_size(CACHE_BYTES).open(file);
    let mut database = opened.map_err(|error| not_opened(file, error))?;
    let is_sound = database.check_integrity().map_err(|error| not_opened(file, error))?;
    if !is_sound {
        return Err(damaged(file, "pages that do not fit together"));
    }
    let readable = |error: redb::Error| match error {
        redb::Error::TableDoesNotExist(name) => {
            let found = format!("another database, without `{name}`");
            FileError::unexpected(file, "a study", found, "choose another folder").into()
        }
        error => failed(file, "read it", error),
    };
    check_head(file, &database, head).map_err(readable)??;
    let mut last = 0;
    let read = database.begin_read().map_err(|error| readable(error.into()))?;
    let open = |error: TableError| readable(error.into());
    let (events, kept) = (read.open_table(EVENTS).map_err(open)?, read.open_table(STRATEGIES).map_err(open)?);
    for (entry, expected) in events.iter().map_err(|error| readable(error.into()))?.zip(0_u32..) {
        let (number, entry) = entry.map_err(|error| readable(error.into()))?;
        let row = entry.value();
        let strategies = strategies(&kept, expected).map_err(|error| readable(error.into()))?;
        last = sum(last, expected, &row, &strategies);
        if number.value() != expected || last != row.5 || strategies.len() != usize::from(row.4) {
            return Err(damaged(file, &format!("event {expected} with another sum")));
        }
        let event =
            event(row, strategies).ok_or_else(|| damaged(file, &format!("event {expected} of no kind")))?;
        replay(&event).map_err(|why| damaged(file, &format!("event {expected}: {why}")))?;
    }
    Ok((database, last))
}

/// The strategies of the job with this number.
fn strategies(
    kept: &impl ReadableTable<(u32, u8), &'static [u8]>,
    number: u32,
) -> Result<Vec<Vec<u8>>, StorageError> {
    let range = kept.range((number, 0)..=(number, u8::MAX))?;
    range.map(|entry| Ok(entry?.1.value().to_vec())).collect()
}

/// Checks that the study has the expected subject.
fn check_head(
    file: &Path,
    database: &Database,
    head: &StudyHead,
) -> Result<Result<(), EngineError>, redb::Error> {
    let table = database.begin_read()?.open_table(HEAD)?;
    for (name, expected) in words(head) {
        let found = table.get(name)?;
        let found = found.as_ref().map_or("none", |word| word.value());
        if found != expected {
            let (expected, found) = (format!("a study with {name} {expected}"), format!("one with {found}"));
            let advice = "choose another folder for --state, or ask for that position";
            return Ok(Err(FileError::unexpected(file, expected, found, advice).into()));
        }
    }
    Ok(Ok(()))
}

/// An event as it is stored, without its checksum, and its strategies.
fn row(event: &Event) -> (Row, &[Vec<u8>]) {
    let flat = |numbers: &[ByPlayer<Numbers>]| -> Vec<u32> {
        let each = numbers.iter().flat_map(|by| [by.first, by.second]);
        each.flat_map(|numbers| [numbers.proof, numbers.disproof]).collect()
    };
    match event {
        Event::Job { node, nodes, numbers, strategies } => {
            ((JOB, node.0, *nodes, flat(&[*numbers]), strategies.len() as u8, 0), strategies)
        }
        Event::Expanded { node, numbers } => ((EXPANDED, node.0, 0, flat(numbers), 0, 0), &[]),
    }
}

/// Decodes a stored event; `None` if it is not valid.
fn event((kind, node, nodes, flat, ..): Row, strategies: Vec<Vec<u8>>) -> Option<Event> {
    let (each, rest) = flat.as_chunks::<4>();
    let two = |[a, b, c, d]: &[u32; 4]| {
        let numbers = |proof, disproof| Numbers { proof, disproof };
        ByPlayer::new(numbers(*a, *b), numbers(*c, *d))
    };
    let mut numbers: Vec<ByPlayer<Numbers>> = each.iter().map(two).collect();
    let node = Id(node);
    match kind {
        _ if !rest.is_empty() => None,
        JOB if numbers.len() == 1 => {
            numbers.pop().map(|numbers| Event::Job { node, nodes, numbers, strategies })
        }
        EXPANDED => Some(Event::Expanded { node, numbers }),
        _ => None,
    }
}

/// The checksum over an event and all earlier ones.
fn sum(before: u32, number: u32, (kind, node, nodes, flat, count, _): &Row, strategies: &[Vec<u8>]) -> u32 {
    let mut hasher = Hasher::new_with_initial(before);
    hasher.update(&number.to_le_bytes());
    hasher.update(&[*kind, *count]);
    hasher.update(&node.to_le_bytes());
    hasher.update(&nodes.to_le_bytes());
    flat.iter().for_each(|number| hasher.update(&number.to_le_bytes()));
    for bytes in strategies {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    hasher.finalize()
}

fn damaged(file: &Path, found: &str) -> EngineError {
    FileError::unexpected(file, "a sound study", found, DAMAGED).into()
}

fn not_opened(file: &Path, error: DatabaseError) -> EngineError {
    match error {
        DatabaseError::DatabaseAlreadyOpen => {
            let advice = "wait for it or stop it; --status shows its progress";
            FileError::unexpected(
                file,
                "a study that no process has open",
                "one that a process has open",
                advice,
            )
            .into()
        }
        error => failed(file, "open it as a study", error.into()),
    }
}

fn failed(file: &Path, doing: &'static str, error: redb::Error) -> EngineError {
    let source = match error {
        redb::Error::Io(error) => error,
        error => std::io::Error::other(error),
    };
    FileError::System { path: file.to_owned(), doing, advice: None, source }.into()
}
