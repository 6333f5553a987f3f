//! The knowledge without a search: tables, proofs and the book, all as the oracle of a search.

pub(crate) mod asking;
pub(crate) mod book;
pub(crate) mod chances;
pub(crate) mod damaged;
pub(crate) mod earlier;
pub(crate) mod known;
pub(crate) mod proofs;
pub(crate) mod reachable;
pub(crate) mod shipped;
pub(crate) mod sources;
pub(crate) mod sub_tables;
pub(crate) mod tables;
