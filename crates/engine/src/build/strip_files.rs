//! Strips of a bundle as files next to those of its layers, and a checkpoint that lists the files that belong
//! together.
//!
//! Every file is written once, or appended to, under a unique number; its length and checksum are verified when it is
//! read. Rewriting a strip creates another file, and the old one stays while the last checkpoint needs it. So a
//! checkpoint copies nothing: it syncs the files, then writes and renames a list of them. `tablebases/FORMAT.md`
//! describes the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use web_time::Instant;

use marquis_retro::LayerCells;
use marquis_retro::layered::Counts;
use marquis_retro::layered::strips::{Extent, SpillStore, StripNumber};

use crate::EngineError;
use crate::error::FileError;
use crate::files::checkpoint::{Basis, Checkpoint};
use crate::files::room::expect_room;
use crate::files::strips::FlatCells;

/// The part of the checkpoint that lists the others.
const LIST: &str = "strips";
/// The maximum size of the list, in bytes.
const MOST_LIST_BYTES: u64 = 1 << 28;
/// The approximate number of bytes of a strip's messages that are read at a time.
const PIECE_BYTES: usize = 1 << 20;
const WORD: usize = size_of::<u64>();

/// The files of a bundle in strips.
pub(crate) struct SpillFiles<'a> {
    checkpoint: &'a Checkpoint,
    basis: Basis,
    /// The total size of all files.
    needed: u64,
    things: Mutex<Things>,
    finished: Mutex<Vec<FlatCells>>,
}

/// A file, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    number: u64,
    bytes: u64,
    crc: u32,
}

/// The files that exist.
#[derive(Default)]
struct Things {
    next: u64,
    strips: BTreeMap<StripNumber, Piece>,
    messages: BTreeMap<StripNumber, Vec<Piece>>,
    /// The numbers of the files of the last checkpoint.
    kept: BTreeSet<u64>,
    /// Kept files that become obsolete with the next checkpoint.
    old: Vec<u64>,
}

impl Things {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// All files.
    fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.strips.values().chain(self.messages.values().flatten())
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut words = vec![self.strips.len() as u64];
        let of = |piece: &Piece| [piece.number, piece.bytes, piece.crc.into()];
        for (&StripNumber(strip), piece) in &self.strips {
            words.push(strip as u64);
            words.extend(of(piece));
        }
        for (&StripNumber(strip), pieces) in &self.messages {
            for piece in pieces {
                words.push(strip as u64);
                words.extend(of(piece));
            }
        }
        words.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (words, []) = bytes.as_chunks::<WORD>() else { return None };
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let (&strips, rest) = words.split_first()?;
        let (pieces, []) = rest.as_chunks::<4>() else { return None };
        let mut things = Self::default();
        for (at, &[strip, number, bytes, crc]) in (0_u64..).zip(pieces) {
            let piece = Piece { number, bytes, crc: u32::try_from(crc).ok()? };
            let strip = StripNumber(usize::try_from(strip).ok()?);
            if at < strips {
                things.strips.insert(strip, piece);
            } else {
                things.messages.entry(strip).or_default().push(piece);
            }
            things.next = things.next.max(number);
            things.kept.insert(number);
        }
        Some(things)
    }
}

impl<'a> SpillFiles<'a> {
    /// * `basis`: everything the cells depend on.
    /// * `needed`: the approximate total size of all files, in bytes.
    pub(crate) fn new(checkpoint: &'a Checkpoint, basis: Basis, needed: u64) -> Self {
        Self { checkpoint, basis, needed, things: Mutex::default(), finished: Mutex::default() }
    }

    fn things(&self) -> MutexGuard<'_, Things> {
        self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.checkpoint.path(&format!("strip-{number}"))
    }

    /// The finished cells of each layer.
    pub(crate) fn into_finished(self) -> Vec<FlatCells> {
        self.finished.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a file from consecutive parts.
    fn create(&self, number: u64, parts: &[&[u8]]) -> Result<Piece, FileError> {
        let path = self.path(number);
        let mut file = File::create(&path).map_err(FileError::system(&path, "create it"))?;
        let mut hasher = crc32fast::Hasher::new();
        for part in parts {
            file.write_all(part).map_err(FileError::system(&path, "write it"))?;
            hasher.update(part);
        }
        let bytes = parts.iter().map(|part| part.len() as u64).sum();
        Ok(Piece { number, bytes, crc: hasher.finalize() })
    }

    /// Removes files that are no longer needed, and notes those that the last checkpoint needs.
    fn drop_pieces(&self, things: &mut Things, pieces: impl IntoIterator<Item = Piece>) {
        for Piece { number, .. } in pieces {
            if things.kept.contains(&number) {
                things.old.push(number);
            } else {
                // A file that cannot be removed does no harm.
                let _ = std::fs::remove_file(self.path(number));
            }
        }
    }

    /// Reads a file in parts of at most `most` bytes.
    fn each_part(&self, piece: Piece, most: usize, visit: &mut dyn FnMut(&[u8])) -> Result<(), FileError> {
        let path = self.path(piece.number);
        let mut file = File::open(&path).map_err(FileError::system(&path, "open it"))?;
        let (mut left, mut hasher) = (piece.bytes, crc32fast::Hasher::new());
        let mut part = vec![0; most.min(piece.bytes as usize)];
        while left > 0 {
            let bytes = part.len().min(left as usize);
            file.read_exact(&mut part[..bytes]).map_err(FileError::system(&path, "read it"))?;
            hasher.update(&part[..bytes]);
            visit(&part[..bytes]);
            left -= bytes as u64;
        }
        let found = hasher.finalize();
        if found == piece.crc {
            return Ok(());
        }
        let (expected, advice) = (format!("the checksum {:08x}", piece.crc), "remove it and build again");
        Err(FileError::unexpected(path, expected, format!("{found:08x}"), advice))
    }

    /// Removes all strip files except those of the last checkpoint.
    fn sweep(&self, kept: &BTreeSet<u64>) {
        self.checkpoint.remove_parts(|part| match part.strip_prefix("strip-") {
            Some(number) => !number.parse().is_ok_and(|number| kept.contains(&number)),
            None => part.starts_with("cells-"),
        });
    }

    /// Returns the content of the last checkpoint if all its files are complete.
    fn load(&self) -> Option<(Things, Vec<u8>)> {
        let kept = self.checkpoint.load(LIST, &self.basis, MOST_LIST_BYTES)?;
        let split = kept.get("words")?.parse().ok()?;
        let (words, list) = kept.body.split_at_checked(split)?;
        let things = Things::read(list)?;
        things.pieces().try_for_each(|&piece| self.each_part(piece, PIECE_BYTES, &mut |_| ())).ok()?;
        Some((things, words.to_vec()))
    }
}

