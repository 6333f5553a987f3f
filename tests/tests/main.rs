//! Cross-crate tests: the games against other rules and other solvers, the façade, and the repository itself.

mod abilities;
mod agreement;
mod alphabet;
mod answers;
mod architecture;
mod claim;
mod engine;
mod held;
mod hints;
mod limits;
mod links;
mod malformed;
mod modules;
mod naming;
mod orbits;
mod perft;
mod promises;
mod questions;
mod quixo;
mod reference;
mod review;
mod sources;
mod symmetry;
mod types;
mod upgrade;
mod vectors;
