//! Files of records: one game after the other.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use marquis_core::TextError;
use marquis_record::{ReadError, Record, decode, read_all};
use marquis_table::write_whole;

use super::{GAME, refused};
use crate::files::lease::Lease;
use crate::{EngineError, FileError};

/// Bytes of a file of records.
const MOST_BYTES: u64 = 64 << 20;

/// The games of a file, one at least.
///
/// # Errors
/// [`EngineError::File`] where it cannot be read; [`EngineError::BadInput`] names file, line and column where it holds
/// something else.
pub fn read_records(path: &Path) -> Result<Vec<Record>, EngineError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(FileError::system(path, "open it"))?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(FileError::system(path, "read it"))?;
    if bytes.len() as u64 > MOST_BYTES {
        let (expected, found) = (format!("at most {MOST_BYTES} bytes of records"), "more");
        return Err(FileError::unexpected(path, expected, found, "put the games into several files").into());
    }
    games(&bytes).map_err(|error| refused(&error, &format!("{}: ", path.display())))
}

/// The games of the bytes of a file, one at least.
///
/// # Errors
/// [`EngineError::BadInput`] names line and column of what is no record.
pub fn records_of(bytes: &[u8]) -> Result<Vec<Record>, EngineError> {
    games(bytes).map_err(|error| refused(&error, ""))
}

fn games(bytes: &[u8]) -> Result<Vec<Record>, ReadError> {
    decode(bytes).and_then(|text| read_all(&text))
}

/// The games of a file to which others may be added; none where there is no file.
///
/// # Errors
/// As [`read_records`], and where it holds moves of which nothing says what game they are of, as any words may be.
pub fn kept_records(path: &Path) -> Result<Vec<Record>, EngineError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let records = read_records(path)?;
    if records.iter().all(|record| record.header(GAME).is_some()) {
        return Ok(records);
    }
    let (expected, found) = ("a file of records or none", "a text without the header of a game");
    Err(TextError::fact(path.display().to_string(), format!("{expected}; name another one"), found).into())
}

/// Adds games to a file of records, which is made if it is not there: whoever looks sees it as it was, or whole.
///
/// # Errors
/// As [`kept_records`]; the file cannot be written.
pub fn keep_records(path: &Path, records: &[Record]) -> Result<(), EngineError> {
    let _lease = Lease::wait_for_file(path)?;
    let before = kept_records(path)?;
    let texts: Vec<String> = before.iter().chain(records).map(ToString::to_string).collect();
    Ok(write_whole(path, texts.join("\n").as_bytes())?)
}
