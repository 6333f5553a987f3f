//! All layers of a game with throws that are in files.

use std::collections::HashMap;
use std::sync::Arc;

use marquis_chance::ChanceInterval;
use marquis_table::TableFile;

use crate::EngineError;
use crate::error::FileError;
use crate::files::chances::ChanceFile;
use crate::files::layer::no_layer;
use crate::game::chance::{ChanceGame, layer_id};

/// The layers of one variant that are in files.
struct Shelf<G: ChanceGame> {
    rules: G::Rules,
    layers: HashMap<G::Layer, ChanceFile>,
}

/// All layers of a game that are in files.
pub(crate) struct ChanceTables<G: ChanceGame>(Vec<Shelf<G>>);

impl<G: ChanceGame> Default for ChanceTables<G> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<G: ChanceGame> ChanceTables<G> {
    /// The tables of these files.
    ///
    /// * `problems`: receives the reasons why files were left out.
    pub(crate) fn of(files: Vec<Arc<TableFile>>, problems: &mut Vec<EngineError>) -> Self {
        let mut shelves: Vec<Shelf<G>> = Vec::new();
        for file in files {
            let variant = file.header().identity.variant.clone();
            let Some(rules) = G::of_variant(&variant) else {
                let (expected, advice) = (format!("a variant of {}", G::ID), "remove it and build it again");
                problems.push(FileError::unexpected(file.name(), expected, variant, advice).into());
                continue;
            };
            let place = shelves.iter().position(|shelf| shelf.rules == rules).unwrap_or_else(|| {
                shelves.push(Shelf { rules: rules.clone(), layers: HashMap::new() });
                shelves.len() - 1
            });
            match on_shelf::<G>(&rules, file) {
                Ok((layer, file)) => drop(shelves[place].layers.entry(layer).or_insert(file)),
                Err(error) => problems.push(error.into()),
            }
        }
        Self(shelves)
    }

    /// The chance of the player to throw, if a file holds it.
    ///
    /// * `position`: one that is not over.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn look_up(
        &self,
        rules: &G::Rules,
        position: &G::Position,
    ) -> Result<Option<ChanceInterval>, EngineError> {
        let Some(shelf) = self.0.iter().find(|shelf| shelf.rules == *rules) else { return Ok(None) };
        let Some(layer) = G::layer(rules, position) else { return Ok(None) };
        let Some(file) = shelf.layers.get(&layer) else { return Ok(None) };
        Ok(Some(file.between(G::slot(rules, layer, position))?))
    }
}

/// The layer of a file, if the file is of these rules.
fn on_shelf<G: ChanceGame>(
    rules: &G::Rules,
    file: Arc<TableFile>,
) -> Result<(G::Layer, ChanceFile), FileError> {
    let layer = G::layer_named(rules, &file.header().identity.layer).ok_or_else(|| no_layer(&file))?;
    Ok((layer, ChanceFile::new(&layer_id::<G>(rules, layer), file)?))
}
