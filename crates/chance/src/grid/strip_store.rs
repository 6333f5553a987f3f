//! The strips between two uses: in memory, or in a grid store with those in memory that are not written yet.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cell::ChanceCell;
use super::grid_store::{GridStore, StripError, StripLabel};
use super::packed::{PackedStrip, Places, StripPiece};

/// The treatment of a strip when a newer one replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Dropped,
    Kept,
}

/// The strips of all halves.
pub(super) struct StripStore<'a, C, const N: usize> {
    /// By half and band; of each the oldest first.
    strips: Mutex<Vec<Vec<Vec<Version<C, N>>>>>,
    disk: Option<Box<dyn GridStore + 'a>>,
    /// The bytes read from the grid store and written to it.
    moved: [AtomicU64; 2],
}

struct Version<C, const N: usize> {
    label: StripLabel,
    place: StripPlace<C, N>,
}

#[derive(Clone, PartialEq)]
enum StripPlace<C, const N: usize> {
    Held(Arc<PackedStrip<C, N>>),
    Filed,
}

/// A strip to write.
pub(super) struct Parcel<C, const N: usize> {
    label: StripLabel,
    packed: Arc<PackedStrip<C, N>>,
    before: Before,
}

impl<'a, C: ChanceCell, const N: usize> StripStore<'a, C, N> {
    /// Strips in memory, with unknown numbers.
    pub(super) fn in_memory(places: &[&Places]) -> Self {
        let none = |own: &&Places| (0..own.bands()).map(|_| Vec::new()).collect();
        Self { strips: Mutex::new(places.iter().map(none).collect()), disk: None, moved: Default::default() }
    }

    /// Strips in a grid store, with those that are there already.
    pub(super) fn on_disk(places: &[&Places], disk: Box<dyn GridStore + 'a>) -> Result<Self, StripError> {
        let mut store = Self::in_memory(places);
        let mut found = disk.strips()?;
        found.sort_by_key(|(label, _)| label.step);
        for (label, tiles) in found {
            if is_of::<C, N>(label, &tiles, places) {
                let version = Version { label, place: StripPlace::Filed };
                store.lock()[label.half][label.band].push(version);
            }
        }
        store.disk = Some(disk);
        Ok(store)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Vec<Version<C, N>>>>> {
        self.strips.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes read from the grid store and written to it.
    pub(super) fn moved(&self) -> [u64; 2] {
        self.moved.each_ref().map(|bytes| bytes.load(Relaxed))
    }

    pub(super) const fn is_on_disk(&self) -> bool {
        self.disk.is_some()
    }

    /// The newest version of a strip, if there is any.
    pub(super) fn label(&self, half: usize, band: usize) -> Option<StripLabel> {
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
            let (label, disk) = match (&place, &self.disk) {
                (Some((_, StripPlace::Held(packed))), _) => {
                    return Ok(StripPiece::new(Arc::clone(packed), places.range(band, 0..first).len()));
                }
                (Some((label, StripPlace::Filed)), Some(disk)) => (*label, disk),
                _ => {
                    return Ok(StripPiece::new(
                        Arc::new(PackedStrip::unknown(places.range(band, rows.clone()).len())),
                        0,
                    ));
                }
            };
            let all = places.range(band, rows.clone()).len();
            let mut packed = PackedStrip { lanes: std::array::from_fn(|_| Vec::with_capacity(all)) };
            let read = disk.read(label, tiles.clone(), &mut |_, bytes| {
                self.moved[0].fetch_add(bytes.len() as u64, Relaxed);
                packed.add(bytes);
            });
            match read {
                // A newer version may have replaced this one in the meantime.
                Err(_) if self.place((half, band), step) != place => {}
                read => return read.map(|()| StripPiece::new(Arc::new(packed), 0)),
            }
        }
    }

    fn place(
        &self,
        (half, band): (usize, usize),
        step: Option<u64>,
    ) -> Option<(StripLabel, StripPlace<C, N>)> {
        let strips = self.lock();
        let mut versions = strips[half][band].iter().rev();
        let version = versions.find(|version| step.is_none_or(|step| version.label.step <= step));
        version.map(|version| (version.label, version.place.clone()))
    }

    /// Replaces a strip; returns the parcel to write to the grid store, if there is one.
    pub(super) fn put(
        &self,
        label: StripLabel,
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

    /// Writes a strip to the grid store, and releases it and the versions before.
    pub(super) fn file(&self, places: &Places, parcel: &Parcel<C, N>) -> Result<(), StripError> {
        let (Some(disk), Parcel { label, packed, before }) = (&self.disk, parcel) else { return Ok(()) };
        let StripLabel { half, band, step, .. } = *label;
        let is_old = |version: &Version<C, N>| *before == Before::Dropped && version.label.step < step;
        let is_filed = |version: &&Version<C, N>| is_old(version) && version.place == StripPlace::Filed;
        let old: Vec<StripLabel> =
            self.lock()[half][band].iter().filter(is_filed).map(|version| version.label).collect();
        disk.replace(&old, *label, &|take| {
            let mut bytes = Vec::new();
            (0..places.row_bands()).try_for_each(|tile| {
                packed.tile(places.range(band, places.band_rows(tile)), &mut bytes);
                self.moved[1].fetch_add(bytes.len() as u64, Relaxed);
                take(&bytes)
            })
        })?;
        let mut strips = self.lock();
        let versions = &mut strips[half][band];
        versions.retain(|version| !is_old(version));
        for version in versions.iter_mut().filter(|version| version.label.step == step) {
            version.place = StripPlace::Filed;
        }
        Ok(())
    }

    /// Clears all strips.
    pub(super) fn clear(&self) {
        self.lock().iter_mut().flatten().for_each(Vec::clear);
        if let Some(disk) = &self.disk {
            disk.clear();
        }
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

/// Whether a stored strip is one of these grids.
fn is_of<C, const N: usize>(
    StripLabel { half, band, .. }: StripLabel,
    tiles: &[u64],
    places: &[&Places],
) -> bool {
    let bytes = |own: &Places, tile| (own.range(band, own.band_rows(tile)).len() * N * size_of::<C>()) as u64;
    let own = places.get(half).filter(|own| band < own.bands());
    own.is_some_and(|own| tiles.iter().copied().eq((0..own.row_bands()).map(|tile| bytes(own, tile))))
}
