//! Checks that tables are intact before lists of them are written.

use std::path::Path;

use marquis_table::Store;

use crate::error::FileError;
use crate::{Control, EngineError, Progress};

/// Refuses to build next to, or on, a damaged table: its checksum would go into the lists.
///
/// Reads every block of the wanted tables, limited by the disk and by decompression.
///
/// * `wanted`: selects tables by their paths relative to the folder.
///
/// # Errors
/// A damaged table, with the file, the place and the remedy; or an interruption.
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
