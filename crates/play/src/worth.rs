//! What a search computes with: estimates in the middle, and results that were seen to the end beyond them.

use std::ops::Neg;

use marquis_core::{Plies, Score, Value};
use marquis_eval::Leaning;

/// The value of a position to the player to move, as a search compares it.
///
/// Every proved win is greater than every estimate, a sooner one greater than a later one; losses are the mirror
/// image. Zero is even, or a draw; which of the two nobody can say, so no draw is ever proved by a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(i16);

/// Won at once; a ply later is worth one less.
const WON: i16 = 30_000;
/// Less than any proved win, more than any estimate.
const PROVED: i16 = 20_000;

impl Worth {
    /// Less than anything.
    pub const LEAST: Self = Self(-32_000);
    /// More than anything.
    pub const MOST: Self = Self(32_000);
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// The worth of a position that is so many plies below the root and whose score is known.
    #[must_use]
    pub const fn known(score: Score, ply: usize) -> Self {
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

    /// The estimate; a proved result is the surest one, which says less than there is to say.
    #[must_use]
    pub const fn leaning(self) -> Leaning {
        Leaning::new(self.0 as i32)
    }

    /// Whether this is a win or a loss that was seen to the end.
    #[inline]
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0 > PROVED || self.0 < -PROVED
    }

    /// The result that was seen to the end, and the plies to it from the root.
    #[must_use]
    pub const fn decided(self) -> Option<(Value, Plies)> {
        if self.0 > PROVED {
            Some((Value::Win, Plies((WON - self.0) as u16)))
        } else if self.0 < -PROVED {
            Some((Value::Loss, Plies((WON + self.0) as u16)))
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

    /// The same as a position so many plies below the root would say it of itself.
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

    /// What a position says of itself, as seen so many plies above it.
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

/// Plies from the root, as many as fit between a win and an estimate.
const fn below(plies: Plies, ply: usize) -> i16 {
    let plies = plies.0 as usize + ply;
    let most = (WON - PROVED) as usize - 1;
    ((if plies < most { plies } else { most }) as u16).cast_signed()
}

impl Neg for Worth {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}
