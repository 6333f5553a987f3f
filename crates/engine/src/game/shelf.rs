//! The layers of a game without chance that are in files, and look-ups in them.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use marquis_core::{Game as _, Indexed as _, Score};
use marquis_retro::{LayerCells, Layers};
use marquis_table::TableFile;

use crate::error::FileError;
use crate::files::layer::no_layer;
use crate::files::scores::LayerFile;
use crate::game::implied::{cells_of, expect_implied};
use crate::game::tabled::{LayerOf, Tabled, layer_id};
use crate::{Control, EngineError};

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

    /// A count of the header of a layer; 0 if there is none.
    pub(crate) fn count(&self, layer: LayerOf<G>, name: &str) -> u64 {
        self.layers.get(&layer).and_then(|file| file.table().header().counts.get(name).copied()).unwrap_or(0)
    }

    /// The cells of a layer that is in a file.
    pub(crate) fn cells(&self, layer: LayerOf<G>, control: &Control<'_>) -> Result<LayerCells, EngineError> {
        let find = |layer| Some(self.layers.get(&layer)?.table());
        cells_of::<G>(&self.index, layer, self.layers[&layer].table(), &find, &mut Layers::default(), control)
    }

    /// The score of a position of the index that is not over, if the files hold it.
    pub(crate) fn own_score(&self, position: &G::Position) -> Result<Option<Score>, EngineError> {
        let (layer, slot) = self.index.slot(position);
        let Some(file) = self.layers.get(&layer) else { return Ok(None) };
        match file.score(slot)? {
            Some(score) => Ok(Some(score)),
            None => self.score_ahead(position),
        }
    }

    /// The best score of the moves of a position, if the files hold the positions after them.
    fn score_ahead(&self, position: &G::Position) -> Result<Option<Score>, EngineError> {
        let (mut moves, mut best) = (Vec::new(), None);
        self.index.moves(position, &mut moves);
        for mv in moves {
            let after = self.index.play(position, mv);
            let score = match self.index.over(&after) {
                Some(over) => Score::finished(over.outcome.for_mover(self.index.turn(&after))),
                None => match self.own_score(&after)? {
                    Some(score) => score,
                    None => return Ok(None),
                },
            };
            best = best.max(Some(score.before_move()));
        }
        Ok(best)
    }

    /// The score of a position that is not over, if the files hold it.
    fn score(&self, rules: &G::Rules, position: &G::Position) -> Result<Option<Score>, EngineError> {
        match G::locate(&self.index, rules, position) {
            Some((layer, position)) if self.layers.contains_key(&layer) => self.own_score(&position),
            _ => Ok(None),
        }
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

/// The shelves of a game: one for each variant with files.
///
/// * `problems`: receives the reasons why files were left out.
pub(crate) fn shelves<G: Tabled>(
    files: Vec<Arc<TableFile>>,
    problems: &mut Vec<EngineError>,
) -> Vec<Shelf<G>> {
    let mut variants: BTreeMap<String, Vec<Arc<TableFile>>> = BTreeMap::new();
    for file in files {
        variants.entry(file.header().identity.variant.clone()).or_default().push(file);
    }
    variants.into_iter().filter_map(|(variant, files)| shelf(&variant, files, problems)).collect()
}

fn shelf<G: Tabled>(
    variant: &str,
    files: Vec<Arc<TableFile>>,
    problems: &mut Vec<EngineError>,
) -> Option<Shelf<G>> {
    let names: Vec<&str> = files.iter().map(|file| file.header().identity.layer.as_str()).collect();
    let index = match G::reopen(variant, &names) {
        Ok(index) => index,
        Err(error) => {
            let path = files.first().map_or_else(PathBuf::new, |file| PathBuf::from(file.name()));
            let (game, variant, source) = (G::ID.name(), variant.to_owned(), Box::new(error));
            problems.push(FileError::Variant { path, game, variant, source }.into());
            return None;
        }
    };
    let mut layers = HashMap::new();
    for file in files {
        match on_shelf::<G>(&index, file) {
            Ok((layer, file)) => {
                layers.entry(layer).or_insert(file);
            }
            Err(error) => problems.push(error.into()),
        }
    }
    Some(Shelf { index, layers })
}

/// The layer of a file, if it is one of the index and has its size.
fn on_shelf<G: Tabled>(index: &G::Index, file: Arc<TableFile>) -> Result<(LayerOf<G>, LayerFile), FileError> {
    let name = &file.header().identity.layer;
    let layer = G::layer_named(index, name).ok_or_else(|| no_layer(&file))?;
    layer_id::<G>(index, layer).expect_slots(&file)?;
    expect_implied::<G>(layer, &file)?;
    Ok((layer, LayerFile::new(file)?))
}
