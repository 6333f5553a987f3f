//! Games with throws, by chances between two certified bounds; Senet is one.

mod answer;
mod booked;
mod checking;
pub(crate) mod door;
pub(crate) mod estimate;
mod layers;
mod rounding;
mod sweeps;
mod tables;
mod told;

use std::path::Path;

use crate::{EngineError, Registry};

pub use crate::files::chances::{LoadedLayer, Solved};
pub use crate::game::chance::{ChanceGame, ChanceWork, fingerprint};
pub use crate::make::checkpoint::{Basis, Checkpoint};
pub use layers::write_layer;
pub use rounding::{at_most, within};
pub use sweeps::sweep;

/// Layers of a folder of tables, in memory.
///
/// # Errors
/// A layer that is missing or cannot be read.
pub fn load_layers<G: ChanceGame>(
    registry: &Registry,
    rules: &G::Rules,
    folder: &Path,
    layers: &[G::Layer],
) -> Result<Vec<LoadedLayer<G::Layer>>, EngineError> {
    layers::read_layers::<G>(registry, rules, folder, layers)
}
