//! What is kept of a layer that is half solved: its estimates, a container for each band of columns.
//!
//! Estimates claim nothing, so bands of different moments may stand together, and one that is missing costs no more
//! than time.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use marquis_chance::grid::{Cell, Grids};
use marquis_table::{read_container, write_container};

use super::file::{GAME, fingerprint, layer_name};
use super::solving::Bundle;

const KIND: &str = "checkpoint";
/// Writing may take one part in so many of the time.
const WORK_PER_WRITING: u32 = 10;
/// Estimates that took so long are kept before bounds are tried around them.
const DEAR: Duration = Duration::from_secs(60);

/// The checkpoint of one bundle: files beside those of its layers.
pub(super) struct Checkpoint {
    folder: PathBuf,
    name: String,
    every: Duration,
    last: Instant,
}

impl Checkpoint {
    pub(super) fn new(bundle: Bundle, out: &Path, every: Duration) -> Self {
        let name = format!(".{}", layer_name(bundle.layer));
        Self { folder: out.join(GAME), name, every, last: Instant::now() }
    }

    fn path(&self, half: usize, band: usize) -> PathBuf {
        self.folder.join(format!("{}.{half}.{band}.checkpoint", self.name))
    }

    /// Takes up what is whole and of these rules; the result is whether there was anything.
    pub(super) fn load<C: Cell>(&self, grids: &mut Grids<'_, C, 1>) -> bool {
        let mut any = false;
        for (half, band, bytes) in self.bands(grids) {
            let Ok(kept) = read_container(&self.path(half, band), KIND, bytes as u64) else { continue };
            if kept.get("rules") != Some(&rules::<C>()) {
                continue;
            }
            let cells = kept.body.chunks_exact(size_of::<C>());
            let unit = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
            let cells = cells.map(|cell| C::of_units(unit(cell).min(C::ONE.units()))).collect();
            // One of another size is as good as none.
            any |= grids.restore(half, band, cells);
        }
        any
    }

    pub(super) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Writes all bands if it took long to come so far.
    pub(super) fn keep_if_dear<C: Cell>(&mut self, grids: &Grids<'_, C, 1>) {
        if self.last.elapsed() >= DEAR {
            self.keep(grids);
        }
    }

    /// Writes all bands. What cannot be written costs time after an interruption, and nothing else.
    pub(super) fn keep<C: Cell>(&mut self, grids: &Grids<'_, C, 1>) {
        let begun = Instant::now();
        let meta = [("rules".to_owned(), rules::<C>())];
        for (half, band, _) in self.bands(grids) {
            let cells = grids.halves()[half].again().cells(band);
            let mut body = Vec::with_capacity(size_of_val(cells));
            for cell in cells {
                body.extend_from_slice(&cell.units().to_le_bytes()[..size_of::<C>()]);
            }
            let _ = write_container(&self.path(half, band), KIND, &meta, &body);
        }
        self.every = self.every.max(begun.elapsed() * WORK_PER_WRITING);
        self.last = Instant::now();
    }

    /// Takes the files away when the layers are finished.
    pub(super) fn remove(&self) {
        let Ok(files) = std::fs::read_dir(&self.folder) else { return };
        for file in files.flatten() {
            let name = file.file_name();
            let own = name.to_str().and_then(|name| name.strip_prefix(&self.name));
            if own.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".checkpoint")) {
                // Where it cannot be removed it is of no use and does no harm.
                let _ = std::fs::remove_file(file.path());
            }
        }
    }

    /// Half, band and bytes of every band.
    fn bands<C: Cell>(&self, grids: &Grids<'_, C, 1>) -> Vec<(usize, usize, usize)> {
        let halves = grids.halves().iter().enumerate();
        let bands = halves.flat_map(|(number, half)| {
            let plane = half.again();
            (0..plane.bands().count()).map(move |band| (number, band, size_of_val(plane.cells(band))))
        });
        bands.collect()
    }
}

fn rules<C: Cell>() -> String {
    format!("{}, estimates in {} bytes", fingerprint(), size_of::<C>())
}
