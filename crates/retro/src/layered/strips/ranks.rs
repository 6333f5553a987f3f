//! A bundle whose strips are divided among several ranks: messages to a strip of another rank travel in batches.
//!
//! Strips are dealt round-robin, so that each rank has some of every part of a layer. All ranks do the same ply at
//! the same time. They meet at least once a ply, and more often if the batches, whose size is bounded, fill up.

mod outboxes;
mod own;

use marquis_core::{Plies, Rowed};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use self::outboxes::{RankOutboxes, Sender};
use self::own::OwnStrips;
use super::{Code, LayerNumber, Matrices, StripCut, StripNumber, View};
use crate::cell::{CellWidth, LayerCells};
use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};
use crate::probe::Layers;
use crate::tasks::try_each;

/// Communication with the other ranks. All ranks make the same calls in the same order.
pub trait Exchange: Sync {
    /// The number of this rank, from zero.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn ranks(&self) -> usize;

    /// The most bytes for one rank at a time.
    fn most_bytes(&self) -> usize;

    /// Sends each rank its batch; returns the batches that the ranks sent to this one.
    ///
    /// # Errors
    /// [`Stopped::RankLost`] if a rank is lost.
    fn swap(&self, batches: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Stopped>;

    /// The largest of the numbers that the ranks pass.
    ///
    /// # Errors
    /// As [`swap`](Self::swap).
    fn largest(&self, own: u64) -> Result<u64, Stopped>;
}

/// Saves checkpoints of a rank's strips while a bundle is solved.
pub trait PartKeeper: Sync {
    /// Returns whether a checkpoint is due. Asked after every ply; all ranks save if one says so.
    fn is_due(&self) -> bool;

    /// Takes the cells of this rank's strips, one strip after the other. All ranks call it at the same time, also
    /// when a limit ends the work.
    ///
    /// * `cut`: the strips; rank `r` of `n` has the strips `r`, `r + n`, `r + 2n`, …
    /// * `ply`: the messages of everything decided in fewer plies have been applied.
    /// * `bytes_each`: bytes a cell.
    ///
    /// # Errors
    /// A rank is lost. A checkpoint that cannot be saved is no error.
    fn keep(&self, cut: &StripCut, ply: Plies, bytes_each: usize, cells: Vec<u8>) -> Result<(), Stopped>;
}

/// A checkpoint of a bundle.
pub struct KeptStrips<'a> {
    /// The messages of everything decided in fewer plies have been applied.
    pub ply: Plies,
    /// Bytes a cell.
    pub bytes_each: usize,
    /// Passes the cells of the wanted strips to the last argument; returns false if any is missing.
    pub read: &'a ReadStrips<'a>,
}

/// Reads the wanted strips of a bundle.
pub type ReadStrips<'a> =
    dyn Fn(&StripCut, &dyn Fn(StripNumber) -> bool, &mut dyn FnMut(StripNumber, &[u8])) -> bool + Sync + 'a;

/// A bundle that several ranks solve together.
pub struct RankedBundle<'a, L> {
    /// The layers below, finished.
    pub lower: &'a Layers<L>,
    /// The other ranks.
    pub exchange: &'a dyn Exchange,
    /// The checkpoint of an earlier run, by the same or another number of ranks.
    pub kept: Option<KeptStrips<'a>>,
    /// Saves checkpoints.
    pub keeper: &'a dyn PartKeeper,
    /// The [shares](Share) of finished layers begin at multiples of this many slots.
    pub whole: u64,
    /// When to stop.
    pub limits: &'a SolveLimits<'a>,
    /// Receives the progress of this rank's strips.
    pub progress: &'a (dyn Fn(SolveProgress) + Sync),
}

/// One rank's share of a finished layer: shares follow the order of the ranks, and all have about as many slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share<L> {
    /// The layer.
    pub layer: L,
    /// The slots; empty if the layer is too small for a share here.
    pub slots: Range<u64>,
    /// Their cells, in the order of the slots.
    pub cells: LayerCells,
}

