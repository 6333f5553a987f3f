//! A file of pages with a cache in memory.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use super::Disk;
use crate::Ended;

/// Bytes of a page.
pub(super) const PAGE: usize = 1 << 12;
/// Bytes reserved from the limit at a time.
const STEP: u64 = 1 << 20;

/// An unnamed file that grows as needed; unwritten bytes are zero.
#[derive(Debug)]
pub(super) struct Paged<'d> {
    disk: &'d Disk,
    held: RefCell<ResidentPages>,
    /// Bytes reserved from the limit.
    taken: u64,
}

/// The pages in memory; each page has exactly one frame that can hold it.
#[derive(Debug)]
struct ResidentPages {
    file: File,
    frames: Vec<Option<Frame>>,
}

#[derive(Debug)]
struct Frame {
    page: u64,
    is_newer: bool,
    bytes: Box<[u8; PAGE]>,
}

impl<'d> Paged<'d> {
    /// * `memory`: bytes for the cached pages; at least one page is cached.
    pub(super) fn new(disk: &'d Disk, memory: usize) -> Result<Self, Ended> {
        let frames = std::iter::repeat_with(|| None).take((memory / PAGE).max(1)).collect();
        Ok(Self { disk, held: RefCell::new(ResidentPages { file: disk.file()?, frames }), taken: 0 })
    }

    /// Ensures that at least `bytes` bytes are reserved from the limit.
    pub(super) fn reserve(&mut self, bytes: u64) -> Result<(), Ended> {
        if bytes > self.taken {
            let more = (bytes - self.taken).next_multiple_of(STEP);
            self.disk.take(more)?;
            self.taken += more;
        }
        Ok(())
    }

    /// Reads bytes of one page.
    pub(super) fn read<R>(&self, at: u64, count: usize, read: impl FnOnce(&[u8]) -> R) -> Result<R, Ended> {
        self.held.borrow_mut().bytes(at, count).map(|bytes| read(bytes)).map_err(|why| self.disk.failed(&why))
    }

    /// Writes bytes of one page.
    pub(super) fn write(&mut self, at: u64, bytes: &[u8]) -> Result<(), Ended> {
        let held = self.held.get_mut();
        let written = held.bytes(at, bytes.len()).map(|there| there.copy_from_slice(bytes));
        held.mark(at);
        written.map_err(|why| self.disk.failed(&why))
    }
}

impl Drop for Paged<'_> {
    fn drop(&mut self) {
        self.disk.give_back(self.taken);
    }
}

impl ResidentPages {
    fn frame_of(&self, page: u64) -> usize {
        // Neighbouring pages have neighbouring frames; pages at large even distances have different ones.
        let mixed = page ^ (page >> 17).wrapping_mul(0x9e37_79b9);
        (mixed % self.frames.len() as u64) as usize
    }

    /// Marks the cached page as newer than the file.
    fn mark(&mut self, at: u64) {
        let frame = self.frame_of(at / PAGE as u64);
        if let Some(frame) = &mut self.frames[frame] {
            frame.is_newer = true;
        }
    }

    fn bytes(&mut self, at: u64, count: usize) -> io::Result<&mut [u8]> {
        let page = at / PAGE as u64;
        let number = self.frame_of(page);
        let begin = (at % PAGE as u64) as usize;
        if self.frames[number].as_ref().is_none_or(|frame| frame.page != page) {
            self.load(number, page)?;
        }
        let frame = self.frames[number].as_mut().ok_or(io::ErrorKind::NotFound)?;
        Ok(&mut frame.bytes[begin..begin + count])
    }

    fn load(&mut self, number: usize, page: u64) -> io::Result<()> {
        let mut bytes = match self.frames[number].take() {
            Some(frame) => {
                if frame.is_newer {
                    self.file.seek(SeekFrom::Start(frame.page * PAGE as u64))?;
                    self.file.write_all(&frame.bytes[..])?;
                }
                frame.bytes
            }
            None => Box::new([0; PAGE]),
        };
        self.file.seek(SeekFrom::Start(page * PAGE as u64))?;
        let mut filled = 0;
        while filled < PAGE {
            match self.file.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes[filled..].fill(0);
        self.frames[number] = Some(Frame { page, is_newer: false, bytes });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::DiskTrouble;

    #[test]
    fn what_was_written_is_read_with_few_pages_in_memory_and_the_rest_is_zero() {
        let disk = Disk::new(std::env::temp_dir(), 1 << 20);
        let mut paged = Paged::new(&disk, 3 * PAGE).expect("a file");
        let at = |number: u64| number * 7 % 100 * PAGE as u64 + number * 8;
        for number in 0..100_u64 {
            paged.write(at(number), &number.to_le_bytes()).expect("it is written");
        }
        for number in (0..100_u64).rev() {
            let read = paged.read(at(number), 8, |bytes| bytes == number.to_le_bytes());
            assert_eq!(read, Ok(true), "{number}");
        }
        assert_eq!(paged.read(1 << 33, 8, |bytes| bytes == [0; 8]), Ok(true));
    }

    #[test]
    fn the_limit_is_kept_given_back_and_told() {
        let disk = Disk::new(std::env::temp_dir(), 3 << 20);
        let mut paged = Paged::new(&disk, 0).expect("a file");
        assert_eq!(paged.reserve(2 << 20), Ok(()));
        assert_eq!(disk.taken(), 2 << 20);
        assert_eq!(paged.reserve(4 << 20), Err(Ended::Memory));
        assert_eq!(disk.trouble(), Some(DiskTrouble::Limit { bytes: 3 << 20 }));
        drop(paged);
        assert_eq!(disk.taken(), 0);
    }

    #[test]
    fn a_disk_that_refuses_is_told() {
        let missing = Disk::new("/nowhere/at/all", 1 << 20);
        assert_eq!(Paged::new(&missing, 0).map(drop), Err(Ended::Memory));
        assert_eq!(missing.trouble(), Some(DiskTrouble::Failed(io::ErrorKind::NotFound)));
        // Every write to this device fails because no space is left.
        let disk = Disk::new(std::env::temp_dir(), 1 << 20);
        let mut full = Paged::new(&disk, 0).expect("a file");
        let device = File::options().read(true).write(true).open("/dev/full").expect("the device");
        full.held.get_mut().file = device;
        assert_eq!(full.write(0, &[1]), Ok(()), "it is in memory");
        assert_eq!(full.write(PAGE as u64, &[1]), Err(Ended::Memory));
        assert_eq!(disk.trouble(), Some(DiskTrouble::Failed(io::ErrorKind::StorageFull)));
    }
}
