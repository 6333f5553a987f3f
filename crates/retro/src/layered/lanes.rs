//! The same analysis of blocks of rows, for games in which the moves along a row are the same for all rows.
//!
//! The cells of a block are a vector of [`LANES`] bytes for each set of the columns, also of sets that meet a row's.
//! The byte of a better successor is greater, so the best successor is the maximum of a few vectors. In ply `p` a
//! position is won if its best successor is lost in `p`, and may be lost if its best successor is a win in `p`; either
//! happens once. So there is no mirror: the new score is a message to the position's own cell, which takes it if it is
//! better. Messages of a few blocks are collected and delivered together. Why it does not matter when they arrive
//! within a ply is said in [`strips`](super::strips).

mod offer;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use marquis_core::{LANES, Lane, LaneSet, Lanes, Plies, Row, Rowed, Score, SetRank, Value};
use rayon::prelude::*;

use super::layers_below::LayersBelow;
use super::{BundleSnapshot, Keeper, Layer, Layers, spread};
use crate::cell::{LayerCells, UNUSED};
use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};
use crate::tasks::try_each;

use self::offer::{MOST_SETS, Message, Offer, Vector, best_of};

/// The tasks of a block: enough that no thread waits long for the others.
const PARTS: usize = 4;
/// Bytes of undelivered messages.
const MESSAGE_BYTES: u64 = 64 << 20;
/// Bytes of a set in the lists of a layer, with its steps.
const BYTES_OF_SET: u64 = 120;
/// Most bytes of the messages of a block for each set.
const BYTES_OF_MESSAGES: u64 = (LANES * size_of::<Message>()) as u64;

/// The messages of a block, for each block of the facing layer.
type Outbox = Vec<Vec<Message>>;

/// The blocks whose messages are delivered together, in a layer with this many sets.
fn blocks_together(sets: u64) -> u64 {
    let threads = rayon::current_num_threads() as u64;
    (MESSAGE_BYTES / (BYTES_OF_MESSAGES * sets).max(1)).max(threads)
}

/// The bytes of a bundle in lanes, without the finished cells; `None` if it has no lanes.
pub(super) fn bytes_in_lanes<G: Rowed>(game: &G, layer: G::Layer) -> Option<u64> {
    let (mut bytes, mut messages) = (0, 0);
    for layer in game.component(layer) {
        let sets = game.sets(layer).filter(|&sets| sets <= MOST_SETS)?;
        let rows = game.slots(layer) / u64::from(game.columns(layer)).max(1);
        let blocks = rows.div_ceil(LANES as u64);
        bytes += (blocks * LANES as u64 + BYTES_OF_SET) * sets;
        messages = messages.max(blocks.min(blocks_together(sets)) * BYTES_OF_MESSAGES * sets);
    }
    Some(bytes + messages)
}

/// A bundle while it is being solved in lanes.
pub(super) struct LaneSolver<'a, L: Lanes> {
    ground: Arc<LayersBelow<'a, L::Layer>>,
    /// In the order of the component.
    layers: Vec<LaneLayer<L>>,
    slots: u64,
}

struct LaneLayer<L: Lanes> {
    layer: L::Layer,
    rows: u64,
    columns: usize,
    lanes: L,
    /// The number of the facing layer.
    facing: usize,
    blocks: Vec<L::Block>,
    /// The cells by block, and by set.
    cells: Vec<Vector>,
    /// For each of the tasks that run together; their memory is used again.
    outboxes: Vec<Mutex<Outbox>>,
}

impl<L: Lanes> LaneLayer<L> {
    fn new<G: Rowed<Layer = L::Layer>>(game: &G, layer: L::Layer, lanes: L, facing: usize) -> Self {
        let columns = game.columns(layer) as usize;
        let rows = game.slots(layer) / (columns as u64).max(1);
        let starts = (0..rows).step_by(LANES);
        let blocks = starts.map(|first| lanes.block(first..rows.min(first + LANES as u64))).collect();
        let mut own =
            Self { layer, rows, columns, lanes, facing, blocks, cells: Vec::new(), outboxes: Vec::new() };
        let sets = own.sets();
        let cells = (0..own.blocks.len() * sets).into_par_iter();
        own.cells = cells.map(|cell| own.undecided(cell / sets, SetRank((cell % sets) as u32))).collect();
        own
    }

