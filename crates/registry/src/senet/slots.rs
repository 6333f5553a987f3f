//! The bounds of a layer in slot order, for writing its file: in memory, or in a temporary file.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;

use marquis_chance::grid::ChanceCell;
use marquis_engine::FileError;

/// Slots that are read from a file at a time.
const BLOCK: usize = 1 << 14;

/// Lower and upper bounds by slot.
pub(super) enum Slots<C> {
    Held(Vec<[C; 2]>),
    Filed(SlotFile),
}

/// A file of bounds that is deleted on drop.
pub(super) struct SlotFile {
    path: PathBuf,
    file: Mutex<File>,
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
        Ok(Self::Filed(SlotFile { path, file: Mutex::new(file) }))
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
                let file = own.file.get_mut().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(first * 2 * size_of::<C>() as u64))
                    .map_err(FileError::system(&own.path, "seek in it"))?;
                file.write_all(&bytes).map_err(FileError::system(&own.path, "write it"))?;
            }
        }
        Ok(())
    }

    /// The bounds of a slot; the lower one is above the upper one if they cannot be read.
    pub(super) fn at(&self, slot: u64) -> [C; 2] {
        match self {
            Self::Held(all) => all[slot as usize],
            Self::Filed(own) => own.at::<C>(slot).unwrap_or([C::ONE, C::default()]),
        }
    }
}

/// Some slots of a file, in bytes.
#[derive(Default)]
struct Block {
    path: PathBuf,
    first: u64,
    bytes: Vec<u8>,
}

thread_local! {
    /// The block that this thread read last: it reads slots in order.
    static LAST: RefCell<Block> = RefCell::default();
}

impl SlotFile {
    fn at<C: ChanceCell>(&self, slot: u64) -> Option<[C; 2]> {
        let size = size_of::<C>();
        LAST.with_borrow_mut(|block| {
            let inside = slot >= block.first && slot < block.first + (block.bytes.len() / (2 * size)) as u64;
            if !inside || block.path != self.path {
                *block = self.block(slot / BLOCK as u64 * BLOCK as u64, 2 * size)?;
            }
            let place = (slot - block.first) as usize * 2 * size;
            let own = block.bytes.get(place..place + 2 * size)?;
            Some([C::of_le_bytes(&own[..size]), C::of_le_bytes(&own[size..])])
        })
    }

    fn block(&self, first: u64, each: usize) -> Option<Block> {
        let mut bytes = Vec::with_capacity(BLOCK * each);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(first * each as u64)).ok()?;
        (&mut *file).take((BLOCK * each) as u64).read_to_end(&mut bytes).ok()?;
        Some(Block { path: self.path.clone(), first, bytes })
    }
}
