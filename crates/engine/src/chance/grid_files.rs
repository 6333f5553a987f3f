//! Strips of a grid of chances as files next to those of its layers.

use std::ops::Range;

use marquis_chance::grid::{Change, GridStore, StripError, StripLabel, TileSink};

use crate::error::FileError;
use crate::files::checkpoint::{Basis, Checkpoint};
use crate::files::spill::{FileKey, SpillFile, SpillFiles, VERSION};

/// The files of a grid. Each new strip is a checkpoint.
struct GridFiles<'a>(SpillFiles<'a>);

/// A spill store for a grid, with the files that are there already.
///
/// * `part`: the part of the checkpoint that lists the files.
/// * `basis`: a text that names everything the numbers depend on, and their size.
#[must_use]
pub fn grid_files<'a>(
    checkpoint: &'a Checkpoint,
    part: &'static str,
    basis: &str,
) -> Box<dyn GridStore + 'a> {
    let basis = Basis::new("basis", &format!("strips {VERSION}, {basis}"));
    Box::new(GridFiles(SpillFiles::new(checkpoint, part, basis)))
}

const fn key(StripLabel { half, band, step, .. }: StripLabel) -> FileKey {
    [half as u64, band as u64, step]
}

impl GridStore for GridFiles<'_> {
    fn strips(&self) -> Result<Vec<(StripLabel, Vec<u64>)>, StripError> {
        self.0.open()?;
        let strip = |([half, band, step], file): (FileKey, SpillFile)| {
            let [widest, against] = file.words;
            let change = Change { widest, against };
            let label = StripLabel { half: half as usize, band: band as usize, step, change };
            (label, file.parts.iter().map(|part| part.bytes).collect())
        };
        Ok(self.0.files().into_iter().map(strip).collect())
    }

    fn replace(
        &self,
        old: &[StripLabel],
        new: StripLabel,
        tiles: &dyn Fn(&mut TileSink<'_>) -> Result<(), StripError>,
    ) -> Result<(), StripError> {
        let Change { widest, against } = new.change;
        self.0.write(key(new), [widest, against], |add| tiles(&mut |tile| Ok(add(tile)?)))?;
        self.0.remove(old.iter().copied().map(key));
        Ok(self.0.keep(&[])?)
    }

    fn read(
        &self,
        strip: StripLabel,
        tiles: Range<usize>,
        visit: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), StripError> {
        Ok(self.0.read(key(strip), tiles, usize::MAX, visit)?)
    }

    fn clear(&self) {
        self.0.clear();
    }
}

impl From<FileError> for StripError {
    fn from(error: FileError) -> Self {
        Self(Box::new(error))
    }
}
