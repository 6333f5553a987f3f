//! Code shared by Swish and Squeeze: the position with its stores, playing a move, and the end of the game.

use std::collections::BTreeSet;

use super::hexboard::{Cell, HexBoard};
use super::rows::{only_letter, opponent};
use super::{End, Moves};

/// The rule for a player without a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Immobile {
    /// The player loses.
    Loss,
    /// The player passes; if neither player can move, the game is a draw.
    Pass,
}

/// A board with rooks `w` and `b` and beads `o`, the player to move, the stores and the target.
#[derive(Clone, Debug)]
pub struct Position {
    /// The rooks and beads on the board.
    pub board: HexBoard,
    /// `w` or `b`.
    pub turn: char,
    /// Beads in White's store, then in Black's.
    pub stores: [usize; 2],
    /// The number of beads that wins.
    pub target: usize,
}

/// A slide or a leap: origin, destination, and the cells whose beads or rooks it captures.
pub struct Slide {
    /// The origin of the rook.
    pub from: Cell,
    /// The destination of the rook.
    pub to: Cell,
    /// The captured cells.
    pub captured: BTreeSet<Cell>,
}

impl Position {
    /// Parses a position with all four fields.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        assert_eq!(fields.len(), 4, "fields of {text:?}");
        let (white, black) = fields[2].split_once('-').expect("two stores");
        let number = |text: &str| text.parse::<usize>().expect("a number");
        Self {
            board: HexBoard::read(fields[0]),
            turn: only_letter(fields[1]),
            stores: [number(white), number(black)],
            target: number(fields[3]),
        }
    }

    /// The text of the position.
    #[must_use]
    pub fn write(&self) -> String {
        let [white, black] = self.stores;
        format!("{} {} {white}-{black} {}", self.board.write(), self.turn, self.target)
    }

    /// The other player.
    #[must_use]
    pub fn opponent(&self) -> char {
        opponent(['w', 'b'], self.turn)
    }

    /// The position with the other player to move.
    #[must_use]
    pub fn passed(&self) -> Self {
        Self { turn: self.opponent(), ..self.clone() }
    }

    fn store(&self, colour: char) -> usize {
        self.stores[usize::from(colour == 'b')]
    }

    /// The text of a move, and of the position after it.
    #[must_use]
    pub fn play(&self, slide: &Slide) -> (String, String) {
        let sign = if slide.captured.is_empty() { '-' } else { 'x' };
        let mut next = self.passed();
        next.board.pieces.remove(&slide.from);
        next.board.pieces.insert(slide.to, self.turn);
        for cell in &slide.captured {
            if next.board.pieces.remove(cell) == Some('o') {
                next.stores[usize::from(self.turn == 'b')] += 1;
            }
        }
        let text = format!("{}{sign}{}", self.board.name(slide.from), self.board.name(slide.to));
        (text, next.write())
    }
}

/// The moves of a position, including a forced pass, and the end of the game, given the rule for slides.
pub(super) fn judge(
    text: &str,
    immobile: Immobile,
    slides: impl Fn(&Position) -> Vec<Slide>,
) -> (Option<End>, Moves) {
    let position = Position::read(text);
    let end = |reason, value| (Some(End::new(reason, value)), Moves::new());
    if position.store(position.opponent()) >= position.target {
        return end("target", "loss");
    }
    if position.store(position.turn) >= position.target {
        return end("target", "win");
    }
    let moves: Moves = slides(&position).iter().map(|slide| position.play(slide)).collect();
    if !moves.is_empty() {
        return (None, moves);
    }
    match immobile {
        Immobile::Loss => end("stuck", "loss"),
        Immobile::Pass if slides(&position.passed()).is_empty() => end("stuck", "draw"),
        Immobile::Pass => (None, Moves::from([("pass".to_owned(), position.passed().write())])),
    }
}
