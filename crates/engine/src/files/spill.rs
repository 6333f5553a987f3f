//! Files of a half-solved bundle, and the checkpoint that lists those that belong together.
//!
//! A file has a unique number and consists of parts, whose lengths and hashes are in memory and in the list. A part is
//! verified whenever it is read. Files that the last list names are never changed, and stay until the next list. So a
//! checkpoint copies nothing: it syncs the new files, then writes and renames a list. `tablebases/FORMAT.md` describes
//! the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use blake3::Hasher;
use serde::{Deserialize, Serialize};

use crate::error::FileError;
use crate::files::checkpoint::{Basis, Checkpoint};

/// The version of the files; those of other versions are removed.
pub(crate) const VERSION: u32 = 2;
/// The maximum size of a list, in bytes.
const MOST_LIST_BYTES: u64 = 1 << 28;
pub(crate) const ADVICE: &str = "remove this file and build again; its layer starts over";

/// The key of a file; the meaning of its numbers is up to the user of the store.
pub(crate) type FileKey = [u64; 3];

/// A store of files.
///
/// Several threads call at the same time, each for different keys; [`keep`](Self::keep) runs while nothing is written.
pub(crate) struct SpillFiles<'a> {
    checkpoint: &'a Checkpoint,
    /// The part of the checkpoint that is the list, and the prefix of the parts that are files.
    name: &'static str,
    basis: Basis,
    state: Mutex<State>,
}

/// A part of a file.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct FilePart {
    pub(crate) bytes: u64,
    blake3: String,
}

/// The description of a file.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SpillFile {
    number: u64,
    /// Two words for the user of the store.
    pub(crate) words: [u64; 2],
    pub(crate) parts: Vec<FilePart>,
}

impl SpillFile {
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).sum()
    }
}

/// The body of a checkpoint.
#[derive(Serialize, Deserialize)]
struct List {
    /// The words of the user of the store.
    words: Vec<u8>,
    files: Vec<(FileKey, SpillFile)>,
}

type Files = BTreeMap<FileKey, SpillFile>;

fn numbers(files: &Files) -> BTreeSet<u64> {
    files.values().map(|file| file.number).collect()
}

#[derive(Default)]
struct State {
    /// The last number.
    last: u64,
    files: Files,
    /// By the first two numbers of their keys, the files that may still grow.
    growing: BTreeMap<[u64; 2], (FileKey, Hasher)>,
    /// The numbers of the files of the last list.
    kept: BTreeSet<u64>,
}

impl State {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

impl<'a> SpillFiles<'a> {
    /// * `name`: the list is this part of the checkpoint.
    /// * `basis`: everything the contents depend on, with [`VERSION`].
    pub(crate) fn new(checkpoint: &'a Checkpoint, name: &'static str, basis: Basis) -> Self {
        Self { checkpoint, name, basis, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.checkpoint.path(&format!("{}.{number}", self.name))
    }

    /// All files, by key.
    pub(crate) fn files(&self) -> BTreeMap<FileKey, SpillFile> {
        self.state().files.clone()
    }

    /// The keys that begin with two numbers.
    pub(crate) fn keys(&self, [first, second]: [u64; 2]) -> Vec<FileKey> {
        let (least, most) = ([first, second, 0], [first, second, u64::MAX]);
        self.state().files.range(least..=most).map(|(&key, _)| key).collect()
    }

    /// Begins with the files of the last list, if it has the same basis and none is missing, and removes all others.
    ///
    /// * Result: the words of the list.
    ///
    /// # Errors
    /// A list or a file that is damaged or cannot be read.
    pub(crate) fn open(&self) -> Result<Option<Vec<u8>>, FileError> {
        let folder = self.checkpoint.folder();
        fs::create_dir_all(folder).map_err(FileError::system(folder, "make the folder"))?;
        let (words, files) = self.load()?.unzip();
        let files = files.unwrap_or_default();
        let kept = numbers(&files);
        self.remove_all_but(words.is_some().then_some(&kept));
        let last = kept.last().copied().unwrap_or(0);
        *self.state() = State { last, files, kept, ..State::default() };
        Ok(words)
    }

    /// Removes all files but those of a list, and the list if there is none.
    fn remove_all_but(&self, kept: Option<&BTreeSet<u64>>) {
        let is_kept =
            |number: &str| kept.is_some_and(|kept| number.parse().is_ok_and(|own| kept.contains(&own)));
        self.checkpoint.remove_parts(|part| match part.strip_prefix(self.name) {
            Some("") => kept.is_none(),
            Some(rest) => rest.strip_prefix('.').is_some_and(|number| !is_kept(number)),
            None => false,
        });
    }

    fn load(&self) -> Result<Option<(Vec<u8>, Files)>, FileError> {
        let Some(kept) = self.checkpoint.try_load(self.name, &self.basis, MOST_LIST_BYTES)? else {
            return Ok(None);
        };
        let List { words, files } = serde_json::from_slice(&kept.body).map_err(|error| {
            FileError::unexpected(self.checkpoint.path(self.name), "a list of files", error, ADVICE)
        })?;
        for (_, file) in &files {
            let path = self.path(file.number);
            let found = match path.metadata() {
                Ok(about) => about.len(),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(FileError::system(&path, "ask for its length")(error)),
            };
            if found != file.bytes() {
                return Err(FileError::unexpected(path, format!("{} bytes", file.bytes()), found, ADVICE));
            }
        }
        Ok(Some((words, files.into_iter().collect())))
    }

    /// Removes all files and the list.
    pub(crate) fn clear(&self) {
        let mut state = self.state();
        self.remove_all_but(None);
        // No number comes twice, even if its file could not be removed.
        *state = State { last: state.last, ..State::default() };
    }

    fn unlink(&self, number: u64) {
        // A file that cannot be removed is in no list and does no harm.
        let _ = fs::remove_file(self.path(number));
    }

    /// Writes a file, in the place of the one with the same key.
    ///
    /// * `make`: passes on its parts, in order.
    ///
    /// # Errors
    /// That of `make`, or the file cannot be created.
    pub(crate) fn write<E: From<FileError>>(
        &self,
        key: FileKey,
        words: [u64; 2],
        make: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), FileError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let number = self.state().next();
        let path = self.path(number);
        let mut file = File::create(&path).map_err(FileError::system(&path, "create it"))?;
        let mut parts = Vec::new();
        make(&mut |bytes| {
            parts.push(FilePart { bytes: bytes.len() as u64, blake3: blake3::hash(bytes).to_string() });
            file.write_all(bytes).map_err(FileError::system(&path, "write it"))
        })?;
        let mut state = self.state();
        let before = state.files.insert(key, SpillFile { number, words, parts });
        self.release(&state, before);
        Ok(())
    }

