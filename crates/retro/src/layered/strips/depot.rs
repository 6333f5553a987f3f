//! Where strips are while they are not in memory.

use super::{Extent, StripNumber};
use crate::Cells;
use crate::limits::Stopped;

/// Keeps strips, and what is told to them, for one bundle; knows nothing of either but bytes.
///
/// What was written is what is read, until it is written again. Several threads ask, about different strips each.
pub trait Depot: Sync {
    /// Why something could not be kept or read.
    type Error: Send;

    /// What was kept of earlier work: the words of [`keep`](Self::keep), when all that belongs to them is whole.
    ///
    /// # Errors
    /// It cannot be read. What is damaged is as good as nothing.
    fn kept(&self) -> Result<Option<Vec<u8>>, Self::Error>;

    /// Forgets all that is there: the work begins.
    ///
    /// # Errors
    /// It cannot be taken away.
    fn clear(&self) -> Result<(), Self::Error>;

    /// Writes the bytes of a strip: its cells, and their mirror.
    ///
    /// # Errors
    /// It cannot be written, for instance because the disk is full.
    fn write(&self, strip: StripNumber, own: &[u8], mirror: &[u8]) -> Result<(), Self::Error>;

    /// The bytes of a strip that was written.
    ///
    /// * `bytes`: of its cells, and as many of their mirror.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    fn read(&self, strip: StripNumber, bytes: usize) -> Result<(Vec<u8>, Vec<u8>), Self::Error>;

    /// Adds to what is told to a strip.
    ///
    /// # Errors
    /// It cannot be written.
    fn tell(&self, strip: StripNumber, letters: &[u8]) -> Result<(), Self::Error>;

    /// Visits all that was told to a strip, in its order, and forgets it.
    ///
    /// * `each`: bytes of a letter; they are visited whole.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    fn take(&self, strip: StripNumber, each: usize, visit: &mut dyn FnMut(&[u8])) -> Result<(), Self::Error>;

    /// Whether it is time to keep what there is.
    fn is_due(&self) -> bool;

    /// Keeps all that is there now, so that work can go on from it.
    ///
    /// * `words`: what to say then.
    ///
    /// # Errors
    /// It cannot be written.
    fn keep(&self, words: &[u8]) -> Result<(), Self::Error>;

    /// Takes the finished cells of a strip; strips come in their order.
    ///
    /// # Errors
    /// It cannot be written.
    fn finish(&self, extent: &Extent, cells: Cells) -> Result<(), Self::Error>;
}

/// Why a bundle was not solved in strips.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// A limit; what there is was kept.
    Stopped(Stopped),
    /// The depot; what was kept last is there.
    Depot(E),
}

impl<E> From<Stopped> for Failure<E> {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}