    fn sets(&self) -> usize {
        self.lanes.sets() as usize
    }

    fn undecided(&self, block: usize, set: SetRank) -> Vector {
        let here = LaneSet::first((self.rows as usize - block * LANES).min(LANES));
        let mut cells = Vector([Offer::NONE; LANES]);
        for Lane(lane) in here.without(self.lanes.taken(&self.blocks[block], set)) {
            cells.0[usize::from(lane)] = Offer::UNDECIDED;
        }
        cells
    }

    /// The codes of all slots; those of slots without a position are [`UNUSED`].
    fn codes(&self, code: fn(Offer) -> u8) -> LayerCells {
        let mut codes = vec![UNUSED as u8; self.rows as usize * self.columns];
        let blocks = codes.par_chunks_mut(self.columns * LANES).zip(self.cells.par_chunks(self.sets()));
        blocks.enumerate().for_each(|(number, (codes, cells))| {
            for (lane, codes) in codes.chunks_mut(self.columns).enumerate() {
                let mut codes = codes.iter_mut();
                self.lanes.columns(Row((number * LANES + lane) as u64), |set, image| {
                    if let Some(own) = codes.next().filter(|_| set == image) {
                        *own = code(cells[set.0 as usize].0[lane]);
                    }
                });
            }
        });
        LayerCells::Narrow(codes)
    }

    /// Sets the cells to those of a snapshot.
    fn restore(&mut self, kept: &LayerCells, ground: &LayersBelow<'_, L::Layer>) {
        let mut codes = kept.codes();
        let sets = self.sets();
        for row in 0..self.rows as usize {
            let cells = &mut self.cells[row / LANES * sets..][..sets];
            self.lanes.columns(Row(row as u64), |set, image| {
                let code = codes.next().unwrap_or(UNUSED);
                let offer = if set == image {
                    ground.reach::<AtomicU8>(code);
                    Offer::of_code(code)
                } else {
                    cells[image.0 as usize].0[row % LANES]
                };
                cells[set.0 as usize].0[row % LANES] = offer;
            });
        }
    }
}

/// A block of a layer, with the layers below.
struct InBlock<'r, 'a, L: Lanes> {
    ground: &'r LayersBelow<'a, L::Layer>,
    lanes: &'r L,
    block: &'r L::Block,
    cells: &'r [Vector],
    /// The sets of this task.
    sets: Range<u32>,
    outbox: &'r mut Outbox,
}

impl<L: Lanes> InBlock<'_, '_, L> {
    fn sets(&self) -> impl Iterator<Item = SetRank> + use<L> {
        self.sets.clone().map(SetRank)
    }

    fn send(&mut self, lane: Lane, set: SetRank, score: Score) {
        let Some(code) = self.ground.code::<AtomicU8>(score) else { return };
        let (offer, outbox) = (Offer::of_code(code), &mut *self.outbox);
        self.lanes.facing(self.block, lane, set, |Row(row), set| {
            let (block, lane) = (row as usize / LANES, Lane((row % LANES as u64) as u8));
            outbox[block].push(Message::new(set, lane, offer));
        });
    }

    fn score_below(&self, lane: Lane, after: SetRank) -> Score {
        let (layer, slot) = self.lanes.below(self.block, lane, after);
        self.ground.score_below(layer, slot)
    }

