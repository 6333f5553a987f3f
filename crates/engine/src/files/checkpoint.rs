//! Checkpoints of half-solved layers, from which a stopped build resumes.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use web_time::{Duration, Instant};

use marquis_table::{Container, Error, Fingerprint, read_container, write_container_of_parts};

use crate::EngineError;
use crate::error::FileError;
use crate::files::room::expect_room;

const KIND: &str = "checkpoint";
const EXTENSION: &str = "checkpoint";
/// Writing takes at most one part in `WORK_PER_WRITING` of the time.
const WORK_PER_WRITING: u32 = 20;

/// Everything that the work on a layer depends on. A checkpoint with another basis is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    name: &'static str,
    print: String,
}

impl Basis {
    /// * `name`: the key in the file.
    /// * `words`: the rules, the numbering, the way in which layers are solved, and anything else the work depends
    ///   on.
    #[must_use]
    pub fn new(name: &'static str, words: &str) -> Self {
        Self { name, print: Fingerprint::of(words).to_string() }
    }
}

/// The checkpoint of layers that are solved together: files next to theirs.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    name: String,
    clock: Mutex<Clock>,
}

#[derive(Debug)]
struct Clock {
    every: Duration,
    last: Instant,
}

impl Checkpoint {
    /// The checkpoint of layers for which this run has kept nothing yet.
    ///
    /// * `folder`: the folder of the layers' files; `name`: the prefix of the checkpoint's files.
    /// * `every`: the amount of work that an interruption that cannot be caught may cost.
    #[must_use]
    pub fn new(folder: &Path, name: &str, every: Duration) -> Self {
        let clock = Mutex::new(Clock { every, last: Instant::now() });
        Self { folder: folder.to_owned(), name: format!(".{name}"), clock }
    }

    /// The folder of the files.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a part.
    #[must_use]
    pub fn path(&self, part: &str) -> PathBuf {
        let dot = if part.is_empty() { "" } else { "." };
        self.folder.join(format!("{}{dot}{part}.{EXTENSION}", self.name))
    }

    fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if the disk lacks room for `bytes`; space that the checkpoint's files already take counts as free.
    ///
    /// # Errors
    /// The number of missing bytes.
    pub(crate) fn expect_room(&self, bytes: u64) -> Result<(), EngineError> {
        let own: u64 = self.files().filter_map(|(_, path)| Some(path.metadata().ok()?.len())).sum();
        expect_room(&self.folder, bytes.saturating_sub(own).into())
    }

