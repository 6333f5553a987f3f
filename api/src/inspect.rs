//! What a state directory keeps, for whoever looks at it from outside.

use std::path::Path;

use redb::{DatabaseError, ReadOnlyDatabase, ReadableDatabase, ReadableTableMetadata as _};
use serde::Serialize;

use crate::proof_files;
use crate::salvage::in_memory;
use crate::store::{FILE, FINISHED, UNFINISHED};

/// The file of jobs in a state directory.
pub const JOBS_FILE: &str = FILE;

/// What a state directory keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StateSummary {
    /// Questions that are still to be answered.
    pub unfinished: u64,
    /// Jobs whose results were found.
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
    let (unfinished, finished) = match ReadOnlyDatabase::open(&file) {
        // A service that was killed left it so, and mends it at its next start; here a copy is mended.
        Err(DatabaseError::RepairAborted) => counts(&in_memory(&std::fs::read(&file)?)?)?,
        opened => counts(&opened?)?,
    };
    let mut proofs = 0;
    for entry in std::fs::read_dir(directory.join(proof_files::FOLDER)).into_iter().flatten() {
        bytes += entry?.metadata()?.len();
        proofs += 1;
    }
    Ok(StateSummary { unfinished, finished, proofs, bytes })
}

/// How many entries there are of jobs that are unfinished, and finished.
fn counts(database: &impl ReadableDatabase) -> Result<(u64, u64), redb::Error> {
    let read = database.begin_read()?;
    Ok((read.open_table(UNFINISHED)?.len()?, read.open_table(FINISHED)?.len()?))
}
