//! The store for strips between two uses: in memory, or on disk with those in memory that are not written yet.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cell::ChanceCell;
use super::disk::{Folder, Label, StripError, StripFiles};
use super::packed::{PackedStrip, Places, StripPiece};

/// The treatment of a strip when a newer one replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Dropped,
    Kept,
}

/// The strips of all halves.
pub(super) struct StripStore<C, const N: usize> {
    /// By half and band; of each the oldest first.
    strips: Mutex<Vec<Vec<Vec<Version<C, N>>>>>,
    disk: Option<StripFiles>,
}

struct Version<C, const N: usize> {
    label: Label<C>,
    place: StripPlace<C, N>,
}

#[derive(Clone, PartialEq)]
enum StripPlace<C, const N: usize> {
    Held(Arc<PackedStrip<C, N>>),
    Filed(PathBuf),
}

/// A strip to write.
pub(super) struct Parcel<C, const N: usize> {
    label: Label<C>,
    packed: Arc<PackedStrip<C, N>>,
    before: Before,
}

impl<C: ChanceCell, const N: usize> StripStore<C, N> {
    /// Strips in memory, with unknown numbers.
    pub(super) fn in_memory(places: &[&Places]) -> Self {
        let none = |own: &&Places| (0..own.bands()).map(|_| Vec::new()).collect();
        Self { strips: Mutex::new(places.iter().map(none).collect()), disk: None }
    }

    /// Strips on disk, with those that are there already.
    pub(super) fn on_disk(places: &[&Places], folder: Folder) -> Result<Self, StripError> {
        let mut store = Self::in_memory(places);
        let disk = StripFiles::new(folder);
        for (label, path) in disk.found::<C, N>(places)? {
            store.lock()[label.half][label.band].push(Version { label, place: StripPlace::Filed(path) });
        }
        store.disk = Some(disk);
        Ok(store)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Vec<Version<C, N>>>>> {
        self.strips.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes read from disk and written to it.
    pub(super) fn moved(&self) -> [u64; 2] {
        self.disk.as_ref().map_or([0; 2], StripFiles::moved)
    }

    pub(super) const fn is_on_disk(&self) -> bool {
        self.disk.is_some()
    }

    /// The newest version of a strip, if there is any.
    pub(super) fn label(&self, half: usize, band: usize) -> Option<Label<C>> {
        self.lock()[half][band].last().map(|version| version.label)
    }

    /// Some bands of rows of the newest version of a strip, or of the last one of a step.
    ///
    /// * `step`: `None` for the newest version.
    pub(super) fn read(
        &self,
        places: &Places,
        (half, band): (usize, usize),
        step: Option<u64>,
        tiles: Range<usize>,
    ) -> Result<StripPiece<C, N>, StripError> {
        let first = places.band_rows(tiles.start).start;
        let rows = first..places.band_rows(tiles.end - 1).end;
        loop {
            let place = self.place((half, band), step);
            let (path, disk) = match (&place, &self.disk) {
                (Some(StripPlace::Held(packed)), _) => {
                    return Ok(StripPiece::new(Arc::clone(packed), places.range(band, 0..first).len()));
                }
                (Some(StripPlace::Filed(path)), Some(disk)) => (path, disk),
                _ => {
                    return Ok(StripPiece::new(
                        Arc::new(PackedStrip::unknown(places.range(band, rows).len())),
                        0,
                    ));
                }
            };
            match disk.read(path, places, band, tiles.clone()) {
                // A newer version may have replaced this one in the meantime.
                Err(StripError::Io { .. }) if self.place((half, band), step) != place => {}
                read => return Ok(StripPiece::new(Arc::new(read?), 0)),
            }
        }
    }

    fn place(&self, (half, band): (usize, usize), step: Option<u64>) -> Option<StripPlace<C, N>> {
        let strips = self.lock();
        let mut versions = strips[half][band].iter().rev();
        let version = versions.find(|version| step.is_none_or(|step| version.label.step <= step));
        version.map(|version| version.place.clone())
    }

    /// Replaces a strip; returns the parcel to write to disk, if there is one.
    pub(super) fn put(
        &self,
        label: Label<C>,
        packed: PackedStrip<C, N>,
        before: Before,
    ) -> Option<Parcel<C, N>> {
        let packed = Arc::new(packed);
        let version = Version { label, place: StripPlace::Held(Arc::clone(&packed)) };
        let mut strips = self.lock();
        let versions = &mut strips[label.half][label.band];
        if self.disk.is_some() {
            versions.push(version);
            return Some(Parcel { label, packed, before });
        }
        if before == Before::Dropped {
            versions.clear();
        }
        versions.push(version);
        None
    }

    /// Writes a strip to disk, and releases it and the versions before.
    pub(super) fn file(&self, places: &Places, parcel: &Parcel<C, N>) -> Result<(), StripError> {
        let (Some(disk), Parcel { label, packed, before }) = (&self.disk, parcel) else { return Ok(()) };
        let path = disk.write(label, packed, places)?;
        let mut strips = self.lock();
        let versions = &mut strips[label.half][label.band];
        if *before == Before::Dropped {
            for old in versions.extract_if(.., |version| version.label.step < label.step) {
                if let StripPlace::Filed(path) = old.place {
                    // A file that stays is older than the new one, and never read again.
                    let _ = fs::remove_file(path);
                }
            }
        }
        for version in versions.iter_mut().filter(|version| version.label.step == label.step) {
            version.place = StripPlace::Filed(path.clone());
        }
        Ok(())
    }

    /// Clears all strips.
    pub(super) fn clear(&self) -> Result<(), StripError> {
        for version in self.lock().iter_mut().flatten().flat_map(|versions| versions.drain(..)) {
            if let StripPlace::Filed(path) = version.place {
                fs::remove_file(&path).map_err(|source| StripError::Io {
                    path,
                    doing: "remove it",
                    source,
                })?;
            }
        }
        Ok(())
    }

    /// Writes strips as they arrive.
    pub(super) fn file_all(
        &self,
        places: &[&Places],
        parcels: &Receiver<Parcel<C, N>>,
    ) -> Result<(), StripError> {
        parcels.iter().try_for_each(|parcel| self.file(places[parcel.label.half], &parcel))
    }
}
