//! That tables are what was written, before lists are made of them.

use std::path::Path;

use marquis_table::Store;

use crate::error::FileError;
use crate::{Control, EngineError, Progress};

/// Refuses to build beside, or on, a table that is not what was written: its checksum would go into the lists.
///
/// Every block of the wanted tables is read, at about the rate at which the disk and the packing allow.
///
/// * `wanted`: the tables to look at, by their paths relative to the folder.
///
/// # Errors
/// A table that is damaged, with the file, the place and what to do; or an interruption.
pub(crate) fn check_sound(
    store: &Store,
    wanted: &dyn Fn(&Path) -> bool,
    control: &Control<'_>,
) -> Result<(), EngineError> {
    for (path, table) in store.tables().filter(|(path, _)| wanted(path)) {
        if control.stopped() {
            return Err(EngineError::Interrupted);
        }
        let phase = format!("checking {}", path.display());
        control.tell(&Progress { phase, done: 0, total: None, bounds: None });
        table.verify_checksums(&|_| {}).map_err(|source| FileError::Unsound { source })?;
    }
    Ok(())
}
