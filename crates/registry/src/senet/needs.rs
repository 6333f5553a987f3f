//! The memory and disk space for a bundle.

use marquis_chance::grid::BackupOrder;
use marquis_engine::game::{Method, MethodCost};
use marquis_games::senet::SenetLayer;

use super::layout::Placements;
use super::solving::{Precision, SwapPair, layers_below, swapped};

/// The memory of a build besides numbers: the program, edges, masks of columns, moves, packing buffers.
pub(super) const BASE_BYTES: u64 = 512 << 20;

/// The bytes for solving a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// Memory, with all numbers in it.
    pub(super) in_memory: u64,
    /// Memory, with the numbers on disk; `None` if they are in memory in any case.
    pub(super) on_disk: Option<u64>,
    /// Disk, with the numbers on it.
    pub(super) disk: u64,
    /// Disk, for the resulting files.
    pub(super) files: u64,
}

impl Needs {
    /// The methods that the bundle allows, the fastest first.
    pub(super) fn methods(&self) -> Vec<MethodCost> {
        let on_disk = self.on_disk.map(|memory_bytes| MethodCost {
            method: Method::SweepsOnDisk,
            memory_bytes,
            disk_bytes: self.disk,
        });
        [MethodCost::in_memory(Method::Sweeps, self.in_memory)].into_iter().chain(on_disk).collect()
    }
}

/// The peak for a bundle, which is while bounds are found: the bounds and the estimates that they start from.
pub(super) fn needs(bundle: SwapPair) -> Needs {
    let cell = match bundle.precision() {
        Precision::Fine => 8,
        Precision::Coarse => 4,
    };
    let numbers = bundle.slots() * cell * 3;
    // Two layers below at a time, to extract their edges.
    let edges = layers_below(bundle).into_iter().map(|layer| (layer.slots() + swapped(layer).slots()) * 8);
    let edges = edges.max().unwrap_or(0);
    // The bounds of a layer, slot after slot, when its file is written.
    let slots = bundle.layer.slots() * cell * 2;
    let files = bundle.slots() * FILE_BYTES;
    match bundle.order() {
        BackupOrder::Tiles => {
            let in_memory = BASE_BYTES + (numbers + bundle.cells() * cell * 4).max(edges);
            Needs { in_memory, on_disk: None, disk: 0, files }
        }
        BackupOrder::Strips => {
            let halves = bundle.layers();
            let unpacked: u64 = halves.iter().map(|&layer| window(layer) * cell * 2).sum();
            // Besides the unpacked part a few strips are in transit, a third as large.
            let window = unpacked + unpacked / 4;
            let in_memory = BASE_BYTES + (numbers + window.max(slots)).max(edges);
            // Games are played on all estimates, when nothing is unpacked.
            let on_disk = Some(BASE_BYTES + window.max(numbers / 3).max(edges));
            // Estimates and bounds, or finally the bounds and those of a layer slot after slot.
            let disk = numbers.max(numbers / 3 * 2 + slots);
            Needs { in_memory, on_disk, disk, files }
        }
    }
}

/// The approximate bytes of a slot in a file: its chance and its bounds, packed.
const FILE_BYTES: u64 = 5;
/// Bundles of fewer slots are too small to report.
const LARGE: u64 = 1 << 24;
/// Sweeps of estimates and of bounds for a bundle of long games: as many as 5 against 3 took, tile by tile. Strip by
/// strip they may be more.
const SWEEPS: [u64; 2] = [300, 30];
/// Positions that a core backs up in a second: estimates, and bounds.
const RATES: [f64; 2] = [17e6, 10e6];
/// Games with this many pieces on the two sides are long: smaller layers do not predict the number of their sweeps.
const LONG: [u8; 2] = [5, 3];

/// The approximate single-core time for a bundle of long games, in seconds.
pub(super) fn core_seconds(bundle: SwapPair) -> Option<f64> {
    let SenetLayer { mover, opponent, .. } = bundle.layer;
    let is_long = mover.max(opponent) >= LONG[0] && mover.min(opponent) >= LONG[1];
    let each = SWEEPS.into_iter().zip(RATES).map(|(sweeps, rate)| (bundle.slots() * sweeps) as f64 / rate);
    is_long.then(|| each.sum())
}

/// The requirements of a large bundle, as text.
pub(super) fn outlook(bundle: SwapPair) -> Option<String> {
    let Needs { in_memory, on_disk, disk, files } = needs(bundle);
    let on_disk = on_disk.filter(|_| bundle.slots() >= LARGE)?;
    let layers = bundle.layers().into_iter().map(super::layer_name).collect::<Vec<_>>().join(" and ");
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    let gb = |bytes: u64| bytes as f64 / 1e9;
    Some(format!(
        "{layers}: {:.1} GiB of memory, or {:.1} GiB and {:.1} GB of disk beside {:.1} GB of files; \
         some {} sweeps of estimates and {} of bounds",
        gib(in_memory),
        gib(on_disk),
        gb(disk),
        gb(files),
        SWEEPS[0],
        SWEEPS[1],
    ))
}

/// The largest number of cells of a half that are unpacked at a time.
pub(super) fn window(layer: SenetLayer) -> u64 {
    let columns = Placements::new(swapped(layer).mover);
    layer.rows() * columns.most_together() as u64
}
