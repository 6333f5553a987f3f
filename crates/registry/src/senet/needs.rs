//! How much memory and disk a bundle takes.

use marquis_chance::grid::Order;
use marquis_games::senet::Layer;

use super::layout::Placements;
use super::solving::{Bundle, Precision, swapped};

/// What a build takes besides numbers: the program, edges, masks of columns, moves, packing buffers.
pub(super) const BASE_BYTES: u64 = 512 << 20;

/// Bytes that a bundle takes while it is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// Of memory, with all numbers in it.
    pub(super) in_memory: u64,
    /// Of memory, with the numbers on disk; none where they are in memory in any case.
    pub(super) on_disk: Option<u64>,
    /// Of disk, with the numbers on it.
    pub(super) disk: u64,
}

impl Needs {
    /// The least memory that will do.
    pub(super) fn least(&self) -> u64 {
        self.on_disk.map_or(self.in_memory, |on_disk| on_disk.min(self.in_memory))
    }
}

/// What a bundle takes at most, which is while bounds are found: they and the estimates that they are supposed from.
pub(super) fn needs(bundle: Bundle) -> Needs {
    let cell = match bundle.precision() {
        Precision::Fine => 8,
        Precision::Coarse => 4,
    };
    let numbers = bundle.slots() * cell * 3;
    // The bounds of a layer, slot after slot, when its file is written.
    let file = bundle.layer.slots() * cell * 2;
    match bundle.order() {
        Order::Tiles => {
            let in_memory = BASE_BYTES + numbers + bundle.cells() * cell * 4;
            Needs { in_memory, on_disk: None, disk: 0 }
        }
        Order::Strips => {
            let halves = bundle.layers();
            let unpacked: u64 = halves.iter().map(|&layer| window(layer) * cell * 2).sum();
            // Beside what is unpacked a few strips are on their way, a third as large.
            let window = unpacked + unpacked / 4;
            let in_memory = BASE_BYTES + numbers + window.max(file);
            // Estimates are there twice in a leap.
            Needs { in_memory, on_disk: Some(BASE_BYTES + window.max(file)), disk: numbers }
        }
    }
}

/// The most cells of a half that are unpacked at a time.
pub(super) fn window(layer: Layer) -> u64 {
    let columns = Placements::new(swapped(layer).mover);
    layer.rows() * columns.most_together() as u64
}
