//! What a state directory keeps, for whoever looks at it from outside.

use std::path::Path;

use redb::{ReadOnlyDatabase, ReadableDatabase as _, ReadableTableMetadata as _};
use serde::Serialize;

use crate::proof_files;
use crate::store::{FILE, FINISHED, UNFINISHED};

/// The file of jobs in a state directory.
pub const JOBS_FILE: &str = FILE;

/// What a state directory keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StateSummary {
    /// Questions that are still to be answered.
    pub unfinished: u64,
    /// Balances that were found.
    pub finished: u64,
    /// Files in the folder of proofs.
    pub proofs: u64,
    /// Bytes of the file of jobs and of the proofs.
    pub bytes: u64,
}

/// What the state directory of a service keeps; nothing in it is changed.
///
/// # Errors
/// There is no file of jobs, it is damaged, or a service that runs has it.
pub fn inspect_state(directory: &Path) -> Result<StateSummary, redb::Error> {
    let file = directory.join(JOBS_FILE);
    let mut bytes = std::fs::metadata(&file)?.len();
    let database = ReadOnlyDatabase::open(&file)?;
    let read = database.begin_read()?;
    let unfinished = read.open_table(UNFINISHED)?.len()?;
    let finished = read.open_table(FINISHED)?.len()?;
    let mut proofs = 0;
    for entry in std::fs::read_dir(directory.join(proof_files::FOLDER)).into_iter().flatten() {
        bytes += entry?.metadata()?.len();
        proofs += 1;
    }
    Ok(StateSummary { unfinished, finished, proofs, bytes })
}
