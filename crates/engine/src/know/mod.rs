//! What is known without a search: tables, proofs, and both as the oracle of a search.

pub(crate) mod damaged;
pub(crate) mod knowledge;
pub(crate) mod proofs;
pub(crate) mod tables;
