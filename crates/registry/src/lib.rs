//! The games of this project, as what the engine asks about: one folder a family of rules, one line each in
//! [`official`].
//!
//! A folder here holds what a game knows beyond its rules: how its tables are named, found and built, what its
//! designer claims, how boards are drawn and set up, and the first numbers of the search.
#![forbid(unsafe_code)]

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod ahead;
pub mod beads;
mod doublings;
mod hexagon;
// Every solver for every game hangs on these. The unit tests, which look at one game each, do without: to compile it all
// a second time for them would take as long as the rest of the tests.
#[cfg(not(test))]
mod judges;
#[cfg(not(test))]
mod official;
pub mod senet;
mod squinch;
#[cfg(not(test))]
pub mod training;
mod unification;

#[cfg(not(test))]
pub use self::official::{WeightsError, official, with_weights, with_weights_of};
