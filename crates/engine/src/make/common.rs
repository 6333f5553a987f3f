//! What every build does before its first layer and after its last.

use std::path::Path;
use std::time::Instant;

use marquis_table::Store;
use marquis_table::store::remove_unfinished;

use crate::error::file_error;
use crate::files::store::infos;
use crate::wire::reports::{BuildReport, TableInfo};
use crate::{Control, EngineError, Limits, Progress};

/// Refuses a build that needs more memory than it may have.
///
/// * Result: the bytes that it may have.
///
/// # Errors
/// Too large.
pub(crate) fn allow(build: &str, needed: u64, limits: &Limits) -> Result<u64, EngineError> {
    let limit = limits.memory_bytes();
    if needed > limit {
        return Err(EngineError::TooLarge { what: format!("this build of {build}"), needed, limit });
    }
    Ok(limit)
}

/// Makes the folders of a build, and removes what builds that died left behind in them.
///
/// * `folder`: that of the layers, below `out`.
///
/// # Errors
/// A folder that cannot be made or listed.
pub(crate) fn prepare(out: &Path, folder: &Path) -> Result<(), EngineError> {
    std::fs::create_dir_all(folder).map_err(|error| file_error(folder, &error))?;
    for folder in [out, folder] {
        remove_unfinished(folder).map_err(|error| file_error(folder, &error))?;
    }
    Ok(())
}

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
        table.verify_checksums(&|_| {}).map_err(|error| EngineError::File {
            path: store.root().join(path),
            message: format!("{error}; remove the file and build again"),
        })?;
    }
    Ok(())
}

/// Writes the lists beside the tables, and reports those of a build.
///
/// * `own`: whether a table is one of the build.
///
/// # Errors
/// A list that cannot be written.
pub(crate) fn report(
    store: &Store,
    own: impl Fn(&TableInfo) -> bool,
    kept: usize,
    begun: Instant,
) -> Result<BuildReport, EngineError> {
    let out = store.root();
    store.write_b3sums().map_err(|error| file_error(out, &error))?;
    store.write_manifest().map_err(|error| file_error(out, &error))?;
    let mut tables = infos(store);
    tables.retain(own);
    Ok(BuildReport { tables, kept, seconds: begun.elapsed().as_secs_f64() })
}
