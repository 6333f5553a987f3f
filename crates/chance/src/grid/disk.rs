//! Strips as files: a head with a description and a checksum of every tile, then the tiles.
//!
//! A file gets its name only when it is complete and synced. Every tile is verified before use.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::cell::ChanceCell;
use super::kernel::Change;
use super::packed::{PackedStrip, Places};

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"\x89MARQST\n";
const VERSION: u32 = 1;
const HASH: usize = 32;
/// Magic, version, bytes a number, numbers a cell, rows of tiles; basis; step, widest change, number of loosened
/// bounds.
const WORDS: usize = 8 + 4 * 4 + HASH + 3 * 8;
/// The suffix of files that are still being written; their names also start with a dot.
const UNFINISHED: &str = ".unfinished";

/// The place of strips on disk.
#[derive(Clone, Debug)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// The prefix of the file names; the numbers of half, band and step follow.
    pub name: String,
    /// The extension of the file names.
    pub extension: String,
    /// A text that names everything the numbers depend on: files of another basis are removed.
    pub basis: String,
}

/// A strip that cannot be read or written.
#[derive(Debug)]
pub enum StripError {
    /// An error of the operating system.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operation that failed.
        doing: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// A file has unexpected content.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part of it.
        place: String,
        /// The expected content.
        expected: String,
        /// The content found.
        found: String,
    },
}

impl StripError {
    fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, doing, source }
    }

    /// The file or folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. } | Self::Damaged { path, .. } => path,
        }
    }
}

impl fmt::Display for StripError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, doing, .. } => write!(out, "{}: cannot {doing}", path.display()),
            Self::Damaged { path, place, expected, found } => {
                let path = path.display();
                write!(out, "{path}: damaged at {place}: expected {expected}, found {found}")
            }
        }
    }
}

impl std::error::Error for StripError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Damaged { .. } => None,
        }
    }
}

/// The description of a strip in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label<C> {
    pub(super) half: usize,
    pub(super) band: usize,
    /// The number of the sweep or other step that made it.
    pub(super) step: u64,
    /// The change of that step.
    pub(super) change: Change<C>,
}

/// The folder of the strips of one bundle.
pub(super) struct StripFiles {
    folder: Folder,
    basis: blake3::Hash,
    read: AtomicU64,
    written: AtomicU64,
}

impl StripFiles {
    pub(super) fn new(folder: Folder) -> Self {
        let basis = blake3::hash(folder.basis.as_bytes());
        Self { folder, basis, read: AtomicU64::new(0), written: AtomicU64::new(0) }
    }

    /// The bytes read and written so far.
    pub(super) fn moved(&self) -> [u64; 2] {
        [self.read.load(Relaxed), self.written.load(Relaxed)]
    }

    pub(super) fn path(&self, half: usize, band: usize, step: u64) -> PathBuf {
        let Folder { path, name, extension, .. } = &self.folder;
        path.join(format!("{name}.{half}.{band}.{step}.{extension}"))
    }

    /// Removes the files of another basis and returns the strips with a file.
    pub(super) fn found<C: ChanceCell, const N: usize>(
        &self,
        places: &[&Places],
    ) -> Result<Vec<(Label<C>, PathBuf)>, StripError> {
        let Folder { path: folder, name, extension, .. } = &self.folder;
        fs::create_dir_all(folder).map_err(StripError::io(folder, "make the folder"))?;
        let mut found = Vec::new();
        for file in fs::read_dir(folder).map_err(StripError::io(folder, "list the folder"))? {
            let path = file.map_err(StripError::io(folder, "list the folder"))?.path();
            let own = path.file_name().and_then(|file| file.to_str()).and_then(|file| {
                file.strip_prefix(name.as_str())?
                    .strip_prefix('.')?
                    .strip_suffix(extension.as_str())?
                    .strip_suffix('.')
            });
            let numbers: Option<Vec<u64>> =
                own.and_then(|own| own.split('.').map(|number| number.parse().ok()).collect());
            let Some(&[half, band, step]) = numbers.as_deref() else { continue };
            let (half, band) = (half as usize, band as usize);
            let Some(own) = places.get(half).filter(|own| band < own.bands()) else { continue };
            match self.open::<C, N>(&path, own, (half, band, step))? {
                Some(label) => found.push((label, path)),
                None => fs::remove_file(&path).map_err(StripError::io(&path, "remove it"))?,
            }
        }
        found.sort_by_key(|(label, _)| label.step);
        Ok(found)
    }

