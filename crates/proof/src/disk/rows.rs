//! A list on disk.

use std::marker::PhantomData;

use marquis_core::Packed;

use super::Disk;
use super::paged::{PAGE, Paged};
use crate::Ended;

/// Items by number, limited by the disk.
#[derive(Debug)]
pub(crate) struct DiskRows<'d, T> {
    pages: Paged<'d>,
    len: usize,
    packed: Vec<u8>,
    items: PhantomData<T>,
}

impl<'d, T: Packed> DiskRows<'d, T> {
    /// Items per page; none spans two pages.
    const A_PAGE: usize = {
        assert!(0 < T::BYTES && T::BYTES <= PAGE, "an item takes some bytes and fits a page");
        PAGE / T::BYTES
    };

    /// An empty list.
    ///
    /// * `memory`: bytes for the page cache.
    pub(crate) fn new(disk: &'d Disk, memory: usize) -> Result<Self, Ended> {
        Ok(Self { pages: Paged::new(disk, memory)?, len: 0, packed: Vec::new(), items: PhantomData })
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn push(&mut self, item: &T) -> Result<(), Ended> {
        let pages = self.len / Self::A_PAGE + 1;
        self.pages.reserve((pages * PAGE) as u64)?;
        self.len += 1;
        self.set(self.len - 1, item)
    }

    /// Forgets the items from this number on.
    pub(crate) fn truncate(&mut self, from: usize) {
        self.len = self.len.min(from);
    }

    /// An item by its number, which is less than the length.
    pub(crate) fn get(&self, number: usize) -> Result<T, Ended> {
        let read = self.pages.read(Self::place(number), T::BYTES, |mut bytes| T::unpack(&mut bytes));
        // Only packed items are ever written.
        read?.ok_or(Ended::Memory)
    }

    /// Replaces an item.
    pub(crate) fn set(&mut self, number: usize, item: &T) -> Result<(), Ended> {
        self.packed.clear();
        item.pack(&mut self.packed);
        self.pages.write(Self::place(number), &self.packed)
    }

    fn place(number: usize) -> u64 {
        let (page, row) = (number / Self::A_PAGE, number % Self::A_PAGE);
        (page * PAGE + row * T::BYTES) as u64
    }
}
