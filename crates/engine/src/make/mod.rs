//! Making and checking tables: plan, run, checkpoint, layer file, repack, verify.

mod checkpoint;
pub(crate) mod common;
pub(crate) mod layer_file;
mod plan;
mod repack;
pub(crate) mod run;
pub(crate) mod verify;

pub(crate) use plan::in_pool;
pub use plan::{BuildQuery, CHECKPOINT_EVERY, ChanceCells, Prepared, generate, plan};
pub use repack::repack;
