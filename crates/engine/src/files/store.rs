//! Folders of tables, opened by the rules of this program.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use marquis_table::{BlockCache, Fingerprint, Hints, Identity, Store, Table};

use crate::EngineError;
use crate::error::FileError;
use crate::wire::reports::TableInfo;

/// What reading tables takes of the games that there are.
pub(crate) trait TableRules: Sync {
    /// The fingerprint of the rules and of the numbering; none for what no game here has tables of.
    fn fingerprint(&self, game: &str, variant: &str) -> Option<Fingerprint>;

    /// The hints by which a table is packed and read, if there are any.
    fn hints(&self, identity: &Identity) -> Option<Hints>;
}

/// The folder of a table, or the folder of tables itself.
pub(crate) fn folder_of(path: &Path) -> Result<&Path, EngineError> {
    if !path.exists() {
        let expected = "a table or a folder of tables";
        return Err(FileError::unexpected(path, expected, "nothing", "check the path").into());
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok(if path.is_dir() { path } else { parent.unwrap_or(Path::new(".")) })
}

/// Opens the tables of one folder by this program's rules.
pub(crate) fn open_store(
    rules: &dyn TableRules,
    folder: &Path,
    cache: &Arc<BlockCache>,
) -> Result<Store, EngineError> {
    let known = |game: &str, variant: &str| rules.fingerprint(game, variant);
    let store = Store::scan(folder, &known, cache)?;
    Ok(store.with_hints(|identity| rules.hints(identity)))
}

/// What the tables of a folder say about themselves.
pub(crate) fn infos(store: &Store) -> Vec<TableInfo> {
    store.tables().map(|(path, table)| info(path, table)).collect()
}

pub(crate) fn info(path: &Path, table: &Table<File>) -> TableInfo {
    let header = table.header();
    let count = |name: &str| header.counts.get(name).copied().unwrap_or(0);
    let checksum = header.streams.first().map(|stream| stream.content.to_string()).unwrap_or_default();
    TableInfo {
        game: header.identity.game.clone(),
        variant: header.identity.variant.clone(),
        layer: header.identity.layer.clone(),
        file: path.display().to_string(),
        positions: header.slots - count("holes"),
        bytes: table.size(),
        checksum,
        wins: count("wins"),
        draws: count("draws"),
        losses: count("losses"),
        longest_win: count("longest win"),
    }
}