/// Strips of a bundle, if its layers have enough slots; possibly more, because strips are whole rows.
const STRIPS: u64 = 4096;
/// The fewest and the most slots of a strip.
const SLOTS: (u64, u64) = (1 << 12, 1 << 20);
/// Slots of strips that are worked on between two checks of the waiting bytes.
const TOGETHER: u64 = 1 << 22;
/// Bytes that may wait to be sent before the ranks meet.
const WAITING: usize = 16 << 20;

/// Returns this rank's share of each layer of a component that the ranks solve together.
///
/// The cells are those of [`solve_bundle`](crate::layered::solve_bundle), whatever the number of ranks.
///
/// # Errors
/// The limit of any rank that ended the work of all, after a last call of the keeper; two bytes a slot are too small;
/// or a rank is lost.
pub fn solve_bundle_among<G: Rowed>(
    game: &G,
    layer: G::Layer,
    among: &RankedBundle<'_, G::Layer>,
) -> Result<Vec<Share<G::Layer>>, Stopped> {
    let kept = among.kept.as_ref().filter(|kept| [1, 2].contains(&kept.bytes_each));
    // All ranks must resume from the same checkpoint: a file that one rank cannot see is of no use to the others.
    let found = kept.map_or(0, |kept| u64::from(kept.ply.0) << 2 | kept.bytes_each as u64);
    let most = among.exchange.largest(found)?;
    let least = u64::MAX - among.exchange.largest(u64::MAX - found)?;
    let kept = kept.filter(|_| most == least);
    if kept.is_none_or(|kept| kept.bytes_each == 1) {
        match RankWork::<G, AtomicU8>::new(game, layer, among).solve(kept) {
            Err(Stopped::TooManyPlies) => {}
            done => return done,
        }
    }
    let kept = kept.filter(|kept| kept.bytes_each == 2);
    RankWork::<G, AtomicU16>::new(game, layer, among).solve(kept)
}

/// The most bytes of a rank while it solves its strips: cells, mirror and checkpoint, or finished cells and its
/// shares of the layers; plus [`Rowed::rows_bytes`].
pub fn bytes_among<G: Rowed>(game: &G, layer: G::Layer, ranks: u64) -> u64 {
    let copies = rayon::current_num_threads() as u64;
    let component = game.component(layer);
    let own = component.iter().map(|&layer| game.slots(layer)).fold(0, u64::saturating_add) / ranks.max(1);
    let rows = component.iter().map(|&layer| game.rows_bytes(layer, copies)).fold(0, u64::saturating_add);
    own.saturating_mul(3).saturating_add(rows).saturating_add(8 * WAITING as u64)
}

/// The work on one strip; the result is the number of its cells that it settles.
type StripWork<'w, R, W> = dyn Fn(&R, &View<'_, W>, &Sender<'_, W>) -> Result<u64, Stopped> + Sync + 'w;

/// One rank's part of a bundle.
struct RankWork<'a, 'g, G: Rowed + 'g, W> {
    among: &'a RankedBundle<'a, G::Layer>,
    matrices: Matrices<'g, G>,
    cut: StripCut,
    strips: OwnStrips<W>,
    /// The number of settled cells of `strips`.
    settled: AtomicU64,
}

