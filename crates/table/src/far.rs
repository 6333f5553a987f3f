//! Remote tables, read in place one piece at a time.

use std::cell::Cell;
use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rayon::prelude::*;
use web_time::Instant;

use crate::Error;
use crate::elsewhere::{Elsewhere, Found, read_whole};
use crate::pieces::{Pieces, lock};
use crate::source::ReadAt;
use crate::sums::{MAX_LIST_BYTES, SUMS_NAME};

/// Bytes of a piece; the last one of a file is shorter. A piece holds some blocks, or all blocks of a small table.
pub(crate) const PIECE_BYTES: u64 = 64 << 10;
/// The largest number of pieces of a file to forget: the length of a file is only what a server says.
const MOST_FORGOTTEN: u64 = 1 << 20;
/// Files that are requested at a time while a folder is opened.
const SIDE_BY_SIDE: usize = 8;
/// After a server was not reached, or refused, it is not asked again for this long, so that a search does not wait
/// for it at every position.
const LEFT_ALONE: Duration = Duration::from_secs(30);

thread_local! {
    static WAITS: Cell<bool> = const { Cell::new(true) };
}

/// Runs `work` on this thread without waiting for a remote server.
///
/// A request for data that is neither in memory nor among the cached pieces is an [`Error::Awaited`] instead.
pub fn without_waiting<T>(work: impl FnOnce() -> T) -> T {
    /// Restores the setting, also after a panic.
    struct Restored(bool);
    impl Drop for Restored {
        fn drop(&mut self) {
            WAITS.set(self.0);
        }
    }
    let _before = Restored(WAITS.replace(false));
    work()
}

/// A remote folder of tables, and the local cache of their pieces.
pub struct FarFolder {
    from: Box<dyn Elsewhere>,
    pieces: Pieces,
    /// The time and kind of the last failure, until a request succeeds.
    missed: Mutex<Option<(Instant, Missed)>>,
    /// The hash of the list of checksums by which the tables were opened.
    listed: Mutex<Option<blake3::Hash>>,
    /// Whether a table has changed since it was opened.
    changed: AtomicBool,
    figures: FetchCounts,
}

/// The reason why a server sent nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missed {
    NotReached,
    Refused,
}

impl Missed {
    /// The error for requests before the server is asked again.
    fn still(self, name: String) -> Error {
        let source = |what| io::Error::other(format!("{what} within the last {LEFT_ALONE:?}"));
        match self {
            Self::NotReached => Error::NotReached { name, tries: 0, source: source("it was not reached") },
            Self::Refused => Error::Refused { name, source: source("something else was refused") },
        }
    }
}

#[derive(Default)]
struct FetchCounts {
    fetched: AtomicU64,
    kept: AtomicU64,
    failed: AtomicU64,
    waiting: AtomicU64,
}

/// Counts of requests for pieces of remote tables, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FarFigures {
    /// Pieces that were fetched.
    pub fetched: u64,
    /// Pieces that were in the local cache.
    pub kept: u64,
    /// Requests that failed or returned wrong data.
    pub failed: u64,
    /// Requests that are waiting for the server.
    pub waiting: u64,
}

impl fmt::Debug for FarFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FarFolder").field(&self.address()).finish()
    }
}

impl FarFolder {
    /// A folder that has sent no request yet.
    #[must_use]
    pub fn new(from: Box<dyn Elsewhere>, pieces: Pieces) -> Self {
        let (missed, listed, changed) = (Mutex::default(), Mutex::default(), AtomicBool::new(false));
        Self { from, pieces, missed, listed, changed, figures: FetchCounts::default() }
    }

    /// The counts so far.
    #[must_use]
    pub fn figures(&self) -> FarFigures {
        let FetchCounts { fetched, kept, failed, waiting } = &self.figures;
        let [fetched, kept, failed, waiting] =
            [fetched, kept, failed, waiting].map(|count| count.load(Relaxed));
        FarFigures { fetched, kept, failed, waiting }
    }

