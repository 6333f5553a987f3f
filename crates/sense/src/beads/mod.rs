//! The inputs of Swish and Squeeze: cells, triangles and lines of three, missing beads, rooks.

use std::marker::PhantomData;

use marquis_core::{ByPlayer, Cell, Cells, Immobile, Player, TextError};
use marquis_eval::file::WeightsIdentity;
use marquis_eval::{Digits, Inputs, Shape, TERMS, Terms};
use marquis_games::beads::{BeadGame, Beads, Capture, Leap, Move, Position, Sandwich};
use marquis_games::hex::Side;
use marquis_games::steps::Step;
use marquis_play::arena::Openings;
use marquis_play::{Guide, Ladder};
use marquis_train::Lesson;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::hexagon;
use crate::lessons::LessonVisitor;
use crate::schooled::{Board, Embedded, Schooled, ladder_of, schooled};

/// The sense of a game of rooks and beads: inputs, terms, and move ordering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sense<R>(PhantomData<fn() -> R>);

/// Numbers below these are distinguished.
const MISSING: u8 = 16;
const ROOKS: u8 = 4;
const PHASES: u8 = 4;
/// With at least this many beads on the board a game is in its first phase.
const FULL: u32 = 16;

impl<R: Capture> Sense<R> {
    fn missing(rules: &BeadGame<R>, position: &Position, player: Player) -> u32 {
        u32::from(rules.target().0.saturating_sub(position.stores[player].0))
    }

    fn counters(rules: &BeadGame<R>, position: &Position, digits: &mut Digits) {
        let cells = rules.board().count() as usize;
        for player in Player::BOTH {
            let missing = Self::missing(rules, position, player).min(u32::from(MISSING) - 1);
            digits[cells + player as usize] = missing as u8;
            let rooks = position.rooks[player].len().min(u32::from(ROOKS) - 1);
            digits[cells + 2 + player as usize] = rooks as u8;
        }
        let phase = position.beads.len() * u32::from(PHASES - 1) / FULL;
        digits[cells + 4] = phase.min(u32::from(PHASES) - 1) as u8;
    }

    #[inline]
    fn digit(position: &Position, cell: Cell) -> u8 {
        if position.beads.contains(cell) {
            1
        } else if position.rooks.first.contains(cell) {
            2
        } else {
            3 * u8::from(position.rooks.second.contains(cell))
        }
    }
}

impl<R: Capture> Inputs for Sense<R> {
    type Rules = BeadGame<R>;
    type Position = Position;
    const VERSION: u32 = 1;

    fn shape(rules: &BeadGame<R>) -> Shape {
        // A cell is empty, holds a bead (both neutral), or holds a rook.
        hexagon::shape(rules.board(), 2, &[MISSING, ROOKS], [], PHASES)
    }

    fn describe(rules: &BeadGame<R>, position: &Position, digits: &mut Digits) {
        for cell in rules.board().all() {
            digits[cell.index()] = Self::digit(position, cell);
        }
        Self::counters(rules, position, digits);
    }

    #[inline]
    fn redescribe(rules: &BeadGame<R>, before: &Position, after: &Position, digits: &mut Digits) {
        let rooks = (before.rooks.first ^ after.rooks.first) | (before.rooks.second ^ after.rooks.second);
        for cell in rooks | (before.beads ^ after.beads) {
            digits[cell.index()] = Self::digit(after, cell);
        }
        Self::counters(rules, after, digits);
    }
}

impl<R: Capture> Terms for Sense<R> {
    type Rules = BeadGame<R>;
    const WEIGHTS: [i32; TERMS] = [35, 90, 2, 30, 0, 0, 0, 0];

    fn terms(rules: &BeadGame<R>, position: &Position) -> [i32; TERMS] {
        let (turn, other) = (position.turn, position.turn.opponent());
        let missing = |player| Self::missing(rules, position, player).cast_signed();
        let rooks = |player| position.rooks[player].len().cast_signed();
        let vacant = position.occupied();
        let board = rules.board();
        let free = |player| {
            let cells = { position.rooks[player] }.map(|rook| board.open_around(rook, vacant).len());
            cells.sum::<u32>().cast_signed()
        };
        let (missing, rooks) = (missing(other) - missing(turn), rooks(turn) - rooks(other));
        [missing, rooks, free(turn) - free(other), 1, 0, 0, 0, 0]
    }
}

/// Ladders that differ from the plain one, measured on the full game: `tests/strength/LEVELS.md`.
const LADDERS: [(&str, Ladder); 1] = [(
    Sandwich::ID,
    Ladder::new([(1, 200.0), (1, 32.0), (10, 24.0), (50, 22.0), (150, 11.0), (450, 6.0), (1_300, 3.0)]),
)];