impl<'a: 'g, 'g, G: Rowed, W: CellWidth> RankWork<'a, 'g, G, W> {
    fn new(game: &'g G, layer: G::Layer, among: &'a RankedBundle<'a, G::Layer>) -> Self {
        let matrices = Matrices::new(game, layer, among.lower);
        let slots: u64 = matrices.layers().iter().map(|&layer| game.slots(layer)).sum();
        let cut = matrices.cut((slots / STRIPS).clamp(SLOTS.0, SLOTS.1));
        let strips = OwnStrips::undecided(&cut, among.exchange.rank(), among.exchange.ranks());
        Self { among, matrices, cut, strips, settled: AtomicU64::new(0) }
    }

    fn slots(&self) -> u64 {
        self.strips.own.len() as u64
    }

    fn solve(mut self, kept: Option<&KeptStrips<'_>>) -> Result<Vec<Share<G::Layer>>, Stopped> {
        let resumed = match kept {
            Some(kept) => self.restore(kept)?,
            None => None,
        };
        let ply = match resumed {
            Some(ply) => {
                self.meet(&self.strips.mirror, Phase::Exploring, &|rank, strip, sender| {
                    rank.matrices.reflect(strip, &|| sender.bags(), rank.among.limits).map(|()| 0)
                })?;
                ply
            }
            None => {
                self.meet(&self.strips.own, Phase::Exploring, &|rank, strip, sender| {
                    rank.matrices.look(strip, &|| sender.bags(), rank.among.limits).map(|()| 0)
                })?;
                Plies::ZERO
            }
        };
        self.spread(ply)?;
        self.collect()
    }

    /// Restores the cells of this rank's strips from a checkpoint.
    ///
    /// * Result: the ply to resume with; `None` if any rank does not find its part.
    fn restore(&mut self, kept: &KeptStrips<'_>) -> Result<Option<Plies>, Stopped> {
        let RankedBundle { exchange, .. } = self.among;
        let (ranks, rank) = (exchange.ranks(), exchange.rank());
        let (mut found, mut farthest) = (0, Plies::ZERO);
        let cut = &self.cut;
        let places: Vec<Range<usize>> = self.strips.places(cut).map(|(_, place)| place).collect();
        let wanted = |StripNumber(strip): StripNumber| strip % ranks == rank;
        let whole = (kept.read)(cut, &wanted, &mut |StripNumber(number), bytes| {
            let own = &self.strips.own[places[number / ranks].clone()];
            if bytes.len() == own.len() * W::BYTES {
                for (cell, code) in own.iter().zip(bytes.chunks(W::BYTES)) {
                    let code = code.iter().rev().fold(0, |code, &byte| code << 8 | u32::from(byte));
                    cell.store(code);
                    farthest = farthest.max(Code(code as u16).plies::<W>().unwrap_or(Plies::ZERO));
                }
                found += 1;
            }
        });
        let lacks = !whole || found != places.len();
        if exchange.largest(u64::from(lacks))? > 0 {
            self.strips = OwnStrips::undecided(cut, rank, ranks);
            return Ok(None);
        }
        self.matrices.resume_from(Plies(exchange.largest(farthest.0.into())? as u16));
        Ok(Some(kept.ply))
    }

    /// Step 2, starting with `ply`.
    fn spread(&self, mut ply: Plies) -> Result<(), Stopped> {
        let RankedBundle { exchange, keeper, .. } = self.among;
        while ply <= self.matrices.farthest() {
            let step = |rank: &Self, strip: &View<'_, W>, sender: &Sender<'_, W>| {
                rank.matrices.step(strip, ply, &|| sender.bags(), rank.among.limits)
            };
            match self.meet(&self.strips.own, Phase::Spreading, &step) {
                Ok(()) => {}
                Err(stopped @ (Stopped::TooManyPlies | Stopped::RankLost)) => return Err(stopped),
                Err(stopped) => {
                    // A ply may be repeated: its messages depend on earlier plies alone.
                    self.keep(ply)?;
                    return Err(stopped);
                }
            }
            ply = ply.next();
            if exchange.largest(keeper.is_due().into())? > 0 {
                self.keep(ply)?;
            }
        }
        Ok(())
    }

    fn keep(&self, ply: Plies) -> Result<(), Stopped> {
        let mut cells = Vec::with_capacity(self.slots() as usize * W::BYTES);
        for cell in &self.strips.own {
            cells.extend_from_slice(&cell.load().to_le_bytes()[..W::BYTES]);
        }
        self.among.keeper.keep(&self.cut, ply, W::BYTES, cells)
    }

    /// Does `work` with every strip of every rank. At the end all messages have been applied, and all ranks know the
    /// most plies of any code.
    ///
    /// * `told`: the cells or mirrors of this rank, to which messages write.
    ///
    /// # Errors
    /// Why any rank stopped; the messages up to then have been applied.
    fn meet(&self, told: &[W], phase: Phase, work: &StripWork<'_, Self, W>) -> Result<(), Stopped> {
        let exchange = self.among.exchange;
        let outboxes = RankOutboxes::new(exchange, &self.cut, &self.strips.begins, told);
        let together = (TOGETHER / self.cut.most_slots().max(1)).max(1) as usize;
        let views = self.strips.views(&self.cut);
        let mut groups = views.chunks(together);
        let mut stopped = None;
        loop {
            while !outboxes.is_full() && stopped.is_none() {
                let Some(group) = groups.next() else { break };
                let (done, of) = (self.settled.load(Relaxed), self.slots());
                (self.among.progress)(SolveProgress { phase, done, of });
                let one = |strip: &View<'_, W>| {
                    let facing = self.matrices.facing(strip.layer);
                    let settled = work(self, strip, &Sender { outboxes: &outboxes, layer: facing })?;
                    self.settled.fetch_add(settled, Relaxed);
                    Ok(())
                };
                stopped = try_each(group.len(), &|strip| one(&group[strip])).err();
            }
            outboxes.deliver()?;
            let more = stopped.is_none() && groups.len() > 0 || outboxes.waiting() > 0;
            let word = exchange.largest(word(more, stopped, self.matrices.farthest()))?;
            if word >> MORE == 0 {
                self.matrices.resume_from(Plies(word as u16));
                return stop_of(word).map_or(Ok(()), Err);
            }
        }
    }

    /// Returns this rank's shares of the finished layers.
    fn collect(self) -> Result<Vec<Share<G::Layer>>, Stopped> {
        let Self { among: RankedBundle { exchange, whole, .. }, matrices, cut, strips, .. } = self;
        let layers = matrices.layers();
        let mut places: Vec<Vec<Range<usize>>> = layers.iter().map(|_| Vec::new()).collect();
        for (strip, Range { start, end }) in strips.places(&cut) {
            let LayerNumber(layer) = cut.extent(strip).layer;
            places[layer].push(start * W::BYTES..end * W::BYTES);
        }
        let OwnStrips { own, mirror, .. } = strips;
        drop(mirror);
        let finished = bytes_of(W::finish(own));
        let share = |(number, (layer, places)): (usize, (G::Layer, Vec<Range<usize>>))| {
            let own: Vec<&[u8]> = places.into_iter().map(|place| &finished[place]).collect();
            let number = LayerNumber(number);
            let (slots, bytes) = outboxes::collect(*exchange, &cut, number, *whole, &own, W::BYTES)?;
            Ok(Share { layer, slots, cells: cells_of(bytes, W::BYTES) })
        };
        layers.into_iter().zip(places).enumerate().map(share).collect()
    }
}

