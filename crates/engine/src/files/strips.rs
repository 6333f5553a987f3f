//! The finished cells of a layer that was solved in strips, in a file of their codes.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use marquis_retro::layered::Counts;
use marquis_retro::{Entry, LayerCells};
use marquis_table::{Error, ReadAt as _};

use crate::error::FileError;
use crate::files::scores::Entries;

/// Codes of a layer in sequence, each of one byte or two, in little-endian order.
pub(crate) struct FlatCells {
    path: PathBuf,
    file: File,
    /// Bytes per code.
    width: usize,
    counts: Counts,
}

impl FlatCells {
    /// A file without cells.
    pub(crate) fn create(path: PathBuf) -> Result<Self, FileError> {
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(FileError::system(&path, "create it"))?;
        Ok(Self { path, file, width: 1, counts: Counts::default() })
    }

    /// Appends cells, all of one width.
    ///
    /// * `counts`: their counts.
    pub(crate) fn add(&mut self, cells: &LayerCells, counts: Counts) -> Result<(), FileError> {
        self.counts = self.counts.and(counts);
        let written = match cells {
            LayerCells::Narrow(cells) => self.file.write_all(cells),
            LayerCells::Wide(cells) => {
                self.width = 2;
                self.file.write_all(&cells.iter().flat_map(|cell| cell.to_le_bytes()).collect::<Vec<u8>>())
            }
        };
        written.map_err(FileError::system(&self.path, "write it"))
    }
}

impl Entries for FlatCells {
    fn counts(&self) -> Counts {
        self.counts
    }

    fn each(&self, first: u64, count: usize, mut visit: impl FnMut(Entry)) -> Result<(), Error> {
        let mut bytes = vec![0; count * self.width];
        self.file
            .read_exact_at(&mut bytes, first * self.width as u64)
            .map_err(Error::io(self.path.display(), "read it"))?;
        for code in bytes.chunks_exact(self.width) {
            let high = code.get(1).copied().unwrap_or(0);
            visit(Entry::of_code(u16::from_le_bytes([code[0], high]).into()));
        }
        Ok(())
    }
}
