//! Polls the table directories, so that tables can be added while the service runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use actix_web::web;

/// The polling interval.
const EVERY: Duration = Duration::from_secs(2);

/// The depth of subdirectories to search below a table directory.
const DEPTH: usize = 3;

/// A snapshot of the files: path, size and modification time of each.
pub(crate) type Signature = Vec<(PathBuf, u64, Option<SystemTime>)>;

/// The current files; unreadable ones are treated as missing.
pub(crate) fn signature(directories: &[PathBuf]) -> Signature {
    let mut files = Vec::new();
    for directory in directories {
        collect(directory, DEPTH, &mut files);
    }
    files.sort();
    files
}

fn collect(directory: &Path, depth: usize, files: &mut Signature) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(about) = fs::metadata(&path) else { continue };
        if about.is_dir() && depth > 0 {
            collect(&path, depth - 1, files);
        } else if about.is_file() && path.extension().is_some_and(|kind| kind == "mqt") {
            files.push((path, about.len(), about.modified().ok()));
        }
    }
}

/// Detects that table files were added, removed or changed.
pub(crate) struct TablesWatch {
    known: Signature,
    /// The last snapshot; a change counts when it is seen twice, because a file may still be being copied.
    seen: Signature,
    next: Instant,
}

impl TablesWatch {
    pub(crate) fn new(directories: &[PathBuf]) -> Self {
        let known = signature(directories);
        Self { seen: known.clone(), known, next: Instant::now() + EVERY }
    }

    /// Whether the files have changed since this last returned true, and are stable.
    pub(crate) async fn has_changed(&mut self, directories: &[PathBuf]) -> bool {
        if Instant::now() < self.next {
            return false;
        }
        self.next = Instant::now() + EVERY;
        let directories = directories.to_vec();
        let Ok(now) = web::block(move || signature(&directories)).await else { return false };
        let rests = now == self.seen;
        self.seen = now;
        let changed = rests && self.seen != self.known;
        if changed {
            self.known.clone_from(&self.seen);
        }
        changed
    }
}
