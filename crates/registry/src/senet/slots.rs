//! The bounds of a layer in slot order, for writing its file: in memory, or in a temporary file.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use marquis_chance::grid::ChanceCell;
use marquis_engine::FileError;
use marquis_table::{Error, ReadAt as _};

/// Lower and upper bounds by slot.
pub(super) enum Slots<C> {
    Held(Vec<[C; 2]>),
    Filed(SlotFile),
}

/// A file of bounds that is deleted on drop.
pub(super) struct SlotFile {
    path: PathBuf,
    file: File,
}

impl Drop for SlotFile {
    fn drop(&mut self) {
        // A file that cannot be removed is harmless.
        let _ = fs::remove_file(&self.path);
    }
}

impl<C: ChanceCell> Slots<C> {
    pub(super) fn in_memory(slots: u64) -> Self {
        Self::Held(vec![[C::default(); 2]; slots as usize])
    }

    /// A new file.
    pub(super) fn on_disk(path: PathBuf) -> Result<Self, FileError> {
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(FileError::system(&path, "create it"))?;
        Ok(Self::Filed(SlotFile { path, file }))
    }

    /// Sets the bounds of consecutive slots.
    pub(super) fn put(&mut self, first: u64, bounds: &[[C; 2]]) -> Result<(), FileError> {
        match self {
            Self::Held(all) => all[first as usize..][..bounds.len()].copy_from_slice(bounds),
            Self::Filed(own) => {
                let mut bytes = Vec::with_capacity(size_of_val(bounds));
                for cell in bounds.iter().flatten() {
                    bytes.extend_from_slice(&cell.units().to_le_bytes()[..size_of::<C>()]);
                }
                own.file
                    .seek(SeekFrom::Start(first * 2 * size_of::<C>() as u64))
                    .map_err(FileError::system(&own.path, "seek in it"))?;
                own.file.write_all(&bytes).map_err(FileError::system(&own.path, "write it"))?;
            }
        }
        Ok(())
    }

    /// The bounds of consecutive slots.
    ///
    /// # Errors
    /// The file cannot be read, or ends before the last slot.
    pub(super) fn some(&self, first: u64, count: usize) -> Result<Cow<'_, [[C; 2]]>, Error> {
        match self {
            Self::Held(all) => Ok(Cow::Borrowed(&all[first as usize..][..count])),
            Self::Filed(own) => own.some(first, count).map(Cow::Owned),
        }
    }
}

impl SlotFile {
    fn some<C: ChanceCell>(&self, first: u64, count: usize) -> Result<Vec<[C; 2]>, Error> {
        let size = size_of::<C>();
        let mut bytes = vec![0; count * 2 * size];
        self.file
            .read_exact_at(&mut bytes, first * 2 * size as u64)
            .map_err(Error::io(self.path.display(), "read it"))?;
        let each = bytes.chunks_exact(2 * size);
        Ok(each.map(|both| [C::of_le_bytes(&both[..size]), C::of_le_bytes(&both[size..])]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_back_from_a_file_and_a_file_cut_short_is_named() {
        const HALF: usize = 5000;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("slots.0");
        // A second file of the same name holds its own bounds.
        for times in [3, 5] {
            let mut slots = Slots::<u32>::on_disk(path.clone()).expect("a file");
            let bounds: Vec<[u32; 2]> = (0..2 * HALF as u32).map(|slot| [slot, times * slot]).collect();
            // Out of order, as the rows of a band come.
            for first in [HALF, 0] {
                slots.put(first as u64, &bounds[first..][..HALF]).expect("written");
            }
            for (first, count) in [(0, HALF), (1, 2 * HALF - 1), (HALF - 1, 2), (7, 0)] {
                let some = slots.some(first as u64, count).expect("slots");
                assert_eq!(*some, bounds[first..][..count]);
            }
            let file = File::options().write(true).open(&path).expect("the file");
            file.set_len(8 * HALF as u64).expect("cut");
            let error = slots.some(HALF as u64 - 1, 2).expect_err("no second slot");
            assert_eq!(error.name(), path.display().to_string());
        }
    }
}