    /// False if the server did not answer or refused since the last success.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.missed().is_none()
    }

    /// Whether no table turned out to differ from the list.
    #[must_use]
    pub fn is_as_listed(&self) -> bool {
        !self.changed.load(Relaxed)
    }

    /// Asks whether the tables differ from those that were opened, even if the last request failed a moment ago.
    ///
    /// # Errors
    /// The server does not answer or refuses to send the list of checksums.
    pub fn has_changed(&self) -> Result<bool, Error> {
        let list = self.told(SUMS_NAME, || read_whole(&*self.from, SUMS_NAME, MAX_LIST_BYTES, &|| false))?;
        let now = blake3::hash(&list.unwrap_or_default());
        Ok(self.changed.load(Relaxed) || *lock(&self.listed) != Some(now))
    }

    /// Marks the folder as changed, because not all of the listed tables could be opened.
    pub(crate) fn look_again(&self) {
        self.changed.store(true, Relaxed);
    }

    /// Fetches the list of checksums; from now on the tables are those of this list.
    pub(crate) fn list(&self) -> Result<Vec<u8>, Error> {
        let list = self.whole(SUMS_NAME, MAX_LIST_BYTES)?;
        *lock(&self.listed) = Some(blake3::hash(&list));
        self.changed.store(false, Relaxed);
        Ok(list)
    }

    /// The address, for errors.
    #[must_use]
    pub fn address(&self) -> &str {
        self.from.address()
    }

    /// The name of a file of it, for errors.
    pub(crate) fn name(&self, path: &str) -> String {
        self.from.name(path)
    }

    /// Reads a whole file of it; the bytes are not cached.
    ///
    /// * `most`: a larger file is an error.
    pub(crate) fn whole(&self, path: &str, most: u64) -> Result<Vec<u8>, Error> {
        let whole = self.ask(path, || read_whole(&*self.from, path, most, &|| false))?;
        Ok(whole.unwrap_or_default())
    }

    /// Finds a file of it.
    pub(crate) fn file(self: &Arc<Self>, path: &str) -> Result<FarFile, Error> {
        let found = self.ask(path, || self.from.find(path, &|| false))?;
        let found = found.ok_or_else(|| Error::NotThere { name: self.name(path) })?;
        Ok(FarFile { folder: Arc::clone(self), path: path.to_owned(), found })
    }

    /// Calls `open` for each path, several at a time if there are threads, and returns the results in order.
    pub(crate) fn side_by_side<T: Send>(
        &self,
        paths: &[String],
        open: &(dyn Fn(&String) -> Result<T, Error> + Sync),
    ) -> Result<Vec<Result<T, Error>>, Error> {
        if cfg!(target_family = "wasm") {
            return Ok(paths.iter().map(open).collect());
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(SIDE_BY_SIDE.min(paths.len().max(1))).build();
        let pool =
            pool.map_err(io::Error::other).map_err(Error::io(self.address(), "start threads for it"))?;
        Ok(pool.install(|| paths.par_iter().map(open).collect()))
    }

    fn missed(&self) -> MutexGuard<'_, Option<(Instant, Missed)>> {
        lock(&self.missed)
    }

    /// The result of `ask`, unless this thread must not wait or the last request failed a moment ago.
    fn ask<T>(&self, path: &str, ask: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        if !WAITS.get() {
            return Err(Error::Awaited { name: self.name(path) });
        }
        // Copied, so that the lock is released before the request.
        let missed = *self.missed();
        match missed {
            Some((when, missed)) if when.elapsed() < LEFT_ALONE => Err(missed.still(self.name(path))),
            _ => self.told(path, ask),
        }
    }

    /// Runs `ask` and records what its result says about the server.
    fn told<T>(&self, path: &str, ask: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.figures.waiting.fetch_add(1, Relaxed);
        let told = ask();
        self.figures.waiting.fetch_sub(1, Relaxed);
        match &told {
            Ok(_) => *self.missed() = None,
            Err(Error::NotReached { .. }) => *self.missed() = Some((Instant::now(), Missed::NotReached)),
            Err(Error::Refused { .. }) => *self.missed() = Some((Instant::now(), Missed::Refused)),
            // An opened file is missing or has changed; the list has the current ones.
            Err(Error::Changed { .. } | Error::NotThere { .. }) if path != SUMS_NAME => {
                self.changed.store(true, Relaxed);
            }
            Err(_) => {}
        }
        if told.is_err() {
            self.figures.failed.fetch_add(1, Relaxed);
        }
        told
    }
}

