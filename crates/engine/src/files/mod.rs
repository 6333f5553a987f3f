//! The files of the engine: layers, their folders, and proofs.

pub(crate) mod book;
pub(crate) mod chances;
pub(crate) mod checkpoint;
pub(crate) mod hint_files;
pub(crate) mod layer;
pub(crate) mod lease;
pub(crate) mod proof;
pub(crate) mod room;
pub(crate) mod scores;
pub(crate) mod sound;
pub(crate) mod spill;
pub(crate) mod store;
pub(crate) mod strips;
