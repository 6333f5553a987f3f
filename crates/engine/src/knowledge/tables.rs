//! The tables of an engine, of all games.

use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marquis_core::GameId;
use marquis_table::{BlockCache, FarFolder, Store, TableFile};

use crate::EngineError;
use crate::files::store::{TableRules, info, open_store, open_store_elsewhere};
use crate::game::shelf::Shelf;
use crate::game::tabled::Tabled;
use crate::query::EngineOptions;
use marquis_wire::reports::{TableInfo, TablePlace};

/// The tables of one game, in the type of that game.
pub(crate) type Shelved = Arc<dyn Any + Send + Sync>;

/// The games that tables are sorted by.
pub(crate) trait Shelving: TableRules {
    /// Sorts files by game.
    ///
    /// * `problems`: receives the reasons why files were left out.
    fn shelve(&self, files: Vec<Arc<TableFile>>, problems: &mut Vec<EngineError>)
    -> HashMap<GameId, Shelved>;
}

/// Opened tables, with their figures.
#[derive(Clone, Default)]
pub(crate) struct Opened {
    infos: Vec<TableInfo>,
    files: Vec<Arc<TableFile>>,
}

impl Opened {
    /// Adds the tables of a store.
    ///
    /// * `address`: its address, if it is remote.
    /// * `problems`: receives the reasons why files were left out.
    fn take(&mut self, mut store: Store, address: Option<&str>, problems: &mut Vec<EngineError>) {
        problems.extend(store.take_problems().into_iter().map(EngineError::from));
        let address = address.map(str::to_owned);
        let infos =
            store.tables().map(|(path, table)| TableInfo { address: address.clone(), ..info(path, table) });
        self.infos.extend(infos);
        self.files.extend(store.into_tables().map(Arc::new));
    }

    /// Opens every table below these folders; a folder that does not exist holds none.
    fn here(
        games: &impl Shelving,
        folders: &[PathBuf],
        cache: &Arc<BlockCache>,
        problems: &mut Vec<EngineError>,
    ) -> Result<Self, EngineError> {
        let mut opened = Self::default();
        for folder in folders.iter().filter(|folder| folder.exists()) {
            opened.take(open_store(games, folder, cache)?, None, problems);
        }
        Ok(opened)
    }

    /// Opens every table in these remote folders.
    ///
    /// * Second result: why files were left out.
    ///
    /// # Errors
    /// A folder cannot be reached.
    pub(crate) fn elsewhere(
        games: &impl Shelving,
        folders: &[Arc<FarFolder>],
        cache: &Arc<BlockCache>,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let (mut opened, mut problems) = (Self::default(), Vec::new());
        for folder in folders {
            let store = open_store_elsewhere(games, folder, cache)?;
            opened.take(store, Some(folder.address()), &mut problems);
        }
        Ok((opened, problems))
    }

    /// Adds further tables.
    pub(crate) fn join(&mut self, Self { infos, files }: Self) {
        self.infos.extend(infos);
        self.files.extend(files);
    }

    /// The number of tables at an address.
    pub(crate) fn count_at(&self, address: &str) -> usize {
        self.infos.iter().filter(|info| info.address.as_deref() == Some(address)).count()
    }

    /// Whether any table belongs to a game.
    pub(crate) fn has(&self, game: GameId) -> bool {
        self.infos.iter().any(|info| info.game == game.name())
    }
}

/// All tables of an engine.
pub(crate) struct Tables {
    infos: Vec<TableInfo>,
    files: Vec<PathBuf>,
    games: HashMap<GameId, Shelved>,
}

impl Tables {
    /// Opens every table below the folders of the options; a folder that does not exist holds none.
    ///
    /// * `elsewhere`: remote tables that are open already, which come after the local ones.
    /// * `left_out`: files to skip.
    /// * Second result: why files were left out.
    pub(crate) fn open(
        games: &impl Shelving,
        options: &EngineOptions,
        cache: &Arc<BlockCache>,
        elsewhere: &Opened,
        left_out: &[PathBuf],
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let mut problems = Vec::new();
        let here = Opened::here(games, &options.tables, cache, &mut problems)?;
        let (mut infos, mut files) = (Vec::new(), Vec::new());
        for Opened { infos: told, files: opened } in [here, elsewhere.clone()] {
            for (info, file) in told.into_iter().zip(opened) {
                if !left_out.iter().any(|left_out| left_out == Path::new(file.name())) {
                    infos.push(info);
                    files.push(file);
                }
            }
        }
        let paths = files.iter().map(|table| PathBuf::from(table.name())).collect();
        let games = games.shelve(files, &mut problems);
        Ok((Self { infos, files: paths, games }, problems))
    }

    /// The files that were opened, as errors name them.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The place of a table, by [its file name](TableInfo::file).
    pub(crate) fn place(&self, name: &str) -> Option<TablePlace> {
        let place = self.infos.iter().position(|info| info.file == name)?;
        let file = self.files.get(place)?;
        Some(match self.infos[place].address {
            Some(_) => TablePlace::Elsewhere(file.display().to_string()),
            None => TablePlace::Here(file.clone()),
        })
    }

    /// The loaded tables, by game, variant and layer.
    pub(crate) fn infos(&self) -> Vec<TableInfo> {
        self.infos.clone()
    }

    /// The tables of a game without chance.
    pub(crate) fn shelves<G: Tabled>(&self) -> Arc<Vec<Shelf<G>>> {
        self.of(G::ID).unwrap_or_default()
    }

    /// The tables of a game, if they are of this type.
    pub(crate) fn of<T: Send + Sync + 'static>(&self, game: GameId) -> Option<Arc<T>> {
        Arc::clone(self.games.get(&game)?).downcast().ok()
    }
}
