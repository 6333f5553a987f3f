//! Exclusive write access to a folder or a file: one process at a time.
//!
//! The holder locks a hidden file, which the system unlocks when the holder ends, however it ends; a line in it names
//! the holder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::EngineError;
use crate::error::FileError;

/// The lock file of a folder.
const OF_FOLDER: &str = ".lease";
/// A longer line is not a holder's name.
const MOST_BYTES: u64 = 200;
/// Polls for the line of a holder that has just locked the file, and the interval between two.
const POLLS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(20);

/// Exclusive write access to a folder or a file; released on drop.
#[derive(Debug)]
#[must_use = "it is given back when it is dropped"]
pub struct Lease {
    path: PathBuf,
    /// `None` if the file system has no locks.
    file: Option<File>,
}

impl Lease {
    /// Locks a folder, which is created if missing.
    ///
    /// * `doing`: the work of this process, for the error of other processes: `generate squish side=3`.
    ///
    /// On a file system without locks, every process succeeds.
    ///
    /// # Errors
    /// Another process holds it, and is named; or the folder cannot be written.
    pub fn of_folder(folder: &Path, doing: &str) -> Result<Self, EngineError> {
        fs::create_dir_all(folder).map_err(FileError::system(folder, "make the folder"))?;
        let path = folder.join(OF_FOLDER);
        Self::take(path, doing, |holder| {
            let advice = "wait for it to end, or name another folder";
            FileError::unexpected(folder, "a folder that no other process writes into", holder, advice)
        })
    }

    /// Locks a file, which may be missing; its folder is created if missing.
    ///
    /// * `doing`: as for [`Self::of_folder`].
    ///
    /// # Errors
    /// As [`Self::of_folder`].
    pub fn of_file(file: &Path, doing: &str) -> Result<Self, EngineError> {
        Self::take(beside(file)?, doing, |holder| {
            let advice = "wait for it to end, or name another file";
            FileError::unexpected(file, "a file that no other process writes", holder, advice)
        })
    }

    /// Locks a file once other processes have released it: for writers that need it only briefly.
    ///
    /// # Errors
    /// The folder of the file cannot be written.
    pub(crate) fn wait_for_file(file: &Path) -> Result<Self, EngineError> {
        let path = beside(file)?;
        loop {
            let opened = open(&path)?;
            match opened.lock() {
                Ok(()) if is_at(&opened, &path) => return Ok(Self { path, file: Some(opened) }),
                Ok(()) => {}
                Err(error) if has_no_locks(&error) => return Ok(Self { path, file: None }),
                Err(error) => return Err(FileError::system(&path, "lock it")(error).into()),
            }
        }
    }

    fn take(
        path: PathBuf,
        doing: &str,
        refusal: impl FnOnce(String) -> FileError,
    ) -> Result<Self, EngineError> {
        loop {
            let file = open(&path)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => {
                    // On a full disk the holder stays unnamed, but works on.
                    let _ = say(&file, doing);
                    return Ok(Self { path, file: Some(file) });
                }
                // The last holder has just removed it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(refusal(holder(&path)).into()),
                Err(TryLockError::Error(error)) if has_no_locks(&error) => {
                    return Ok(Self { path, file: None });
                }
                Err(TryLockError::Error(error)) => {
                    return Err(FileError::system(&path, "lock it")(error).into());
                }
            }
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // Removed before it is unlocked; if removal fails, the next holder locks the same file.
        if self.file.is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The lock file of a file, in a folder that is created if missing.
fn beside(file: &Path) -> Result<PathBuf, FileError> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(FileError::system(folder, "make the folder"))?;
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok(file.with_file_name(format!(".{name}{OF_FOLDER}")))
}

fn open(path: &Path) -> Result<File, FileError> {
    let opened = File::options().create(true).truncate(false).read(true).write(true).open(path);
    opened.map_err(FileError::system(path, "open it"))
}

/// Whether a file that was locked still has this name: its last holder may have removed it meanwhile.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |about: fs::Metadata| (about.dev(), about.ino());
    file.metadata().ok().map(place) == fs::metadata(path).ok().map(place)
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

fn has_no_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
}

/// Writes the name of this process as the holder.
fn say(mut file: &File, doing: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {} ({doing})", std::process::id())
}

/// The holder's own description.
fn holder(path: &Path) -> String {
    for _ in 0..POLLS {
        let mut line = String::new();
        let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut line));
        if let Some(line) = read.ok().and_then(|_| line.strip_suffix('\n')) {
            return line.chars().filter(|letter| !letter.is_control()).collect();
        }
        sleep(BETWEEN);
    }
    "another process".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a refusal.
    fn refused(taken: Result<Lease, EngineError>) -> String {
        let Err(refusal) = taken else { panic!("expected a refusal") };
        refusal.to_string()
    }

    #[test]
    fn a_folder_has_one_holder_who_is_named_and_leaves_nothing_behind() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("of/tables");
        let held = Lease::of_folder(&folder, "generate squish side=3").unwrap();
        let words = refused(Lease::of_folder(&folder, "fetch-tables"));
        let own = format!("process {} (generate squish side=3)", std::process::id());
        assert!(words.contains(&own) && words.contains("wait for it"), "{words}");
        drop(held);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        drop(Lease::of_folder(&folder, "fetch-tables").unwrap());
    }

    #[test]
    fn what_a_dead_holder_left_refuses_nobody_and_names_nobody() {
        let place = tempfile::tempdir().unwrap();
        let left = place.path().join(OF_FOLDER);
        fs::write(&left, "process 1 (generate of long ago, with a long line)\n").unwrap();
        let held = Lease::of_folder(place.path(), "repack").unwrap();
        let own = format!("process {} (repack)\n", std::process::id());
        assert_eq!(fs::read_to_string(&left).unwrap(), own);
        drop(held);
        let locked = open(&left).unwrap();
        locked.try_lock().unwrap();
        let words = refused(Lease::of_folder(place.path(), "repack"));
        assert!(words.contains("another process"), "{words}");
    }

    #[test]
    fn files_are_taken_one_by_one() {
        let place = tempfile::tempdir().unwrap();
        let [one, other] = ["a.txt", "b.txt"].map(|name| place.path().join(name));
        let held = Lease::of_file(&one, "match").unwrap();
        drop(Lease::of_file(&other, "match").unwrap());
        assert!(refused(Lease::of_file(&one, "match")).contains("(match)"));
        drop(held);
    }

    #[test]
    fn holders_that_come_and_go_never_meet() {
        let place = tempfile::tempdir().unwrap();
        let (file, count) = (place.path().join("a.txt"), place.path().join("count"));
        fs::write(&count, "0").unwrap();
        let add = || {
            for _ in 0..50 {
                let _held = Lease::wait_for_file(&file).unwrap();
                let before: u32 = fs::read_to_string(&count).unwrap().parse().unwrap();
                fs::write(&count, (before + 1).to_string()).unwrap();
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(add))));
        assert_eq!(fs::read_to_string(&count).unwrap(), "200");
    }
}
