//! Layers by rows in *strips*, each a few rows with their mirror; the strips may be in different memories.
//!
//! A *row* of a layer has the cells of the positions with one set of the player to move. Its *mirror* has the cells
//! of the positions that face them: the same pieces, and the other player to move. A *strip* is a range of
//! consecutive rows of one layer with their mirror. All strips of a bundle together hold each cell twice: once in its
//! own place, and once in a mirror.
//!
//! # What is written by which row
//!
//! A row alone decides the positions that face it: it knows which positions lead to a column (`back`), where a move
//! along the row leads (`along`), and the value of leaving the bundle (`leaving`, in finished layers). It stores a
//! code in its mirror and passes it to a [`Sink`] for the cell's own place, which is in a strip of the
//! [facing](Matrices::facing) layer. So
//!
//! * the mirror of a row is written by this row alone;
//! * a cell in its own place is written, through a sink, only by the row that it faces, and read only by its own row;
//! * a slot without a position is marked by its own row, and no message is sent.
//!
//! # What may be read when
//!
//! 1. [`look`](Matrices::look) once at every strip. It reads finished layers alone.
//! 2. For each ply from 0 to the [farthest](Matrices::farthest) of all codes written in any strip:
//!    [`step`](Matrices::step) every strip in which a cell is settled in exactly this ply; the others may be skipped.
//!    Before a strip is stepped, all its messages of *earlier* plies must have been [put](Strip::put). Messages of
//!    this ply may be put at once, at the end of the ply, or just before the strip is stepped again.
//! 3. After the last ply, when every message has been put, the [`finished`](Strip::finished) cells are those of the
//!    layer.
//!
//! # Why the order does not matter
//!
//! In ply `p` only codes of more than `p` plies are sent, and a row relies only on codes of its cells of at most
//! `p` plies; a cell that has one never changes. So a code of this ply may arrive before or after a row is stepped. A
//! cell is written at most once in a ply, and always by the same row. The messages to a slot in one ply may arrive in
//! any order; those of different plies must be put in the order of the plies. Within a row the mirror is always
//! complete, because the row wrote it itself.
//!
//! # The state of a half-solved bundle
//!
//! After a whole ply: the cells with every message put, and the number of the next ply. The mirrors follow from the
//! cells: [`reflect`](Matrices::reflect) every strip, with a sink that leads to [`put_mirror`](Strip::put_mirror)
//! instead of [`put`](Strip::put), restores them. [`resume_from`](Matrices::resume_from) restores the most plies of
//! any code.

mod cut;
mod messages;
mod progress;
mod ranks;
mod solve;
mod spill_store;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use marquis_core::{Plies, Row, Rowed, Rows, Slot};

use super::TASK;
use super::kernel::InRow;
use super::layers_below::{LayersBelow, is_settled_in};
pub use super::sink::{Code, Sink};
use crate::cell::CellWidth;
use crate::limits::{SolveLimits, Stopped};
use crate::probe::Layers;
use crate::tasks::try_each;

pub use self::cut::{Extent, LayerNumber, StripCut, StripNumber};
pub use self::ranks::{
    Exchange, KeptStrips, PartKeeper, RankedBundle, ReadStrips, Share, bytes_among, solve_bundle_among,
};
pub use self::solve::{StripSizes, solve_in_strips};
pub use self::spill_store::{Failure, SpillStore};

/// The layers of a bundle as matrices, and the layers below: everything except the cells of the bundle.
pub struct Matrices<'a, G: Rowed + 'a> {
    ground: Arc<LayersBelow<'a, G::Layer>>,
    /// In the order of the component.
    layers: Vec<Matrix<'a, G>>,
}

/// A layer as a matrix.
struct Matrix<'a, G: Rowed + 'a> {
    layer: G::Layer,
    rows: G::Rows<'a>,
    facing: LayerNumber,
    /// Scratch space that workers pass on to the next ones.
    spare: Mutex<Vec<Scratch<G::Rows<'a>>>>,
}

/// The scratch space of a worker in a layer.
struct Scratch<R> {
    rows: R,
    looked: Vec<u64>,
}

/// Consecutive rows of a layer while they are solved, wherever their cells are stored.
pub struct View<'r, W> {
    pub(super) layer: LayerNumber,
    pub(super) rows: Range<u64>,
    /// The cells of the rows.
    pub(super) own: &'r [W],
    /// Those of the positions that face them.
    pub(super) mirror: &'r [W],
}

impl<'a, G: Rowed> Matrices<'a, G> {
    /// The bundle of a layer.
    ///
    /// * `lower`: holds the layers of [`child_layers`](marquis_core::Indexed::child_layers), finished; solving panics
    ///   if one of them is missing.
    #[must_use]
    pub fn new(game: &'a G, layer: G::Layer, lower: &'a Layers<G::Layer>) -> Self {
        Self::on(game, layer, Arc::new(LayersBelow::new(game, layer, lower)))
    }

