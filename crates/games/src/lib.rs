//! The rules of the six games, and nothing else: no solver, no file.
//!
//! Each game is a folder: its rules as the traits of `marquis-core`, its position and move text.
//!
//! Source: the page `rules.md` in each game's folder ([`marquis_core::pages`]).
#![forbid(unsafe_code)]

pub mod beads;
pub mod hex;
pub mod key;
pub mod notation;
pub mod senet;
pub mod squinch;
pub mod steps;
pub mod unification;

pub use beads::{Squeeze, Swish};
pub use unification::{Flowish, Squish};
