//! A cache of pieces of remote files, on disk or in memory.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use hashbrown::HashMap;

use crate::Error;

/// The file name extension of cached pieces.
const ENDING: &str = "piece";
/// The least time between two updates of the last use of a piece; more updates would cost more than they help.
const USED_AGAIN: Duration = Duration::from_secs(60);

/// Pieces of files, up to a size limit.
///
/// Cached pieces are verified like fetched ones: the reader of a table compares the checksums in it. A piece that
/// cannot be cached is fetched again the next time.
#[derive(Debug)]
pub struct Pieces(Place);

#[derive(Debug)]
enum Place {
    OnDisk(OnDisk),
    InMemory(Mutex<InMemory>),
}

impl Pieces {
    /// Opens the cache in a folder, which is created if it is missing. Several processes may share it.
    ///
    /// * `most`: the largest size in bytes; the least recently used pieces are evicted.
    ///
    /// # Errors
    /// The folder cannot be created or listed.
    pub fn new(folder: &Path, most: u64) -> Result<Self, Error> {
        OnDisk::open(folder, most).map(Place::OnDisk).map(Self)
    }

    /// An empty cache in memory.
    ///
    /// * `most`: the largest size in bytes; the oldest pieces are evicted.
    #[must_use]
    pub fn in_memory(most: u64) -> Self {
        Self(Place::InMemory(Mutex::new(InMemory { most, ..InMemory::default() })))
    }

    /// The piece of a key, if it is cached.
    ///
    /// * `bytes`: its size.
    pub(crate) fn get(&self, key: &blake3::Hash, bytes: usize) -> Option<Vec<u8>> {
        match &self.0 {
            Place::OnDisk(pieces) => pieces.get(key, bytes),
            Place::InMemory(pieces) => lock(pieces).pieces.get(key).cloned(),
        }
    }

    /// Caches a piece, if possible.
    pub(crate) fn keep(&self, key: &blake3::Hash, piece: &[u8]) {
        match &self.0 {
            Place::OnDisk(pieces) => pieces.keep(key, piece),
            Place::InMemory(pieces) => lock(pieces).keep(key, piece),
        }
    }

    /// Removes a piece.
    pub(crate) fn forget(&self, key: &blake3::Hash) {
        match &self.0 {
            Place::OnDisk(pieces) => pieces.forget(key),
            Place::InMemory(pieces) => lock(pieces).forget(key),
        }
    }
}

pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pieces in the order in which they were fetched.
#[derive(Debug, Default)]
struct InMemory {
    most: u64,
    bytes: u64,
    pieces: HashMap<blake3::Hash, Vec<u8>>,
    order: VecDeque<blake3::Hash>,
}

impl InMemory {
    fn keep(&mut self, key: &blake3::Hash, piece: &[u8]) {
        let bytes = piece.len() as u64;
        if bytes > self.most || self.pieces.contains_key(key) {
            return;
        }
        while self.bytes + bytes > self.most {
            let Some(oldest) = self.order.front().copied() else { return };
            self.forget(&oldest);
        }
        self.pieces.insert(*key, piece.to_owned());
        self.order.push_back(*key);
        self.bytes += bytes;
    }

    fn forget(&mut self, key: &blake3::Hash) {
        if let Some(piece) = self.pieces.remove(key) {
            self.bytes -= piece.len() as u64;
            self.order.retain(|other| other != key);
        }
    }
}

/// A folder of pieces.
#[derive(Debug)]
struct OnDisk {
    folder: PathBuf,
    most: u64,
    /// The size of the folder as far as this process knows.
    held: Mutex<u64>,
}

