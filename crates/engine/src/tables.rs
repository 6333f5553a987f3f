//! The tables of an engine: which layers there are, and what they say about a position.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marquis_core::Score;
use marquis_games::beads::{BeadIndex, Leap, Sandwich};
use marquis_games::squinch::SquinchIndex;
use marquis_games::unification::{Approach, Flow, UnificationIndex};
use marquis_table::{BlockCache, Store, Table};

use crate::facade::file_error;
use crate::hints::race_hints_of;
use crate::layer_file::{LayerFile, known_fingerprint};
use crate::reports::TableInfo;
use crate::senet::{self, SenetFile, SenetTables};
use crate::tabled::{Reopen, Tabled};
use crate::{EngineError, EngineOptions};

/// The layers of one index that are in files.
pub(crate) struct Shelf<G: Tabled> {
    index: G,
    layers: HashMap<G::Layer, LayerFile>,
}

impl<G: Tabled> Shelf<G> {
    /// The index.
    pub(crate) const fn index(&self) -> &G {
        &self.index
    }

    /// The layers that are in files.
    pub(crate) fn layers(&self) -> impl Iterator<Item = G::Layer> + '_ {
        self.layers.keys().copied()
    }

    /// A figure of the header of a layer; 0 where there is none.
    pub(crate) fn count(&self, layer: G::Layer, name: &str) -> u64 {
        self.layers.get(&layer).and_then(|file| file.table().header().counts.get(name).copied()).unwrap_or(0)
    }

    /// What `read` makes of the file of a layer.
    pub(crate) fn with_table<T>(
        &self,
        layer: G::Layer,
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
        let Some((layer, position)) = self.index.locate(rules, position) else { return Ok(None) };
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
    pub(crate) squish: Vec<Shelf<UnificationIndex<Approach>>>,
    pub(crate) flowish: Vec<Shelf<UnificationIndex<Flow>>>,
    pub(crate) swish: Vec<Shelf<BeadIndex<Leap>>>,
    pub(crate) squeeze: Vec<Shelf<BeadIndex<Sandwich>>>,
    pub(crate) squinch: Vec<Shelf<SquinchIndex>>,
    pub(crate) senet: SenetTables,
}

impl Tables {
    /// Opens every table below the folders of the options; a folder that does not exist holds none.
    ///
    /// * `left_out`: files that are not to be used.
    /// * Second result: why files were left out.
    pub(crate) fn open(
        options: &EngineOptions,
        left_out: &[PathBuf],
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let cache = Arc::new(BlockCache::new(usize::try_from(options.cache_bytes).unwrap_or(usize::MAX)));
        let (mut infos, mut problems, mut files) = (Vec::new(), Vec::new(), Vec::new());
        for folder in options.tables.iter().filter(|folder| folder.exists()) {
            let store = open_store(folder, &cache)?;
            problems.extend(store.problems().iter().map(|problem| file_error(folder, problem)));
            let is_used = |table: &Table<File>| !left_out.iter().any(|file| file == Path::new(table.name()));
            infos.extend(
                store.tables().filter(|(_, table)| is_used(table)).map(|(path, table)| info(path, table)),
            );
            files.extend(store.into_tables().filter(is_used));
        }
        let paths = files.iter().map(|table| PathBuf::from(table.name())).collect();
        let mut sorter = Sorter { files, problems };
        let (squish, flowish) = (sorter.shelves(), sorter.shelves());
        let (swish, squeeze) = (sorter.shelves(), sorter.shelves());
        let (squinch, senet) = (sorter.shelves(), sorter.senet());
        Ok((Self { infos, files: paths, squish, flowish, swish, squeeze, squinch, senet }, sorter.problems))
    }

    /// The files that were opened, as errors name them.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What is loaded, by game, variant and layer.
    pub(crate) fn infos(&self) -> Vec<TableInfo> {
        self.infos.clone()
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

/// Puts files on shelves.
struct Sorter {
    files: Vec<Table<File>>,
    problems: Vec<EngineError>,
}

impl Sorter {
    /// The shelves of a game: one for each variant of which there are files.
    fn shelves<G: Reopen>(&mut self) -> Vec<Shelf<G>> {
        let mut variants: BTreeMap<String, Vec<Table<File>>> = BTreeMap::new();
        for file in std::mem::take(&mut self.files) {
            let identity = &file.header().identity;
            if identity.game == G::GAME.name() {
                variants.entry(identity.variant.clone()).or_default().push(file);
            } else {
                self.files.push(file);
            }
        }
        variants.into_iter().filter_map(|(variant, files)| self.shelf(&variant, files)).collect()
    }

    /// The layers of Senet.
    fn senet(&mut self) -> SenetTables {
        let mut tables = SenetTables::default();
        let own = |file: &mut Table<File>| file.header().identity.game == senet::GAME;
        for file in self.files.extract_if(.., own) {
            let path = PathBuf::from(file.name());
            match SenetFile::new(file) {
                Ok(file) => tables.add(file),
                Err(message) => self.problems.push(EngineError::File { path, message }),
            }
        }
        tables
    }

    fn shelf<G: Reopen>(&mut self, variant: &str, files: Vec<Table<File>>) -> Option<Shelf<G>> {
        let names: Vec<&str> = files.iter().map(|file| file.header().identity.layer.as_str()).collect();
        let index = match G::reopen(variant, &names) {
            Ok(index) => index,
            Err(why) => {
                let path = files.first().map_or_else(PathBuf::new, |file| PathBuf::from(file.name()));
                self.problems.push(EngineError::File { path, message: why });
                return None;
            }
        };
        let mut layers = HashMap::new();
        for file in files {
            let path = PathBuf::from(file.name());
            match on_shelf(&index, file) {
                Ok((layer, file)) => {
                    layers.entry(layer).or_insert(file);
                }
                Err(message) => self.problems.push(EngineError::File { path, message }),
            }
        }
        Some(Shelf { index, layers })
    }
}

/// The layer of a file, if it is one of the index and has its size.
fn on_shelf<G: Tabled>(index: &G, file: Table<File>) -> Result<(G::Layer, LayerFile), String> {
    let name = &file.header().identity.layer;
    let layer =
        index.layer_named(name).ok_or_else(|| format!("expected the name of a layer, found {name}"))?;
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
pub(crate) fn open_store(folder: &Path, cache: &Arc<BlockCache>) -> Result<Store, EngineError> {
    let store = Store::scan(folder, &known_fingerprint, cache).map_err(|error| file_error(folder, &error))?;
    Ok(store.with_hints(race_hints_of))
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
