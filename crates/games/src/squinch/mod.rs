//! Squinch: a bear-off race of stacks on a board of squares.
//!
//! * [`board`]: squares, positions and their heights.
//! * [`rules`]: moves, play, end, symmetries.
//! * [`notation`]: texts of positions and moves.
//! * [`race`]: the score of positions without contact.
//! * `distances`: the moves that one side's checkers need on an empty board.
//! * [`solo`]: the moves that a side needs alone, and against any obstruction.
//! * [`index`]: numbers of positions, for tables.
//!
//! Source: `rules.md` beside this file.

pub mod board;
mod distances;
pub mod index;
pub mod notation;
pub mod race;
pub mod rules;
pub mod solo;
#[cfg(test)]
mod tests;
mod why;

pub use board::{MAX_CHECKERS, MAX_SIDE, Position, Square, Stack};
pub use index::{Checkers, SquinchIndex};
pub use notation::parse;
pub use rules::Move;

/// The rules for people.
pub static RULES: marquis_core::RulesPage =
    marquis_core::rules_page!("": "start.svg", "moves.svg", "off.svg");

/// The rules of Squinch on a board of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Squinch {
    files: u8,
    ranks: u8,
}

impl Squinch {
    /// The full game's board.
    pub const FULL: Self = Self { files: 8, ranks: 8 };

    /// The rules on a board of `files` by `ranks`; `None` unless there are 2 to 8 files and 1 to 8 ranks.
    #[must_use]
    pub const fn new(files: u8, ranks: u8) -> Option<Self> {
        if files < 2 || files > MAX_SIDE || ranks < 1 || ranks > MAX_SIDE {
            return None;
        }
        Some(Self { files, ranks })
    }

    /// The number of files: 2 to 8.
    #[must_use]
    pub const fn files(self) -> u8 {
        self.files
    }

    /// The number of ranks: 1 to 8.
    #[must_use]
    pub const fn ranks(self) -> u8 {
        self.ranks
    }
}
