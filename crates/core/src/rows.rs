//! The ability of a game whose layers are matrices.

use std::ops::ControlFlow;

use crate::{Indexed, Lanes, NoLanes, Row, Slot, Value};

/// The number of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(pub u32);

/// A game whose layers are matrices: a row for the pieces of the player to move, a column for those of the other one.
///
/// The slot of a position is `row · columns + column`. The position that *faces* it has the same pieces and the other
/// player to move, who moves along the row as long as he captures nothing.
pub trait Rowed: Indexed {
    /// The rows of a layer.
    type Rows<'g>: Rows<Layer = Self::Layer>
    where
        Self: 'g;

    /// The layer of the positions that face those of a layer; it is of the same component.
    fn facing(&self, layer: Self::Layer) -> Self::Layer;

    /// The number of columns in the rows of a layer.
    fn columns(&self, layer: Self::Layer) -> u32 {
        self.rows(layer).columns()
    }

    /// The rows of a layer, with everything that they share computed.
    fn rows(&self, layer: Self::Layer) -> Self::Rows<'_>;

    /// The number of [sets](Lanes::sets) for columns of a layer; `None` if solving its rows side by side does not pay.
    fn sets(&self, layer: Self::Layer) -> Option<u64> {
        let _ = layer;
        None
    }

    /// The rows of a layer side by side, if it has [`sets`](Self::sets).
    fn lanes(&self, layer: Self::Layer) -> Option<impl Lanes<Layer = Self::Layer>> {
        let _ = layer;
        None::<NoLanes<Self::Layer>>
    }

    /// About the bytes of the [`rows`](Self::rows) of a layer; [`u64::MAX`] if rows do not pay or must not be used.
    ///
    /// * `copies`: clones of them that are used at the same time.
    fn rows_bytes(&self, layer: Self::Layer, copies: u64) -> u64;
}

/// The rows of a layer, with a current row; clones have independent current rows.
///
/// Columns are those of the row that was [entered](Self::enter) last. The player to move is the one whose pieces are
/// the columns: all moves are of positions that face slots of the row.
pub trait Rows: Clone + Send + Sync {
    /// As that of [`Indexed`].
    type Layer;

    /// The number of rows of the layer.
    fn count(&self) -> u64;

    /// The number of columns of each row.
    fn columns(&self) -> u32;

    /// Makes a row below [`count`](Self::count) the current one.
    fn enter(&mut self, row: Row);

    /// Returns whether the slot in this column has a position.
    ///
    /// The other methods may be called for such columns only.
    fn has_position(&self, column: Column) -> bool;

    /// The slot of the position that faces the one in this column.
    fn facing(&self, column: Column) -> Slot;

    /// The value of the facing position for its player to move, if the game is over there.
    fn over(&self, column: Column) -> Option<Value>;

    /// Visits the columns that a move along the row leads to from the facing position, possibly more than once, until
    /// `visit` breaks.
    fn along<B>(&self, column: Column, visit: impl FnMut(Column) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Visits layer and slot of the successors of the facing position that lie in child layers, until `visit` breaks.
    fn leaving<B>(
        &self,
        column: Column,
        visit: impl FnMut(Self::Layer, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits the columns whose facing positions lead along the row to the position in this column, possibly more
    /// than once, or although the game is over there.
    fn back(&self, column: Column, visit: impl FnMut(Column));
}