impl OnDisk {
    fn open(folder: &Path, most: u64) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::io(folder.display(), "make the folder"))?;
        let held = listed(folder)?.iter().map(|piece| piece.bytes).sum();
        let pieces = Self { folder: folder.to_owned(), most, held: Mutex::new(held) };
        pieces.make_room(&mut pieces.held(), 0);
        Ok(pieces)
    }

    fn path(&self, key: &blake3::Hash) -> PathBuf {
        self.folder.join(format!("{key}.{ENDING}"))
    }

    fn get(&self, key: &blake3::Hash, bytes: usize) -> Option<Vec<u8>> {
        let path = self.path(key);
        let piece = fs::read(&path).ok().filter(|piece| piece.len() == bytes)?;
        if fs::metadata(&path).and_then(|about| about.modified()).is_ok_and(is_old) {
            let _ =
                File::options().write(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        }
        Some(piece)
    }

    fn keep(&self, key: &blake3::Hash, piece: &[u8]) {
        let bytes = piece.len() as u64;
        if bytes > self.most {
            return;
        }
        // Locked until the piece is written, so that no other thread counts the folder without it.
        let mut held = self.held();
        self.make_room(&mut held, bytes);
        if self.write(key, piece).is_ok() {
            *held += bytes;
        }
    }

    fn held(&self) -> MutexGuard<'_, u64> {
        lock(&self.held)
    }

    /// Not synced: a piece that a crash truncated is detected like any other damage.
    fn write(&self, key: &blake3::Hash, piece: &[u8]) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(piece)?;
        file.persist(self.path(key))?;
        Ok(())
    }

    fn forget(&self, key: &blake3::Hash) {
        let _ = fs::remove_file(self.path(key));
    }

    /// Evicts the least recently used pieces until there is room for `bytes` bytes.
    ///
    /// * `held`: the size of the folder, counted again if it seems too large.
    fn make_room(&self, held: &mut u64, bytes: u64) {
        if *held + bytes <= self.most {
            return;
        }
        // Other processes may have added and removed pieces.
        let Ok(mut pieces) = listed(&self.folder) else { return };
        pieces.sort_by_key(|piece| piece.used);
        *held = pieces.iter().map(|piece| piece.bytes).sum();
        // A tenth more than needed, so that the folder is not listed for each piece.
        let wanted = (self.most - self.most / 10).max(bytes) - bytes;
        for piece in pieces {
            if *held <= wanted {
                break;
            }
            if fs::remove_file(&piece.path).is_ok() {
                *held -= piece.bytes;
            }
        }
    }
}

fn is_old(used: SystemTime) -> bool {
    used.elapsed().is_ok_and(|since| since > USED_AGAIN)
}

/// A cached piece.
struct CachedPiece {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

fn listed(folder: &Path) -> Result<Vec<CachedPiece>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(folder.display(), "list the folder"))?;
    let kept = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.ok()?.path();
        // Another process may have just removed it.
        let about = fs::metadata(&path).ok().filter(|_| path.extension().is_some_and(|end| end == ENDING))?;
        Some(CachedPiece { path, bytes: about.len(), used: about.modified().ok()? })
    };
    Ok(entries.filter_map(kept).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_holds_whoever_keeps_pieces_at_the_same_time() {
        let folder = tempfile::tempdir().unwrap();
        let pieces = OnDisk::open(folder.path(), 100_000).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8_u8 {
                let pieces = &pieces;
                scope.spawn(move || {
                    for number in 0..30_u8 {
                        let key = blake3::hash(&[thread, number]);
                        pieces.keep(&key, &[thread; 10_000]);
                        let held: u64 = listed(&pieces.folder).unwrap().iter().map(|piece| piece.bytes).sum();
                        assert!(held <= 100_000, "{held}");
                    }
                });
            }
        });
        assert!(!listed(folder.path()).unwrap().is_empty());
        // A smaller limit takes effect on opening.
        let smaller = OnDisk::open(folder.path(), 25_000).unwrap();
        assert!(*smaller.held() <= 25_000 && listed(folder.path()).unwrap().len() <= 2);
    }

    #[test]
    fn the_oldest_pieces_in_memory_make_room_for_new_ones() {
        let pieces = Pieces::in_memory(25);
        let keys: Vec<_> = (0..4_u8).map(|number| blake3::hash(&[number])).collect();
        for (key, number) in keys.iter().zip(0..) {
            pieces.keep(key, &[number; 10]);
        }
        let held = |key: &blake3::Hash| pieces.get(key, 10).map(|piece| piece[0]);
        assert_eq!(keys.iter().map(held).collect::<Vec<_>>(), [None, None, Some(2), Some(3)]);
        pieces.forget(&keys[2]);
        pieces.keep(&keys[0], &[0; 10]);
        assert_eq!(keys.iter().map(held).collect::<Vec<_>>(), [Some(0), None, None, Some(3)]);
        pieces.keep(&keys[1], &[0; 26]);
        assert_eq!(held(&keys[1]), None);
    }
}
