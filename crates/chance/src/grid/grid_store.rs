//! The store of strips that are not in memory.

use std::error::Error;
use std::ops::Range;

use super::kernel::Change;

/// The description of a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripLabel {
    /// The number of the half: of a layer, or of its colour swap.
    pub half: usize,
    /// The band of columns.
    pub band: usize,
    /// The number of the sweep or other step that made it.
    pub step: u64,
    /// The change of that step, in units.
    pub change: Change<u64>,
}

/// Takes the tiles of a strip, in order.
pub type TileSink<'a> = dyn FnMut(&[u8]) -> Result<(), StripError> + 'a;

/// Stores strips, as plain bytes tile by tile. Whatever happens, it holds the strips after the last completed call.
pub trait GridStore: Send + Sync {
    /// The strips that are there, with the bytes of each tile.
    ///
    /// # Errors
    /// They cannot be read, or are damaged.
    fn strips(&self) -> Result<Vec<(StripLabel, Vec<u64>)>, StripError>;

    /// Adds a strip and removes older ones, all at once.
    ///
    /// * `tiles`: passes the tiles of the new strip.
    ///
    /// # Errors
    /// It cannot be written, for instance because the disk is full.
    fn replace(
        &self,
        old: &[StripLabel],
        new: StripLabel,
        tiles: &dyn Fn(&mut TileSink<'_>) -> Result<(), StripError>,
    ) -> Result<(), StripError>;

    /// Visits some tiles of a strip, in order, each with its number.
    ///
    /// # Errors
    /// The strip is missing or damaged, or cannot be read.
    fn read(
        &self,
        strip: StripLabel,
        tiles: Range<usize>,
        visit: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), StripError>;

    /// Removes all strips.
    fn clear(&self);
}

/// The error of a grid store, in its own words.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StripError(pub Box<dyn Error + Send + Sync>);
