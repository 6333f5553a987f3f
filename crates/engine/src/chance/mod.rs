//! Games with throws: chances of winning, certified, by the same doors as values.

mod answer;
mod build;
mod checking;
mod door;
mod file;
mod game;
mod sweeps;

pub(crate) use answer::Kept;
pub use build::load_layers;
pub(crate) use door::Throwing;
pub use file::{LoadedLayer, Solved};
pub use game::{ChanceGame, ChanceWork, fingerprint};
pub use sweeps::sweep;
