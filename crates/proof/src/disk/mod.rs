//! Disk for proofs that exceed their memory: unnamed files, deleted when the process ends.

mod filed;
mod index;
mod paged;
mod rows;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

pub(crate) use self::filed::Filed;
pub(crate) use self::rows::DiskRows;
use crate::Ended;

/// A disk budget in one folder, for all proofs together.
///
/// The files have no name, so nothing is left when the process ends, for whatever reason.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    bytes: u64,
    taken: AtomicU64,
    trouble: Mutex<Option<DiskTrouble>>,
}

/// Why the disk did not help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiskTrouble {
    /// More bytes than its limit were needed.
    #[error("the proof needs more disk than its limit of {bytes} bytes")]
    Limit {
        /// The limit.
        bytes: u64,
    },
    /// The system reported an error: the disk is full, or another one.
    #[error("the disk failed: {0}")]
    Failed(io::ErrorKind),
}

impl Disk {
    /// At most `bytes` bytes in files of this folder; nothing is written before a proof needs it.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, bytes: u64) -> Self {
        Self { folder: folder.into(), bytes, taken: AtomicU64::new(0), trouble: Mutex::new(None) }
    }

    /// The folder of the files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The limit in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes in use.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.taken.load(Relaxed)
    }

    /// The last error, if any.
    #[must_use]
    pub fn trouble(&self) -> Option<DiskTrouble> {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self) -> Result<File, Ended> {
        tempfile::tempfile_in(&self.folder).map_err(|error| self.failed(&error))
    }

    /// Reserves bytes; the caller releases them.
    fn take(&self, bytes: u64) -> Result<(), Ended> {
        let taken = |taken: u64| taken.checked_add(bytes).filter(|&all| all <= self.bytes);
        let took = self.taken.fetch_update(Relaxed, Relaxed, taken);
        took.map(drop).map_err(|_| self.note(DiskTrouble::Limit { bytes: self.bytes }))
    }

    fn give_back(&self, bytes: u64) {
        self.taken.fetch_sub(bytes, Relaxed);
    }

    fn failed(&self, error: &io::Error) -> Ended {
        self.note(DiskTrouble::Failed(error.kind()))
    }

    /// Records the error; neither memory nor disk has room.
    fn note(&self, trouble: DiskTrouble) -> Ended {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble);
        Ended::Memory
    }
}
