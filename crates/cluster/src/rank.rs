//! The numbers of ranks.

use std::fmt;

/// One of several equal workers, numbered from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(pub u32);

impl Rank {
    /// The rank that does work that only one may do.
    pub const FIRST: Self = Self(0);

    /// Its index in a list of all ranks.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}", self.0)
    }
}

/// The number of ranks; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ranks(u32);

impl Ranks {
    /// One rank, alone.
    pub const ONE: Self = Self(1);

    /// Creates it from a count; `None` for 0.
    #[must_use]
    pub const fn new(count: u32) -> Option<Self> {
        if count == 0 { None } else { Some(Self(count)) }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// All of them, in order.
    pub fn all(self) -> impl Iterator<Item = Rank> {
        (0..self.0).map(Rank)
    }
}
