//! Squares, and positions as bit planes: bit `8·rank + file` of every word is one square, on every board size.

use std::fmt;

use marquis_core::{ByPlayer, Player, packed};

/// The most checkers of a colour.
pub const MAX_CHECKERS: u32 = 24;

/// The most files, and the most ranks.
pub const MAX_SIDE: u8 = 8;

/// The number of bits of the height of a stack.
const PLANES: usize = 5;

/// A square: file and rank, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square on `file` and `rank`, counted from 0.
    ///
    /// Panics if either is not below 8.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Self {
        assert!(file < MAX_SIDE && rank < MAX_SIDE, "no such square");
        Self(rank * 8 + file)
    }

    pub(super) const fn from_index(index: u32) -> Self {
        assert!(index < 64, "no such square");
        Self(index as u8)
    }

    /// The file, from 0 for `a`.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// The rank, from 0 for `1`.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    /// The file's letter and the rank's number: `c3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// Checkers of one colour on one square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Their owner.
    pub owner: Player,
    /// Their number: 1 to 24.
    pub height: u8,
}

/// All stacks, and the player to move.
///
/// At most 24 checkers a colour. Equal positions are equal in every bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub(super) stacks: ByPlayer<u64>,
    /// Plane `i` holds bit `i` of the height of the stack on each square.
    pub(super) heights: [u64; PLANES],
    pub(super) turn: Player,
}

packed!(Position { stacks: ByPlayer<u64>, heights: [u64; PLANES], turn: Player });

impl Position {
    /// The board without a checker.
    #[must_use]
    pub const fn empty(turn: Player) -> Self {
        Self { stacks: ByPlayer::new(0, 0), heights: [0; PLANES], turn }
    }

    /// The player to move.
    #[must_use]
    pub const fn turn(&self) -> Player {
        self.turn
    }

    /// The same without the checkers of the other player.
    pub(super) fn of_mover(mut self) -> Self {
        let own = self.stacks[self.turn];
        self.stacks[self.turn.opponent()] = 0;
        self.heights = self.heights.map(|plane| plane & own);
        self
    }

    /// The stack on a square; `None` if the square is empty.
    #[must_use]
    pub fn stack(&self, square: Square) -> Option<Stack> {
        let owner = Player::BOTH.into_iter().find(|&player| self.stacks[player] & square.bit() != 0)?;
        Some(Stack { owner, height: self.height(square) })
    }

    /// The squares on which two positions differ, by rising rank, then file.
    #[inline]
    pub fn differences(&self, other: &Self) -> impl Iterator<Item = Square> + use<> {
        let owners = (self.stacks.first ^ other.stacks.first) | (self.stacks.second ^ other.stacks.second);
        let planes = self.heights.iter().zip(&other.heights);
        let mut left = planes.fold(owners, |all, (a, b)| all | (a ^ b));
        std::iter::from_fn(move || {
            let square = (left != 0).then(|| Square::from_index(left.trailing_zeros()));
            left &= left.wrapping_sub(1);
            square
        })
    }

    /// The number of checkers of a player on the board.
    #[must_use]
    pub fn checkers(&self, player: Player) -> u32 {
        self.count_in(self.stacks[player])
    }

    /// The total of ranks that the checkers of a player have to go until they are off a board with `ranks` ranks.
    #[inline]
    #[must_use]
    pub fn ranks_to_go(&self, player: Player, ranks: u8) -> u32 {
        let of_rank = |rank: u8| {
            let steps = if player == Player::First { ranks - rank } else { rank + 1 };
            u32::from(steps) * self.count_in(self.stacks[player] & 0xFF << (8 * rank))
        };
        (0..ranks).map(of_rank).sum()
    }

    /// The number of checkers on the squares of the mask.
    pub(super) fn count_in(&self, mask: u64) -> u32 {
        self.heights.iter().zip(0..).map(|(plane, i)| (plane & mask).count_ones() << i).sum()
    }

    /// The height of the stack on a square, 0 if it is empty.
    #[inline]
    pub(super) fn height(&self, square: Square) -> u8 {
        self.heights
            .iter()
            .zip(0..)
            .fold(0, |height, (plane, i)| height | ((plane >> square.0 & 1) as u8) << i)
    }

    /// Puts a stack on an empty square.
    ///
    /// Panics if the square is not empty, the height is 0, or the owner would have more than 24 checkers.
    pub fn put(&mut self, square: Square, stack: Stack) {
        assert!(self.stack(square).is_none(), "{square} is not empty");
        let all = self.checkers(stack.owner) + u32::from(stack.height);
        assert!(stack.height > 0 && all <= MAX_CHECKERS, "a stack of {} on {square}", stack.height);
        self.stacks[stack.owner] |= square.bit();
        for (i, plane) in self.heights.iter_mut().enumerate() {
            *plane |= u64::from(stack.height >> i & 1) << square.0;
        }
    }

    /// Adds a checker on a square that is empty or the owner's.
    #[inline]
    pub(super) fn add_checker(&mut self, square: Square, owner: Player) {
        self.stacks[owner] |= square.bit();
        let mut carry = square.bit();
        for plane in &mut self.heights {
            let sum = *plane ^ carry;
            carry &= *plane;
            *plane = sum;
        }
    }

    /// Takes the top checker off a stack.
    #[inline]
    pub(super) fn take_checker(&mut self, square: Square, owner: Player) {
        let mut borrow = square.bit();
        let mut left = 0;
        for plane in &mut self.heights {
            let difference = *plane ^ borrow;
            borrow &= difference;
            *plane = difference;
            left |= difference;
        }
        if left & square.bit() == 0 {
            self.stacks[owner] &= !square.bit();
        }
    }

    /// Applies `f` to every word of the position.
    pub(super) fn map_words(&self, f: impl Fn(u64) -> u64) -> Self {
        Self { stacks: self.stacks.map(&f), heights: self.heights.map(&f), turn: self.turn }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} to move", self.turn)?;
        for square in (0..64).map(Square::from_index) {
            if let Some(stack) = self.stack(square) {
                write!(f, ", {square} {:?} {}", stack.owner, stack.height)?;
            }
        }
        Ok(())
    }
}