impl SpillStore for SpillFiles<'_> {
    type Error = EngineError;

    fn kept(&self) -> Result<Option<Vec<u8>>, EngineError> {
        let (things, words) = match self.load() {
            Some((things, words)) => (things, Some(words)),
            None => (Things::default(), None),
        };
        self.sweep(&things.kept);
        let there: u64 = things.pieces().map(|piece| piece.bytes).sum();
        expect_room(self.checkpoint.folder(), self.needed.saturating_sub(there).into())?;
        *self.things() = things;
        Ok(words)
    }

    fn clear(&self) -> Result<(), EngineError> {
        self.checkpoint.remove();
        *self.things() = Things::default();
        Ok(())
    }

    fn write(&self, strip: StripNumber, own: &[u8], mirror: &[u8]) -> Result<(), EngineError> {
        let number = self.things().number();
        let piece = self.create(number, &[own, mirror])?;
        let mut things = self.things();
        let before = things.strips.insert(strip, piece);
        self.drop_pieces(&mut things, before);
        Ok(())
    }

    fn read(&self, strip: StripNumber, bytes: usize) -> Result<(Vec<u8>, Vec<u8>), EngineError> {
        let piece = self.things().strips.get(&strip).copied();
        let Some(piece) = piece.filter(|piece| piece.bytes == 2 * bytes as u64) else {
            let path = piece.map_or_else(|| self.checkpoint.path(LIST), |piece| self.path(piece.number));
            let found = piece.map_or(0, |piece| piece.bytes);
            let advice = "remove it and build again";
            let error = FileError::unexpected(path, format!("{} bytes of a strip", 2 * bytes), found, advice);
            return Err(error.into());
        };
        let mut parts = Vec::with_capacity(2);
        self.each_part(piece, bytes, &mut |part| parts.push(part.to_vec()))?;
        let mirror = parts.pop().unwrap_or_default();
        Ok((parts.pop().unwrap_or_default(), mirror))
    }

    /// Appends to the last file of messages, unless the last checkpoint needs that file unchanged.
    fn tell(&self, strip: StripNumber, messages: &[u8]) -> Result<(), EngineError> {
        let (last, number) = {
            let mut things = self.things();
            let last = things.messages.get(&strip).and_then(|pieces| pieces.last()).copied();
            (last.filter(|piece| !things.kept.contains(&piece.number)), things.number())
        };
        let piece = match last {
            None => self.create(number, &[messages])?,
            Some(Piece { number, bytes, crc }) => {
                let path = self.path(number);
                let file = OpenOptions::new().append(true).open(&path);
                let mut file = file.map_err(FileError::system(&path, "open it"))?;
                file.write_all(messages).map_err(FileError::system(&path, "write it"))?;
                let mut hasher = crc32fast::Hasher::new_with_initial_len(crc, bytes);
                hasher.update(messages);
                Piece { number, bytes: bytes + messages.len() as u64, crc: hasher.finalize() }
            }
        };
        let mut things = self.things();
        let pieces = things.messages.entry(strip).or_default();
        if last.is_some() {
            pieces.pop();
        }
        pieces.push(piece);
        Ok(())
    }

    fn take(&self, strip: StripNumber, each: usize, visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        let pieces = self.things().messages.remove(&strip).unwrap_or_default();
        for &piece in &pieces {
            self.each_part(piece, PIECE_BYTES / each * each, visit)?;
        }
        self.drop_pieces(&mut self.things(), pieces);
        Ok(())
    }

    fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    fn keep(&self, words: &[u8]) -> Result<(), EngineError> {
        let begun = Instant::now();
        let mut things = self.things();
        for piece in things.pieces().filter(|piece| !things.kept.contains(&piece.number)) {
            let path = self.path(piece.number);
            File::open(&path)
                .and_then(|file| file.sync_all())
                .map_err(FileError::system(&path, "sync it"))?;
        }
        let mut body = words.to_vec();
        body.extend(things.to_bytes());
        let about = [("words", words.len().to_string())];
        self.checkpoint.try_keep(LIST, &self.basis, &about, &[&body])?;
        things.kept = things.pieces().map(|piece| piece.number).collect();
        for number in std::mem::take(&mut things.old) {
            let _ = std::fs::remove_file(self.path(number));
        }
        self.checkpoint.kept(begun);
        Ok(())
    }

    fn finish(&self, extent: &Extent, cells: LayerCells) -> Result<(), EngineError> {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let layer = extent.layer.0;
        while finished.len() <= layer {
            let path = self.checkpoint.path(&format!("cells-{}", finished.len()));
            finished.push(FlatCells::create(path)?);
        }
        finished[layer].add(&cells, Counts::of(&cells))?;
        Ok(())
    }
}
