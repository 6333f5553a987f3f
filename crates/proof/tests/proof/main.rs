//! The search and its proofs against solvers that share nothing with it.

mod boards;
mod common;
mod distances;
mod foregone;
mod limits;
mod mazes;
mod proofs;
