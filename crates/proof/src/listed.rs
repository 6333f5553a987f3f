//! Positions in the order in which they were met, in memory while they fit, then on disk.

use std::hash::Hash;

use marquis_core::Packed;

use crate::Ended;
use crate::dense::Dense;
use crate::disk::{Disk, DiskRows, Filed};
use crate::met::{CHUNK, Chunks, Met, MetNumber};
use crate::pool::PoolShare;

/// Minimum memory for a list on disk; not reserved from the pool.
const HELD_AT_LEAST: usize = 1 << 18;

/// Positions with notes, each found again by position.
#[derive(Debug)]
pub(crate) enum NotedPositions<'d, P, T> {
    Held(Met<P, T>),
    /// Takes less memory, with slower lookups.
    Dense(Dense<P, T>),
    Filed(Box<Filed<'d, P, T>>),
}

impl<P, T> Default for NotedPositions<'_, P, T> {
    fn default() -> Self {
        Self::Held(Met::default())
    }
}

impl<'d, P: Copy + Eq + Hash + Packed, T: Copy + Packed> NotedPositions<'d, P, T> {
    /// The memory that it will take after some thousand more positions, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Held(met) => met.bytes(),
            Self::Dense(dense) => dense.bytes(),
            Self::Filed(filed) => filed.memory().saturating_sub(HELD_AT_LEAST),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Held(met) => met.len(),
            Self::Dense(dense) => dense.len(),
            Self::Filed(filed) => filed.len(),
        }
    }

    /// Whether the caller should reserve memory now.
    pub(crate) fn begins_chunk(&self) -> bool {
        match self {
            Self::Held(met) => met.begins_chunk(),
            Self::Dense(_) | Self::Filed(_) => self.len().is_multiple_of(CHUNK),
        }
    }

    pub(crate) fn find(&self, position: &P) -> Result<Option<MetNumber>, Ended> {
        match self {
            Self::Held(met) => Ok(met.find(position)),
            Self::Dense(dense) => Ok(dense.find(position)),
            Self::Filed(filed) => filed.find(position),
        }
    }

    /// Adds a position that was not met before.
    pub(crate) fn add(&mut self, position: P, note: T) -> Result<MetNumber, Ended> {
        match self {
            Self::Held(met) => met.add(position, note).ok_or(Ended::Memory),
            Self::Dense(dense) => dense.add(&position, &note).ok_or(Ended::Memory),
            Self::Filed(filed) => filed.add(position, note),
        }
    }

    /// Forgets the positions from this number on.
    pub(crate) fn truncate(&mut self, from: MetNumber) {
        match self {
            Self::Held(met) => met.truncate(from),
            Self::Dense(dense) => dense.truncate(from),
            Self::Filed(filed) => filed.truncate(from),
        }
    }

    /// A position and its note.
    pub(crate) fn get(&self, id: MetNumber) -> Result<(P, T), Ended> {
        match self {
            Self::Held(met) => Ok((met.position(id), *met.note(id))),
            Self::Dense(dense) => Ok(dense.get(id)),
            Self::Filed(filed) => filed.get(id),
        }
    }

    pub(crate) fn note(&self, id: MetNumber) -> Result<T, Ended> {
        self.get(id).map(|(_, note)| note)
    }

    pub(crate) fn set_note(&mut self, id: MetNumber, note: T) -> Result<(), Ended> {
        match self {
            Self::Held(met) => {
                *met.note_mut(id) = note;
                Ok(())
            }
            Self::Dense(dense) => {
                dense.set_note(id, &note);
                Ok(())
            }
            Self::Filed(filed) => filed.set_note(id, note),
        }
    }

    /// Changes a note.
    pub(crate) fn change(&mut self, id: MetNumber, change: impl FnOnce(&mut T)) -> Result<(), Ended> {
        match self {
            Self::Held(met) => {
                change(met.note_mut(id));
                Ok(())
            }
            Self::Dense(_) | Self::Filed(_) => {
                let (_, mut note) = self.get(id)?;
                change(&mut note);
                self.set_note(id, note)
            }
        }
    }

    /// Moves everything to disk, releasing memory on the way.
    pub(crate) fn file(&mut self, disk: &'d Disk, memory: usize) -> Result<(), Ended> {
        let mut filed = Box::new(Filed::new(disk, memory)?);
        match self {
            Self::Held(met) => {
                for (position, note) in std::mem::take(met).into_items() {
                    filed.add(position, note)?;
                }
            }
            Self::Dense(dense) => {
                for (position, note) in std::mem::take(dense).items() {
                    filed.add(position, note)?;
                }
            }
            Self::Filed(_) => return Ok(()),
        }
        *self = Self::Filed(filed);
        Ok(())
    }
}