/// A remote file, read in pieces on demand.
pub struct FarFile {
    folder: Arc<FarFolder>,
    path: String,
    found: Found,
}

impl FarFile {
    /// A piece, from the local cache or from the server.
    fn piece(&self, number: u64) -> Result<Vec<u8>, Error> {
        let range = self.range(number);
        let key = self.key(number);
        let length = (range.end - range.start) as usize;
        let figures = &self.folder.figures;
        if let Some(piece) = key.and_then(|key| self.folder.pieces.get(&key, length)) {
            figures.kept.fetch_add(1, Relaxed);
            return Ok(piece);
        }
        let ask = || self.folder.from.piece(&self.path, &self.found, range.clone());
        let piece = self.folder.ask(&self.path, ask)?;
        figures.fetched.fetch_add(1, Relaxed);
        if piece.len() != length {
            let place = format!("bytes {} to {}", range.start, range.end);
            return Err(Error::damaged(&self.folder.name(&self.path), place, length, piece.len()));
        }
        if let Some(key) = key {
            self.folder.pieces.keep(&key, &piece);
        }
        Ok(piece)
    }

    fn range(&self, number: u64) -> Range<u64> {
        let start = number * PIECE_BYTES;
        start..self.found.bytes.min(start.saturating_add(PIECE_BYTES))
    }

    /// A key that differs between files and between states of a file. `None` if the server gives no identifier: the
    /// file may have changed at the next request.
    fn key(&self, number: u64) -> Option<blake3::Hash> {
        let (Found { bytes, mark }, address, path) = (&self.found, self.folder.address(), &self.path);
        let about = format!("{address}\n{path}\n{bytes}\n{}\n{number}", mark.as_deref()?);
        Some(blake3::hash(about.as_bytes()))
    }
}

