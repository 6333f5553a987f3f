//! Scans of layers by the rules.
//!
//! A group has the positions in which one representative waits, whatever set is to move. Moves without a capture lead
//! to positions in which the representative moves next: they lie in one row of slots.

use std::sync::Arc;

use marquis_core::{Cell, Cells, Indexed, Scan, ScanVisitor, Slot, Value};
use marquis_rank::{Class, Element, SubsetRank, binomial, rank_set, set_beside, sets_of};

use super::waiting::WaitingSet;
use super::{Material, SideTable, UnificationIndex};
use crate::unification::Stepping;

/// Bits of a listed step that hold its destination.
const TO_BITS: u32 = 6;
/// Most bytes of the sets and their steps.
const MOST_BYTES: u64 = 256 << 20;
/// Bytes of a set with a few steps.
const BYTES_PER_SET: u64 = 64;
/// With more sets for each position of a group, those that do not meet the representative are enumerated.
const CROWDED: u64 = 4;
/// A layer with fewer slots for each set does not pay for the list of the sets.
const LEAST_SLOTS_PER_SET: u64 = 4;

/// A set, with its steps and groups by the rules, whatever waits.
#[derive(Clone, Copy, Debug)]
struct Mover {
    cells: Cells,
    /// Where its steps begin in the list of all, and their number.
    first: u32,
    count: u16,
    is_one_group: bool,
}

/// A step of a set.
#[derive(Clone, Copy, Debug)]
struct RankedStep(u32);

impl RankedStep {
    fn new(after: Cells, to: Cell) -> Self {
        let SubsetRank(rank) = rank_set(after);
        Self((rank as u32) << TO_BITS | u32::from(to.0))
    }

    /// The rank of the set after the step.
    #[inline]
    const fn rank(self) -> u32 {
        self.0 >> TO_BITS
    }

    /// The destination.
    #[inline]
    const fn to(self) -> Cell {
        Cell((self.0 & ((1 << TO_BITS) - 1)) as u8)
    }
}

/// All sets of a size by rank.
#[derive(Debug)]
struct Movers {
    sets: Vec<Mover>,
    steps: Vec<RankedStep>,
}

impl Movers {
    fn new<R: Stepping>(index: &UnificationIndex<R>, size: u32) -> Self {
        let board = index.game.board();
        let count = binomial(board.count(), size) as usize;
        let (mut sets, mut steps) = (Vec::with_capacity(count), Vec::new());
        for cells in sets_of(board.count(), size) {
            let first = steps.len();
            R::steps(board, cells, |step| {
                let after = cells.without(step.from).with(step.to);
                steps.push(RankedStep::new(after, step.to));
            });
            let (first, count) = (first as u32, (steps.len() - first) as u16);
            sets.push(Mover { cells, first, count, is_one_group: board.is_one_group(cells) });
        }
        Self { sets, steps }
    }

    #[inline]
    fn steps(&self, mover: &Mover) -> &[RankedStep] {
        &self.steps[mover.first as usize..][..usize::from(mover.count)]
    }
}

/// A scan of a layer.
#[derive(Clone, Debug)]
struct UnificationScan<'g, R> {
    index: &'g UnificationIndex<R>,
    layer: Material,
    /// Those after moves without and with a capture.
    layers: [Material; 2],
    movers: Arc<Movers>,
    /// The ranks of the sets that do not meet the current representative, in rising order.
    beside: Vec<u32>,
}

/// The sets that wait in a group.
struct Waiting<'g> {
    side: &'g SideTable,
    class: Class,
    /// The representative.
    set: WaitingSet<Cells>,
}

