//! Code shared by Squish and Flowish: the position, a step, and the end of the game.

use super::hexboard::{Cell, HexBoard};
use super::rows::{only_letter, opponent};
use super::{End, Moves};

/// A board with white and black pieces, and the player to move.
#[derive(Clone, Debug)]
pub struct Position {
    /// The pieces `w` and `b`.
    pub board: HexBoard,
    /// `w` or `b`.
    pub turn: char,
}

impl Position {
    /// Parses a position.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        assert_eq!(fields.len(), 2, "fields of {text:?}");
        Self { board: HexBoard::read(fields[0]), turn: only_letter(fields[1]) }
    }

    /// The text of the position.
    #[must_use]
    pub fn write(&self) -> String {
        format!("{} {}", self.board.write(), self.turn)
    }

    /// The text of a step, and of the position after it.
    #[must_use]
    pub fn step(&self, from: Cell, to: Cell) -> (String, String) {
        let sign = if self.board.pieces.contains_key(&to) { 'x' } else { '-' };
        let mut next = self.clone();
        next.board.pieces.remove(&from);
        next.board.pieces.insert(to, self.turn);
        next.turn = opponent(['w', 'b'], self.turn);
        (format!("{}{sign}{}", self.board.name(from), self.board.name(to)), next.write())
    }

    /// The end of the game, given the moves of the player to move.
    #[must_use]
    pub fn end(&self, moves: &Moves) -> Option<End> {
        let other = opponent(['w', 'b'], self.turn);
        if self.board.groups(other).len() <= 1 {
            Some(End::new("unified", "loss"))
        } else if self.board.groups(self.turn).len() <= 1 {
            Some(End::new("unified", "win"))
        } else if moves.is_empty() {
            Some(End::new("stuck", "loss"))
        } else {
            None
        }
    }
}