    /// The label of a file; `None` if it has another basis.
    fn open<C: ChanceCell, const N: usize>(
        &self,
        path: &Path,
        places: &Places,
        (half, band, step): (usize, usize, u64),
    ) -> Result<Option<Label<C>>, StripError> {
        let (mut file, head) = self.head(path, places)?;
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| head[at + byte]));
        let at = WORDS - HASH - 24;
        if head[at..at + HASH] != *self.basis_of::<C, N>(half, band).as_bytes() {
            return Ok(None);
        }
        let at = WORDS - 24;
        if number(at) != step {
            return Err(damaged(path, "its step", step, number(at)));
        }
        let whole = whole_bytes::<C, N>(places, band);
        let bytes = file.seek(SeekFrom::End(0)).map_err(StripError::io(path, "ask for its length"))?;
        if bytes != whole {
            return Err(damaged(path, "its end", format!("{whole} bytes"), bytes));
        }
        let change = Change { widest: C::of_units(number(at + 8)), against: number(at + 16) };
        Ok(Some(Label { half, band, step, change }))
    }

    /// Reads and verifies the head of a file.
    fn head(&self, path: &Path, places: &Places) -> Result<(File, Vec<u8>), StripError> {
        let mut file = File::open(path).map_err(StripError::io(path, "open it"))?;
        let mut head = vec![0; head_bytes(places)];
        file.read_exact(&mut head).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                damaged(path, "its head", format!("{} bytes", head.len()), "less")
            }
            _ => StripError::io(path, "read its head")(error),
        })?;
        self.read.fetch_add(head.len() as u64, Relaxed);
        let (own, seal) = head.split_at(head.len() - HASH);
        let found = blake3::hash(own);
        if seal != found.as_bytes() {
            return Err(damaged(path, "its head", hex(seal), found));
        }
        head.truncate(head.len() - HASH);
        Ok((file, head))
    }

    /// The hash of everything that the numbers of a strip depend on.
    fn basis_of<C: ChanceCell, const N: usize>(&self, half: usize, band: usize) -> blake3::Hash {
        let words =
            format!("{} half {half} band {band}, {N} numbers of {} bytes", self.basis, size_of::<C>());
        blake3::hash(words.as_bytes())
    }

    /// Reads some bands of rows of a strip.
    pub(super) fn read<C: ChanceCell, const N: usize>(
        &self,
        path: &Path,
        places: &Places,
        band: usize,
        tiles: Range<usize>,
    ) -> Result<PackedStrip<C, N>, StripError> {
        let (mut file, head) = self.head(path, places)?;
        let before = places.range(band, 0..places.band_rows(tiles.start).start).len();
        let start = head.len() + HASH + before * N * size_of::<C>();
        file.seek(SeekFrom::Start(start as u64)).map_err(StripError::io(path, "seek in it"))?;
        let all: usize = tiles.clone().map(|tile| places.range(band, places.band_rows(tile)).len()).sum();
        let mut packed = PackedStrip { lanes: std::array::from_fn(|_| Vec::with_capacity(all)) };
        let mut bytes = Vec::new();
        for tile in tiles {
            let positions = places.range(band, places.band_rows(tile)).len();
            bytes.resize(positions * N * size_of::<C>(), 0);
            file.read_exact(&mut bytes).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    damaged(path, format!("tile {tile}"), format!("{} bytes", bytes.len()), "less")
                }
                _ => StripError::io(path, "read it")(error),
            })?;
            self.read.fetch_add(bytes.len() as u64, Relaxed);
            let (expected, found) = (&head[WORDS + tile * HASH..][..HASH], blake3::hash(&bytes));
            if expected != found.as_bytes() {
                return Err(damaged(path, format!("tile {tile}"), hex(expected), found));
            }
            let lanes = bytes.chunks_exact((positions * size_of::<C>()).max(1));
            for (lane, bytes) in packed.lanes.iter_mut().zip(lanes) {
                lane.extend(bytes.chunks_exact(size_of::<C>()).map(cell::<C>));
            }
        }
        Ok(packed)
    }

    /// Writes a strip; its file appears when it is complete and synced.
    pub(super) fn write<C: ChanceCell, const N: usize>(
        &self,
        label: &Label<C>,
        packed: &PackedStrip<C, N>,
        places: &Places,
    ) -> Result<PathBuf, StripError> {
        let Label { half, band, step, change } = *label;
        let path = self.path(half, band, step);
        let unfinished = path.with_extension(&UNFINISHED[1..]);
        let mut file = File::create(&unfinished).map_err(StripError::io(&unfinished, "create it"))?;
        let numbers = [VERSION, size_of::<C>() as u32, N as u32, places.row_bands() as u32];
        let mut head = MAGIC.to_vec();
        numbers.iter().for_each(|number| head.extend_from_slice(&number.to_le_bytes()));
        head.extend_from_slice(self.basis_of::<C, N>(half, band).as_bytes());
        let numbers = [step, change.widest.units(), change.against];
        numbers.iter().for_each(|number| head.extend_from_slice(&number.to_le_bytes()));
        let start = head_bytes(places) as u64;
        file.seek(SeekFrom::Start(start)).map_err(StripError::io(&unfinished, "seek in it"))?;
        let mut bytes = Vec::new();
        for tile in 0..places.row_bands() {
            let range = places.range(band, places.band_rows(tile));
            bytes.clear();
            for lane in &packed.lanes {
                let before = bytes.len();
                bytes.resize(before + range.len() * size_of::<C>(), 0);
                for (bytes, cell) in
                    bytes[before..].chunks_exact_mut(size_of::<C>()).zip(&lane[range.clone()])
                {
                    bytes.copy_from_slice(&cell.units().to_le_bytes()[..size_of::<C>()]);
                }
            }
            head.extend_from_slice(blake3::hash(&bytes).as_bytes());
            file.write_all(&bytes).map_err(StripError::io(&unfinished, "write it"))?;
            self.written.fetch_add(bytes.len() as u64, Relaxed);
        }
        let seal = blake3::hash(&head);
        head.extend_from_slice(seal.as_bytes());
        self.written.fetch_add(head.len() as u64, Relaxed);
        file.seek(SeekFrom::Start(0)).map_err(StripError::io(&unfinished, "seek in it"))?;
        file.write_all(&head).map_err(StripError::io(&unfinished, "write its head"))?;
        file.sync_all().map_err(StripError::io(&unfinished, "sync it"))?;
        fs::rename(&unfinished, &path).map_err(StripError::io(&path, "give it its name"))?;
        let folder = &self.folder.path;
        File::open(folder)
            .and_then(|own| own.sync_all())
            .map_err(StripError::io(folder, "sync the folder"))?;
        Ok(path)
    }
}

fn cell<C: ChanceCell>(bytes: &[u8]) -> C {
    let mut units = [0; 8];
    units[..size_of::<C>()].copy_from_slice(bytes);
    C::of_units(u64::from_le_bytes(units).min(C::ONE.units()))
}

fn head_bytes(places: &Places) -> usize {
    WORDS + (places.row_bands() + 1) * HASH
}

fn whole_bytes<C, const N: usize>(places: &Places, band: usize) -> u64 {
    let positions = places.range(band, 0..places.rows()).len();
    (head_bytes(places) + positions * N * size_of::<C>()) as u64
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn damaged(
    path: &Path,
    place: impl Into<String>,
    expected: impl fmt::Display,
    found: impl fmt::Display,
) -> StripError {
    let (expected, found) = (expected.to_string(), found.to_string());
    StripError::Damaged { path: path.to_owned(), place: place.into(), expected, found }
}