impl<'g, R: Stepping> UnificationScan<'g, R> {
    fn waiting(&self, class: Class) -> Waiting<'g> {
        let index = self.index;
        let side = &index.sides[usize::from(self.layer.opponent)];
        let set = WaitingSet::new(index, side.classes.representative(class), |image| image);
        Waiting { side, class, set }
    }

    /// Lists the sets that do not meet the representative.
    fn list(&mut self, representative: Cells) {
        let Self { index, layer, movers, beside, .. } = self;
        let (sets, swapped) = (&movers.sets, layer.swapped());
        beside.clear();
        let each = index.slots_a_class(swapped);
        if sets.len() as u64 <= CROWDED * each {
            let free = (0..).zip(sets).filter(|(_, mover)| !mover.cells.meets(representative));
            beside.extend(free.map(|(rank, _)| rank));
            return;
        }
        beside.extend((0..each).map(|rank| {
            let packed = index.packed_opponent(swapped, SubsetRank(rank));
            rank_set(set_beside(packed, representative)).0 as u32
        }));
    }

    /// The slots in which the representative is to move, with the rank of the other set.
    fn near(&self, waiting: &Waiting<'_>) -> impl Iterator<Item = (u32, Slot)> {
        let Waiting { side, class, .. } = *waiting;
        let first = u64::from(class.0) * self.index.slots_a_class(self.layer.swapped());
        let is_free = side.classes.is_free(class);
        (first..).zip(&self.beside).map(move |(slot, &rank)| {
            let other = || self.movers.sets[rank as usize].cells;
            (rank, if is_free { Slot(slot) } else { self.index.place(side, class, other()).1 })
        })
    }

    /// The slot after the capture of the piece on a cell.
    #[inline]
    fn captured(&self, waiting: &Waiting<'_>, step: RankedStep) -> Slot {
        waiting.set.captured(self.index, self.movers.sets[step.rank() as usize].cells).1
    }
}

impl<R: Stepping> Scan<Material> for UnificationScan<'_, R> {
    fn groups(&self) -> u64 {
        u64::from(self.index.sides[usize::from(self.layer.opponent)].classes.count())
    }

    fn layers(&self) -> &[Material] {
        &self.layers
    }

    fn visit(&mut self, group: u64, visitor: &mut impl ScanVisitor) {
        let waiting = self.waiting(Class(group as u32));
        self.list(waiting.set.cells);
        visitor.near_slots(self.movers.sets.len(), self.near(&waiting));
        let (index, classes) = (self.index, &waiting.side.classes);
        let side = &index.sides[usize::from(self.layer.mover)];
        let is_free = classes.is_free(waiting.class);
        for &rank in &self.beside {
            let mover = &self.movers.sets[rank as usize];
            let smallest = || classes.smallest_beside(index.group, waiting.class, mover.cells);
            if !is_free && smallest() != mover.cells {
                continue;
            }
            let (class, Element(element)) = side.classes.find_ranked(SubsetRank(rank.into()));
            let (_, slot) = index.place(side, class, waiting.set.images[usize::from(element)]);
            if waiting.set.is_one_group || !mover.is_one_group && mover.count == 0 {
                visitor.over(slot, Value::Loss);
                continue;
            }
            if mover.is_one_group {
                visitor.over(slot, Value::Win);
                continue;
            }
            for &step in self.movers.steps(mover) {
                if waiting.set.cells.contains(step.to()) {
                    visitor.far(1, self.captured(&waiting, step));
                } else {
                    visitor.near(step.rank());
                }
            }
            visitor.moved(slot);
        }
    }
}

impl<R: Stepping> UnificationIndex<R> {
    /// `None` for small layers and for more sets than memory should hold.
    pub(super) fn scan_of(&self, layer: Material) -> Option<impl Scan<Material>> {
        let sets = binomial(self.game.board().count(), u32::from(layer.mover));
        let pays = sets * LEAST_SLOTS_PER_SET <= self.slots(layer);
        let fits = sets * BYTES_PER_SET <= MOST_BYTES;
        (pays && fits).then(|| UnificationScan {
            index: self,
            layer,
            layers: [
                layer.swapped(),
                Material { mover: layer.opponent.saturating_sub(1), ..layer.swapped() },
            ],
            movers: Arc::new(Movers::new(self, u32::from(layer.mover))),
            beside: Vec::new(),
        })
    }
}
