//! The two players, and a pair of things that belongs to them.

use std::ops::{Index, IndexMut};

/// One of the two players, by who moves first in the game's start position.
///
/// Squish, Flowish, Swish and Squeeze call the first player White, Squinch Red, Senet Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Who moves first in the start position.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other player.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// One thing for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByPlayer<T> {
    /// What belongs to [`Player::First`].
    pub first: T,
    /// What belongs to [`Player::Second`].
    pub second: T,
}

impl<T> ByPlayer<T> {
    /// The pair of `first` and `second`.
    pub const fn new(first: T, second: T) -> Self {
        Self { first, second }
    }

    /// The pair of what is `player`'s own and what is the opponent's.
    #[inline]
    pub fn of(player: Player, own: T, opponents: T) -> Self {
        match player {
            Player::First => Self::new(own, opponents),
            Player::Second => Self::new(opponents, own),
        }
    }

    /// The pair with the players exchanged.
    #[inline]
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { first: self.second, second: self.first }
    }

    /// The pair of what `f` makes of each.
    #[inline]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> ByPlayer<U> {
        ByPlayer { first: f(self.first), second: f(self.second) }
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;
    #[inline]
    fn index(&self, player: Player) -> &T {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::First => &mut self.first,
            Player::Second => &mut self.second,
        }
    }
}
