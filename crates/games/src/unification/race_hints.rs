//! Race hints: which of two sets of pieces is likely to be in one group first.
//!
//! Steps depend on the mover's own pieces alone, so every set has a *solo distance*: the number of steps that it
//! needs if the opponent never moves. A position is a race between two such distances, changed by captures. Two bytes
//! hold both distances and the best effect of a capture now; tables of endgames are packed with them as context.

use std::marker::PhantomData;
use std::sync::OnceLock;

use marquis_core::{Cell, Cells};
use marquis_rank::{Class, Group, SetClasses, SubsetRank, binomial, next_set, rank_set, sets_of, unrank_set};

use super::Stepping;
use super::index::Material;
use crate::hex::{Hex, Side};

/// The greatest solo distance; it also stands for more and for "never".
const FARTHEST: u8 = 7;
/// No table has more sets: 56 MiB.
const MOST_SETS: u64 = 1 << 20;
/// No set has more pieces.
const MOST_PIECES: u32 = 21;
/// The first byte of a slot without a position.
const UNUSED: u8 = 0xc0;

/// Race hints for the positions of one board, by layer and slot of
/// [`UnificationIndex`](super::UnificationIndex).
///
/// The data for a number of pieces is computed on first use.
#[derive(Debug)]
pub struct RaceHints<R> {
    board: &'static Hex,
    group: &'static Group,
    /// By number of pieces.
    movers: Vec<OnceLock<SetClasses>>,
    distances: Vec<OnceLock<Vec<u8>>>,
    sets: Vec<OnceLock<Vec<Racer>>>,
    rule: PhantomData<R>,
}

/// The facts about a set of pieces.
#[derive(Clone, Copy, Debug, Default)]
struct Racer {
    distance: u8,
    /// The destinations of its steps.
    reached: Cells,
    /// The destinations of the steps that shorten its distance.
    gained: Cells,
    /// The pieces whose loss sets it back by at least 0, 1, 2, 3.
    lost: [Cells; 4],
}

impl Racer {
    /// The most that one of the captures can set the set back, up to 3.
    #[inline]
    fn set_back(&self, captures: Cells) -> u8 {
        self.lost[1..].iter().map(|&lost| u8::from(captures.meets(lost))).sum()
    }

    /// The effect of captures that also shorten the captor's distance: 0 without any, else 1 and more the farther
    /// they set the set back.
    #[inline]
    fn in_passing(&self, captures: Cells) -> u8 {
        u8::from(!captures.is_empty())
            + u8::from(captures.meets(self.lost[0]))
            + u8::from(captures.meets(self.lost[1]))
    }
}

/// The sets of some of the free cells in order, each with its rank among all sets of its size.
///
/// From one set to the next only the lowest pieces change, so only their part is recomputed.
struct RankedSets<'a> {
    free: &'a [Cell],
    /// The set as places among the free cells.
    packed: Cells,
    size: usize,
    /// The pieces from each number on, and their part of the rank.
    above: [(Cells, u64); MOST_PIECES as usize + 1],
}

impl<'a> RankedSets<'a> {
    fn new(free: &'a [Cell], packed: Cells) -> Self {
        let size = packed.len() as usize;
        let mut walk = Self { free, packed, size, above: [(Cells::EMPTY, 0); MOST_PIECES as usize + 1] };
        walk.fill(packed);
        walk
    }

    /// Recomputes the pieces at the lowest places of the set.
    #[inline]
    fn fill(&mut self, lowest: Cells) {
        let mut number = lowest.len() as usize;
        let mut left = lowest.0;
        while left != 0 {
            let place = left.ilog2();
            left ^= 1 << place;
            let cell = self.free[place as usize];
            let (set, rank) = self.above[number];
            self.above[number - 1] = (set.with(cell), rank + binomial(cell.0.into(), number as u32));
            number -= 1;
        }
    }

    #[inline]
    const fn set(&self) -> Cells {
        self.above[0].0
    }

    #[inline]
    const fn rank(&self) -> u64 {
        self.above[0].1
    }

    /// Advances to the next set; after the last one of the free cells it stays.
    #[inline]
    fn step(&mut self) {
        let next = next_set(self.packed).unwrap_or_default();
        if next.0 >> self.free.len().min(63) != 0 || next.len() as usize != self.size {
            return;
        }
        // The highest place that changes; those above it stay.
        let changed = (self.packed.0 ^ next.0).ilog2();
        self.packed = next;
        self.fill(Cells(next.0 & ((2 << changed) - 1)));
    }
}

impl<R: Stepping> RaceHints<R> {
    /// The name of these hints; any change of the bytes requires a new name.
    pub const NAME: &'static str = "race-1";
    /// Bytes a slot.
    pub const BYTES: usize = 2;

    /// The hints of a board; computes nothing yet.
    #[must_use]
    pub fn new(side: Side) -> Self {
        let board = side.board();
        let empty = || (0..=board.count()).map(|_| OnceLock::new()).collect::<Vec<_>>();
        let sets = (0..=board.count()).map(|_| OnceLock::new()).collect();
        let movers = (0..=board.count()).map(|_| OnceLock::new()).collect();
        Self { board, group: board.symmetries(), movers, distances: empty(), sets, rule: PhantomData }
    }