    /// Appends to the last file of a group, the first two numbers of its key, or to a new one if the last list needs
    /// it unchanged. Such a file has one part, and its number as the end of its key.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn append(&self, group: [u64; 2], bytes: &[u8]) -> Result<(), FileError> {
        let growing = self.state().growing.remove(&group);
        let is_new = growing.is_none();
        let begin = || ([group[0], group[1], self.state().next()], Hasher::new());
        let (key, mut hasher) = growing.unwrap_or_else(begin);
        let path = self.path(key[2]);
        let file = if is_new { File::create(&path) } else { File::options().append(true).open(&path) };
        let mut file = file.map_err(FileError::system(&path, "open it"))?;
        file.write_all(bytes).map_err(FileError::system(&path, "write it"))?;
        hasher.update(bytes);
        let part = FilePart { bytes: hasher.count(), blake3: hasher.finalize().to_string() };
        let mut state = self.state();
        state.files.insert(key, SpillFile { number: key[2], words: [0; 2], parts: vec![part] });
        state.growing.insert(group, (key, hasher));
        Ok(())
    }

    /// Removes files; those of the last list stay until the next one.
    pub(crate) fn remove(&self, keys: impl IntoIterator<Item = FileKey>) {
        let mut state = self.state();
        for key in keys {
            let file = state.files.remove(&key);
            state.growing.remove(&[key[0], key[1]]);
            self.release(&state, file);
        }
    }

    fn release(&self, state: &State, file: Option<SpillFile>) {
        if let Some(file) = file.filter(|file| !state.kept.contains(&file.number)) {
            self.unlink(file.number);
        }
    }

    /// Passes some parts of a file to `visit`, each with its number.
    ///
    /// * `most`: the bytes of a piece of longer parts, which are verified before the last piece is passed.
    ///
    /// # Errors
    /// The file is missing, damaged or cannot be read.
    pub(crate) fn read(
        &self,
        key: FileKey,
        parts: Range<usize>,
        most: usize,
        visit: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), FileError> {
        let wanted = |file: &SpillFile| {
            let wanted = file.parts.get(parts.clone())?.to_vec();
            let before: u64 = file.parts[..parts.start].iter().map(|part| part.bytes).sum();
            Some((file.number, before, wanted))
        };
        let Some((number, before, wanted)) = self.state().files.get(&key).and_then(wanted) else {
            let (list, expected) =
                (self.checkpoint.path(self.name), format!("parts {parts:?} of file {key:?}"));
            return Err(FileError::unexpected(list, expected, "none", ADVICE));
        };
        let path = self.path(number);
        let mut opened = File::open(&path).map_err(FileError::system(&path, "open it"))?;
        opened.seek(SeekFrom::Start(before)).map_err(FileError::system(&path, "seek in it"))?;
        let mut bytes = Vec::new();
        for (number, part) in parts.zip(wanted) {
            let (mut left, mut hasher) = (part.bytes, Hasher::new());
            while left > 0 {
                bytes.resize(most.min(left as usize), 0);
                opened.read_exact(&mut bytes).map_err(FileError::system(&path, "read it"))?;
                hasher.update(&bytes);
                left -= bytes.len() as u64;
                if left > 0 {
                    visit(number, &bytes);
                }
            }
            let found = hasher.finalize().to_string();
            if found != part.blake3 {
                let expected = format!("part {number} with the blake3 {}", part.blake3);
                return Err(FileError::unexpected(path, expected, found, ADVICE));
            }
            visit(number, &bytes);
        }
        Ok(())
    }

    /// Writes a checkpoint of all files.
    ///
    /// * `words`: what [`open`](Self::open) returns for it.
    ///
    /// # Errors
    /// A file cannot be synced, or the list cannot be written; the last list remains.
    pub(crate) fn keep(&self, words: &[u8]) -> Result<(), FileError> {
        let (files, before) = {
            let mut state = self.state();
            state.growing.clear();
            (state.files.clone(), state.kept.clone())
        };
        let kept = numbers(&files);
        for &number in kept.difference(&before) {
            let path = self.path(number);
            let synced = File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(FileError::system(&path, "sync it"))?;
        }
        let list = List { words: words.to_vec(), files: files.into_iter().collect() };
        let list = serde_json::to_vec(&list).map_err(io::Error::from);
        let list = list.map_err(FileError::system(&self.checkpoint.path(self.name), "describe it"))?;
        self.checkpoint.keep(self.name, &self.basis, &[], &[&list])?;
        before.difference(&kept).for_each(|&number| self.unlink(number));
        self.state().kept = kept;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
