//! Folders of tables: planned and built, fetched from other places, packed again.

pub(crate) mod fetch;
pub(crate) mod load;
pub(crate) mod plan;
pub(crate) mod repack;