/// The bit above which a word says that more work is left.
const MORE: u32 = 40;
/// The bit above which it says why a rank stopped.
const STOP: u32 = 32;

/// Encodes the state of a rank at a meeting: in the largest of these words the highest part decides.
fn word(more: bool, stopped: Option<Stopped>, Plies(farthest): Plies) -> u64 {
    let stop = match stopped {
        None => 0,
        Some(Stopped::TooManyPlies) => 3,
        Some(Stopped::Deadline) => 2,
        Some(_) => 1,
    };
    u64::from(more) << MORE | stop << STOP | u64::from(farthest)
}

/// Why the ranks stop, from the largest word.
fn stop_of(word: u64) -> Option<Stopped> {
    match word >> STOP {
        0 => None,
        1 => Some(Stopped::Interrupted),
        2 => Some(Stopped::Deadline),
        _ => Some(Stopped::TooManyPlies),
    }
}

fn bytes_of(cells: LayerCells) -> Vec<u8> {
    match cells {
        LayerCells::Narrow(cells) => cells,
        LayerCells::Wide(cells) => cells.iter().flat_map(|cell| cell.to_le_bytes()).collect(),
    }
}

fn cells_of(bytes: Vec<u8>, bytes_each: usize) -> LayerCells {
    if bytes_each == 1 {
        return LayerCells::Narrow(bytes);
    }
    LayerCells::Wide(bytes.chunks_exact(2).map(|cell| u16::from_le_bytes([cell[0], cell[1]])).collect())
}
