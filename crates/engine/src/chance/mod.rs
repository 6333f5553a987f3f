//! Games with throws, by chances between two certified bounds; Senet is one.

mod answer;
mod booked;
mod checking;
pub(crate) mod door;
pub(crate) mod estimate;
mod grid_files;
pub(crate) mod layers;
mod response;
mod rounding;
mod sweeps;
mod tables;

pub use crate::files::chances::{LayerChances, LoadedLayer};
pub use crate::files::checkpoint::{Basis, Checkpoint};
pub use crate::game::chance::{ChanceGame, ChanceWork, fingerprint};
pub use grid_files::grid_files;
pub use layers::write_layer;
pub use rounding::{at_most, within};
pub use sweeps::sweep;
