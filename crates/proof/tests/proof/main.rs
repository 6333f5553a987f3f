//! The search and its proofs against solvers that share nothing with it.

mod boards;
mod common;
mod foregone;
mod limits;
mod mazes;
mod proofs;
