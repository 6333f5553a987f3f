//! Strips of a bundle and the messages to them, as files next to those of its layers.

use std::sync::{Mutex, PoisonError};
use web_time::Instant;

use marquis_retro::LayerCells;
use marquis_retro::layered::Counts;
use marquis_retro::layered::strips::{Extent, SpillStore, StripNumber};

use crate::EngineError;
use crate::error::FileError;
use crate::files::checkpoint::{Basis, Checkpoint};
use crate::files::room::expect_room;
use crate::files::spill::{ADVICE, SpillFile, SpillFiles};
use crate::files::strips::FlatCells;

/// The part of the checkpoint that lists the files.
const LIST: &str = "strips";
/// The first numbers of the keys of strips and of messages; the second one is that of the strip.
const STRIPS: u64 = 0;
const MESSAGES: u64 = 1;
/// The approximate number of bytes of a strip's messages that are read at a time.
const PIECE_BYTES: usize = 1 << 20;

/// The files of a bundle in strips.
pub(crate) struct StripFiles<'a> {
    checkpoint: &'a Checkpoint,
    files: SpillFiles<'a>,
    /// The total size of all files.
    needed: u64,
    finished: Mutex<Vec<FlatCells>>,
}

impl<'a> StripFiles<'a> {
    /// * `basis`: everything the cells depend on.
    /// * `needed`: the approximate total size of all files, in bytes.
    pub(crate) fn new(checkpoint: &'a Checkpoint, basis: Basis, needed: u64) -> Self {
        let files = SpillFiles::new(checkpoint, LIST, basis);
        Self { checkpoint, files, needed, finished: Mutex::default() }
    }

    /// The finished cells of each layer.
    pub(crate) fn into_finished(self) -> Vec<FlatCells> {
        self.finished.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

const fn group(kind: u64, StripNumber(strip): StripNumber) -> [u64; 2] {
    [kind, strip as u64]
}

const fn cells_of(StripNumber(strip): StripNumber) -> [u64; 3] {
    [STRIPS, strip as u64, 0]
}

impl SpillStore for StripFiles<'_> {
    type Error = EngineError;

    fn kept(&self) -> Result<Option<Vec<u8>>, EngineError> {
        let is_sound = |_: &Vec<u8>| {
            let mut files = self.files.files().into_iter().map(|(key, file)| (key, 0..file.parts.len()));
            files.all(|(key, parts)| self.files.read(key, parts, PIECE_BYTES, &mut |_, _| ()).is_ok())
        };
        // With damage the bundle starts over.
        let words = self.files.open().ok().flatten().filter(is_sound);
        if words.is_none() {
            self.files.clear();
        }
        let there: u64 = self.files.files().values().map(SpillFile::bytes).sum();
        expect_room(self.checkpoint.folder(), self.needed.saturating_sub(there).into())?;
        Ok(words)
    }

    fn clear(&self) -> Result<(), EngineError> {
        self.files.clear();
        self.checkpoint.remove();
        Ok(())
    }

    fn write(&self, strip: StripNumber, own: &[u8], mirror: &[u8]) -> Result<(), EngineError> {
        self.files.write(cells_of(strip), [0; 2], |add| {
            add(own)?;
            Ok(add(mirror)?)
        })
    }

    fn read(&self, strip: StripNumber, bytes: usize) -> Result<(Vec<u8>, Vec<u8>), EngineError> {
        let mut parts = [Vec::new(), Vec::new()];
        self.files
            .read(cells_of(strip), 0..2, usize::MAX, &mut |number, part| parts[number] = part.to_vec())?;
        let [own, mirror] = parts;
        if [own.len(), mirror.len()] != [bytes; 2] {
            let found = format!("{} and {}", own.len(), mirror.len());
            let expected = format!("{bytes} bytes each of strip {} and its mirror", strip.0);
            return Err(FileError::unexpected(self.checkpoint.path(LIST), expected, found, ADVICE).into());
        }
        Ok((own, mirror))
    }

    fn tell(&self, strip: StripNumber, messages: &[u8]) -> Result<(), EngineError> {
        Ok(self.files.append(group(MESSAGES, strip), messages)?)
    }

    fn take(&self, strip: StripNumber, each: usize, visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        let keys = self.files.keys(group(MESSAGES, strip));
        for &key in &keys {
            self.files.read(key, 0..1, PIECE_BYTES / each * each, &mut |_, messages| visit(messages))?;
        }
        self.files.remove(keys);
        Ok(())
    }

    fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    fn keep(&self, words: &[u8]) -> Result<(), EngineError> {
        let begun = Instant::now();
        self.files.keep(words)?;
        self.checkpoint.kept(begun);
        Ok(())
    }

    fn finish(&self, extent: &Extent, cells: LayerCells) -> Result<(), EngineError> {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let layer = extent.layer.0;
        while finished.len() <= layer {
            let path = self.checkpoint.path(&format!("{LIST}.cells-{}", finished.len()));
            finished.push(FlatCells::create(path)?);
        }
        finished[layer].add(&cells, Counts::of(&cells))?;
        Ok(())
    }
}
