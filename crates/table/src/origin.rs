//! The origin of the bytes of the tables of a store.

use std::fs::File;
use std::io;

use crate::far::FarFile;
use crate::source::ReadAt;

/// The origin of the bytes of a table.
pub enum Origin {
    /// In a local file.
    Here(File),
    /// In a remote file.
    Elsewhere(FarFile),
}

impl ReadAt for Origin {
    fn size(&self) -> io::Result<u64> {
        match self {
            Self::Here(file) => file.size(),
            Self::Elsewhere(file) => file.size(),
        }
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        match self {
            Self::Here(file) => ReadAt::read_exact_at(file, buffer, offset),
            Self::Elsewhere(file) => file.read_exact_at(buffer, offset),
        }
    }

    fn forget(&self) -> bool {
        match self {
            Self::Here(_) => false,
            Self::Elsewhere(file) => file.forget(),
        }
    }
}
