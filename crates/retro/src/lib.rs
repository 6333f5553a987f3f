//! Retrograde analysis: values and plies of whole sets of positions, from the ends backwards.
//!
//! * [`exhaustive`]: everything reachable from one position, on explicit edges; the judge.
//! * [`layered`]: indexed layers, from the ends upwards.
//! * [`verify`]: finished layers against the rules.
//! * [`limits`]: what stops a solver.
#![forbid(unsafe_code)]

mod cell;
pub mod exhaustive;
pub mod layered;
pub mod limits;
pub mod verify;

pub use cell::{Cells, Entry};
pub use exhaustive::Solved;
pub use limits::{Limits, Phase, Progress, Stopped};
