//! What is known without a search: tables, proofs, both as the oracle of a search.

pub(crate) mod damaged;
pub(crate) mod knowledge;
pub(crate) mod known;
pub(crate) mod proofs;
pub(crate) mod shelf;
pub(crate) mod tables;
