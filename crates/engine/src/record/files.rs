//! Files and streams of records, read one game at a time.

use std::fs::File;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};

use marquis_core::TextError;
use marquis_record::{GameReader, Record, StreamError};
use marquis_table::write_whole_by;

use super::{GAME, refused};
use crate::files::lease::Lease;
use crate::{EngineError, FileError};

/// The games of a file or stream, at least one; an error ends the iteration.
///
/// Errors are [`EngineError::File`] if it cannot be read, and [`EngineError::BadInput`] with file, line and column if
/// it holds something other than records.
pub struct Records<R: Read> {
    games: GameReader<R>,
    /// The name in read errors.
    name: PathBuf,
    /// The prefix of errors about the text.
    place: String,
}

impl<R: Read> Records<R> {
    /// The games of a stream.
    ///
    /// * `name`: its name in read errors: `standard input`.
    #[must_use]
    pub fn of(read: R, name: &str) -> Self {
        Self { games: GameReader::of(read), name: name.into(), place: String::new() }
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<Record, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.games.next()?;
        Some(game.map_err(|error| match error {
            StreamError::Read(error) => refused(&error, &self.place),
            StreamError::Io(error) => FileError::system(&self.name, "read it")(error).into(),
        }))
    }
}

/// The games of a file.
///
/// # Errors
/// It cannot be opened.
pub fn records_in(path: &Path) -> Result<Records<Box<dyn Read>>, EngineError> {
    let file: Box<dyn Read> = Box::new(File::open(path).map_err(FileError::system(path, "open it"))?);
    let place = format!("{}: ", path.display());
    Ok(Records { games: GameReader::of(file), name: path.to_owned(), place })
}

/// The games of the bytes of a file, one at least.
///
/// # Errors
/// [`EngineError::BadInput`] names line and column of a text that is not a record.
pub fn records_of(bytes: &[u8]) -> Result<Vec<Record>, EngineError> {
    Records::of(bytes, "bytes").collect()
}

/// The games of a file that games can be added to, each with the header that names its game; empty if there is no
/// file.
fn kept(path: &Path) -> Result<impl Iterator<Item = Result<Record, EngineError>>, EngineError> {
    let records = if path.exists() { Some(records_in(path)?) } else { None };
    let place = path.display().to_string();
    Ok(records.into_iter().flatten().map(move |record| {
        let record = record?;
        if record.header(GAME).is_some() {
            return Ok(record);
        }
        let (expected, found) = ("a file of records or none", "a text without the header of a game");
        Err(TextError::fact(place.clone(), format!("{expected}; name another one"), found).into())
    }))
}

/// The number of games of a file that games can be added to; 0 if there is no file.
///
/// # Errors
/// As [`Records`]; or it holds moves without a header that names their game, since any text may look like moves.
pub fn kept_records(path: &Path) -> Result<u64, EngineError> {
    kept(path)?.try_fold(0, |games, record| record.map(|_| games + 1))
}

/// Adds games to a file of records, which is created if missing; readers see the old file or the complete new one.
///
/// # Errors
/// As [`kept_records`]; the file cannot be written.
pub fn keep_records(path: &Path, records: &[Record]) -> Result<(), EngineError> {
    let _lease = Lease::wait_for_file(path)?;
    let all = kept(path)?.chain(records.iter().cloned().map(Ok));
    write_whole_by(path, |out| {
        for (number, record) in all.enumerate() {
            let between = if number > 0 { "\n" } else { "" };
            let written = write!(out, "{between}{}", record?);
            written.map_err(FileError::system(path, "write it"))?;
        }
        Ok(())
    })
}

/// A file of records to which games are added one by one, each when it ends.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    /// Whether the file is known to end like a record, so that others may follow it.
    is_ours: bool,
}

impl RecordFile {
    /// Opens the file; returns it with the games that it holds.
    ///
    /// # Errors
    /// As [`kept_records`].
    pub fn open(path: &Path) -> Result<(Self, Vec<Record>), EngineError> {
        Ok((Self { path: path.to_owned(), is_ours: false }, kept(path)?.collect::<Result<_, _>>()?))
    }

    /// Adds games, which are on the disk when it returns; the file is created if missing.
    ///
    /// # Errors
    /// As [`keep_records`]; the existing games are kept.
    pub fn add(&mut self, records: &[Record]) -> Result<(), EngineError> {
        if records.is_empty() {
            return Ok(());
        }
        if self.is_ours {
            return self.append(records);
        }
        // At first the file may have any encoding, and end with any line.
        keep_records(&self.path, records)?;
        self.is_ours = true;
        Ok(())
    }

    fn append(&self, records: &[Record]) -> Result<(), EngineError> {
        let failed = FileError::system(&self.path, "add games to it");
        let text: String = records.iter().map(|record| format!("\n{record}")).collect();
        let _lease = Lease::wait_for_file(&self.path)?;
        let opened = File::options().append(true).open(&self.path);
        let written = opened.and_then(|mut file| {
            let before = file.metadata()?.len();
            file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).inspect_err(|_| {
                // If truncation fails, reading the file reports the fault.
                let _ = file.set_len(before);
            })
        });
        Ok(written.map_err(failed)?)
    }
}
