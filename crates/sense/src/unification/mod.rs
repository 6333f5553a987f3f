//! The inputs of Squish and Flowish: cells, triangles and lines of three, groups, and the distances between the
//! pieces of a side.

use std::marker::PhantomData;

use marquis_core::{Cell, Cells, Game as _, Player, TextError};
use marquis_eval::file::WeightsIdentity;
use marquis_eval::{Digits, Inputs, Shape, TERMS, Terms};
use marquis_games::hex::Side;
use marquis_games::steps::Step;
use marquis_games::unification::{Approach, Flow, Gathering, Position, Stepping, Unification};
use marquis_play::arena::Openings;
use marquis_play::{Guide, Ladder};
use marquis_train::Lesson;
use rand::rngs::SmallRng;

use crate::hexagon;
use crate::lessons::LessonVisitor;
use crate::schooled::{Board, Embedded, Schooled, ladder_of, schooled};

/// The sense of a game of unification: inputs, terms, and move ordering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sense<R>(PhantomData<fn() -> R>);

/// Numbers below these are distinguished: groups minus one, steps to gather, pieces.
const APART: u8 = 9;
const STEPS: u8 = 24;
const PIECES: u8 = 24;
const PHASES: u8 = 4;
/// The counters after the cells: two of each, the first player's first.
const COUNTERS: [u8; 3] = [APART, STEPS, PIECES];

fn pieces_at_start(side: Side) -> u32 {
    let cells = side.board().count();
    2 * (cells / 3)
}

impl<R: Stepping> Sense<R> {
    fn count(rules: &Unification<R>, position: &Position, player: Player, digits: &mut Digits) {
        let board = rules.board();
        let pieces = position.pieces[player];
        let Gathering { groups, steps, .. } = Gathering::of(board, pieces);
        let mut slot = board.count() as usize + player as usize;
        for (number, states) in [groups.saturating_sub(1), steps, pieces.len()].into_iter().zip(COUNTERS) {
            digits[slot] = number.min(u32::from(states) - 1) as u8;
            slot += 2;
        }
    }

    #[inline]
    fn digit(position: &Position, cell: Cell) -> u8 {
        if position.pieces.first.contains(cell) {
            1
        } else {
            2 * u8::from(position.pieces.second.contains(cell))
        }
    }

    fn phase(rules: &Unification<R>, position: &Position, digits: &mut Digits) {
        let pieces = position.pieces.first.len() + position.pieces.second.len();
        let most = pieces_at_start(rules.side()) + 1;
        let slot = rules.board().count() as usize + 2 * COUNTERS.len();
        digits[slot] = (pieces * u32::from(PHASES) / most).min(u32::from(PHASES) - 1) as u8;
    }
}

impl<R: Stepping> Inputs for Sense<R> {
    type Rules = Unification<R>;
    type Position = Position;
    const VERSION: u32 = 1;

    fn shape(rules: &Unification<R>) -> Shape {
        let board = rules.board();
        let cells = board.count() as u8;
        let groups_and_steps = [vec![cells, cells + 2], vec![cells + 1, cells + 3]];
        hexagon::shape(board, 1, &COUNTERS, groups_and_steps, PHASES)
    }

    fn describe(rules: &Unification<R>, position: &Position, digits: &mut Digits) {
        for cell in rules.board().all() {
            digits[cell.index()] = Self::digit(position, cell);
        }
        for player in Player::BOTH {
            Self::count(rules, position, player, digits);
        }
        Self::phase(rules, position, digits);
    }

    #[inline]
    fn redescribe(rules: &Unification<R>, before: &Position, after: &Position, digits: &mut Digits) {
        let mut changed = Cells::EMPTY;
        for player in Player::BOTH {
            let moved = before.pieces[player] ^ after.pieces[player];
            changed |= moved;
            if !moved.is_empty() {
                Self::count(rules, after, player, digits);
            }
        }
        for cell in changed {
            digits[cell.index()] = Self::digit(after, cell);
        }
        Self::phase(rules, after, digits);
    }
}

impl<R: Stepping> Terms for Sense<R> {
    type Rules = Unification<R>;
    const WEIGHTS: [i32; TERMS] = [40, 25, -5, 30, 0, 0, 0, 0];

    fn terms(rules: &Unification<R>, position: &Position) -> [i32; TERMS] {
        let turn = rules.turn(position);
        let own = Gathering::of(rules.board(), position.pieces[turn]);
        let other = Gathering::of(rules.board(), position.pieces[turn.opponent()]);
        let more = |own: u32, other: u32| own.cast_signed() - other.cast_signed();
        let steps = more(other.steps, own.steps);
        let apart = more(other.groups, own.groups);
        let pieces = more(position.pieces[turn].len(), position.pieces[turn.opponent()].len());
        [steps, apart, pieces, 1, 0, 0, 0, 0]
    }
}