impl ReadAt for FarFile {
    fn size(&self) -> io::Result<u64> {
        Ok(self.found.bytes)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|&end| end <= self.found.bytes);
        end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let (mut rest, mut at) = (buffer, offset);
        while !rest.is_empty() {
            let piece = self.piece(at / PIECE_BYTES).map_err(io::Error::other)?;
            let from = &piece[(at % PIECE_BYTES) as usize..];
            let (now, later) = rest.split_at_mut(from.len().min(rest.len()));
            now.copy_from_slice(&from[..now.len()]);
            at += now.len() as u64;
            rest = later;
        }
        Ok(())
    }

    /// A piece may have arrived damaged: all are read again.
    fn forget(&self) -> bool {
        self.folder.figures.failed.fetch_add(1, Relaxed);
        let numbers = 0..self.found.bytes.div_ceil(PIECE_BYTES).min(MOST_FORGOTTEN);
        numbers.filter_map(|number| self.key(number)).for_each(|key| self.folder.pieces.forget(&key));
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    /// Finds every file, but sends none of it.
    struct Gone(Arc<AtomicU32>);

    impl Elsewhere for Gone {
        fn address(&self) -> &'static str {
            "gone:"
        }

        fn find(&self, _: &str, _: &dyn Fn() -> bool) -> Result<Option<Found>, Error> {
            Ok(Some(Found { bytes: 10 * PIECE_BYTES, mark: Some("1".to_owned()) }))
        }

        fn read(
            &self,
            path: &str,
            found: &Found,
            from: u64,
            _: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
            _: &dyn Fn() -> bool,
        ) -> Result<bool, Error> {
            self.piece(path, found, from..found.bytes).map(|_| true)
        }

        fn piece(&self, path: &str, _: &Found, _: Range<u64>) -> Result<Vec<u8>, Error> {
            self.0.fetch_add(1, Relaxed);
            let source = io::Error::other("nobody is there");
            Err(Error::NotReached { name: path.to_owned(), tries: 3, source })
        }
    }

    #[test]
    fn a_server_that_was_not_reached_is_not_waited_for_at_every_position() {
        let (folder, asked) = (tempfile::tempdir().unwrap(), Arc::<AtomicU32>::default());
        let pieces = Pieces::new(folder.path(), 1 << 20).unwrap();
        let folder = Arc::new(FarFolder::new(Box::new(Gone(Arc::clone(&asked))), pieces));
        let file = folder.file("a.mqt").unwrap();
        let read = |at: u64| file.read_exact_at(&mut [0; 10], at).unwrap_err().to_string();
        assert!(read(0).contains("not reached (tries: 3)"));
        for number in 0..10 {
            assert!(read(number * PIECE_BYTES).contains("gone:/a.mqt: not reached"));
        }
        assert_eq!(asked.load(Relaxed), 1);
        // After a while it is asked again.
        *folder.missed() = Instant::now().checked_sub(LEFT_ALONE).map(|when| (when, Missed::NotReached));
        assert!(read(0).contains("not reached (tries: 3)"));
        assert_eq!(asked.load(Relaxed), 2);
        assert!(!folder.is_reached());
        assert_eq!(folder.figures(), FarFigures { fetched: 0, kept: 0, failed: 2, waiting: 0 });
        // A refusal is not reported as a failure to reach the server.
        *folder.missed() = Some((Instant::now(), Missed::Refused));
        assert!(read(0).contains("gone:/a.mqt: refused"));
        assert_eq!(asked.load(Relaxed), 2);
    }

    #[test]
    fn a_file_is_forgotten_however_long_a_server_says_it_is() {
        let place = tempfile::tempdir().unwrap();
        let pieces = Pieces::new(place.path(), 1 << 20).unwrap();
        let folder = Arc::new(FarFolder::new(Box::new(Gone(Arc::default())), pieces));
        let found = Found { bytes: u64::MAX, mark: None };
        let file = FarFile { found, ..folder.file("a.mqt").unwrap() };
        assert!(file.forget());
        assert_eq!(file.range(u64::MAX / PIECE_BYTES).end, u64::MAX);
    }

    #[test]
    fn who_does_not_wait_asks_nobody_and_gets_what_is_kept() {
        let (place, asked) = (tempfile::tempdir().unwrap(), Arc::<AtomicU32>::default());
        let pieces = Pieces::new(place.path(), 1 << 20).unwrap();
        let folder = Arc::new(FarFolder::new(Box::new(Gone(Arc::clone(&asked))), pieces));
        let file = folder.file("a.mqt").unwrap();
        folder.pieces.keep(&file.key(0).unwrap(), &[7; PIECE_BYTES as usize]);
        let read = |at: u64| {
            let mut byte = [0];
            file.read_exact_at(&mut byte, at).map(|()| byte[0]).map_err(|error| error.to_string())
        };
        assert_eq!(without_waiting(|| read(0)), Ok(7));
        let refused = without_waiting(|| read(PIECE_BYTES)).unwrap_err();
        assert!(refused.contains("gone:/a.mqt: a remote table"), "{refused}");
        assert_eq!(asked.load(Relaxed), 0);
        // Neither a panic nor the end of the work leaves the thread in the mode without waiting.
        let panics = || without_waiting(|| panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        assert!(read(PIECE_BYTES).unwrap_err().contains("not reached"));
        assert_eq!((asked.load(Relaxed), folder.figures().kept), (1, 1));
    }
}
