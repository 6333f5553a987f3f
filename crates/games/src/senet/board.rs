//! Squares, sets of squares as bits, and positions.

use std::fmt;

use marquis_core::{ByPlayer, Player};

/// The number of squares of the track.
pub const SQUARES: u8 = 30;

/// The most pieces that a player may have.
pub const MAX_PIECES: u32 = 5;

/// The square of water, from which a piece starts again; no piece rests here.
pub const WATER: Square = Square(27);

/// The last square, from which a piece is borne off at once; no piece rests here.
pub const LAST: Square = Square(30);

/// A square of the track, by its number, 1 to 30.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square of this number; `None` unless it is 1 to 30.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= SQUARES { Some(Self(number)) } else { None }
    }

    /// The number, 1 to 30.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The square `steps` steps farther on; `None` beyond the last.
    #[must_use]
    pub const fn onward(self, steps: u8) -> Option<Self> {
        Self::new(self.0.saturating_add(steps))
    }

    /// The square `steps` steps back; `None` before the first.
    #[must_use]
    pub const fn back(self, steps: u8) -> Option<Self> {
        Self::new(self.0.saturating_sub(steps))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of squares: bit `i` is square `i + 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set(u32);

impl Set {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// The squares on which a piece can rest: all but the water and the last.
    pub const RESTING: Self = Self((1 << SQUARES) - 1).without(WATER).without(LAST);

    /// The squares 21 to 30.
    pub const LAST_ROW: Self = Self(0x3ff << 20);

    /// The squares on which a lone piece is safe: 26, 28 and 29.
    pub const HOUSES: Self = Self(1 << 25 | 1 << 27 | 1 << 28);

    /// The set with these bits; bits past the thirtieth are dropped.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << SQUARES) - 1))
    }

    /// Bit `i` is square `i + 1`.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The number of squares.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether there is no square.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the square is one of them.
    #[inline]
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> (square.0 - 1) & 1 != 0
    }

    /// The set with the square.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << (square.0 - 1))
    }

    /// The set without the square.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << (square.0 - 1)))
    }

    /// The squares of either.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The squares of both.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns whether every square is one of `other`.
    #[inline]
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns whether a square next to this one, on either side along the track, is one of them.
    #[inline]
    #[must_use]
    pub const fn has_neighbour_of(self, square: Square) -> bool {
        let bit = 1 << (square.0 - 1);
        self.0 & (bit << 1 | bit >> 1) != 0
    }

    /// Returns whether three squares in a row, all strictly between `low` and `high`, are in the set.
    #[inline]
    #[must_use]
    pub const fn has_row_between(self, low: Square, high: Square) -> bool {
        // Bits `low.0` up to, not including, `high.0 - 1`: the squares after `low` and before `high`.
        let between = ((1_u32 << (high.0 - 1)) - 1) & !((1_u32 << low.0) - 1);
        let inside = self.0 & between;
        inside & inside >> 1 & inside >> 2 != 0
    }

    /// The lowest square that is not in the set.
    ///
    /// Panics if there is none; two players have too few pieces for that.
    #[inline]
    #[must_use]
    pub const fn lowest_free(self) -> Square {
        let free = self.0.trailing_ones() as u8 + 1;
        assert!(free <= SQUARES, "no square is free");
        Square(free)
    }

    /// The squares, by rising number.
    #[inline]
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let square = (left != 0).then(|| Square(left.trailing_zeros() as u8 + 1));
            left &= left.wrapping_sub(1);
            square
        })
    }
}

/// The squares of all pieces, and the player to throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub(super) pieces: ByPlayer<Set>,
    pub(super) turn: Player,
}

impl Position {
    /// The position with these pieces.
    ///
    /// `None` if the sets meet, a piece would rest on 27 or 30, or a player has more than five.
    #[must_use]
    pub fn new(pieces: ByPlayer<Set>, turn: Player) -> Option<Self> {
        let fits = |set: Set| set.is_within(Set::RESTING) && set.len() <= MAX_PIECES;
        let apart = pieces.first.and(pieces.second).is_empty();
        (apart && fits(pieces.first) && fits(pieces.second)).then_some(Self { pieces, turn })
    }

    /// The squares of a player's pieces.
    #[must_use]
    pub fn pieces(&self, player: Player) -> Set {
        self.pieces[player]
    }

    /// The player to throw.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.turn
    }
}
