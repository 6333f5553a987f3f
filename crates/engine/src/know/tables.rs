//! The tables of an engine, of all games.

use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marquis_core::GameId;
use marquis_table::{BlockCache, TableFile};

use crate::EngineError;
use crate::files::store::{TableRules, info, open_store, open_store_elsewhere};
use crate::game::tabled::Tabled;
use crate::know::shelf::Shelf;
use crate::query::EngineOptions;
use crate::wire::reports::TableInfo;

/// The tables of one game, of whatever type the game keeps them in.
pub(crate) type Shelved = Arc<dyn Any + Send + Sync>;

/// The games that there are, as tables are sorted by them.
pub(crate) trait Shelving: TableRules {
    /// These files, game by game.
    ///
    /// * `problems`: takes why files were left out.
    fn shelve(&self, files: Vec<TableFile>, problems: &mut Vec<EngineError>) -> HashMap<GameId, Shelved>;
}

/// All tables of an engine.
pub(crate) struct Tables {
    infos: Vec<TableInfo>,
    files: Vec<PathBuf>,
    games: HashMap<GameId, Shelved>,
}

impl Tables {
    /// Opens every table below the folders of the options, and those that lie elsewhere; a folder that does not exist
    /// holds none.
    ///
    /// * `left_out`: files that are not to be used.
    /// * Second result: why files were left out.
    pub(crate) fn open(
        games: &impl Shelving,
        options: &EngineOptions,
        left_out: &[PathBuf],
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let cache = Arc::new(BlockCache::new(usize::try_from(options.cache_bytes).unwrap_or(usize::MAX)));
        let (mut infos, mut problems, mut files) = (Vec::new(), Vec::new(), Vec::new());
        let mut stores = Vec::new();
        for folder in options.tables.iter().filter(|folder| folder.exists()) {
            stores.push(open_store(games, folder, &cache)?);
        }
        for folder in &options.elsewhere {
            stores.push(open_store_elsewhere(games, folder, &cache)?);
        }
        for mut store in stores {
            problems.extend(store.take_problems().into_iter().map(EngineError::from));
            let is_used = |table: &TableFile| !left_out.iter().any(|file| file == Path::new(table.name()));
            infos.extend(
                store.tables().filter(|(_, table)| is_used(table)).map(|(path, table)| info(path, table)),
            );
            files.extend(store.into_tables().filter(is_used));
        }
        let paths = files.iter().map(|table| PathBuf::from(table.name())).collect();
        let games = games.shelve(files, &mut problems);
        Ok((Self { infos, files: paths, games }, problems))
    }

    /// The files that were opened, as errors name them.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The file of a table, by what [its figures](TableInfo::file) call it, if it is on this machine.
    pub(crate) fn file(&self, name: &str) -> Option<&Path> {
        let place = self.infos.iter().position(|info| info.file == name)?;
        // One that lies elsewhere has no file here.
        self.files.get(place).map(PathBuf::as_path).filter(|file| file.exists())
    }

    /// What is loaded, by game, variant and layer.
    pub(crate) fn infos(&self) -> Vec<TableInfo> {
        self.infos.clone()
    }

    /// The tables of a game without chance.
    pub(crate) fn shelves<G: Tabled>(&self) -> Arc<Vec<Shelf<G>>> {
        self.of(G::ID).unwrap_or_default()
    }

    /// What a game keeps its tables in, if that is of this type.
    pub(crate) fn of<T: Send + Sync + 'static>(&self, game: GameId) -> Option<Arc<T>> {
        Arc::clone(self.games.get(&game)?).downcast().ok()
    }
}
