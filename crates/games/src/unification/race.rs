//! What two sets of pieces tell at once about who will be in one group first.
//!
//! Steps depend on the mover's own pieces alone, so every set has a *solo distance*: how many steps it needs
//! if nobody else moves. A position is a race between two such distances, bent by captures. Two bytes hold
//! both distances and the best that captures can do now; tables of endgames are packed with them as context.

use std::marker::PhantomData;
use std::sync::OnceLock;

use marquis_core::{Cell, Cells};
use marquis_rank::{Class, Group, Rank, SetClasses, binomial, next_set, rank_set, unrank_set};

use super::Stepping;
use super::index::{Material, symmetries};
use crate::hex::{Hex, Side};

/// The greatest solo distance that is told from others; it also stands for "never".
const FARTHEST: u8 = 7;
/// No table has more sets: 24 MiB.
const MOST_SETS: u64 = 1 << 20;
/// No set has more pieces: three bits each.
const MOST_PIECES: u32 = 21;
/// The first byte of a slot without a position.
const HOLE: u8 = 0xc0;

/// Race hints for the positions of one board, by layer and slot of
/// [`UnificationIndex`](super::UnificationIndex).
///
/// What a number of pieces needs is computed when it is first asked for.
#[derive(Debug)]
pub struct RaceHints<R> {
    board: &'static Hex,
    group: Group,
    /// By number of pieces.
    movers: Vec<OnceLock<SetClasses>>,
    distances: Vec<OnceLock<Vec<u8>>>,
    sets: Vec<OnceLock<Vec<Racer>>>,
    rule: PhantomData<R>,
}

/// What is known of a set of pieces.
#[derive(Clone, Copy, Debug, Default)]
struct Racer {
    distance: u8,
    /// Where its steps end.
    reached: Cells,
    /// Where those steps end that bring it nearer.
    gained: Cells,
    /// The distance without each piece, in rising order of the pieces, three bits each.
    without: u64,
}

impl Racer {
    /// The greatest distance of this set after one of the captures `at`; none where there is no capture.
    #[inline]
    fn after(self, own: Cells, at: Cells) -> Option<u8> {
        let left = |cell: Cell| {
            let place = (own.0 & ((1 << cell.0) - 1)).count_ones();
            (self.without >> (3 * place)) as u8 & FARTHEST
        };
        at.map(left).max()
    }
}

impl<R: Stepping> RaceHints<R> {
    /// The name of these hints; other bytes would need another one.
    pub const NAME: &'static str = "race-1";
    /// Bytes a slot.
    pub const BYTES: usize = 2;

    /// The hints of a board; nothing is computed yet.
    #[must_use]
    pub fn new(side: Side) -> Self {
        let board = side.board();
        let empty = || (0..=board.count()).map(|_| OnceLock::new()).collect::<Vec<_>>();
        let sets = (0..=board.count()).map(|_| OnceLock::new()).collect();
        let movers = (0..=board.count()).map(|_| OnceLock::new()).collect();
        Self { board, group: symmetries(board), movers, distances: empty(), sets, rule: PhantomData }
    }

    /// Whether there are hints for a layer: not for more sets than tables can hold.
    #[must_use]
    pub fn covers(side: Side, layer: Material) -> bool {
        let cells = side.board().count();
        let sound = |pieces: u8| {
            let pieces = u32::from(pieces);
            (1..=MOST_PIECES).contains(&pieces)
                && pieces <= cells
                && binomial(cells, pieces).max(binomial(cells, pieces - 1)) <= MOST_SETS
        };
        sound(layer.mover) && sound(layer.waiter) && u32::from(layer.mover + layer.waiter) <= cells
    }

    /// Fills `out` with the hints of the slots from `first` on, [`BYTES`](Self::BYTES) a slot.
    ///
    /// Slots past the end of the layer get zeros. Panics for a layer that is not [covered](Self::covers).
    pub fn fill(&self, layer: Material, first: u64, out: &mut [u8]) {
        let each = binomial(self.board.count() - u32::from(layer.mover), u32::from(layer.waiter));
        let classes = self.movers[usize::from(layer.mover)]
            .get_or_init(|| SetClasses::new(&self.group, layer.mover.into()));
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

    /// Fills `out` with the hints of one class of movers, from the waiters' rank `first` on.
    fn fill_class(&self, layer: Material, classes: &SetClasses, class: Class, first: u64, out: &mut [u8]) {
        let own = classes.representative(class);
        let mover = self.racers(layer.mover)[rank_set(own).0 as usize];
        let waiters = self.racers(layer.waiter);
        let free: Vec<Cell> = (self.board.all().collect::<Cells>() - own).collect();
        let mut packed = unrank_set(Rank(first), layer.waiter.into());
        for hint in out.chunks_exact_mut(Self::BYTES) {
            let (mut other, mut rank) = (Cells::EMPTY, 0);
            for (place, count) in packed.zip(1..) {
                let cell = free[place.index()];
                other = other.with(cell);
                rank += binomial(cell.0.into(), count);
            }
            let hole = !classes.is_free(class) && classes.smallest_beside(&self.group, class, other) != other;
            hint.copy_from_slice(&if hole {
                [HOLE, 0]
            } else {
                race(mover, own, waiters[rank as usize], other)
            });
            packed = next_set(packed).unwrap_or_default();
        }
    }

    /// All sets of so many pieces, by rank.
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
                for (place, piece) in own.enumerate() {
                    let left = fewer[rank_set(own.without(piece)).0 as usize];
                    racer.without |= u64::from(left) << (3 * place);
                }
                own = next_set(own).unwrap_or_default();
                racer
            };
            here.iter().map(racer).collect()
        })
    }

    /// The solo distances of all sets of so many pieces, by rank.
    fn distances(&self, pieces: u32) -> &[u8] {
        self.distances[pieces as usize].get_or_init(|| {
            let count = binomial(self.board.count(), pieces) as usize;
            let sets: Vec<Cells> =
                std::iter::successors(Some(Cells::first(pieces)), |&set| next_set(set)).take(count).collect();
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
/// First byte: the distance of the mover, that of the opponent, and by how much a capture can set the opponent
/// back. Second byte: by how much a capture threatens to set the mover back; for the mover and the opponent
/// what captures do that bring the captor nearer; and whether each can capture at all.
#[inline]
fn race(mover: Racer, own: Cells, waiter: Racer, other: Cells) -> [u8; 2] {
    let distances = mover.distance | waiter.distance << 3;
    if mover.distance == 0 || waiter.distance == 0 {
        return [distances, 0];
    }
    let (captures, threats) = (mover.reached & other, waiter.reached & own);
    let set_back = |racer: Racer, pieces: Cells, at: Cells| {
        racer.after(pieces, at).map_or(0, |after| after.saturating_sub(racer.distance).min(3))
    };
    let in_passing = |racer: Racer, pieces: Cells, at: Cells| {
        racer.after(pieces, at).map_or(0, |after| 1 + (after + 1).saturating_sub(racer.distance).min(2))
    };
    let second = set_back(mover, own, threats)
        | in_passing(waiter, other, mover.gained & other) << 2
        | in_passing(mover, own, waiter.gained & own) << 4
        | u8::from(!captures.is_empty()) << 6
        | u8::from(!threats.is_empty()) << 7;
    [distances | set_back(waiter, other, captures) << 6, second]
}
