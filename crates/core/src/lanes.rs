//! Rows of a layer side by side, for games in which the moves along a row are the same for all rows.
//!
//! The cells of up to [`LANES`] rows are one vector for each set of the columns, so one instruction serves all rows.

use std::convert::Infallible;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::Range;

use crate::{Slot, Value};

/// The number of a row in its layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(pub u64);

/// The rows of a block.
pub const LANES: usize = 32;

/// The place of a row in its block, below [`LANES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lane(pub u8);

/// Some lanes of a block: bit `n` for lane `n`. Iterates in rising order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneSet(pub u32);

impl LaneSet {
    /// The first `count` lanes.
    #[must_use]
    pub const fn first(count: usize) -> Self {
        Self(if count < LANES { (1 << count) - 1 } else { u32::MAX })
    }

    /// Whether there is no lane.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this lane is one of them.
    #[inline]
    #[must_use]
    pub const fn contains(self, Lane(lane): Lane) -> bool {
        self.0 >> lane & 1 != 0
    }

    /// The lanes that are in both.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The lanes that are in one or both.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The lanes without those of another set.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Iterator for LaneSet {
    type Item = Lane;

    #[inline]
    fn next(&mut self) -> Option<Lane> {
        let lane = (!self.is_empty()).then(|| Lane(self.0.trailing_zeros() as u8));
        self.0 &= self.0.wrapping_sub(1);
        lane
    }
}

/// The number of a set of a row's columns among all sets, whether it meets the row's set or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SetRank(pub u32);

/// A layer in blocks of rows.
///
/// As in [`Rows`](crate::Rows), all moves are of positions that face those of a row: the pieces of the columns move.
pub trait Lanes: Sync {
    /// As that of [`Indexed`](crate::Indexed).
    type Layer: Copy + Ord + Hash + Send + Sync;
    /// The shared data of the rows of a block.
    type Block: Send + Sync;

    /// The number of sets, for columns of any row.
    fn sets(&self) -> u32;

    /// The sets after a move that captures nothing, if the row's set does not meet them.
    fn after(&self, set: SetRank) -> &[SetRank];

    /// A block of consecutive rows, at most [`LANES`].
    fn block(&self, rows: Range<u64>) -> Self::Block;

    /// The lanes whose set meets this one: here is no position.
    fn taken(&self, block: &Self::Block, set: SetRank) -> LaneSet;

    /// The lanes whose set has won: all positions that face those of the row are lost.
    fn lost(&self, block: &Self::Block) -> LaneSet;

    /// The value for the player to move in facing positions, if this set ends the game where the row's has not.
    fn end(&self, set: SetRank) -> Option<Value>;

    /// The layer below and the slot after a move to this set, which captures a piece of the row in this lane.
    fn below(&self, block: &Self::Block, lane: Lane, after: SetRank) -> (Self::Layer, Slot);

    /// Visits the row and the set, in the facing layer, of the positions that face this one: its images, if symmetries
    /// leave that row in place.
    fn facing(&self, block: &Self::Block, lane: Lane, set: SetRank, visit: impl FnMut(Row, SetRank));

    /// Visits the sets of a row's columns, each with that of its image that has a position, which is not greater.
    fn columns(&self, row: Row, visit: impl FnMut(SetRank, SetRank));
}

/// The lanes of a game in which moves differ from row to row.
#[derive(Clone, Copy, Debug)]
pub struct NoLanes<L>(Infallible, PhantomData<fn() -> L>);

impl<L: Copy + Ord + Hash + Send + Sync> Lanes for NoLanes<L> {
    type Layer = L;
    type Block = Infallible;

    fn sets(&self) -> u32 {
        match self.0 {}
    }

    fn after(&self, _: SetRank) -> &[SetRank] {
        match self.0 {}
    }

    fn block(&self, _: Range<u64>) -> Infallible {
        self.0
    }

    fn taken(&self, block: &Infallible, _: SetRank) -> LaneSet {
        match *block {}
    }

    fn lost(&self, block: &Infallible) -> LaneSet {
        match *block {}
    }

    fn end(&self, _: SetRank) -> Option<Value> {
        match self.0 {}
    }

    fn below(&self, block: &Infallible, _: Lane, _: SetRank) -> (L, Slot) {
        match *block {}
    }

    fn facing(&self, block: &Infallible, _: Lane, _: SetRank, _: impl FnMut(Row, SetRank)) {
        match *block {}
    }

    fn columns(&self, _: Row, _: impl FnMut(SetRank, SetRank)) {
        match self.0 {}
    }
}
