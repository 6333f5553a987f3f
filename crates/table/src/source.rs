//! Sources: of bytes for reading a table, of cells for writing one.

use std::fs::File;
use std::io;
use std::sync::Arc;

use crate::Error;
use crate::header::Width;

/// Bytes that several threads can read at any offset.
pub trait ReadAt: Send + Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// An error of the operating system.
    fn size(&self) -> io::Result<u64>;

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// There are fewer bytes, or an error of the operating system.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;

    /// Drops cached bytes, because they turned out to be damaged.
    ///
    /// * Result: whether reading again may give other bytes.
    fn forget(&self) -> bool {
        false
    }
}

impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(not(unix))]
    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }
}

impl ReadAt for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|start| self.get(start..start.checked_add(buffer.len())?))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.as_slice().read_exact_at(buffer, offset)
    }
}

impl<R: ReadAt + ?Sized> ReadAt for &R {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        (**self).read_exact_at(buffer, offset)
    }
}

impl<R: ReadAt + ?Sized> ReadAt for Arc<R> {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        (**self).read_exact_at(buffer, offset)
    }
}

/// The cells of one stream of a layer, produced on request.
///
/// A closure `|first_slot, out|` that fills `out` is a source. It is called from several threads at once, and more
/// than once for the same slots, so it must give the same cells each time.
pub trait CellSource: Sync {
    /// Fills `out` with the cells from `first_slot` on, each little-endian in the width of its stream.
    ///
    /// # Errors
    /// Any reason why the cells are not available.
    fn fill(&self, first_slot: u64, out: &mut [u8]) -> Result<(), Error>;
}

/// Facts that follow directly from the rules for every slot of a layer, in one to four bytes: for example whether the
/// game is over, and how many moves each side is from its end.
///
/// A stream that was packed with hints takes fewer bytes, and can only be read with the same ones. They must be
/// cheap: reading a cell computes those of its whole block.
#[derive(Clone)]
pub struct SlotFacts {
    /// The name, with a version: other hints need another name.
    pub name: String,
    /// Bytes of a slot. The first one should be the most informative.
    pub width: Width,
    /// The bytes of each slot.
    pub bytes: Arc<dyn CellSource + Send>,
}

impl<F: Fn(u64, &mut [u8]) + Sync> CellSource for F {
    fn fill(&self, first_slot: u64, out: &mut [u8]) -> Result<(), Error> {
        self(first_slot, out);
        Ok(())
    }
}
