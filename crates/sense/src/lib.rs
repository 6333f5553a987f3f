//! What the games look like to an evaluation: for each family of rules its inputs, hand-made terms, the order of its
//! moves, and how games begin that are learned from.
#![forbid(unsafe_code)]

pub mod beads;
pub mod senet;
pub mod squinch;
mod threes;
pub mod unification;
