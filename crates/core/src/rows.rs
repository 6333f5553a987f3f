//! The ability of a game whose layers are matrices.

use std::ops::ControlFlow;

use crate::{Indexed, Slot, Value};

/// The number of a row in its layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(pub u64);

/// The number of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(pub u32);

/// A game whose layers are matrices: a row for the pieces of the player to move, a column for those of the other one.
///
/// The slot of a position is `row · columns + column`.
/// The position that *faces* it has the same pieces, and the other player is to move: he moves along the row as long as
/// he captures nothing.
pub trait Rowed: Indexed {
    /// The rows of a layer.
    type Rows<'g>: Rows<Layer = Self::Layer>
    where
        Self: 'g;

    /// The layer of the positions that face those of a layer; it is of the same component.
    fn facing(&self, layer: Self::Layer) -> Self::Layer;

    /// How many columns the rows of a layer have.
    fn columns(&self, layer: Self::Layer) -> u32 {
        self.rows(layer).columns()
    }

    /// The rows of a layer, with all that they have in common worked out.
    fn rows(&self, layer: Self::Layer) -> Self::Rows<'_>;

    /// About the bytes of the [`rows`](Self::rows) of a layer; the greatest number where they do not pay or
    /// must not be asked for.
    ///
    /// * `copies`: clones of them that are used side by side.
    fn rows_bytes(&self, layer: Self::Layer, copies: u64) -> u64;
}

/// The rows of a layer, of which one is looked at; clones look at rows of their own.
///
/// Columns are those of the row that was [entered](Self::enter) last. The player who moves is the one whose pieces are
/// the columns: all moves are of positions that face slots of the row.
pub trait Rows: Clone + Send + Sync {
    /// As that of [`Indexed`].
    type Layer;

    /// How many rows the layer has.
    fn count(&self) -> u64;

    /// How many columns each of them has.
    fn columns(&self) -> u32;

    /// Looks at a row below [`count`](Self::count).
    fn enter(&mut self, row: Row);

    /// Whether the slot in this column has a position.
    ///
    /// What is asked for next is asked of such columns alone.
    fn has_position(&self, column: Column) -> bool;

    /// Where the position is that faces the one in this column.
    fn facing(&self, column: Column) -> Slot;

    /// What the facing position is worth to who moves in it, where the game is over there.
    fn over(&self, column: Column) -> Option<Value>;

    /// Visits the columns that a move along the row leads to from the facing position, possibly more than once, until
    /// told to stop.
    fn along<B>(&self, column: Column, visit: impl FnMut(Column) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Visits layer and slot of the successors of the facing position that lie in child layers, until told to stop.
    fn leaving<B>(
        &self,
        column: Column,
        visit: impl FnMut(Self::Layer, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits the columns whose facing positions lead along the row to the position in this column, possibly more than
    /// once, or although the game is over there.
    fn back(&self, column: Column, visit: impl FnMut(Column));
}
