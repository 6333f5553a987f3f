//! A move that is known by where it starts and where it ends, and its text.

use marquis_core::Cell;

use crate::hex::Hex;
use crate::notation::TextError;

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

/// The legal move that has this text.
///
/// # Errors
/// Names the `move` when no legal move is written so, and says which are.
pub fn find_move<M: Copy>(text: &str, legal: &[M], write: impl Fn(M) -> String) -> Result<M, TextError> {
    legal.iter().copied().find(|&mv| write(mv) == text).ok_or_else(|| {
        let known: Vec<String> = legal.iter().map(|&mv| write(mv)).collect();
        let expected = match known.len() {
            0 => "no move, for the game is over".to_owned(),
            1..=12 => format!("a legal move ({})", known.join(", ")),
            n => format!("one of the {n} legal moves ({}, …)", known[..12].join(", ")),
        };
        TextError::new("move", expected, text)
    })
}
