//! Tables of Senet: layers of chances, solved row by row.
//!
//! * `layout`: the rules as rows and columns.
//! * `solving`: a layer with its colour swap, and what it needs of those below.
//! * `iterating`: estimates, and bounds that prove themselves.
//! * `course`: what the changes of sweeps tell.
//! * `file`: how a layer becomes a file, and how it is read.
//! * `bundle`: from a first guess to files.
//! * `build`: plan and generate.
//! * `memory`, `simulation`, `facts`: what players would like to know, from tables in memory.
//! * `checking`: every entry against its successors.

mod build;
mod bundle;
mod checking;
mod checkpoint;
mod course;
mod facts;
mod file;
mod iterating;
mod layout;
mod memory;
mod simulation;
mod solving;
#[cfg(test)]
mod tests;

pub(crate) use build::{generate, plan};
pub(crate) use checking::check;
pub use facts::{Facts, Falls, Worth, facts, worth};
pub(crate) use file::{GAME, SenetFile, SenetTables, fingerprint, layer_name};
pub use memory::SenetChances;
pub use simulation::{Tally, simulate};
