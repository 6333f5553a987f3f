//! A temporary folder, in memory if possible.

use std::path::Path;

use tempfile::TempDir;

/// An empty folder, removed on drop.
///
/// # Panics
/// The folder cannot be created.
pub fn empty() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder for temporary files")
}
