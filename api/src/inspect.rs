//! Reads a state directory from outside the service.

use std::path::Path;

use redb::{DatabaseError, ReadOnlyDatabase, ReadableDatabase, ReadableTableMetadata as _};
use serde::Serialize;

use crate::proof_files;
use crate::salvage::in_memory;
use crate::store::{FILE, FINISHED, UNFINISHED};

/// The file of jobs in a state directory.
pub const JOBS_FILE: &str = FILE;

/// The contents of a state directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StateSummary {
    /// Questions still to be answered.
    pub unfinished: u64,
    /// Finished jobs with a result.
    pub finished: u64,
    /// Files in the folder of proofs.
    pub proofs: u64,
    /// Bytes of the job file and of the proofs.
    pub bytes: u64,
}

/// Summarizes the state directory of a service without changing it.
///
/// # Errors
/// There is no job file, it is damaged, or a running service has it open.
pub fn inspect_state(directory: &Path) -> Result<StateSummary, redb::Error> {
    let file = directory.join(JOBS_FILE);
    let mut bytes = std::fs::metadata(&file)?.len();
    let (unfinished, finished) = match ReadOnlyDatabase::open(&file) {
        // A killed service leaves it unclosed and repairs it at the next start; here only a copy is repaired.
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

/// The numbers of unfinished and of finished jobs.
fn counts(database: &impl ReadableDatabase) -> Result<(u64, u64), redb::Error> {
    let read = database.begin_read()?;
    Ok((read.open_table(UNFINISHED)?.len()?, read.open_table(FINISHED)?.len()?))
}
