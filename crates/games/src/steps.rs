//! A move that is known by where it starts and where it ends, and its text.

use marquis_core::Cell;

use crate::hex::Hex;

/// A move from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Where the piece stood.
    pub from: Cell,
    /// Where it stands afterwards.
    pub to: Cell,
}

/// Whether a move takes something off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing, written `-`.
    Nothing,
    /// At least one piece or bead, written `x`.
    Something,
}

impl Step {
    /// The move as players write it: `c4-c3`, `c1xc2`.
    #[must_use]
    pub fn text(self, board: &Hex, takes: Takes) -> String {
        let sign = if takes == Takes::Something { 'x' } else { '-' };
        format!("{}{sign}{}", board.name(self.from), board.name(self.to))
    }
}
