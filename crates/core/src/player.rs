//! The two players, and a pair with one thing for each.

use std::ops::{Index, IndexMut};

/// One of the two players, named by the order of moves from the start position.
///
/// Squish, Flowish, Swish and Squeeze call the first player White, Squinch Red, Senet Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The player who moves first in the start position.
    First,
    /// The other player.
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
    /// The thing of [`Player::First`].
    pub first: T,
    /// The thing of [`Player::Second`].
    pub second: T,
}

impl<T> ByPlayer<T> {
    /// The pair of `first` and `second`.
    pub const fn new(first: T, second: T) -> Self {
        Self { first, second }
    }

    /// The pair of `player`'s thing `own` and the opponent's.
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

    /// Applies `f` to each.
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