    /// Step 1 for the positions that face this block.
    fn look(&mut self) {
        let (lanes, lost) = (self.lanes, self.lanes.lost(self.block));
        for set in self.sets() {
            let here = self.cells[set.0 as usize].lanes(|cell| cell != Offer::NONE);
            let open = here.without(lost);
            here.and(lost).for_each(|lane| self.send(lane, set, Score::finished(Value::Loss)));
            if let Some(value) = lanes.end(set) {
                open.for_each(|lane| self.send(lane, set, Score::finished(value)));
                continue;
            }
            let (mut best, mut stays) = ([None; LANES], LaneSet::default());
            for &after in lanes.after(set) {
                let captures = open.and(lanes.taken(self.block, after));
                stays = stays.or(open.without(captures));
                for lane in captures {
                    let best = &mut best[usize::from(lane.0)];
                    *best = (*best).max(Some(self.score_below(lane, after).before_move()));
                }
            }
            for lane in open {
                let best = best[usize::from(lane.0)];
                let is_won = matches!(best, Some(Score::Win(_)));
                if let Some(score) = best.filter(|_| is_won || !stays.contains(lane)) {
                    self.send(lane, set, score);
                }
            }
        }
    }

    /// Step 2 for this block; returns the number of its cells settled in this ply.
    fn step(&mut self, ply: Plies) -> u64 {
        let (win, loss) = (Offer::win(ply), Offer::loss(ply));
        let is_settled = |cell: Offer| (cell == win) | (cell == loss);
        let count = |cells: &Vector| cells.0.iter().map(|&cell| u8::from(is_settled(cell))).sum::<u8>();
        if self.cells.iter().all(|cells| count(cells) == 0) {
            return 0;
        }
        let own = &self.cells[self.sets.start as usize..self.sets.end as usize];
        let settled = own.iter().map(|cells| u64::from(count(cells))).sum();
        let (lanes, lost) = (self.lanes, self.lanes.lost(self.block));
        for set in self.sets().filter(|&set| lanes.end(set).is_none()) {
            let best = best_of(self.cells, lanes.after(set));
            let decided = best.lanes(is_settled);
            if decided.is_empty() {
                continue;
            }
            for lane in decided.without(lost.or(lanes.taken(self.block, set))) {
                if best.0[usize::from(lane.0)] == loss {
                    self.send(lane, set, Score::Loss(ply).before_move());
                } else if let Some(score) = self.if_lost(lane, set, ply) {
                    self.send(lane, set, score);
                }
            }
        }
        settled
    }

    /// The loss of a position whose moves in the bundle all lead to wins in at most `ply` plies, if the others do, too.
    fn if_lost(&self, lane: Lane, set: SetRank, ply: Plies) -> Option<Score> {
        let mut worst = ply;
        for &after in self.lanes.after(set) {
            if self.lanes.taken(self.block, after).contains(lane) {
                let Score::Win(plies) = self.score_below(lane, after) else { return None };
                worst = worst.max(plies);
            }
        }
        Some(Score::Win(worst).before_move())
    }
}

impl<'a, L: Lanes> LaneSolver<'a, L> {
    /// The bundle of a layer.
    ///
    /// * `lanes`: those of each layer of the component.
    pub(super) fn new<G: Rowed<Layer = L::Layer>>(
        game: &G,
        layer: L::Layer,
        lanes: Vec<L>,
        lower: &'a Layers<L::Layer>,
    ) -> Self {
        let component = game.component(layer);
        let facing = |layer| component.iter().position(|own| *own == game.facing(layer));
        let layers = component.iter().zip(lanes).map(|(&layer, lanes)| {
            let facing = facing(layer).expect("facing positions are of the same component");
            LaneLayer::new(game, layer, lanes, facing)
        });
        let ground = Arc::new(LayersBelow::new(game, layer, lower));
        let slots = component.iter().map(|&layer| game.slots(layer)).sum();
        Self { ground, layers: layers.collect(), slots }
    }

