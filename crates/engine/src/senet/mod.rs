//! Tables of Senet: layers of chances, solved row by row.
//!
//! * [`layout`]: the rules as rows and columns.
//! * [`solving`]: a layer with its colour swap, and what it needs of those below.
//! * [`iterating`]: estimates, and bounds that prove themselves.
//! * [`file`]: how a layer becomes a file, and how it is read.
//! * [`build`]: plan and generate.
//! * [`checking`]: every entry against its successors.

mod build;
mod checking;
mod checkpoint;
mod file;
mod iterating;
mod layout;
mod solving;
#[cfg(test)]
mod tests;

pub(crate) use build::{generate, plan};
pub(crate) use checking::check;
pub(crate) use file::{GAME, SenetFile, SenetTables, fingerprint, layer_name};
