//! Values of a search: estimates in the middle, and proved results beyond them.

use std::ops::Neg;

use marquis_core::{Plies, Score, Value};
use marquis_eval::Leaning;

/// A value that a search has proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The value for the player to move; never a draw.
    pub value: Value,
    /// The winner can end the game within this number of plies; there may be a faster way.
    pub within: Plies,
}

impl Proved {
    /// The plies of a proved result whose length is unknown.
    pub const UNCOUNTED: Plies = Plies(u16::MAX);
}

/// The value of a position to the player to move, as a search compares it.
///
/// Every proved win is greater than every estimate, a faster one greater than a slower one; losses are the mirror
/// image. Zero is even or a draw; the search cannot distinguish the two, so it never proves a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(i16);

/// An immediate win; each ply subtracts one.
const WON: i16 = 30_000;
/// Between the estimates and the proved wins.
const PROVED: i16 = 20_000;
/// The maximum of counted plies; beyond it there is room for any line, so that a win never becomes an estimate.
const MOST_COUNTED: u16 = 9_000;

impl Worth {
    /// Less than anything.
    pub const LEAST: Self = Self(-32_000);
    /// More than anything.
    pub const MOST: Self = Self(32_000);
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// The worth of a position `ply` plies below the root whose score is known.
    #[must_use]
    pub fn known(score: Score, ply: usize) -> Self {
        match score {
            Score::Win(plies) => Self(WON - below(plies, ply)),
            Score::Draw => Self::DRAW,
            Score::Loss(plies) => Self(below(plies, ply) - WON),
        }
    }

    /// The worth of an estimate.
    #[inline]
    #[must_use]
    pub const fn estimate(leaning: Leaning) -> Self {
        Self(leaning.hundredths() as i16)
    }

    /// The estimate; for a proved result, the extreme one, which loses information.
    #[must_use]
    pub const fn leaning(self) -> Leaning {
        Leaning::new(self.0 as i32)
    }

    /// Whether this is a proved win or loss.
    #[inline]
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0 > PROVED || self.0 < -PROVED
    }

    /// The proved result, and the plies to it from the root.
    #[must_use]
    pub fn decided(self) -> Option<(Value, Plies)> {
        let counted = |plies: i16| {
            if plies.cast_unsigned() < MOST_COUNTED {
                Plies(plies.cast_unsigned())
            } else {
                Proved::UNCOUNTED
            }
        };
        if self.0 > PROVED {
            Some((Value::Win, counted(WON - self.0)))
        } else if self.0 < -PROVED {
            Some((Value::Loss, counted(WON + self.0)))
        } else {
            None
        }
    }

    /// The next greater worth.
    #[inline]
    #[must_use]
    pub const fn above(self) -> Self {
        Self(self.0 + 1)
    }

    /// Converts from the root to a position `ply` plies below it.
    #[inline]
    #[must_use]
    pub(crate) const fn seen_from_here(self, ply: usize) -> Self {
        if self.0 > PROVED {
            Self(self.0 + (ply as u16).cast_signed())
        } else if self.0 < -PROVED {
            Self(self.0 - (ply as u16).cast_signed())
        } else {
            self
        }
    }

    /// Converts from a position to the root `ply` plies above it.
    #[inline]
    #[must_use]
    pub(crate) const fn seen_from_root(self, ply: usize) -> Self {
        if self.0 > PROVED {
            Self(self.0 - (ply as u16).cast_signed())
        } else if self.0 < -PROVED {
            Self(self.0 + (ply as u16).cast_signed())
        } else {
            self
        }
    }
}

/// Plies from the root, as far as they are counted.
fn below(plies: Plies, ply: usize) -> i16 {
    (plies.0.min(MOST_COUNTED) + ply as u16).cast_signed()
}

impl Neg for Worth {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}
