//! A disk cache of pieces of remote files.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::Error;

/// The file name extension of cached pieces.
const ENDING: &str = "piece";
/// The least time between two updates of the last use of a piece; more updates would cost more than they help.
const USED_AGAIN: Duration = Duration::from_secs(60);

/// A folder of pieces with a size limit, which several processes may share.
///
/// Cached pieces are verified like fetched ones: the reader of a table compares the checksums in it. A piece that
/// cannot be cached is fetched again the next time.
#[derive(Debug)]
pub struct Pieces {
    folder: PathBuf,
    most: u64,
    /// The size of the folder as far as this process knows.
    held: Mutex<u64>,
}

impl Pieces {
    /// Opens the cache in a folder, which is created if it is missing.
    ///
    /// * `most`: the largest size in bytes; the least recently used pieces are evicted.
    ///
    /// # Errors
    /// The folder cannot be created or listed.
    pub fn new(folder: &Path, most: u64) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::io(folder.display(), "make the folder"))?;
        let held = listed(folder)?.iter().map(|piece| piece.bytes).sum();
        let pieces = Self { folder: folder.to_owned(), most, held: Mutex::new(held) };
        pieces.make_room(&mut pieces.held(), 0);
        Ok(pieces)
    }

    fn path(&self, key: &blake3::Hash) -> PathBuf {
        self.folder.join(format!("{key}.{ENDING}"))
    }

    /// The piece of a key, if it is cached.
    ///
    /// * `bytes`: its size.
    pub(crate) fn get(&self, key: &blake3::Hash, bytes: usize) -> Option<Vec<u8>> {
        let path = self.path(key);
        let piece = fs::read(&path).ok().filter(|piece| piece.len() == bytes)?;
        if fs::metadata(&path).and_then(|about| about.modified()).is_ok_and(is_old) {
            let _ =
                File::options().write(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        }
        Some(piece)
    }

    /// Caches a piece, if possible.
    pub(crate) fn keep(&self, key: &blake3::Hash, piece: &[u8]) {
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
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Not synced: a piece that a crash truncated is detected like any other damage.
    fn write(&self, key: &blake3::Hash, piece: &[u8]) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(piece)?;
        file.persist(self.path(key))?;
        Ok(())
    }

    /// Removes a piece.
    pub(crate) fn forget(&self, key: &blake3::Hash) {
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
        let pieces = Pieces::new(folder.path(), 100_000).unwrap();
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
        let smaller = Pieces::new(folder.path(), 25_000).unwrap();
        assert!(*smaller.held() <= 25_000 && listed(folder.path()).unwrap().len() <= 2);
    }
}
