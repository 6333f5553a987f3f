//! Tables that turned out to be damaged while in use.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// The state of a file: its size and modification time; `None` if it does not exist.
type Mark = Option<(u64, Option<SystemTime>)>;

fn mark(file: &Path) -> Mark {
    fs::metadata(file).ok().map(|about| (about.len(), about.modified().ok()))
}

/// Files that are not used until they change.
#[derive(Default)]
pub(crate) struct Damaged {
    files: Mutex<BTreeMap<PathBuf, Mark>>,
    /// Held while a table is evicted, so that concurrent readers evict it only once.
    letting_go: Mutex<()>,
}

impl Damaged {
    fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Mark>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files that have not changed since they were evicted; others are forgotten.
    pub(crate) fn still(&self) -> Vec<PathBuf> {
        let mut files = self.files();
        files.retain(|file, then| mark(file) == *then);
        files.keys().cloned().collect()
    }

    /// Evicts a file.
    ///
    /// * `drop_it`: ensures that the file is no longer used; returns false if it never was.
    /// * Result: whether the file is evicted, now or before.
    pub(crate) fn let_go(&self, file: &Path, drop_it: impl FnOnce() -> bool) -> bool {
        let _alone = self.letting_go.lock().unwrap_or_else(PoisonError::into_inner);
        let now = mark(file);
        if self.files().get(file) == Some(&now) {
            return true;
        }
        let done = drop_it();
        if done {
            self.files().insert(file.to_owned(), now);
        }
        done
    }
}
