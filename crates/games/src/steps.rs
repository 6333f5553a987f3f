//! A move identified by its start and its end, and its text.

use marquis_core::Cell;

use crate::hex::Hex;

/// A move from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// The cell of the piece before the move.
    pub from: Cell,
    /// The cell of the piece after the move.
    pub to: Cell,
}

/// Whether a move captures.
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