/// Measured on side 4: `tests/strength/LEVELS.md`.
const LADDERS: [(&str, Ladder); 2] = [
    (
        Approach::ID,
        Ladder::new([(1, 200.0), (1, 75.0), (1, 40.0), (25, 40.0), (60, 21.0), (200, 10.0), (1_000, 4.0)]),
    ),
    (
        Flow::ID,
        Ladder::new([(1, 400.0), (1, 110.0), (1, 20.0), (40, 26.0), (130, 12.0), (370, 6.0), (1_000, 3.0)]),
    ),
];

impl<R: Stepping> Guide<Unification<R>> for Sense<R> {
    const REPEATS: bool = true;

    fn ladder(&self, _: &Unification<R>) -> Ladder {
        ladder_of(&LADDERS, R::ID)
    }

    #[inline]
    fn kind(&self, _: &Unification<R>, _: &Position, Step { from, to }: Step) -> usize {
        from.index() * 64 + to.index()
    }
}

impl<R: Stepping> Schooled for Unification<R> {
    type Sense = Sense<R>;

    fn schooling(&self) -> Board {
        let variant = format!("side={}", self.side().get());
        Board { game: R::ID, variant, version: <Sense<R> as Inputs>::VERSION }
    }
}

/// A game of unification on one board, from its start.
#[derive(Clone, Debug)]
pub struct UnificationLesson<R> {
    rules: Unification<R>,
    board: Board,
}

impl<R: Stepping> UnificationLesson<R> {
    /// The game on the board with this side.
    #[must_use]
    pub fn new(side: Side) -> Self {
        let rules = Unification::new(side);
        Self { rules, board: rules.schooling() }
    }
}

impl<R: Stepping> Openings<Unification<R>> for UnificationLesson<R> {
    fn begin(&self, _: &mut SmallRng) -> (Unification<R>, Position) {
        (self.rules, self.rules.start())
    }

    fn plies(&self) -> (u32, u32) {
        (2, 9)
    }
}

impl<R: Stepping> Lesson for UnificationLesson<R> {
    type Game = Unification<R>;
    type Sense = Sense<R>;

    fn rules(&self) -> Unification<R> {
        self.rules
    }

    fn identity(&self) -> WeightsIdentity<'_> {
        self.board.identity()
    }

    fn parse(&self, text: &str) -> Result<(Unification<R>, Position), TextError> {
        Unification::parse(text)
    }
}

/// The weights built into the program.
pub(crate) const EMBEDDED: [Embedded; 3] = [
    ("flowish-4", include_bytes!("../../weights/flowish-4.net")),
    ("flowish-5", include_bytes!("../../weights/flowish-5.net")),
    ("squish-4", include_bytes!("../../weights/squish-4.net")),
];

/// The board of this game and size, and its shape.
pub(crate) fn board(game: &str, size: &str) -> Option<(Board, Shape)> {
    let side = Side::new(size.parse().ok()?)?;
    match game {
        "squish" => Some(schooled(&Unification::<Approach>::new(side))),
        "flowish" => Some(schooled(&Unification::<Flow>::new(side))),
        _ => None,
    }
}

/// Runs `what` with the course of one of these games.
///
/// * `size`: the side; `None` means 4.
///
/// # Errors
/// Returns `what` if the game is of another family or there is no such board.
pub fn visit_lesson<V: LessonVisitor>(game: &str, size: Option<&str>, what: V) -> Result<V::Output, V> {
    match (game, size.unwrap_or("4").parse().ok().and_then(Side::new)) {
        ("squish", Some(side)) => Ok(what.visit(&UnificationLesson::<Approach>::new(side))),
        ("flowish", Some(side)) => Ok(what.visit(&UnificationLesson::<Flow>::new(side))),
        _ => Err(what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_a_start_are_those_between_neighbours() {
        // Six pieces need five steps to join, and likewise on larger boards.
        for (side, steps) in [(3, 5), (4, 11)] {
            let rules = Unification::<Approach>::new(Side::new(side).unwrap());
            let pieces = rules.start().pieces.first;
            let gathering = Gathering::of(rules.board(), pieces);
            assert_eq!((gathering.groups, pieces.len()), (steps + 1, steps + 1), "{side}");
            assert!(gathering.steps >= steps, "{gathering:?}");
        }
    }
}