impl<R: Capture> Guide<BeadGame<R>> for Sense<R> {
    const REPEATS: bool = true;
    const LOOKS_PAST: u8 = 4;

    fn ladder(&self, _: &BeadGame<R>) -> Ladder {
        ladder_of(&LADDERS, R::ID)
    }

    #[inline]
    fn kind(&self, _: &BeadGame<R>, _: &Position, mv: Move) -> usize {
        match mv {
            Move::Rook(Step { from, to }) => from.index() * 64 + to.index(),
            Move::Pass => 0,
        }
    }

    #[inline]
    fn is_noisy(&self, rules: &BeadGame<R>, position: &Position, mv: Move) -> bool {
        match mv {
            Move::Rook(step) => !R::captured(rules.board(), position, step).is_empty(),
            Move::Pass => false,
        }
    }
}

impl<R: Capture> Schooled for BeadGame<R> {
    type Sense = Sense<R>;

    /// The winning store is not part of it: only the number of missing beads counts.
    fn schooling(&self) -> Board {
        let variant = format!("side={}", self.side().get());
        Board { game: R::ID, variant, version: <Sense<R> as Inputs>::VERSION }
    }
}

/// The full game of rooks and beads, from random set-ups.
#[derive(Clone, Debug)]
pub struct BeadLesson<R> {
    rules: BeadGame<R>,
    board: Board,
}

/// The rooks of each colour, and the beads, in the full game.
const FULL_ROOKS: usize = 3;
const FULL_BEADS: usize = 19;

impl<R: Capture> BeadLesson<R> {
    /// The game on the full board.
    #[must_use]
    pub fn new() -> Self {
        let rules = BeadGame::new(Side::MAX, Beads(FULL_BEADS as u16 / 2 + 1), Immobile::Loss);
        Self { rules, board: rules.schooling() }
    }
}

impl<R: Capture> Default for BeadLesson<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Capture> Openings<BeadGame<R>> for BeadLesson<R> {
    fn begin(&self, random: &mut SmallRng) -> (BeadGame<R>, Position) {
        let board = self.rules.board();
        let edge: Vec<Cell> = board.edge().collect();
        let inner: Vec<Cell> = (board.all() - board.edge()).collect();
        let rooks: Vec<Cell> = edge.sample(random, 2 * FULL_ROOKS).copied().collect();
        let (first, second) = rooks.split_at(FULL_ROOKS);
        let set = |cells: &[Cell]| cells.iter().copied().collect::<Cells>();
        let beads = inner.sample(random, FULL_BEADS).copied().collect();
        let rooks = ByPlayer::new(set(first), set(second));
        (self.rules, Position { rooks, beads, stores: ByPlayer::default(), turn: Player::First })
    }

    fn plies(&self) -> (u32, u32) {
        (0, 8)
    }
}

impl<R: Capture> Lesson for BeadLesson<R> {
    type Game = BeadGame<R>;
    type Sense = Sense<R>;

    fn rules(&self) -> BeadGame<R> {
        self.rules
    }

    fn identity(&self) -> WeightsIdentity<'_> {
        self.board.identity()
    }

    fn parse(&self, text: &str) -> Result<(BeadGame<R>, Position), TextError> {
        BeadGame::parse(text, Immobile::Loss)
    }

    fn longest(&self) -> usize {
        120
    }
}

/// The weights built into the program.
pub(crate) const EMBEDDED: [Embedded; 2] = [
    ("squeeze-5", include_bytes!("../../weights/squeeze-5.net")),
    ("swish-5", include_bytes!("../../weights/swish-5.net")),
];

/// The board of this game and size, and its shape.
pub(crate) fn board(game: &str, size: &str) -> Option<(Board, Shape)> {
    let side = Side::new(size.parse().ok()?)?;
    match game {
        "swish" => Some(schooled(&BeadGame::<Leap>::new(side, Beads::default(), Immobile::Loss))),
        "squeeze" => Some(schooled(&BeadGame::<Sandwich>::new(side, Beads::default(), Immobile::Loss))),
        _ => None,
    }
}

/// Runs `what` with the course of one of these games on the full board.
///
/// # Errors
/// Returns `what` if the game is of another family or has no such board.
pub fn visit_lesson<V: LessonVisitor>(game: &str, size: Option<&str>, what: V) -> Result<V::Output, V> {
    match (game, size.unwrap_or("5")) {
        ("swish", "5") => Ok(what.visit(&BeadLesson::<Leap>::new())),
        ("squeeze", "5") => Ok(what.visit(&BeadLesson::<Sandwich>::new())),
        _ => Err(what),
    }
}
