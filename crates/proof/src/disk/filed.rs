//! Positions with notes on disk, found again by position.

use std::hash::Hash;

use marquis_core::Packed;

use super::index::Index;
use super::{Disk, DiskRows};
use crate::Ended;
use crate::met::{MetNumber, hash_of};

/// The counterpart of [`Met`](crate::met::Met) on disk.
#[derive(Debug)]
pub(crate) struct Filed<'d, P, T> {
    rows: DiskRows<'d, (P, T)>,
    index: Index<'d>,
    memory: usize,
}

impl<'d, P: Copy + Eq + Hash + Packed, T: Packed> Filed<'d, P, T> {
    /// An empty list.
    ///
    /// * `memory`: bytes for the page caches.
    pub(crate) fn new(disk: &'d Disk, memory: usize) -> Result<Self, Ended> {
        let half = memory / 2;
        Ok(Self { rows: DiskRows::new(disk, half)?, index: Index::new(disk, half)?, memory })
    }

    /// Bytes of memory that it takes.
    pub(crate) const fn memory(&self) -> usize {
        self.memory
    }

    pub(crate) const fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn find(&self, position: &P) -> Result<Option<MetNumber>, Ended> {
        // A dropped number is below the length again once another position has it.
        let is = |id: MetNumber| Ok((id as usize) < self.len() && self.rows.get(id as usize)?.0 == *position);
        self.index.find(hash_of(position), is)
    }

    /// Adds a position that was not met before.
    pub(crate) fn add(&mut self, position: P, note: T) -> Result<MetNumber, Ended> {
        let used = self.len();
        let id = MetNumber::try_from(used).ok().filter(|&id| id < MetNumber::MAX).ok_or(Ended::Memory)?;
        self.index.add(hash_of(&position), id, used)?;
        self.rows.push(&(position, note))?;
        Ok(id)
    }

    /// Forgets the positions from this number on.
    pub(crate) fn truncate(&mut self, from: MetNumber) {
        self.rows.truncate(from as usize);
    }

    pub(crate) fn get(&self, id: MetNumber) -> Result<(P, T), Ended> {
        self.rows.get(id as usize)
    }

    pub(crate) fn set_note(&mut self, id: MetNumber, note: T) -> Result<(), Ended> {
        let (position, _) = self.get(id)?;
        self.rows.set(id as usize, &(position, note))
    }
}