    /// The files of all parts, each with the name of its part.
    fn files(&self) -> impl Iterator<Item = (String, PathBuf)> + '_ {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        files.filter_map(|file| {
            let name = file.file_name();
            let rest = name.to_str()?.strip_prefix(&self.name)?.strip_suffix(EXTENSION)?.strip_prefix('.')?;
            // Without a part name there is one dot, with one there is a dot at each end.
            let part = if rest.is_empty() { rest } else { rest.strip_suffix('.')? };
            Some((part.to_owned(), file.path()))
        })
    }

    /// Returns a kept part if it is complete and has the same basis, otherwise `None`.
    ///
    /// * `part`: the name of the part; empty if there is only one.
    /// * `most`: the maximum number of bytes in the body.
    #[must_use]
    pub fn load(&self, part: &str, basis: &Basis, most: u64) -> Option<Container> {
        self.try_load(part, basis, most).ok().flatten()
    }

    /// Like `load`, but only a missing part and one of another version or basis are `None`.
    ///
    /// # Errors
    /// The part is damaged or too large, or cannot be read.
    pub(crate) fn try_load(
        &self,
        part: &str,
        basis: &Basis,
        most: u64,
    ) -> Result<Option<Container>, FileError> {
        match read_container(&self.path(part), KIND, most) {
            Ok(kept) => Ok((kept.get(basis.name) == Some(&basis.print)).then_some(kept)),
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(Error::Version { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps a part. A caller may ignore the error, which only costs time after an interruption.
    ///
    /// * `words`: metadata about the body, by name.
    /// * `body`: consecutive pieces, which are never concatenated in memory.
    ///
    /// # Errors
    /// The reason why it cannot be written.
    pub fn keep(
        &self,
        part: &str,
        basis: &Basis,
        words: &[(&str, String)],
        body: &[&[u8]],
    ) -> Result<(), FileError> {
        let all = [(basis.name, basis.print.clone())].into_iter().chain(words.iter().cloned());
        let all: Vec<(String, String)> = all.map(|(name, words)| (name.to_owned(), words)).collect();
        Ok(write_container_of_parts(&self.path(part), KIND, &all, body)?)
    }

    /// Notes that all parts have been kept.
    ///
    /// * `begun`: the start of the first write.
    pub fn kept(&self, begun: Instant) {
        let mut clock = self.clock();
        clock.every = clock.every.max(begun.elapsed() * WORK_PER_WRITING);
        clock.last = Instant::now();
    }

    /// The time since the last part was kept, or since the work started.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.clock().last.elapsed()
    }

    /// Whether it is time to write a checkpoint.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.age() >= self.clock().every
    }

    /// Removes all files, once the layers are finished.
    pub(crate) fn remove(&self) {
        self.remove_parts(|_| true);
    }

    /// Removes the files of parts that pass.
    pub(crate) fn remove_parts(&self, pass: impl Fn(&str) -> bool) {
        for (_, file) in self.files().filter(|(part, _)| pass(part)) {
            // A file that cannot be removed is unused and does no harm.
            let _ = std::fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder per test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("marquis-checkpoint-{name}-{}", std::process::id())))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_was_kept_on_another_basis_is_of_no_use() {
        let folder = Folder::new("basis");
        let checkpoint = Checkpoint::new(&folder.0, "2v1", Duration::ZERO);
        let own = Basis::new("rules", "rules 1 numbering 1");
        checkpoint.keep("", &own, &[("ply", "7".to_owned())], &[b"cells"]).expect("written");
        let kept = checkpoint.load("", &own, 5).expect("it is of the same basis");
        assert_eq!((kept.get("ply"), kept.body.as_slice()), (Some("7"), b"cells".as_slice()));
        assert!(checkpoint.load("", &own, 4).is_none(), "more than it may have");
        for other in [Basis::new("rules", "rules 2 numbering 1"), Basis::new("basis", "rules 1 numbering 1")]
        {
            assert!(checkpoint.load("", &other, 5).is_none(), "{other:?}");
        }
    }

    #[test]
    fn all_parts_go_and_those_of_other_layers_stay() {
        let folder = Folder::new("parts");
        let basis = Basis::new("rules", "any");
        let [own, other] = ["2v1", "2v1+1v2"].map(|name| Checkpoint::new(&folder.0, name, Duration::ZERO));
        for part in ["", "0.1.12", "1.0.0"] {
            let keep = |layers: &Checkpoint| layers.keep(part, &basis, &[], &[b""]).expect("written");
            [&own, &other].into_iter().for_each(keep);
        }
        own.remove();
        for part in ["", "0.1.12", "1.0.0"] {
            assert!(own.load(part, &basis, 0).is_none() && other.load(part, &basis, 0).is_some(), "{part}");
        }
    }

    #[test]
    fn it_is_due_when_the_time_is_over_and_writing_takes_a_small_part_of_it() {
        let folder = Folder::new("due");
        assert!(Checkpoint::new(&folder.0, "1v1", Duration::ZERO).is_due());
        let seldom = Checkpoint::new(&folder.0, "1v1", Duration::from_secs(60));
        assert!(!seldom.is_due());
        let often = Checkpoint::new(&folder.0, "1v1", Duration::ZERO);
        let begun = Instant::now().checked_sub(Duration::from_secs(10)).expect("the machine is up that long");
        often.kept(begun);
        assert!(!often.is_due(), "it took ten seconds to write");
    }
}
