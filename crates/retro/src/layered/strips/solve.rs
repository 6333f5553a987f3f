//! A bundle larger than memory: strip after strip out of a [`SpillStore`], ply by ply.
//!
//! Strips are read and written consecutively, and so are their messages. Each ply visits only the strips with work.
//! During the work on one strip, the strip before is written and the next one read.

use std::sync::atomic::{AtomicU8, AtomicU16};

use marquis_core::{Plies, Rowed};

use super::messages::{MOST_SLOTS, Outboxes, WORKER_BYTES};
use super::progress::StripProgress;
use super::spill_store::{Failure, SpillStore};
use super::{Matrices, Strip, StripCut, StripNumber};
use crate::cell::CellWidth;
use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};
use crate::probe::Layers;

/// Strips in memory at a time: one being written, one being worked on, one being read.
const STRIPS_HELD: u64 = 3;
/// Cells and mirror, of one byte.
const BYTES_A_SLOT: u64 = 2;
/// Slots of the smallest strips: with fewer, reading and writing are no longer consecutive.
const LEAST_SLOTS: u64 = 1 << 16;
/// Strips with fewer slots are read and written sooner than another thread could start.
const BESIDE_SLOTS: u64 = 1 << 14;
/// Most strips, if rows and memory allow it.
const MOST_STRIPS: u64 = 1024;
/// The least bytes in memory for messages to one strip, including those that workers gather for it.
const LEAST_OUTBOX_BYTES: u64 = 4096;

/// The sizes for solving a bundle in strips within a given memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripSizes {
    /// About the number of strips.
    pub strips: u64,
    /// The most slots of a strip, unless a single row has more.
    pub slots: u64,
    /// Bytes in memory for messages under way.
    pub outbox_bytes: u64,
    /// Bytes in memory, without the layers below.
    pub memory_bytes: u64,
    /// About the most bytes in the spill store, as long as cells have one byte.
    pub spill_bytes: u64,
}

impl StripSizes {
    /// The sizes for the bundle of a layer.
    ///
    /// * `room`: bytes of memory.
    /// * Result: `None` if `room` is less than [`least_bytes`](Self::least_bytes), or if rows do not pay.
    pub fn within<G: Rowed>(game: &G, layer: G::Layer, room: u64) -> Option<Self> {
        let bundle = BundleShape::of(game, layer)?;
        let rest = room.checked_sub(bundle.fixed_bytes())?;
        let slots = (rest / (STRIPS_HELD * BYTES_A_SLOT)).min(MOST_SLOTS);
        if slots < bundle.least_slots() {
            return None;
        }
        // A third of the memory left by the smallest strips goes to messages.
        let spare = (slots - bundle.least_slots()) / 3;
        let slots = slots - spare;
        let strips = bundle.slots.div_ceil(slots);
        let held = STRIPS_HELD * BYTES_A_SLOT * slots;
        let outbox_bytes = (rest - held).min(bundle.slots) + LEAST_OUTBOX_BYTES * strips;
        let memory_bytes = bundle.fixed_bytes() + held + outbox_bytes - LEAST_OUTBOX_BYTES * strips;
        Some(Self { strips, slots, outbox_bytes, memory_bytes, spill_bytes: bundle.spill_bytes() })
    }

    /// The least memory that solves the bundle of a layer in strips, without the layers below; `None` if rows do not
    /// pay.
    pub fn least_bytes<G: Rowed>(game: &G, layer: G::Layer) -> Option<u64> {
        let bundle = BundleShape::of(game, layer)?;
        Some(bundle.fixed_bytes() + STRIPS_HELD * BYTES_A_SLOT * bundle.least_slots())
    }
}

/// The properties of a bundle that determine the memory of its strips.
struct BundleShape {
    slots: u64,
    /// Slots of the longest row.
    row: u64,
    /// Bytes of lists, for all workers.
    lists: u64,
    workers: u64,
}

impl BundleShape {
    /// `None` if rows do not pay, or have more slots than a strip can have.
    fn of<G: Rowed>(game: &G, layer: G::Layer) -> Option<Self> {
        let workers = rayon::current_num_threads() as u64;
        let (mut slots, mut lists, mut row) = (0_u64, 0_u64, 0);
        for layer in game.component(layer) {
            let bytes = game.rows_bytes(layer, workers + 1);
            if bytes == u64::MAX {
                return None;
            }
            lists = lists.saturating_add(bytes);
            slots += game.slots(layer);
            row = row.max(u64::from(game.columns(layer)));
        }
        (row <= MOST_SLOTS).then_some(Self { slots, row, lists, workers })
    }

    fn least_slots(&self) -> u64 {
        LEAST_SLOTS.max(self.row).max(self.slots.div_ceil(MOST_STRIPS)).min(MOST_SLOTS)
    }

    /// Bytes that do not depend on the size of the strips.
    fn fixed_bytes(&self) -> u64 {
        let strips = self.slots.div_ceil(self.least_slots());
        let outboxes = strips * (LEAST_OUTBOX_BYTES + 2 * self.workers * WORKER_BYTES as u64);
        self.lists.saturating_add(outboxes)
    }

