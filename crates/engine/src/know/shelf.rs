//! The layers of a game without chance that are in files, and what they say about a position.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

use marquis_core::{Indexed as _, Score};
use marquis_table::Table;

use crate::EngineError;
use crate::error::file_error;
use crate::files::scores::LayerFile;
use crate::game::tabled::{LayerOf, Tabled};

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
