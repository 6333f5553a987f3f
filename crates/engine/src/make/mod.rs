//! Making and checking tables: plan, run, checkpoint, repack, inspection.

pub(crate) mod checkpoint;
mod depot;
pub(crate) mod fetch;
pub(crate) mod inspection;
mod joint;
pub(crate) mod layered;
pub(crate) mod plan;
pub(crate) mod prepared;
pub(crate) mod repack;
pub(crate) mod run;
pub(crate) mod scores;
mod shares;
mod sound;
pub(crate) mod team;
