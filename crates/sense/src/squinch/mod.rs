//! The inputs of Squinch: heights on squares, pairs of neighbouring stacks, checkers left, and the ranks that they
//! have to go.

use marquis_core::{Player, TextError};
use marquis_eval::file::WeightsIdentity;
use marquis_eval::{Digits, Inputs, Shape, Slot, Swap, TERMS, Terms};
use marquis_games::squinch::{self as rules, Move, Position, Square};
use marquis_play::arena::Openings;
use marquis_play::{Guide, Ladder};
use marquis_train::Lesson;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::lessons::LessonVisitor;
use crate::schooled::{Board, Embedded, Schooled, schooled};

/// The sense of Squinch: inputs, terms, and move ordering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sense;

/// Heights below these are distinguished, alone and in pairs.
const HEIGHTS: u8 = 6;
const COARSE: u8 = 3;
/// Numbers below these are distinguished.
const CHECKERS: u8 = 25;
const RANKS_TO_GO: u8 = 25;
const PHASES: u8 = 5;
/// Differences up to these, in either direction, are distinguished: in ranks to go, and in checkers.
const LEAD: i32 = 24;
const FEWER: i32 = 6;

/// The counts of a side.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    checkers: u32,
    /// The ranks that all checkers have to go until they are off.
    to_go: u32,
}

fn squares(rules: rules::Squinch) -> impl Iterator<Item = Square> {
    (0..rules.ranks()).flat_map(move |rank| (0..rules.files()).map(move |file| Square::new(file, rank)))
}

fn number(rules: rules::Squinch, square: Square) -> usize {
    usize::from(square.rank()) * usize::from(rules.files()) + usize::from(square.file())
}

fn counts(rules: rules::Squinch, position: &Position) -> [Count; 2] {
    let mut counts = [Count::default(); 2];
    for square in position.differences(&Position::empty(position.turn())) {
        let Some(stack) = position.stack(square) else { continue };
        let ranks = match stack.owner {
            Player::First => rules.ranks() - square.rank(),
            Player::Second => square.rank() + 1,
        };
        let count = &mut counts[stack.owner as usize];
        count.checkers += u32::from(stack.height);
        count.to_go += u32::from(stack.height) * u32::from(ranks);
    }
    counts
}

impl Sense {
    /// The digits of a square, in fine and coarse form.
    fn square(rules: rules::Squinch, position: &Position, square: Square, digits: &mut Digits) {
        let number = number(rules, square);
        let squares = usize::from(rules.files()) * usize::from(rules.ranks());
        let (fine, coarse) = position.stack(square).map_or((0, 0), |stack| {
            let second = u8::from(stack.owner == Player::Second);
            let digit = |heights: u8| stack.height.min(heights) + second * heights;
            (digit(HEIGHTS), digit(COARSE))
        });
        digits[number] = fine;
        digits[squares + number] = coarse;
    }

    fn counters(rules: rules::Squinch, position: &Position, digits: &mut Digits) {
        let first = 2 * usize::from(rules.files()) * usize::from(rules.ranks());
        let counts = counts(rules, position);
        let full = u32::from(rules.files()) * u32::from(rules.ranks());
        for (player, count) in counts.iter().enumerate() {
            digits[first + player] = count.checkers.min(u32::from(CHECKERS) - 1) as u8;
            let to_go = count.to_go * 8 / full;
            digits[first + 2 + player] = to_go.min(u32::from(RANKS_TO_GO) - 1) as u8;
        }
        let left = (counts[0].to_go + counts[1].to_go) * 8 / full;
        let phase = if rules.is_race(position) { 0 } else { 1 + (left / 10).min(u32::from(PHASES) - 2) };
        let lead = |first: u32, second: u32, most: i32| {
            (second.cast_signed() - first.cast_signed()).clamp(-most, most) + most
        };
        let [own, other] = counts;
        digits[first + 4] = lead(own.to_go, other.to_go, LEAD) as u8;
        digits[first + 5] = lead(own.checkers, other.checkers, FEWER) as u8;
        digits[first + 6] = phase as u8;
    }
}

