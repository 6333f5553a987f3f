//! Proof-number search: decides positions that no table holds, and proves what it decides.
//!
//! [`Search`] asks two questions about a position, "can the one player force a win" and "can the other", and answers
//! each with a [`Strategy`]. The independent [`checker`] replays a strategy on positions before anything is claimed.
//! [`solved`] reads strategies off known values. The crate knows no game.
#![forbid(unsafe_code)]

mod buckets;
pub mod checker;
#[cfg(test)]
#[path = "../tests/proof/common/mod.rs"]
mod common;
mod dense;
mod dfpn;
mod disk;
mod distance;
mod emit;
mod experience;
mod graph;
mod job;
mod knowledge;
mod limits;
mod listed;
mod met;
mod orbits;
mod path;
mod pool;
mod proof_index;
mod question;
mod region;
mod safe;
mod settings;
mod settle;
mod solve;
pub mod solved;
pub mod strategy;
mod table;
#[cfg(test)]
mod told;
mod trace;
mod union;
mod win;

pub use disk::{Disk, DiskTrouble};
pub use distance::{Distances, Span};
pub use knowledge::{Heuristic, NoHeuristic, NoOracle, Oracle, Sight};
pub use limits::{Ended, SearchLimits};
pub use proof_index::{Footing, ProofIndex};
pub use question::{Numbers, Question};
pub use settings::{SearchProgress, Settings, Unproved};
pub use solve::{Findings, MoveFinding, Search};
pub use strategy::{Kind, Strategy};
pub use union::Union;
