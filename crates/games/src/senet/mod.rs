//! Senet after Jéquier: a race of two times five pieces over thirty squares, moved by casting sticks.
//!
//! * [`board`]: squares, sets of squares, positions.
//! * [`rules`]: throws, moves, play, end.
//! * [`notation`]: texts of positions and moves.
//! * [`index`]: numbers of positions.
//!
//! Source: `rules.md` beside this file.

pub mod board;
pub mod index;
pub mod notation;
pub mod rules;
#[cfg(test)]
mod tests;
mod why;

pub use board::{LAST, MAX_PIECES, Position, SQUARES, Set, Square, WATER};
pub use index::SenetLayer;
pub use notation::parse;
pub use rules::{Move, THROWS, throw, throws_again};

/// The rules for people.
pub static RULES: marquis_core::RulesPage =
    marquis_core::rules_page!("": "start.svg", "moves.svg", "water.svg");

/// The rules of Senet after Jéquier, which have no variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Senet;
