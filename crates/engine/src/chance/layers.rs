//! Layers of chances for builds.
//!
//! A bundle reads the layers below from their files, even if they were solved a moment ago: so the result does not
//! depend on how a build was split.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use marquis_core::GameId;
use marquis_retro::{Bundle, BundlePlan};
use marquis_table::{BlockCache, TableFile, Width};

use crate::EngineError;
use crate::build::layered::{BundleJob, FinishedLayers, Layered, Solving};
use crate::error::FileError;
use crate::files::chances::{self, LayerChances, LoadedLayer, cell_width, write_short};
use crate::files::layer::LayerId;
use crate::files::store::{TableRules, open_store};
use crate::game::chance::{ChanceGame, ChanceWork, layer_id};
use crate::game::method::MethodCosts;
use crate::query::ChanceCells;

/// The bytes per chance in a file, its bounds included.
const fn cell_bytes(cells: ChanceCells) -> u64 {
    match cells {
        ChanceCells::FourBytes => 8,
        ChanceCells::TwoBytes => 2,
    }
}

/// The layers of a variant.
pub(crate) struct Chances<G: ChanceGame> {
    pub(crate) rules: G::Rules,
    /// The precision of the files.
    pub(crate) cells: ChanceCells,
}

impl<G: ChanceGame> Layered for Chances<G> {
    const GAME: GameId = G::ID;

    type Layer = G::Layer;
    type Held = HashMap<G::Layer, LoadedLayer<G::Layer>>;

    fn variant(&self) -> String {
        G::variant(&self.rules)
    }

    fn id(&self, layer: G::Layer) -> LayerId {
        layer_id::<G>(&self.rules, layer)
    }

    fn slots(&self, layer: G::Layer) -> u64 {
        G::slots(&self.rules, layer)
    }

    fn component(&self, layer: G::Layer) -> Vec<G::Layer> {
        G::component(&self.rules, layer)
    }

    fn child_layers(&self, layer: G::Layer) -> Vec<G::Layer> {
        G::child_layers(&self.rules, layer)
    }

    fn read(
        &self,
        layer: G::Layer,
        table: &TableFile,
        _: FinishedLayers<'_>,
        held: &mut Self::Held,
    ) -> Result<(), EngineError> {
        held.insert(layer, LoadedLayer::read(layer, &self.id(layer), table)?);
        Ok(())
    }
}

impl<G: ChanceGame> Solving for Chances<G> {
    /// A bundle needs only a small part of the layers below, and only at its start.
    const HOLDS_BELOW: bool = false;

    fn outlook(&self, bundle: &Bundle<G::Layer>) -> Option<String> {
        G::outlook(&self.rules, &bundle.layers)
    }

    fn core_seconds(&self, bundle: &Bundle<G::Layer>) -> Option<f64> {
        G::core_seconds(&self.rules, &bundle.layers)
    }

    fn base_bytes(&self) -> u64 {
        0
    }

    fn methods(&self, bundle: &Bundle<G::Layer>, _: u64) -> MethodCosts {
        MethodCosts::new(G::methods(&self.rules, &bundle.layers))
    }

    fn bytes_a_slot(&self) -> u64 {
        0
    }

    fn disk_bytes(&self, plan: &BundlePlan<G::Layer>) -> u64 {
        plan.slots() * cell_bytes(self.cells)
    }

    fn is_enough(&self, table: &TableFile) -> bool {
        self.cells == ChanceCells::TwoBytes || cell_width(table) == Width::Four
    }

    fn is_finished(&self, table: &TableFile) -> bool {
        self.cells == ChanceCells::FourBytes || cell_width(table) == Width::Two
    }

    /// Cells of two bytes are too imprecise to build on.
    fn is_ground(&self, table: &TableFile) -> bool {
        cell_width(table) == Width::Four
    }

    fn kept_as(&self, layers: &[G::Layer]) -> String {
        layers.first().map(|&layer| G::layer_name(layer)).unwrap_or_default()
    }

    fn solve(
        &self,
        bundle: &Bundle<G::Layer>,
        _: &Self::Held,
        job: &BundleJob<'_>,
    ) -> Result<Self::Held, EngineError> {
        let name = G::layer_name(bundle.layers[0]);
        let tell = |what: &str| job.tell(format!("{} {name}, {what}", G::ID), 0);
        let write = |layer: G::Layer, solved: &LayerChances<'_>| {
            write_layer::<G>(job.out, &self.rules, layer, solved)
        };
        let below = |layer: G::Layer| {
            let id = self.id(layer);
            let path = || job.out.join(id.path());
            let missing =
                || FileError::unexpected(path(), "the finished layer", "no usable file", "build again");
            let table = self.find(job.store, layer).ok_or_else(missing)?;
            Ok(LoadedLayer::read(layer, &id, table)?)
        };
        let work = ChanceWork {
            below: &below,
            checkpoint: job.checkpoint,
            method: job.method,
            deadline: job.deadline,
            control: job.control,
            tell: &tell,
            write: &write,
            name: &name,
        };
        G::solve(&self.rules, &bundle.layers, &work)?;
        Ok(HashMap::new())
    }

    /// Rounds the chances to two bytes.
    fn finish(&self, layer: G::Layer, table: &TableFile, out: &Path) -> Result<(), EngineError> {
        let id = self.id(layer);
        let loaded = LoadedLayer::read(layer, &id, table)?;
        Ok(write_short(&id, &loaded, &out.join(id.path()))?)
    }
}

/// Writes the file of a solved layer into a folder of tables.
///
/// # Errors
/// It cannot be written.
pub fn write_layer<G: ChanceGame>(
    folder: &Path,
    rules: &G::Rules,
    layer: G::Layer,
    solved: &LayerChances<'_>,
) -> Result<(), EngineError> {
    let id = layer_id::<G>(rules, layer);
    let path = folder.join(id.path());
    Ok(chances::write_layer(&id, solved, &path)?)
}

/// Layers of a folder of tables, in memory.
///
/// # Errors
/// A layer that is missing or cannot be read.
pub(crate) fn read_layers<G: ChanceGame>(
    tables: &dyn TableRules,
    rules: &G::Rules,
    folder: &Path,
    layers: &[G::Layer],
) -> Result<Vec<LoadedLayer<G::Layer>>, EngineError> {
    let store = open_store(tables, folder, &Arc::new(BlockCache::new(0)))?;
    let load = |&layer: &G::Layer| {
        let id = layer_id::<G>(rules, layer);
        let path = || folder.join(id.path());
        let missing = || FileError::unexpected(path(), "a finished layer", "none", "build it");
        let table = store.find(G::ID.name(), &id.variant, &id.name).ok_or_else(missing)?;
        Ok(LoadedLayer::read(layer, &id, table)?)
    };
    layers.iter().map(load).collect()
}