/// Items by number, in memory or on disk.
#[derive(Debug)]
pub(crate) enum List<'d, T> {
    Held(Chunks<T>),
    Filed(DiskRows<'d, T>),
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self::Held(Chunks::default())
    }
}

impl<'d, T: Copy + Packed> List<'d, T> {
    /// Bytes of memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Held(items) => items.len() * size_of::<T>(),
            Self::Filed(_) => 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Held(items) => items.len(),
            Self::Filed(rows) => rows.len(),
        }
    }

    pub(crate) fn push(&mut self, item: T) -> Result<(), Ended> {
        match self {
            Self::Held(items) => {
                items.push(item);
                Ok(())
            }
            Self::Filed(rows) => rows.push(&item),
        }
    }

    /// An item by its number, which is less than the length.
    pub(crate) fn get(&self, number: u32) -> Result<T, Ended> {
        match self {
            Self::Held(items) => Ok(items[number]),
            Self::Filed(rows) => rows.get(number as usize),
        }
    }

    /// Moves everything to disk, releasing memory on the way.
    pub(crate) fn file(&mut self, disk: &'d Disk, memory: usize) -> Result<(), Ended> {
        let Self::Held(items) = self else { return Ok(()) };
        let items = std::mem::take(items);
        let mut rows = DiskRows::new(disk, memory)?;
        for item in items.into_items() {
            rows.push(&item)?;
        }
        *self = Self::Filed(rows);
        Ok(())
    }
}

/// Memory for one proof, and disk for when it runs out.
#[derive(Debug)]
pub(crate) struct ProofRoom<'d> {
    pub(crate) share: PoolShare<'d>,
    pub(crate) disk: Option<&'d Disk>,
}

impl<'d> ProofRoom<'d> {
    /// Reserves `bytes` bytes of memory. If there are too few, returns the disk, and how much memory to use for its
    /// caches.
    ///
    /// # Errors
    /// [`Ended::Memory`] if there is no disk either.
    pub(crate) fn or_disk(&mut self, bytes: usize) -> Result<Option<(&'d Disk, usize)>, Ended> {
        if self.share.resize(bytes).is_ok() {
            return Ok(None);
        }
        // Half of it remains for data that stays in memory: the bytes of the strategy.
        let held = (self.share.bytes() / 2).max(HELD_AT_LEAST);
        self.disk.map(|disk| Some((disk, held))).ok_or(Ended::Memory)
    }

    /// Makes room for some thousand more positions: in memory, else on disk.
    ///
    /// * `beside`: bytes of memory needed for other data.
    ///
    /// # Errors
    /// [`Ended::Memory`] if neither has room.
    pub(crate) fn make<P, T>(
        &mut self,
        listed: &mut NotedPositions<'d, P, T>,
        beside: usize,
    ) -> Result<(), Ended>
    where
        P: Copy + Eq + Hash + Packed,
        T: Copy + Packed,
    {
        let Some((disk, held)) = self.or_disk(listed.bytes() + beside)? else { return Ok(()) };
        if matches!(listed, NotedPositions::Filed(_)) {
            return Err(Ended::Memory);
        }
        listed.file(disk, held)?;
        self.share.resize(listed.bytes() + beside)
    }
}

#[cfg(test)]
mod tests;
