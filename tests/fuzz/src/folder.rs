//! A folder in memory where the system has one.

use std::path::Path;

use tempfile::TempDir;

/// An empty folder, which goes with the value.
///
/// # Panics
/// No folder can be made.
pub fn empty() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder for temporary files")
}
