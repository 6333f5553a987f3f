//! Throws, moves, play and end.

use marquis_core::{ByPlayer, Cell, Cells, Chance, Over, Player, Reason, Throw};

use super::{MOST, SQUARES, Scurry};

/// The throws of the die. Weights in sixths.
pub const THROWS: [Throw; 3] =
    [Throw { score: 1, weight: 3 }, Throw { score: 2, weight: 2 }, Throw { score: 3, weight: 1 }];

/// The pieces of a player that are not borne off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side {
    /// The squares with a piece on them: cell `i` is square `i + 1`.
    pub track: Cells,
    /// The number of pieces at home.
    pub home: u8,
}

impl Side {
    /// All pieces at home.
    pub(super) const fn at_home(pieces: u8) -> Self {
        Self { track: Cells::EMPTY, home: pieces }
    }

    /// The number of pieces that are not borne off.
    #[must_use]
    pub const fn pieces(self) -> u8 {
        self.home + self.track.len() as u8
    }
}

/// The pieces of both players, and the player to throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The pieces; no square has two of them.
    pub sides: ByPlayer<Side>,
    /// The player to throw.
    pub turn: Player,
}

/// The origin of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// From home.
    Home,
    /// From a square.
    Square(Cell),
}

impl Origin {
    /// The number of the square, 0 for home.
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::Home => 0,
            Self::Square(cell) => cell.0 + 1,
        }
    }
}

/// The move of one piece by a throw, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// To an empty square.
    Step(Origin, Cell),
    /// To a square with a piece of the opponent, which goes home.
    Bump(Origin, Cell),
    /// Off the track.
    Off(Origin),
    /// No piece can move.
    Pass,
}

/// Whether the player throws again after this throw.
#[must_use]
pub const fn throws_again(throw: Throw) -> bool {
    throw.score == 1
}

impl Scurry {
    /// All pieces at home, Red to throw.
    #[must_use]
    pub const fn start(self) -> Position {
        Position { sides: ByPlayer::new(Side::at_home(MOST), Side::at_home(MOST)), turn: Player::First }
    }

    /// The move of a piece by `squares` squares; `None` if a piece of its side or the end of the track blocks it.
    fn forward(position: &Position, from: Origin, squares: u8) -> Option<Move> {
        let to = from.number() + squares;
        if to > SQUARES {
            return (to == SQUARES + 1).then_some(Move::Off(from));
        }
        let to = Cell(to - 1);
        if position.sides[position.turn].track.contains(to) {
            return None;
        }
        let bumps = position.sides[position.turn.opponent()].track.contains(to);
        Some(if bumps { Move::Bump(from, to) } else { Move::Step(from, to) })
    }
}

impl Chance for Scurry {
    type Position = Position;
    type Move = Move;

    fn throws(&self) -> &[Throw] {
        &THROWS
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Over> {
        let winner = Player::BOTH.into_iter().find(|&player| position.sides[player].pieces() == 0)?;
        Some(Over::won(Reason::BorneOff, winner))
    }

    /// The piece from home comes first, then the others by ascending square.
    fn moves(&self, position: &Position, throw: Throw, out: &mut Vec<Move>) {
        let own = position.sides[position.turn];
        let home = (own.home > 0).then_some(Origin::Home);
        let pieces = home.into_iter().chain(own.track.map(Origin::Square));
        let before = out.len();
        out.extend(pieces.filter_map(|from| Self::forward(position, from, throw.score)));
        if out.len() == before {
            out.push(Move::Pass);
        }
    }

    fn play(&self, position: &Position, throw: Throw, mv: Move) -> Position {
        let (turn, mut after) = (position.turn, *position);
        let own = &mut after.sides[turn];
        if let Move::Step(from, _) | Move::Bump(from, _) | Move::Off(from) = mv {
            match from {
                Origin::Home => own.home -= 1,
                Origin::Square(cell) => own.track = own.track.without(cell),
            }
        }
        if let Move::Step(_, to) | Move::Bump(_, to) = mv {
            own.track = own.track.with(to);
        }
        if let Move::Bump(_, to) = mv {
            let enemies = &mut after.sides[turn.opponent()];
            *enemies = Side { track: enemies.track.without(to), home: enemies.home + 1 };
        }
        if !throws_again(throw) {
            after.turn = turn.opponent();
        }
        after
    }

    fn swapped(&self, position: &Position) -> Position {
        Position { sides: position.sides.swapped(), turn: position.turn.opponent() }
    }
}
