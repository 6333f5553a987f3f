//! Quixo on a small board: an existing game, to test the solvers.
//!
//! A player takes a cube from the border that does not bear the opponent's sign, and pushes it back in with his own
//! sign from another end of its row or column. A full line of one sign wins; if a move makes lines of both signs, the
//! opponent's line counts first.
//!
//! * [`rules`]: pushes, lines, images.
//! * [`notation`]: texts of positions and moves.
//! * [`index`]: numbers of positions, names of layers.
//!
//! Source: the rules of Quixo (Gigamic, 1995) as in Tanaka et al., "Quixo is solved" (2020).

mod adapter;
pub mod index;
pub mod notation;
pub mod rules;
#[cfg(test)]
mod tests;

pub use adapter::Adapter;
pub use index::Signs;
pub use notation::parse;
pub use rules::Cubes;

use marquis_core::ByPlayer;

/// The name in commands and answers.
pub const NAME: &str = "quixo";

/// The names of the players.
pub const COLOURS: ByPlayer<&str> = ByPlayer::new("Cross", "Circle");

/// The signs in position texts.
pub const LETTERS: ByPlayer<char> = ByPlayer::new('x', 'o');

/// The choices of a variant.
pub const VARIANTS: &str = "3 or 4 cubes an edge";

/// The grammar of position texts.
pub const GRAMMAR: &str = "ROWS x|o: rows from the top, separated by `/`; `x`, `o` a cube with that sign, a number for that many blank cubes";

/// The rules for readers.
pub static RULES: marquis_core::RulesPage = marquis_core::rules_page!("":);

/// The rules on a square board with three or four cubes per edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quixo {
    edge: u8,
}

impl Quixo {
    /// Three cubes per edge.
    pub const THREE: Self = Self { edge: 3 };

    /// Four cubes per edge.
    pub const FOUR: Self = Self { edge: 4 };

    /// The board with `edge` cubes per edge; `None` unless it is 3 or 4.
    #[must_use]
    pub fn new(edge: u8) -> Option<Self> {
        [Self::THREE, Self::FOUR].into_iter().find(|game| game.edge == edge)
    }

    /// The number of cubes per edge.
    #[must_use]
    pub const fn edge(self) -> u8 {
        self.edge
    }

    /// The number of cubes.
    #[must_use]
    pub const fn cells(self) -> u32 {
        self.edge as u32 * self.edge as u32
    }
}
