//! The speed of sweeps over a layer, in memory and in strips on disk.

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use marquis_chance::grid::{BackupOrder, Grids};
use marquis_engine::EngineError;
use marquis_engine::chance::{Checkpoint, grid_files};
use marquis_engine::tables::CHECKPOINT_EVERY;
use marquis_games::senet::SenetLayer;

use super::iterating::first_guess;
use super::solving::{Edge, Edges, PlacementTables, estimate_grids, layers_below, layouts};
use super::{bundle_of, layer_name};

/// The order of the sweeps over a layer, and the storage of its numbers between sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Tile by tile, in memory: the order for layers that always fit there.
    Tiles,
    /// Strip by strip, in memory.
    Strips,
    /// Strip by strip, on disk.
    Disk,
}

impl Arrangement {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tiles, Self::Strips, Self::Disk];

    /// The name in arguments.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tiles => "tiles",
            Self::Strips => "strips",
            Self::Disk => "disk",
        }
    }
}

impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tiles => "tiles in memory",
            Self::Strips => "strips in memory",
            Self::Disk => "strips on disk",
        })
    }
}

/// A sweep over estimates of a layer and its colour swap.
#[derive(Clone, Copy, Debug)]
pub struct TimedSweep {
    /// Positions that were backed up.
    pub positions: u64,
    /// The wall-clock time.
    pub time: Duration,
    /// Bytes read from the disk and written to it.
    pub moved: [u64; 2],
}

/// Sweeps over estimates of a layer and its colour swap, from the first guess on. The layers below are unknown; their
/// values do not affect the time.
///
/// * `scratch`: a folder for the strips, which are removed at the end.
/// * `after`: called after each sweep; false ends the sweeps.
/// * Result: the sum of one number in 97 after the last sweep, the same for every place.
///
/// # Errors
/// A strip cannot be read or written.
pub fn timed_sweeps(
    layer: SenetLayer,
    place: Arrangement,
    scratch: &Path,
    after: &mut dyn FnMut(TimedSweep) -> bool,
) -> Result<u64, EngineError> {
    let bundle = bundle_of(layer);
    let sides = PlacementTables::new(bundle.layer.mover);
    let layouts = layouts(&sides, bundle);
    let below = layers_below(bundle);
    let edges: Edges = below.into_iter().map(|layer| (layer, Edge::unknown(&sides, layer))).collect();
    let order = if place == Arrangement::Tiles { BackupOrder::Tiles } else { BackupOrder::Strips };
    let checkpoint = Checkpoint::new(scratch, &layer_name(bundle.layer), CHECKPOINT_EVERY);
    let mut grids = estimate_grids::<u32>(&sides, &layouts, bundle, &edges, order);
    if place == Arrangement::Disk {
        grids = grids.on_disk(grid_files(&checkpoint, "strips", "a trial of its speed"))?;
    }
    first_guess(&sides, bundle, &mut grids)?;
    let never = AtomicBool::new(false);
    loop {
        let (begun, before) = (Instant::now(), grids.moved());
        grids.sweep(&never)?;
        let moved = grids.moved();
        let moved = [moved[0] - before[0], moved[1] - before[1]];
        if !after(TimedSweep { positions: bundle.slots(), time: begun.elapsed(), moved }) {
            break;
        }
    }
    let sum = sample(&grids)?;
    grids.clear();
    Ok(sum)
}

/// The sum of one number in 97.
fn sample(grids: &Grids<'_, u32, 1>) -> Result<u64, EngineError> {
    let mut sum = 0_u64;
    for half in 0..grids.halves() {
        for band in 0..grids.bands(half) {
            sum += grids.cells(half, band)?.iter().step_by(97).map(|&number| u64::from(number)).sum::<u64>();
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_hold_the_same_wherever_they_lie_and_only_those_on_disk_move() {
        let layer = SenetLayer::new(2, 1).expect("a layer");
        let ran = |place| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut sweeps = Vec::new();
            let sum = timed_sweeps(layer, place, folder.path(), &mut |sweep| {
                sweeps.push(sweep);
                sweeps.len() < 3
            });
            let left = std::fs::read_dir(folder.path()).expect("listed").count();
            assert_eq!((sweeps.len(), left), (3, 0), "{place}");
            assert!(sweeps.iter().all(|sweep| sweep.positions == 2 * layer.slots()));
            let moves = sweeps.iter().all(|sweep| sweep.moved.iter().all(|&bytes| bytes > 4 * layer.slots()));
            (sum.expect("swept"), moves)
        };
        let [tiles, strips, disk] = Arrangement::ALL.map(ran);
        assert_eq!((strips.0, strips.1, disk.1, tiles.1), (disk.0, false, true, false));
        assert_ne!(strips.0, 0);
    }
}
