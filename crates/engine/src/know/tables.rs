//! The tables of an engine: which layers there are, and what they say about a position.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marquis_core::{GameId, Indexed as _, Score};
use marquis_table::{BlockCache, Store, Table};

use crate::adapter::Shelved;
use crate::facade::file_error;
use crate::game::{LayerOf, Tabled};
use crate::make::layer_file::LayerFile;
use crate::wire::reports::TableInfo;
use crate::{EngineError, EngineOptions, Registry};

/// The layers of one index that are in files.
pub struct Shelf<G: Tabled> {
    index: G::Index,
    layers: HashMap<LayerOf<G>, LayerFile>,
}

impl<G: Tabled> Shelf<G> {
    /// The index.
    #[must_use]
    pub const fn index(&self) -> &G::Index {
        &self.index
    }

    /// The layers that are in files.
    pub fn layers(&self) -> impl Iterator<Item = LayerOf<G>> + '_ {
        self.layers.keys().copied()
    }

    /// A figure of the header of a layer; 0 where there is none.
    pub(crate) fn count(&self, layer: LayerOf<G>, name: &str) -> u64 {
        self.layers.get(&layer).and_then(|file| file.table().header().counts.get(name).copied()).unwrap_or(0)
    }

    /// What `read` makes of the file of a layer.
    pub(crate) fn with_table<T>(
        &self,
        layer: LayerOf<G>,
        read: impl FnOnce(&Table<File>) -> Result<T, marquis_table::Error>,
    ) -> Result<T, EngineError> {
        let table = self.layers[&layer].table();
        read(table).map_err(|error| file_error(Path::new(table.name()), &error))
    }

    /// The score of a position of the index that is not over, if a file holds it.
    pub(crate) fn own_score(&self, position: &G::Position) -> Result<Option<Score>, EngineError> {
        let (layer, slot) = self.index.slot(position);
        let Some(file) = self.layers.get(&layer) else { return Ok(None) };
        file.score(slot).map(Some).map_err(|error| file_error(Path::new(file.table().name()), &error))
    }

    /// The score of a position that is not over, if a file holds it.
    fn score(&self, rules: &G::Rules, position: &G::Position) -> Result<Option<Score>, EngineError> {
        let Some((layer, position)) = G::locate(&self.index, rules, position) else { return Ok(None) };
        let Some(file) = self.layers.get(&layer) else { return Ok(None) };
        let (_, slot) = self.index.slot(&position);
        let score = file.score(slot);
        score.map(Some).map_err(|error| file_error(Path::new(file.table().name()), &error))
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
    /// * `left_out`: files that are not to be used.
    /// * Second result: why files were left out.
    pub(crate) fn open(
        registry: &Registry,
        options: &EngineOptions,
        left_out: &[PathBuf],
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let cache = Arc::new(BlockCache::new(usize::try_from(options.cache_bytes).unwrap_or(usize::MAX)));
        let (mut infos, mut problems, mut files) = (Vec::new(), Vec::new(), Vec::new());
        for folder in options.tables.iter().filter(|folder| folder.exists()) {
            let store = open_store(registry, folder, &cache)?;
            problems.extend(store.problems().iter().map(|problem| file_error(folder, problem)));
            let is_used = |table: &Table<File>| !left_out.iter().any(|file| file == Path::new(table.name()));
            infos.extend(
                store.tables().filter(|(_, table)| is_used(table)).map(|(path, table)| info(path, table)),
            );
            files.extend(store.into_tables().filter(is_used));
        }
        let paths = files.iter().map(|table| PathBuf::from(table.name())).collect();
        let mut games = HashMap::new();
        for game in registry.games() {
            let of_game = |file: &mut Table<File>| file.header().identity.game == game.id().name();
            let own: Vec<_> = files.extract_if(.., of_game).collect();
            games.insert(game.id(), game.adapter().shelve(own, &mut problems));
        }
        Ok((Self { infos, files: paths, games }, problems))
    }

    /// The files that were opened, as errors name them.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
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

/// The score of a position that is not over, if a file of these shelves holds it.
pub(crate) fn look_up<G: Tabled>(
    shelves: &[Shelf<G>],
    rules: &G::Rules,
    position: &G::Position,
) -> Result<Option<Score>, EngineError> {
    for shelf in shelves {
        if let Some(score) = shelf.score(rules, position)? {
            return Ok(Some(score));
        }
    }
    Ok(None)
}

/// The shelves of a game: one for each variant of which there are files.
///
/// * `problems`: takes why files were left out.
pub(crate) fn shelves<G: Tabled>(files: Vec<Table<File>>, problems: &mut Vec<EngineError>) -> Vec<Shelf<G>> {
    let mut variants: BTreeMap<String, Vec<Table<File>>> = BTreeMap::new();
    for file in files {
        variants.entry(file.header().identity.variant.clone()).or_default().push(file);
    }
    variants.into_iter().filter_map(|(variant, files)| shelf(&variant, files, problems)).collect()
}

fn shelf<G: Tabled>(
    variant: &str,
    files: Vec<Table<File>>,
    problems: &mut Vec<EngineError>,
) -> Option<Shelf<G>> {
    let names: Vec<&str> = files.iter().map(|file| file.header().identity.layer.as_str()).collect();
    let index = match G::reopen(variant, &names) {
        Ok(index) => index,
        Err(why) => {
            let path = files.first().map_or_else(PathBuf::new, |file| PathBuf::from(file.name()));
            problems.push(EngineError::File { path, message: why });
            return None;
        }
    };
    let mut layers = HashMap::new();
    for file in files {
        let path = PathBuf::from(file.name());
        match on_shelf::<G>(&index, file) {
            Ok((layer, file)) => {
                layers.entry(layer).or_insert(file);
            }
            Err(message) => problems.push(EngineError::File { path, message }),
        }
    }
    Some(Shelf { index, layers })
}

/// The layer of a file, if it is one of the index and has its size.
fn on_shelf<G: Tabled>(index: &G::Index, file: Table<File>) -> Result<(LayerOf<G>, LayerFile), String> {
    let name = &file.header().identity.layer;
    let layer =
        G::layer_named(index, name).ok_or_else(|| format!("expected the name of a layer, found {name}"))?;
    let (expected, found) = (index.slots(layer), file.header().slots);
    if expected != found {
        return Err(format!("expected {expected} slots, found {found}; remove it and build it again"));
    }
    Ok((layer, LayerFile::new(file).map_err(|error| error.to_string())?))
}

/// The folder of a table, or the folder of tables itself.
pub(crate) fn folder_of(path: &Path) -> Result<&Path, EngineError> {
    if !path.exists() {
        let message = "expected a table or a folder of tables, found nothing; check the path".to_owned();
        return Err(EngineError::File { path: path.to_owned(), message });
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok(if path.is_dir() { path } else { parent.unwrap_or(Path::new(".")) })
}

/// Opens the tables of one folder by this program's rules.
pub(crate) fn open_store(
    registry: &Registry,
    folder: &Path,
    cache: &Arc<BlockCache>,
) -> Result<Store, EngineError> {
    let known = |game: &str, variant: &str| registry.fingerprint(game, variant);
    let store = Store::scan(folder, &known, cache).map_err(|error| file_error(folder, &error))?;
    let registry = registry.clone();
    Ok(store.with_hints(move |identity| registry.hints(identity)))
}

/// What the tables of a folder say about themselves.
pub(crate) fn infos(store: &Store) -> Vec<TableInfo> {
    store.tables().map(|(path, table)| info(path, table)).collect()
}

fn info(path: &Path, table: &Table<File>) -> TableInfo {
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
