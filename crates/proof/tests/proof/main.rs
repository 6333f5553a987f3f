//! Compares the search and its proofs with independent solvers.

mod boards;
mod common;
mod distances;
mod foregone;
mod limits;
mod mazes;
mod proofs;