impl Inputs for Sense {
    type Rules = rules::Squinch;
    type Position = Position;
    const VERSION: u32 = 2;

    fn shape(rules: &rules::Squinch) -> Shape {
        let (files, ranks) = (rules.files(), rules.ranks());
        let count = files * ranks;
        let at = |file: u8, rank: u8| rank * files + file;
        let mut slots = Vec::new();
        for (heights, offset) in [(HEIGHTS, 0), (COARSE, count)] {
            slots.extend(squares(*rules).map(|square| Slot {
                states: 1 + 2 * heights,
                opposite: offset + at(square.file(), ranks - 1 - square.rank()),
                swap: Swap::Owners { nobody: 1 },
            }));
        }
        let mut patterns: Vec<Vec<u8>> = (0..count).map(|square| vec![square]).collect();
        for square in squares(*rules) {
            for (across, onward) in [(1, 0), (-1, 1), (0, 1), (1, 1)] {
                let file = square.file().checked_add_signed(across).filter(|&file| file < files);
                let rank = Some(square.rank() + onward).filter(|&rank| rank < ranks);
                let pair =
                    |(file, rank)| vec![count + at(square.file(), square.rank()), count + at(file, rank)];
                patterns.extend(file.zip(rank).map(pair));
            }
        }
        for states in [CHECKERS, RANKS_TO_GO] {
            let first = slots.len() as u8;
            let counter = |opposite| Slot { states, opposite, swap: Swap::Same };
            slots.extend([counter(first + 1), counter(first)]);
            patterns.extend([vec![first], vec![first + 1], vec![first, first + 1]]);
        }
        let lead = slots.len() as u8;
        for (slot, most) in (lead..).zip([LEAD, FEWER]) {
            slots.push(Slot { states: 2 * most as u8 + 1, opposite: slot, swap: Swap::Turned });
        }
        let phase = slots.len() as u8;
        patterns.extend([vec![lead], vec![lead + 1], vec![lead, lead + 1], vec![lead, phase]]);
        slots.push(Slot { states: PHASES, opposite: phase, swap: Swap::Same });
        let mirrored = |offset: u8| {
            squares(*rules).map(move |square| offset + at(files - 1 - square.file(), square.rank()))
        };
        let mirror = mirrored(0).chain(mirrored(count)).chain(2 * count..=phase).collect();
        Shape { images: vec![(0..=phase).collect(), mirror], slots, patterns, phase }
    }

    fn describe(rules: &rules::Squinch, position: &Position, digits: &mut Digits) {
        for square in squares(*rules) {
            Self::square(*rules, position, square, digits);
        }
        Self::counters(*rules, position, digits);
    }

    #[inline]
    fn redescribe(rules: &rules::Squinch, before: &Position, after: &Position, digits: &mut Digits) {
        for square in before.differences(after) {
            Self::square(*rules, after, square, digits);
        }
        Self::counters(*rules, after, digits);
    }
}

impl Terms for Sense {
    type Rules = rules::Squinch;
    const WEIGHTS: [i32; TERMS] = [60, -60, 40, 0, 0, 0, 0, 0];

    fn terms(rules: &rules::Squinch, position: &Position) -> [i32; TERMS] {
        let counts = counts(*rules, position);
        let (own, other) = (counts[position.turn() as usize], counts[position.turn().opponent() as usize]);
        let less = |own: u32, other: u32| other.cast_signed() - own.cast_signed();
        [less(own.to_go, other.to_go), less(own.checkers, other.checkers), 1, 0, 0, 0, 0, 0]
    }
}

/// Measured on 6 by 6: `tests/strength/LEVELS.md`.
const LADDER: Ladder =
    Ladder::new([(1, 200.0), (1, 105.0), (1, 66.0), (1, 42.0), (30, 28.0), (120, 14.0), (800, 5.0)]);