    /// Strips as they are and as checkpointed, messages to come and those taken since, and finished cells.
    fn spill_bytes(&self) -> u64 {
        (2 * BYTES_A_SLOT + 2 * 4 + 1) * self.slots
    }
}

/// Solves the bundle of a layer in strips; the spill store gets the finished cells.
///
/// * `lower`: holds the layers of [`child_layers`](marquis_core::Indexed::child_layers), finished.
///
/// Resumes the work in the spill store if its strips are no larger than these. If a game takes more plies than a byte
/// holds, solving starts again with two bytes and strips of half the size.
///
/// # Errors
/// Which of the `limits` ended the work, after a checkpoint, or the error of the spill store.
pub fn solve_in_strips<G: Rowed, D: SpillStore + ?Sized>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    sizes: StripSizes,
    spill: &D,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<(), Failure<D::Error>> {
    let kept = spill.kept().map_err(Failure::SpillStore)?;
    let kept = kept.and_then(|words| StripProgress::read(&words));
    let work = StripContext { spill, sizes, limits, progress };
    if kept.as_ref().is_none_or(|kept| kept.width != u64::from(u16::BITS / 8)) {
        match work.solve::<G, AtomicU8>(&Matrices::new(game, layer, lower), kept) {
            Err(Failure::Stopped(Stopped::TooManyPlies)) => {}
            result => return result,
        }
        return work.solve::<G, AtomicU16>(&Matrices::new(game, layer, lower), None);
    }
    work.solve::<G, AtomicU16>(&Matrices::new(game, layer, lower), kept)
}

/// The spill store, sizes, limits and progress of the work.
struct StripContext<'a, D: ?Sized> {
    spill: &'a D,
    sizes: StripSizes,
    limits: &'a SolveLimits<'a>,
    progress: &'a (dyn Fn(SolveProgress) + Sync),
}

impl<D: SpillStore + ?Sized> StripContext<'_, D> {
    /// With cells of one width.
    fn solve<G: Rowed, W: CellWidth>(
        &self,
        matrices: &Matrices<'_, G>,
        kept: Option<StripProgress>,
    ) -> Result<(), Failure<D::Error>> {
        let most = self.sizes.slots / W::BYTES as u64;
        let kept = kept.filter(|kept| kept.slots <= most && kept.width == W::BYTES as u64);
        let most = kept.as_ref().map_or(most, |kept| kept.slots);
        let cut = matrices.cut(most);
        let outboxes = Outboxes::new::<W>(&cut, self.spill, self.sizes.outbox_bytes);
        let mut standing = StripProgress::begun(W::BYTES as u64, most);
        match kept.filter(|kept| outboxes.due.restore(kept.due.iter().copied())) {
            Some(kept) => {
                matrices.resume_from(kept.farthest);
                standing = kept;
            }
            None => self.spill.clear().map_err(Failure::SpillStore)?,
        }
        let run = BundleRun::<G, W, D> {
            work: self,
            matrices,
            cut: &cut,
            outboxes: &outboxes,
            width: std::marker::PhantomData,
        };
        run.look(&mut standing)?;
        run.spread(&mut standing)?;
        run.finish()
    }
}

/// A bundle under way.
struct BundleRun<'r, 'a, G: Rowed + 'a, W, D: SpillStore + ?Sized> {
    work: &'r StripContext<'r, D>,
    matrices: &'r Matrices<'a, G>,
    cut: &'r StripCut,
    outboxes: &'r Outboxes<'r, D>,
    width: std::marker::PhantomData<W>,
}

impl<G: Rowed, W: CellWidth, D: SpillStore + ?Sized> BundleRun<'_, '_, G, W, D> {
    fn tell(&self, phase: Phase, done: u64) {
        (self.work.progress)(SolveProgress { phase, done, of: self.cut.slots() });
    }

    fn read(&self, strip: StripNumber) -> Result<Strip<W>, D::Error> {
        let extent = self.cut.extent(strip);
        let bytes = (extent.slots.end - extent.slots.start) as usize * W::BYTES;
        let (own, mirror) = self.work.spill.read(strip, bytes)?;
        Ok(Strip::from_bytes(extent, own, mirror).expect("a spill store returns the requested bytes"))
    }

    fn write(&self, strip: StripNumber, cells: Strip<W>) -> Result<(), D::Error> {
        let (own, mirror) = cells.into_bytes();
        self.work.spill.write(strip, &own, &mirror)
    }

    /// Saves a checkpoint; every strip is in the spill store.
    fn keep(&self, standing: &mut StripProgress) -> Result<(), D::Error> {
        self.outboxes.empty()?;
        standing.farthest = self.matrices.farthest();
        standing.due = self.outboxes.due.words().collect();
        self.work.spill.keep(&standing.words())
    }

