//! Players, their proofs, and their games.

mod arena;
mod exact;
mod expectation;
mod players;