impl Guide<rules::Squinch> for Sense {
    const REPEATS: bool = false;

    fn ladder(&self, _: &rules::Squinch) -> Ladder {
        LADDER
    }

    #[inline]
    fn kind(&self, _: &rules::Squinch, _: &Position, mv: Move) -> usize {
        let number = |square: Square| usize::from(square.rank()) * 8 + usize::from(square.file());
        match mv {
            Move::Step { from, to } => number(from) * 64 + number(to),
            Move::Off { from } => number(from) * 65,
            Move::Pass => 0,
        }
    }
}

impl Schooled for rules::Squinch {
    type Sense = Sense;

    fn schooling(&self) -> Board {
        let variant = format!("files={} ranks={}", self.files(), self.ranks());
        Board { game: "squinch", variant, version: Sense::VERSION }
    }
}

/// Squinch on one board, from starts with every number of filled ranks in a range.
#[derive(Clone, Debug)]
pub struct SquinchLesson {
    rules: rules::Squinch,
    /// The least and the most filled ranks.
    filled: [u8; 2],
    board: Board,
}

impl SquinchLesson {
    /// The game on this board, with at least `filled[0]` and at most `filled[1]` filled ranks.
    #[must_use]
    pub fn new(rules: rules::Squinch, filled: [u8; 2]) -> Self {
        Self { rules, filled, board: rules.schooling() }
    }
}

impl Openings<rules::Squinch> for SquinchLesson {
    fn begin(&self, random: &mut SmallRng) -> (rules::Squinch, Position) {
        let [least, most] = self.filled;
        let filled = random.random_range(least..=most);
        let start = self.rules.start(filled);
        (self.rules, start.expect("the board has room for as many ranks as the course says"))
    }

    fn plies(&self) -> (u32, u32) {
        (2, 11)
    }
}

impl Lesson for SquinchLesson {
    type Game = rules::Squinch;
    type Sense = Sense;

    fn rules(&self) -> rules::Squinch {
        self.rules
    }

    fn identity(&self) -> WeightsIdentity<'_> {
        self.board.identity()
    }

    fn parse(&self, text: &str) -> Result<(rules::Squinch, Position), TextError> {
        rules::parse(text)
    }

    /// Positions never repeat and draws do not exist; three hundred plies are not rare on the full board.
    fn longest(&self) -> usize {
        usize::MAX
    }
}

/// The weights built into the program.
pub(crate) const EMBEDDED: [Embedded; 2] = [
    ("squinch-6x6", include_bytes!("../../weights/squinch-6x6.net")),
    ("squinch-8x8", include_bytes!("../../weights/squinch-8x8.net")),
];

/// The board of this game and size, and its shape.
pub(crate) fn board(game: &str, size: &str) -> Option<(Board, Shape)> {
    let (files, ranks) = size.split_once('x')?;
    let board = || rules::Squinch::new(files.parse().ok()?, ranks.parse().ok()?);
    (game == "squinch").then(board).flatten().map(|board| schooled(&board))
}

/// Runs `what` with the course of this game.
///
/// * `size`: `6x6`, or `6` for the same; `None` means the full board.
///
/// # Errors
/// Returns `what` if it is another game or there is no such board.
pub fn visit_lesson<V: LessonVisitor>(game: &str, size: Option<&str>, what: V) -> Result<V::Output, V> {
    let size = size.unwrap_or("8");
    let (files, ranks) = size.split_once('x').unwrap_or((size, size));
    let numbers = files.parse().ok().zip(ranks.parse().ok()).filter(|_| game == "squinch");
    match numbers.and_then(|(files, ranks)| rules::Squinch::new(files, ranks)) {
        Some(board) => {
            let filled = if board == rules::Squinch::FULL { [3, 3] } else { [1, 2] };
            Ok(what.visit(&SquinchLesson::new(board, filled)))
        }
        None => Err(what),
    }
}