    pub(super) fn solve(
        mut self,
        snapshot: Option<BundleSnapshot<L::Layer>>,
        keeper: &dyn Keeper<L::Layer>,
        limits: &SolveLimits<'_>,
        progress: &(dyn Fn(SolveProgress) + Sync),
    ) -> Result<Vec<Layer<L::Layer>>, Stopped> {
        let (of, ground) = (self.slots, Arc::clone(&self.ground));
        let ply = if let Some(snapshot) = snapshot {
            for (own, kept) in self.layers.iter_mut().zip(&snapshot.layers) {
                own.restore(&kept.cells, &ground);
            }
            snapshot.ply
        } else {
            let report = |done| progress(SolveProgress { phase: Phase::Exploring, done, of });
            self.each_block(limits, &report, |mut block| {
                block.look();
                0
            })?;
            Plies::ZERO
        };
        spread(&mut self, (ply, of), &ground, keeper, progress, Self::snapshot, |solver, ply, report| {
            solver.each_block(limits, report, |mut block| block.step(ply))
        })?;
        let finished = |own: LaneLayer<L>| Layer { layer: own.layer, cells: own.codes(Offer::finished) };
        Ok(self.layers.into_iter().map(finished).collect())
    }

    fn snapshot(&self, ply: Plies) -> BundleSnapshot<L::Layer> {
        let layer = |own: &LaneLayer<L>| Layer { layer: own.layer, cells: own.codes(Offer::code) };
        BundleSnapshot { ply, layers: self.layers.iter().map(layer).collect() }
    }

    /// Calls `visit` with every block, in parallel, and delivers the messages; calls `report` now and then with the
    /// number of slots visited.
    ///
    /// * Result: the sum of the results of `visit`.
    fn each_block(
        &mut self,
        limits: &SolveLimits<'_>,
        report: &(dyn Fn(u64) + Sync),
        visit: impl Fn(InBlock<'_, 'a, L>) -> u64 + Sync,
    ) -> Result<u64, Stopped> {
        let (counted, mut visited) = (AtomicU64::new(0), 0);
        for number in 0..self.layers.len() {
            let (own, facing) = (&self.layers[number], self.layers[number].facing);
            let sets = own.sets();
            let together = blocks_together(sets as u64) as usize;
            let blocks = own.blocks.len();
            let mut outboxes = std::mem::take(&mut self.layers[number].outboxes);
            let empty = || Mutex::new(vec![Vec::new(); self.layers[facing].blocks.len()]);
            outboxes.resize_with(PARTS * together.min(blocks), empty);
            for first in (0..blocks).step_by(together) {
                report(visited);
                let own = &self.layers[number];
                try_each(PARTS * together.min(blocks - first), &|task| {
                    limits.check()?;
                    let outbox = &mut *outboxes[task].lock().unwrap_or_else(PoisonError::into_inner);
                    let (block, part) = (first + task / PARTS, task % PARTS);
                    let (block, cells) = (&own.blocks[block], &own.cells[block * sets..][..sets]);
                    let sets = (part * sets / PARTS) as u32..((part + 1) * sets / PARTS) as u32;
                    let (ground, lanes) = (&*self.ground, &own.lanes);
                    counted.fetch_add(visit(InBlock { ground, lanes, block, cells, sets, outbox }), Relaxed);
                    self.ground.check()
                })?;
                visited += (together * LANES * own.columns) as u64;
                let facing = &mut self.layers[facing];
                deliver(facing.sets(), &mut facing.cells, &mut outboxes);
            }
            self.layers[number].outboxes = outboxes;
        }
        Ok(counted.into_inner())
    }
}

/// Delivers messages to the blocks of a layer, and empties the outboxes.
fn deliver(sets: usize, cells: &mut [Vector], outboxes: &mut [Mutex<Outbox>]) {
    let outboxes: Vec<&mut Outbox> =
        outboxes.iter_mut().map(|outbox| outbox.get_mut().unwrap_or_else(PoisonError::into_inner)).collect();
    cells.par_chunks_mut(sets).enumerate().for_each(|(block, cells)| {
        for outbox in &outboxes {
            outbox[block].iter().for_each(|message| message.deliver(cells));
        }
    });
    outboxes.into_iter().flatten().for_each(Vec::clear);
}