    /// Follows the work on a strip, which is in the spill store by now: continues, with a checkpoint if one is due, or
    /// saves the last checkpoint and stops.
    fn after(
        &self,
        worked: Result<u64, Stopped>,
        standing: &mut StripProgress,
    ) -> Result<u64, Failure<D::Error>> {
        self.outboxes.check().map_err(Failure::SpillStore)?;
        match worked {
            Ok(count) => {
                standing.next += 1;
                if self.work.spill.is_due() {
                    self.keep(standing).map_err(Failure::SpillStore)?;
                }
                Ok(count)
            }
            Err(stopped) => {
                if stopped != Stopped::TooManyPlies {
                    self.keep(standing).map_err(Failure::SpillStore)?;
                }
                Err(Failure::Stopped(stopped))
            }
        }
    }

    /// Step 1, starting with the next strip.
    fn look(&self, standing: &mut StripProgress) -> Result<(), Failure<D::Error>> {
        let Self { matrices, cut, outboxes, .. } = self;
        if standing.ply.is_some() {
            return Ok(());
        }
        for strip in cut.strips().skip(standing.next as usize) {
            let extent = cut.extent(strip);
            self.tell(Phase::Exploring, extent.slots.start + cut.slots_before(extent.layer));
            let sink = outboxes.to::<W>(matrices.facing(extent.layer));
            let cells = Strip::undecided(extent);
            let looked = matrices.look(&cells.view(), &sink, self.work.limits);
            self.write(strip, cells).map_err(Failure::SpillStore)?;
            self.after(looked.map(|()| 0), standing)?;
        }
        (standing.ply, standing.next) = (Some(Plies::ZERO), 0);
        Ok(())
    }

    /// Step 2, starting with the ply of `standing`.
    fn spread(&self, standing: &mut StripProgress) -> Result<(), Failure<D::Error>> {
        while let Some(ply) = standing.ply
            && ply <= self.matrices.farthest()
        {
            self.ply(ply, standing)?;
            (standing.ply, standing.next) = (Some(ply.next()), 0);
        }
        Ok(())
    }

    /// One ply, in the strips with work, starting with the next one.
    fn ply(&self, ply: Plies, standing: &mut StripProgress) -> Result<(), Failure<D::Error>> {
        let from = standing.next as usize;
        let due: Vec<StripNumber> =
            self.cut.strips().skip(from).filter(|&strip| self.outboxes.due.is_marked(strip, ply)).collect();
        let Some(&first) = due.first() else { return Ok(()) };
        let mut current = self.read(first).map_err(Failure::SpillStore)?;
        let mut before: Option<(StripNumber, Strip<W>)> = None;
        for (at, &strip) in due.iter().enumerate() {
            standing.next = strip.0 as u64;
            self.tell(Phase::Spreading, standing.settled);
            let next = due.get(at + 1).copied();
            let (worked, read) = self.beside(before.take(), next, || self.step(strip, &mut current, ply));
            let (next_cells, worked) =
                (read.map_err(Failure::SpillStore)?, worked.map_err(Failure::SpillStore)?);
            let done = current;
            if next.is_none() || worked.is_err() || self.work.spill.is_due() {
                self.write(strip, done).map_err(Failure::SpillStore)?;
            } else {
                before = Some((strip, done));
            }
            if before.is_none() {
                standing.settled += self.after(worked, standing)?;
            } else {
                standing.settled += worked.unwrap_or(0);
                self.outboxes.check().map_err(Failure::SpillStore)?;
            }
            let Some(cells) = next_cells else { break };
            current = cells;
        }
        Ok(())
    }

    /// Works while the strip before is written and the next one read.
    fn beside<T>(
        &self,
        before: Option<(StripNumber, Strip<W>)>,
        next: Option<StripNumber>,
        work: impl FnOnce() -> T,
    ) -> (T, Result<Option<Strip<W>>, D::Error>) {
        let exchange = move || {
            if let Some((strip, cells)) = before {
                self.write(strip, cells)?;
            }
            next.map(|strip| self.read(strip)).transpose()
        };
        if self.cut.slots() < BESIDE_SLOTS * self.cut.count() as u64 {
            return (work(), exchange());
        }
        std::thread::scope(|scope| {
            let reading = scope.spawn(exchange);
            let worked = work();
            (worked, reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    fn step(
        &self,
        strip: StripNumber,
        cells: &mut Strip<W>,
        ply: Plies,
    ) -> Result<Result<u64, Stopped>, D::Error> {
        self.outboxes.deliver(strip, cells)?;
        let facing = self.matrices.facing(cells.extent().layer);
        Ok(self.matrices.step(&cells.view(), ply, &self.outboxes.to::<W>(facing), self.work.limits))
    }

    /// Passes the finished cells to the spill store.
    fn finish(&self) -> Result<(), Failure<D::Error>> {
        for number in self.cut.strips() {
            self.work.limits.check()?;
            let mut strip = self.read(number).map_err(Failure::SpillStore)?;
            let extent = strip.extent().clone();
            // Its messages stay in the spill store as well, in case this step is repeated.
            self.outboxes.deliver(number, &mut strip).map_err(Failure::SpillStore)?;
            self.work.spill.finish(&extent, strip.finished()).map_err(Failure::SpillStore)?;
        }
        Ok(())
    }
}
