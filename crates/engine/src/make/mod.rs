//! Making and checking tables: plan, run, checkpoint, repack, inspection.

mod checkpoint;
pub(crate) mod common;
pub(crate) mod inspection;
pub(crate) mod plan;
pub(crate) mod prepared;
pub(crate) mod repack;
pub(crate) mod run;
