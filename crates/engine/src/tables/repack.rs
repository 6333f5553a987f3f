//! The same tables, packed harder.

use std::path::Path;
use std::sync::Arc;

use marquis_table::file::{self, Repacked};
use marquis_table::{BlockCache, Codec};

use crate::error::FileError;
use crate::files::lease::Lease;
use crate::files::scores::is_ahead;
use crate::files::sound::check_sound;
use crate::files::store::{TableRules as _, folder_of, infos, open_store};
use crate::registry::Registry;
use crate::{Control, EngineError, Progress};
use marquis_wire::reports::TableInfo;

/// The size of the cache of decoded blocks, in bytes.
const CACHE_BYTES: usize = 64 << 20;

/// Packs a table, or every table of a folder, harder; the cells stay the same.
///
/// # Errors
/// A file that cannot be read or written.
pub fn repack(
    registry: &Registry,
    path: &Path,
    control: &Control<'_>,
) -> Result<Vec<TableInfo>, EngineError> {
    let cache = Arc::new(BlockCache::new(CACHE_BYTES));
    let folder = folder_of(path)?;
    let _lease = Lease::of_folder(folder, "repack")?;
    let store = open_store(registry, folder, &cache)?;
    let chosen = |file: &Path| path.is_dir() || folder.join(file) == path;
    if !store.tables().any(|(file, _)| chosen(file)) {
        let expected = "a table or a folder of tables";
        return Err(FileError::unexpected(path, expected, "none", "check the path").into());
    }
    // Repacked tables are compared while they are packed.
    check_sound(&store, &|file| !chosen(file), control)?;
    // Tables that are derived one ply ahead have no cells to pack.
    let packed = || store.tables().filter(|(file, table)| chosen(file) && !is_ahead(table));
    let total = packed().count() as u64;
    for (done, (file, table)) in packed().enumerate() {
        if control.stopped() {
            return Err(EngineError::Interrupted);
        }
        let phase = format!("packing {}", file.display());
        control.tell(&Progress { phase, done: done as u64, total: Some(total), bounds: None });
        let hints = registry.hints(&table.header().identity);
        let pack = |stream: &marquis_table::StreamHeader| {
            let implied = stream.codec == Codec::Implied;
            Some(if implied { Repacked::implied(stream) } else { Repacked::smallest(stream, hints.as_ref()) })
        };
        let to = folder.join(file);
        file::repack(table, &to, pack, &|_| {})?;
    }
    let store = open_store(registry, folder, &cache)?;
    store.write_b3sums()?;
    let names: Vec<String> =
        store.tables().filter(|(file, _)| chosen(file)).map(|(file, _)| file.display().to_string()).collect();
    let mut tables = infos(&store);
    tables.retain(|info| names.contains(&info.file));
    Ok(tables)
}
