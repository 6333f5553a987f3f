//! Layers of chances in memory.

use std::path::Path;

use crate::EngineError;
use crate::chance::layers::read_layers;
use crate::files::chances::LoadedLayer;
use crate::game::chance::ChanceGame;
use crate::registry::Registry;

/// Layers of chances of a folder of tables, in memory.
///
/// # Errors
/// A layer that is missing or cannot be read.
pub fn load_layers<G: ChanceGame>(
    registry: &Registry,
    rules: &G::Rules,
    folder: &Path,
    layers: &[G::Layer],
) -> Result<Vec<LoadedLayer<G::Layer>>, EngineError> {
    read_layers::<G>(registry, rules, folder, layers)
}
