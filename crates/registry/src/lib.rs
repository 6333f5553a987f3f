//! The games of this project for the engine: one folder for each family of rules, one line each in [`official`].
//!
//! A folder holds everything about a game beyond its rules: how its tables are named, found and built, the designer's
//! claims, how boards are drawn and set up, and the initial numbers of the search.
#![forbid(unsafe_code)]

pub mod beads;
mod doublings;
mod hexagon;
mod judges;
mod official;
pub mod senet;
mod squinch;
#[cfg(test)]
mod tests;
pub mod training;
mod unification;

pub use self::official::{WeightsError, official, with_weights, with_weights_of};
