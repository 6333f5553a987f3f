//! Throws, moves, play and end.

use marquis_core::{ByPlayer, Chance, Over, Player, Reason, Throw};

use super::Senet;
use super::board::{LAST, Position, Set, Square, WATER};

/// The throws of four sticks: the score is the number of light sides, none counts 6. Weights in sixteenths.
pub const THROWS: [Throw; 5] = [
    Throw { score: 1, weight: 4 },
    Throw { score: 2, weight: 6 },
    Throw { score: 3, weight: 4 },
    Throw { score: 4, weight: 1 },
    Throw { score: 6, weight: 1 },
];

/// The throw of this score; `None` unless it is 1, 2, 3, 4 or 6.
#[must_use]
pub fn throw(score: u8) -> Option<Throw> {
    THROWS.into_iter().find(|throw| throw.score == score)
}

/// Returns whether a player who has *moved* on this throw throws again.
#[inline]
#[must_use]
pub const fn throws_again(throw: Throw) -> bool {
    matches!(throw.score, 1 | 4 | 6)
}

/// A move of one piece by a throw, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// To an empty square, forward or backward.
    Step {
        /// The square of the piece before the move.
        from: Square,
        /// The square after the move.
        to: Square,
    },
    /// Onto a lone enemy, which goes to the square that the piece left.
    Bump {
        /// The square of the piece before the move, and of the enemy after it.
        from: Square,
        /// The square of the piece after the move.
        to: Square,
    },
    /// Into the water, and so to the lowest free square.
    Water {
        /// The square of the piece before the move.
        from: Square,
        /// The square where it starts again.
        refuge: Square,
    },
    /// Onto the last square and off the board.
    Off {
        /// The square of the piece before the move.
        from: Square,
    },
    /// No piece can move.
    Pass,
}

impl Senet {
    /// The position after Black's forced first move from 10 to 11, with Black to throw.
    #[must_use]
    pub fn start(self) -> Position {
        let white = Set::from_bits(0b01_0101_0101);
        let black = Set::from_bits(0b100_1010_1010);
        Position { pieces: ByPlayer::new(black, white), turn: Player::First }
    }

    /// The move of a piece to an empty square: it stays there, or starts again from the water.
    #[inline]
    fn landing(position: &Position, from: Square, to: Square) -> Move {
        if to != WATER {
            return Move::Step { from, to };
        }
        let others = position.pieces.first.or(position.pieces.second).without(from);
        Move::Water { from, refuge: others.lowest_free() }
    }

    #[inline]
    pub(super) fn forward(position: &Position, from: Square, steps: u8) -> Option<Move> {
        let own = position.pieces[position.turn];
        let enemies = position.pieces[position.turn.opponent()];
        let to = from.onward(steps)?;
        if own.has(to) || enemies.has_row_between(from, to) {
            return None;
        }
        if to == LAST {
            return own.is_within(Set::LAST_ROW).then_some(Move::Off { from });
        }
        if !enemies.has(to) {
            return Some(Self::landing(position, from, to));
        }
        let safe = Set::HOUSES.has(to) || enemies.has_neighbour_of(to);
        (!safe).then_some(Move::Bump { from, to })
    }

    #[inline]
    fn backward(position: &Position, from: Square, steps: u8) -> Option<Move> {
        let own = position.pieces[position.turn];
        let enemies = position.pieces[position.turn.opponent()];
        let to = from.back(steps)?;
        let free = !own.or(enemies).has(to) && !enemies.has_row_between(to, from);
        free.then(|| Self::landing(position, from, to))
    }
}

impl Chance for Senet {
    type Position = Position;
    type Move = Move;

    fn throws(&self) -> &[Throw] {
        &THROWS
    }

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Over> {
        let players = [position.turn.opponent(), position.turn];
        let winner = players.into_iter().find(|&player| position.pieces[player].is_empty())?;
        Some(Over::won(Reason::BorneOff, winner))
    }

    /// By rising square of the moving piece.
    fn moves(&self, position: &Position, throw: Throw, out: &mut Vec<Move>) {
        let before = out.len();
        let own = position.pieces[position.turn];
        out.extend(own.squares().filter_map(|from| Self::forward(position, from, throw.score)));
        if out.len() == before {
            out.extend(own.squares().filter_map(|from| Self::backward(position, from, throw.score)));
        }
        if out.len() == before {
            out.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, position: &Position, throw: Throw, mv: Move) -> Position {
        let turn = position.turn;
        let mut after = *position;
        let own = &mut after.pieces[turn];
        match mv {
            Move::Step { from, to } | Move::Bump { from, to } => *own = own.without(from).with(to),
            Move::Water { from, refuge } => *own = own.without(from).with(refuge),
            Move::Off { from } => *own = own.without(from),
            Move::Pass => {}
        }
        if let Move::Bump { from, to } = mv {
            let enemies = &mut after.pieces[turn.opponent()];
            *enemies = enemies.without(to).with(from);
        }
        if mv == Move::Pass || !throws_again(throw) {
            after.turn = turn.opponent();
        }
        after
    }

    #[inline]
    fn swapped(&self, position: &Position) -> Position {
        Position { pieces: position.pieces.swapped(), turn: position.turn.opponent() }
    }
}