    pub(super) fn on(game: &'a G, layer: G::Layer, ground: Arc<LayersBelow<'a, G::Layer>>) -> Self {
        let component = game.component(layer);
        let number = |layer| component.iter().position(|own| *own == layer);
        let matrix = |&layer: &G::Layer| {
            let facing = number(game.facing(layer)).expect("facing positions are of the same component");
            Matrix { layer, rows: game.rows(layer), facing: LayerNumber(facing), spare: Mutex::default() }
        };
        let layers = component.iter().map(matrix).collect();
        Self { ground, layers }
    }

    /// The layers, by their numbers.
    #[must_use]
    pub fn layers(&self) -> Vec<G::Layer> {
        self.layers.iter().map(|matrix| matrix.layer).collect()
    }

    /// The layer that rows of a layer write to.
    #[must_use]
    pub fn facing(&self, LayerNumber(layer): LayerNumber) -> LayerNumber {
        self.layers[layer].facing
    }

    /// The slots of a row.
    pub(super) fn columns(&self, LayerNumber(layer): LayerNumber) -> u64 {
        self.layers[layer].rows.columns().into()
    }

    pub(super) fn rows(&self, LayerNumber(layer): LayerNumber) -> u64 {
        self.layers[layer].rows.count()
    }

    /// The bundle in strips of at most about `most` slots, or of one row if a row has more.
    #[must_use]
    pub fn cut(&self, most: u64) -> StripCut {
        StripCut::new(
            (0..self.layers.len()).map(LayerNumber).map(|layer| (self.rows(layer), self.columns(layer))),
            most,
        )
    }

    /// The most plies of any code written here; later plies have work only if other strips send it.
    #[must_use]
    pub fn farthest(&self) -> Plies {
        self.ground.farthest()
    }

    /// Notes that codes of `farthest` plies were written, here or on another rank.
    pub fn resume_from(&self, farthest: Plies) {
        self.ground.reach_plies(farthest);
    }

    /// Step 1 for the positions that face a strip.
    ///
    /// * `sink`: makes a sink for each worker.
    ///
    /// # Errors
    /// Which of the `limits` ended the work, or a code does not fit.
    pub fn look<W: CellWidth, S: Sink>(
        &self,
        strip: &View<'_, W>,
        sink: &(impl Fn() -> S + Sync),
        limits: &SolveLimits<'_>,
    ) -> Result<(), Stopped> {
        let look = |mut row: InRow<'_, 'a, G::Rows<'a>, W, S>| {
            row.look();
            0
        };
        self.each_row(strip, sink, limits, &|_, _| (), look).map(|_| ())
    }

    /// Step 2 in one ply for a strip.
    ///
    /// * `sink`: makes a sink for each worker.
    /// * Result: the number of cells settled in exactly this ply.
    ///
    /// # Errors
    /// Which of the `limits` ended the work, or a code does not fit. The ply may be repeated, because sending a
    /// message twice does no harm.
    pub fn step<W: CellWidth, S: Sink>(
        &self,
        strip: &View<'_, W>,
        ply: Plies,
        sink: &(impl Fn() -> S + Sync),
        limits: &SolveLimits<'_>,
    ) -> Result<u64, Stopped> {
        self.each_row(strip, sink, limits, &|_, _| (), |mut row| row.step(ply))
    }

    /// Sends the decided cells of a strip to the mirrors of others, and marks slots without a position in its own
    /// mirror.
    ///
    /// * `sink`: makes a sink for each worker, which leads to [`Strip::put_mirror`].
    ///
    /// # Errors
    /// Which of the `limits` ended the work.
    pub fn reflect<W: CellWidth, S: Sink>(
        &self,
        strip: &View<'_, W>,
        sink: &(impl Fn() -> S + Sync),
        limits: &SolveLimits<'_>,
    ) -> Result<(), Stopped> {
        let reflect = |mut row: InRow<'_, 'a, G::Rows<'a>, W, S>| {
            row.reflect();
            0
        };
        self.each_row(strip, sink, limits, &|_, _| (), reflect).map(|_| ())
    }

    /// Calls `visit` with every row, in parallel.
    ///
    /// * `done`: receives the first row of each finished piece and its number of slots.
    /// * Result: the sum of the results of `visit`.
    pub(super) fn each_row<W: CellWidth, S: Sink>(
        &self,
        view: &View<'_, W>,
        sink: &(impl Fn() -> S + Sync),
        limits: &SolveLimits<'_>,
        done: &(dyn Fn(Row, u64) + Sync),
        visit: impl Fn(InRow<'_, 'a, G::Rows<'a>, W, S>) -> u64 + Sync,
    ) -> Result<u64, Stopped> {
        let matrix = &self.layers[view.layer.0];
        let columns = matrix.rows.columns() as usize;
        let (counted, next) = (AtomicU64::new(0), AtomicU64::new(view.rows.start));
        let together = (TASK / columns.max(1)).max(1) as u64;
        let worker = |_: usize| {
            let (mut scratch, sink) = (matrix.scratch(), sink());
            loop {
                let first = next.fetch_add(together, Relaxed);
                let task = first..view.rows.end.min(first + together);
                if task.is_empty() {
                    break;
                }
                limits.check()?;
                for row in task.clone() {
                    let first = (row - view.rows.start) as usize * columns;
                    let (own, mirror) = (&view.own[first..][..columns], &view.mirror[first..][..columns]);
                    let Scratch { rows, looked } = &mut scratch;
                    let (ground, sink, row, is_entered) = (&*self.ground, &sink, Row(row), false);
                    let row = InRow { ground, rows, row, is_entered, own, mirror, sink, looked };
                    counted.fetch_add(visit(row), Relaxed);
                }
                done(Row(task.start), (task.end - task.start) * columns as u64);
                self.ground.check()?;
            }
            matrix.give_back(scratch);
            Ok(())
        };
        let tasks = (view.rows.end - view.rows.start).div_ceil(together) as usize;
        try_each(rayon::current_num_threads().min(tasks), &worker)?;
        Ok(counted.into_inner())
    }
}

