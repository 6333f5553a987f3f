//! Opens folders of tables by the rules of this program.

use std::path::Path;
use std::sync::Arc;

use marquis_table::{BlockCache, FarFolder, Fingerprint, Identity, ReadAt, SlotFacts, Store, Table};

use crate::EngineError;
use crate::error::FileError;
use marquis_wire::reports::TableInfo;

/// The rules of the games, as needed to read tables.
pub(crate) trait TableRules: Sync {
    /// The fingerprint of the rules and of the numbering; `None` if no game here has such tables.
    fn fingerprint(&self, game: &str, variant: &str) -> Option<Fingerprint>;

    /// The hints for packing and reading a table, if there are any.
    fn hints(&self, identity: &Identity) -> Option<SlotFacts>;
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
    by_rules(rules, |known| Store::scan(folder, known, cache))
}

/// The same for remote tables.
pub(crate) fn open_store_elsewhere(
    rules: &dyn TableRules,
    folder: &Arc<FarFolder>,
    cache: &Arc<BlockCache>,
) -> Result<Store, EngineError> {
    by_rules(rules, |known| Store::open_elsewhere(folder, known, cache))
}

/// Opens tables with the fingerprints of this program's rules and with its hints.
fn by_rules(
    rules: &dyn TableRules,
    open: impl FnOnce(&dyn Fn(&str, &str) -> Option<Fingerprint>) -> Result<Store, marquis_table::Error>,
) -> Result<Store, EngineError> {
    let store = open(&|game, variant| rules.fingerprint(game, variant))?;
    Ok(store.with_hints(|identity| rules.hints(identity)))
}

/// The figures of the tables of a folder.
pub(crate) fn infos(store: &Store) -> Vec<TableInfo> {
    store.tables().map(|(path, table)| info(path, table)).collect()
}

pub(crate) fn info<R: ReadAt>(path: &Path, table: &Table<R>) -> TableInfo {
    let header = table.header();
    let count = |name: &str| header.counts.get(name).copied().unwrap_or(0);
    let checksum = header.streams.first().map(|stream| stream.content.to_string()).unwrap_or_default();
    TableInfo {
        game: header.identity.game.clone(),
        variant: header.identity.variant.clone(),
        layer: header.identity.layer.clone(),
        file: path.display().to_string(),
        address: None,
        // The file is not trusted: its header may count more unused indices than slots.
        positions: header.slots.saturating_sub(count("holes")),
        bytes: table.size(),
        checksum,
        wins: count("wins"),
        draws: count("draws"),
        losses: count("losses"),
        longest_win: count("longest win"),
    }
}

#[cfg(test)]
mod tests {
    use marquis_table::{LayerPlan, StreamPlan, Width, write_table};

    use super::*;

    #[test]
    fn a_head_that_counts_more_holes_than_slots_says_that_there_are_no_positions() {
        let rules = Fingerprint::of("rules of anybody");
        let [game, variant, layer] = ["squish", "side=3", "1v1"].map(str::to_owned);
        let identity = Identity { game, variant, layer, rules };
        let counts = [("holes".to_owned(), 5)].into();
        let plan = LayerPlan { identity, slots: 3, counts, notes: [].into() };
        let cells = |_: u64, out: &mut [u8]| out.fill(1);
        let mut bytes = Vec::new();
        let streams = [StreamPlan::new("score", Width::One, &cells)];
        write_table(&mut bytes, "forged", &plan, &streams, &|_| {}).unwrap();
        let table = Table::open(bytes, "forged", &Arc::new(BlockCache::new(0))).unwrap();
        assert_eq!(info(Path::new("forged"), &table).positions, 0);
    }
}
