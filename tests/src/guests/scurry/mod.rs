//! Scurry: a small race with three pieces per player over ten squares, moved by a die, with pieces that are sent
//! home.
//!
//! It is small enough to be solved at once and has the difficulties of such games: positions that repeat, because
//! pieces are sent home; layers that play leaves for good, because pieces are borne off; throws without a legal move;
//! and throws after which the same player throws again.
//!
//! * [`rules`]: throws, moves, play, end.
//! * [`notation`]: texts of positions and moves.
//! * [`index`]: numbers of positions, names of layers.

mod adapter;
pub mod index;
pub mod notation;
pub mod rules;
#[cfg(test)]
mod tests;

pub use adapter::Adapter;
pub use index::Pieces;
pub use notation::{parse, parse_throw};
pub use rules::{Move, Position, THROWS};

use marquis_core::ByPlayer;

/// The name in commands and answers.
pub const NAME: &str = "scurry";

/// The names of the players.
pub const COLOURS: ByPlayer<&str> = ByPlayer::new("Red", "Blue");

/// The letters of the players in position texts.
pub const LETTERS: ByPlayer<char> = ByPlayer::new('r', 'b');

/// The choices of a variant.
pub const VARIANTS: &str = "up to 3 pieces a colour";

/// The grammar of position texts.
pub const GRAMMAR: &str = "SQUARES R-B r|b: the ten squares from the first, `r`, `b` a piece, a number so many empty \
                           squares; Red's and Blue's pieces at home (3-3)";

/// The rules for readers.
pub static RULES: marquis_core::RulesPage = marquis_core::rules_page!("":);

/// The number of squares of the track.
pub const SQUARES: u8 = 10;

/// The maximum number of pieces of a player.
pub const MOST: u8 = 3;

/// The rules of Scurry, which have no variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scurry;
