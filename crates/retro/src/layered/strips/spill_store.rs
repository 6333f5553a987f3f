//! The store for strips that are not in memory.

use super::{Extent, StripNumber};
use crate::LayerCells;
use crate::limits::Stopped;

/// Stores the strips of one bundle and the messages to them, as plain bytes.
///
/// A read returns the bytes of the last write. Several threads call at the same time, each for different strips.
pub trait SpillStore: Sync {
    /// The error of an operation.
    type Error: Send;

    /// The words of the last [`keep`](Self::keep), if everything that belongs to them is complete.
    ///
    /// # Errors
    /// It cannot be read. A damaged checkpoint is no error: it counts as none.
    fn kept(&self) -> Result<Option<Vec<u8>>, Self::Error>;

    /// Removes everything, before the work starts.
    ///
    /// # Errors
    /// It cannot be removed.
    fn clear(&self) -> Result<(), Self::Error>;

    /// Writes the bytes of a strip: its cells, and their mirror.
    ///
    /// # Errors
    /// It cannot be written, for instance because the disk is full.
    fn write(&self, strip: StripNumber, own: &[u8], mirror: &[u8]) -> Result<(), Self::Error>;

    /// The bytes of a strip that was written.
    ///
    /// * `bytes`: the number of bytes of its cells; the mirror has as many.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    fn read(&self, strip: StripNumber, bytes: usize) -> Result<(Vec<u8>, Vec<u8>), Self::Error>;

    /// Appends messages to a strip.
    ///
    /// # Errors
    /// It cannot be written.
    fn tell(&self, strip: StripNumber, messages: &[u8]) -> Result<(), Self::Error>;

    /// Visits all messages to a strip, in order, and removes them.
    ///
    /// * `each`: bytes of a message; no visit gets a part of one.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    fn take(&self, strip: StripNumber, each: usize, visit: &mut dyn FnMut(&[u8])) -> Result<(), Self::Error>;

    /// Returns whether a checkpoint is due.
    fn is_due(&self) -> bool;

    /// Saves a checkpoint of everything in the spill store.
    ///
    /// * `words`: what [`kept`](Self::kept) returns for it.
    ///
    /// # Errors
    /// It cannot be written.
    fn keep(&self, words: &[u8]) -> Result<(), Self::Error>;

    /// Takes the finished cells of a strip; strips come in their order.
    ///
    /// # Errors
    /// It cannot be written.
    fn finish(&self, extent: &Extent, cells: LayerCells) -> Result<(), Self::Error>;
}

/// Why a bundle was not solved in strips.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// A limit, after a checkpoint.
    Stopped(Stopped),
    /// The spill store; its last checkpoint remains.
    SpillStore(E),
}

impl<E> From<Stopped> for Failure<E> {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}
