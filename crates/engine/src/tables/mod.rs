//! Folders of tables: planned and built, fetched from other places, packed again.

pub(crate) mod fetch;
pub(crate) mod load;
pub(crate) mod plan;
pub(crate) mod repack;

pub use crate::build::team::RankTeam;
pub use fetch::fetch_tables;
pub use load::load_layers;
pub use plan::{CHECKPOINT_EVERY, NumberedBuild, generate, plan};
pub use repack::repack;