impl<'a, G: Rowed> Matrix<'a, G> {
    fn scratch(&self) -> Scratch<G::Rows<'a>> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| Scratch { rows: self.rows.clone(), looked: Vec::new() })
    }

    fn give_back(&self, scratch: Scratch<G::Rows<'a>>) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }
}

/// Consecutive rows of a layer with their mirror.
///
/// * `W`: the width of a cell; [`AtomicU8`](std::sync::atomic::AtomicU8) up to 125 plies, or
///   [`AtomicU16`](std::sync::atomic::AtomicU16).
#[derive(Debug)]
pub struct Strip<W> {
    extent: Extent,
    own: Vec<W>,
    mirror: Vec<W>,
}

impl<W: CellWidth> Strip<W> {
    /// A strip in which nothing is decided.
    #[must_use]
    pub fn undecided(extent: Extent) -> Self {
        let slots = extent.slots.end - extent.slots.start;
        let cells = || (0..slots).map(|_| W::undecided()).collect();
        Self { own: cells(), mirror: cells(), extent }
    }

    /// A strip from stored bytes of its cells and of their mirror.
    ///
    /// * Result: `None` if the lengths are not those of the strip.
    #[must_use]
    pub fn from_bytes(extent: Extent, own: Vec<u8>, mirror: Vec<u8>) -> Option<Self> {
        let bytes = (extent.slots.end - extent.slots.start) as usize * W::BYTES;
        let are_whole = own.len() == bytes && mirror.len() == bytes;
        are_whole.then(|| Self { own: W::from_bytes(own), mirror: W::from_bytes(mirror), extent })
    }

    /// The bytes of the cells and of their mirror, for [`from_bytes`](Self::from_bytes).
    #[must_use]
    pub fn into_bytes(self) -> (Vec<u8>, Vec<u8>) {
        (W::into_bytes(self.own), W::into_bytes(self.mirror))
    }

    /// The rows and slots of the strip.
    #[must_use]
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// The rows, to be solved.
    #[must_use]
    pub fn view(&self) -> View<'_, W> {
        let Extent { layer, rows, .. } = &self.extent;
        View { layer: *layer, rows: rows.clone(), own: &self.own, mirror: &self.mirror }
    }

    /// Applies a message to this strip.
    ///
    /// Panics if the slot is not of this strip.
    #[inline]
    pub fn put(&mut self, slot: Slot, Code(code): Code) {
        self.own[(slot.0 - self.extent.slots.start) as usize].store(code.into());
    }

    /// The same for the mirror.
    #[inline]
    pub fn put_mirror(&mut self, slot: Slot, Code(code): Code) {
        self.mirror[(slot.0 - self.extent.slots.start) as usize].store(code.into());
    }

    /// Returns whether a cell is settled in exactly this ply, so that its step has work.
    #[must_use]
    pub fn is_due(&self, ply: Plies) -> bool {
        self.own.iter().any(|cell| is_settled_in(cell.load(), ply))
    }

    /// The finished cells, once every message has been put; two bytes a slot if `W` has two.
    #[must_use]
    pub fn finished(self) -> crate::LayerCells {
        W::finish(self.own)
    }
}
