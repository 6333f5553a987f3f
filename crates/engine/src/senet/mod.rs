//! Tables of Senet: layers of chances, solved row by row.
//!
//! * [`layout`]: the rules as rows and columns.
//! * [`solving`]: bounds of a layer and of its colour swap.
//! * [`file`]: how a layer becomes a file, and how it is read.
//! * [`build`]: plan and generate.
//! * [`checking`]: every entry against its successors.

mod build;
mod checking;
mod checkpoint;
mod file;
mod layout;
mod solving;
#[cfg(test)]
mod tests;

pub(crate) use build::{generate, plan};
pub(crate) use checking::check;
pub(crate) use file::{GAME, SenetFile, SenetTables, fingerprint, layer_name};