    /// Returns whether there are hints for a layer: it must not have more sets than tables can hold.
    #[must_use]
    pub fn covers(side: Side, layer: Material) -> bool {
        let cells = side.board().count();
        let sound = |pieces: u8| {
            let pieces = u32::from(pieces);
            (1..=MOST_PIECES).contains(&pieces)
                && pieces <= cells
                && binomial(cells, pieces).max(binomial(cells, pieces - 1)) <= MOST_SETS
        };
        sound(layer.mover) && sound(layer.opponent) && u32::from(layer.mover + layer.opponent) <= cells
    }

    /// Fills `out` with the hints of the slots from `first` on, [`BYTES`](Self::BYTES) a slot.
    ///
    /// Slots past the end of the layer get zeros. Panics for a layer that is not [covered](Self::covers).
    pub fn fill(&self, layer: Material, first: u64, out: &mut [u8]) {
        let each = binomial(self.board.count() - u32::from(layer.mover), u32::from(layer.opponent));
        let classes = self.movers[usize::from(layer.mover)]
            .get_or_init(|| SetClasses::new(self.group, layer.mover.into()));
        let mut slot = first;
        let mut rest = out;
        while !rest.is_empty() {
            let class = slot / each;
            let taken = rest.len().min(((class + 1) * each - slot) as usize * Self::BYTES);
            let (part, later) = rest.split_at_mut(taken);
            if class < u64::from(classes.count()) {
                self.fill_class(layer, classes, Class(class as u32), slot % each, part);
            } else {
                part.fill(0);
            }
            slot = (class + 1) * each;
            rest = later;
        }
    }

    /// Fills `out` with the hints of one class of movers, from the opponents' rank `first` on.
    fn fill_class(&self, layer: Material, classes: &SetClasses, class: Class, first: u64, out: &mut [u8]) {
        let own = classes.representative(class);
        let mover = &self.racers(layer.mover)[rank_set(own).0 as usize];
        let opponents = self.racers(layer.opponent);
        let free: Vec<Cell> = (self.board.all().collect::<Cells>() - own).collect();
        let mut walk = RankedSets::new(&free, unrank_set(SubsetRank(first), layer.opponent.into()));
        let is_free = classes.is_free(class);
        for hint in out.chunks_exact_mut(Self::BYTES) {
            let other = walk.set();
            let unused = !is_free && classes.smallest_beside(self.group, class, other) != other;
            let bytes =
                if unused { [UNUSED, 0] } else { race(mover, own, &opponents[walk.rank() as usize], other) };
            hint.copy_from_slice(&bytes);
            walk.step();
        }
    }

    /// All sets of `pieces` pieces, by rank.
    fn racers(&self, pieces: u8) -> &[Racer] {
        self.sets[usize::from(pieces)].get_or_init(|| {
            let size = u32::from(pieces);
            let (here, fewer) = (self.distances(size), self.distances(size - 1));
            let mut own = Cells::first(size);
            let racer = |&distance: &u8| {
                let mut racer = Racer { distance, ..Racer::default() };
                R::steps(self.board, own, |step| {
                    racer.reached = racer.reached.with(step.to);
                    let after = own.without(step.from).with(step.to);
                    if here[rank_set(after).0 as usize] < distance {
                        racer.gained = racer.gained.with(step.to);
                    }
                });
                for piece in own {
                    let left = fewer[rank_set(own.without(piece)).0 as usize];
                    for (lost, farther) in racer.lost.iter_mut().zip(0..) {
                        if left >= distance + farther {
                            *lost = lost.with(piece);
                        }
                    }
                }
                own = next_set(own).unwrap_or_default();
                racer
            };
            here.iter().map(racer).collect()
        })
    }

    /// The solo distances of all sets of `pieces` pieces, by rank.
    fn distances(&self, pieces: u32) -> &[u8] {
        self.distances[pieces as usize].get_or_init(|| {
            let sets: Vec<Cells> = sets_of(self.board.count(), pieces).collect();
            let start = |&set: &Cells| if self.board.is_one_group(set) { 0 } else { FARTHEST };
            let mut distances: Vec<u8> = sets.iter().map(start).collect();
            for near in 0..FARTHEST - 1 {
                for (number, &set) in sets.iter().enumerate() {
                    if distances[number] == FARTHEST && self.steps_to(set, near, &distances) {
                        distances[number] = near + 1;
                    }
                }
            }
            distances
        })
    }

    fn steps_to(&self, set: Cells, near: u8, distances: &[u8]) -> bool {
        let mut found = false;
        R::steps(self.board, set, |step| {
            let after = set.without(step.from).with(step.to);
            found |= distances[rank_set(after).0 as usize] == near;
        });
        found
    }
}

/// The two bytes of a position.
///
/// First byte: the distance of the mover, that of the opponent, and the most that a capture can set the opponent
/// back. Second byte: the most that a threatened capture can set the mover back; for the mover and the opponent the
/// effect of captures that also shorten the captor's distance; and whether each can capture at all.
#[inline]
fn race(mover: &Racer, own: Cells, opponent: &Racer, other: Cells) -> [u8; 2] {
    let distances = mover.distance | opponent.distance << 3;
    if mover.distance == 0 || opponent.distance == 0 {
        return [distances, 0];
    }
    let (captures, threats) = (mover.reached & other, opponent.reached & own);
    let second = mover.set_back(threats)
        | opponent.in_passing(mover.gained & other) << 2
        | mover.in_passing(opponent.gained & own) << 4
        | u8::from(!captures.is_empty()) << 6
        | u8::from(!threats.is_empty()) << 7;
    [distances | opponent.set_back(captures) << 6, second]
}
