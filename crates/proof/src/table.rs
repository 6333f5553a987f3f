//! The transposition table: 16-byte entries, shared by threads without locks, growing during a search.
//!
//! A bucket is one cache line of four entries, and both questions about a position live in the same bucket. An entry
//! is two words, `key ^ value` and `value`, so that a torn write of two threads shows as a foreign key and not as a
//! wrong value. The entries only steer the search: claims rest on strategies that were replayed on positions.
//!
//! The system clears memory when it is first touched, and a search touches its table all over from the first thousand
//! positions on. Clearing some gigabytes takes longer than deciding most positions. So a table starts with few
//! buckets and [grows](QuestionTable::grow) with the nodes spent on it. Bucket `b` of a small table becomes the buckets from
//! `f·b` on of one `f` times as large; the key alone determines which of them an entry goes to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::thread::Builder;

use marquis_core::{ByPlayer, Player};
use prefetch_index::prefetch_index;

use crate::buckets::{Bucket, Buckets, SLOTS};
use crate::experience::Experience;
use crate::{Numbers, Question};

/// The stored answer to one question about one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredAnswer {
    /// Not answered yet.
    Open(Numbers),
    /// Yes, within `plies` plies; `best` is the number of the winning move if the prover is to move.
    Proved { plies: u16, best: u16 },
    /// No.
    Disproved(Condition),
}

impl StoredAnswer {
    /// Whether no further search can change it.
    fn is_final(self) -> bool {
        matches!(self, Self::Proved { .. } | Self::Disproved(Condition::Always))
    }
}

/// When a disproof holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Whatever was played before.
    Always,
    /// While the position with this token is on the path: the defender returns to it.
    Visited { token: u32 },
    /// While the path has the prefix with this token; the disproof rests on no position before `first`.
    Prefix { token: u32, first: u8 },
}

/// A table for the questions about the positions of one game.
#[derive(Debug)]
pub(crate) struct QuestionTable {
    /// Unused ones cost nothing.
    buckets: Buckets,
    /// The initial number of buckets: in all, in a region and in a block.
    first: u64,
    region: u64,
    block: u64,
    /// The factor by which the table has grown; a power of two.
    scale: AtomicU64,
    /// The factor by which it may grow; a power of two.
    largest: u64,
    /// Nodes of all completed searches.
    nodes: AtomicU64,
    visitors: Vec<AtomicU16>,
    experience: Arc<Experience>,
}

/// The factor of one growth step; a power of two.
const GROWTH: u64 = 2;
/// Slots per node at which the table grows; a node fills one slot at most.
const LOAD: u64 = 2;
/// A table of more bytes starts with a part of them.
const SMALL: u64 = 16 << 20;

/// Slots for visitor counts, per prover. If two positions share one, they are only searched a little later.
const VISITED_PLACES: usize = 1 << 14;

impl QuestionTable {
    /// An empty table of at most `bytes` when grown, including the lessons, and of at least one bucket.
    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let mut largest = 1;
        while bytes as u64 / largest > SMALL {
            largest *= GROWTH;
        }
        Self::growing(bytes, largest, Arc::new(Experience::beside(bytes)))
    }

    /// An empty table that starts with 1/`largest` of its bytes, for searches that share `experience`. `largest` is a
    /// power of two.
    pub(crate) fn growing(bytes: usize, largest: u64, experience: Arc<Experience>) -> Self {
        let visitors = std::iter::repeat_with(AtomicU16::default).take(2 * VISITED_PLACES).collect();
        let buckets = Buckets::with_bytes(bytes - experience.bytes().min(bytes));
        let all = buckets.all().len() as u64;
        let largest = largest.min(1 << all.ilog2());
        let first = all / largest;
        let (region, block) = (REGION.min(first), BLOCK.min(first));
        let (scale, nodes) = (AtomicU64::new(1), AtomicU64::new(0));
        Self { buckets, first, region, block, scale, largest, nodes, visitors, experience }
    }

    /// The nodes left until the table should grow; `None` if it cannot.
    pub(crate) fn until(&self) -> Option<u64> {
        let scale = self.scale.load(Relaxed);
        let nodes = scale * self.first * SLOTS as u64 / LOAD;
        (scale < self.largest).then(|| nodes.saturating_sub(self.nodes.load(Relaxed)))
    }

    /// Whether it has grown.
    #[cfg(test)]
    pub(crate) fn is_grown(&self) -> bool {
        self.scale.load(Relaxed) > 1
    }

    /// Adds the nodes of a completed search.
    pub(crate) fn spent(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Makes it [`GROWTH`] times as large and keeps its entries; no other thread may use it meanwhile.
    ///
    /// Earlier [places](BucketPair) become invalid.
    pub(crate) fn grow(&self, threads: usize) {
        let before = self.scale.load(Relaxed);
        let scale = (before * GROWTH).min(self.largest);
        let (buckets, block) = (self.buckets.all(), self.block * scale);
        let times = scale / before;
        let mut end = before * self.first;
        // All targets of a part lie at or beyond its end, so the order within a part does not matter.
        while end > 0 {
            let start = end.div_ceil(times).min(end - 1);
            let share = (end - start).div_ceil(threads.max(1) as u64);
            let part = |from: u64, until: u64| {
                for number in from..end.min(until) {
                    spread_out(buckets, number as usize, times, block);
                }
            };
            std::thread::scope(|scope| {
                let mut from = start;
                for _ in 1..threads.max(1) {
                    let until = from + share;
                    // If the system provides no more threads, this one does the rest.
                    if until >= end || Builder::new().spawn_scoped(scope, move || part(from, until)).is_err()
                    {
                        break;
                    }
                    from = until;
                }
                part(from, end);
            });
            end = start;
        }
        self.scale.store(scale, Relaxed);
    }

    /// The lessons of the searches that use it.
    #[inline]
    pub(crate) fn experience(&self) -> &Experience {
        &self.experience
    }

    /// The number of workers that have this position on their path for a question of this prover.
    ///
    /// Wraps around: add 1 to enter, `u16::MAX` to leave.
    #[inline]
    pub(crate) fn visitors(&self, place: BucketPair, prover: Player) -> &AtomicU16 {
        // Far from those of the other prover, so that their searches write to different cache lines.
        let first = if prover == Player::Second { VISITED_PLACES } else { 0 };
        &self.visitors[first + (place.key >> 20) as usize % VISITED_PLACES]
    }

    /// Where a position lives.
    #[inline]
    pub(crate) fn place(&self, key: u64, locality: u64) -> BucketPair {
        let (count, scale) = (self.first, self.scale.load(Relaxed));
        let (region, block) = (self.region, self.block);
        let start = spread(locality & !LOW, count - region + 1) + spread(locality << 32, region - block + 1);
        let mixed = mix(key);
        let near = (start * scale + spread(mixed, block * scale)) as u32;
        let far =
            spread(mixed.rotate_left(32) ^ locality, count) * scale + within(mixed, block * scale, scale);
        BucketPair { key, near, far: far as u32 }
    }

    /// Prefetches the near bucket.
    #[inline]
    pub(crate) fn send_for(&self, place: BucketPair) {
        prefetch_index(self.buckets.all(), place.near as usize);
    }

    /// Also prefetches the far bucket if a lookup will go there: the near one is full.
    #[inline]
    pub(crate) fn send_far(&self, place: BucketPair) {
        let buckets = self.buckets.all();
        if buckets[place.near as usize].is_full() {
            prefetch_index(buckets, place.far as usize);
        }
    }

    /// The stored answers to both questions, by prover.
    #[inline]
    pub(crate) fn look(&self, place: BucketPair) -> ByPlayer<Option<StoredAnswer>> {
        let mut found = ByPlayer::default();
        let full = self.buckets.all()[place.near as usize].look(place.key, &mut found);
        if full && place.far != place.near && (found.first.is_none() || found.second.is_none()) {
            self.buckets.all()[place.far as usize].look(place.key, &mut found);
        }
        found
    }

    /// Stores an entry that cost `nodes` expansions, and evicts the cheapest one in its buckets.
    pub(crate) fn put(&self, place: BucketPair, question: Question, known: StoredAnswer, nodes: u64) {
        let key = place.key_of(question);
        let new = pack(known, nodes);
        // The first answer stays: another worker's open entry must not hide it, and a second proof may rest on
        // positions that were proved through the first, so that together they would form a cycle.
        if self.look(place)[question.prover].is_some_and(StoredAnswer::is_final) {
            return;
        }
        let near = self.buckets.all()[place.near as usize].slot_for(key);
        // The far bucket is read only if the near one is full.
        let far = if near.1 == FREE { near } else { self.buckets.all()[place.far as usize].slot_for(key) };
        let (bucket, slot) = if near.1 <= far.1 { (place.near, near.0) } else { (place.far, far.0) };
        let words = &self.buckets.all()[bucket as usize].0;
        words[2 * slot].store(key ^ new, Relaxed);
        words[2 * slot + 1].store(new, Relaxed);
    }

    /// Forgets the answer to a question, so that it is searched again.
    pub(crate) fn forget(&self, place: BucketPair, question: Question) {
        let key = place.key_of(question);
        let open = pack(StoredAnswer::Open(Numbers::UNIT), 1);
        for bucket in [place.near, place.far].map(|bucket| &self.buckets.all()[bucket as usize].0) {
            let slots = bucket.as_chunks::<2>().0.iter();
            let held = slots.filter(|slot| slot[1].load(Relaxed) != 0);
            for slot in held.filter(|slot| slot[0].load(Relaxed) ^ slot[1].load(Relaxed) == key) {
                slot[0].store(key ^ open, Relaxed);
                slot[1].store(open, Relaxed);
            }
        }
    }
}

/// Where a position may live: in the bucket near similar ones, or in the far one if that is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BucketPair {
    pub(crate) key: u64,
    near: u32,
    far: u32,
}

impl BucketPair {
    /// The key of a question about the position; the lowest bit distinguishes the two.
    #[inline]
    fn key_of(self, question: Question) -> u64 {
        (self.key & !1) | u64::from(question.prover == Player::Second)
    }
}

/// Initial number of buckets over which positions with the same high half of the locality spread: 256 KiB. With
/// fewer, they evict each other while most of a table is empty, and lost parts of a proof are searched again.
const REGION: u64 = 1 << 12;
/// Initial number of buckets over which positions with the same locality spread: 8 KiB.
const BLOCK: u64 = 1 << 7;
const LOW: u64 = 0xffff_ffff;
/// The worth of a slot that costs nothing to overwrite: empty, or for the same question.
const FREE: u64 = 0;

/// The part of a key that selects a bucket. The lowest bit only distinguishes the questions and must not take part.
#[inline]
fn mix(key: u64) -> u64 {
    (key >> 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Which of the `times` buckets that one becomes receives an entry; `times` is a power of two, and `block` the size
/// of a block after growth.
#[inline]
fn within(mixed: u64, block: u64, times: u64) -> u64 {
    spread(mixed, block) & (times - 1)
}

/// Moves the entries of a bucket to those that replace it.
fn spread_out(buckets: &[Bucket], number: usize, times: u64, block: u64) {
    let overflowed = buckets[number].is_full();
    let words: [u64; 2 * SLOTS] = std::array::from_fn(|word| buckets[number].0[word].swap(0, Relaxed));
    let parts = &buckets[number * times as usize..][..times as usize];
    for slot in words.as_chunks::<2>().0.iter().filter(|slot| slot[1] != 0 && slot[1] != OVERFLOWED) {
        let to = &parts[within(mix(slot[0] ^ slot[1]), block, times) as usize].0;
        if let Some(free) = (0..SLOTS).find(|slot| to[2 * slot + 1].load(Relaxed) == 0) {
            to[2 * free].store(slot[0], Relaxed);
            to[2 * free + 1].store(slot[1], Relaxed);
        }
    }
    if overflowed {
        for mark in parts.iter().map(|part| &part.0[2 * SLOTS - 1]).filter(|mark| mark.load(Relaxed) == 0) {
            mark.store(OVERFLOWED, Relaxed);
        }
    }
}

/// A number below `count` from a well-mixed word.
#[inline]
fn spread(word: u64, count: u64) -> u64 {
    ((u128::from(word) * u128::from(count)) >> 64) as u64
}

impl Bucket {
    /// Whether it is full, or was full in a smaller table, so that some entries are in far buckets.
    #[inline]
    fn is_full(&self) -> bool {
        let values = self.0.as_chunks::<2>().0.iter().map(|slot| slot[1].load(Relaxed));
        self.0[2 * SLOTS - 1].load(Relaxed) == OVERFLOWED || values.min() != Some(0)
    }

    /// Adds the stored answers for a key; returns whether it [is full](Self::is_full).
    #[inline]
    fn look(&self, key: u64, found: &mut ByPlayer<Option<StoredAnswer>>) -> bool {
        let (mut full, mut last) = (true, 0);
        for slot in self.0.as_chunks::<2>().0 {
            let value = slot[1].load(Relaxed);
            full &= value != 0;
            last = value;
            let difference = slot[0].load(Relaxed) ^ value ^ (key & !1);
            if difference > 1 || value == 0 {
                continue;
            }
            let prover = if difference == 0 { Player::First } else { Player::Second };
            // The near bucket has the newer entry.
            found[prover] = found[prover].or_else(|| unpack(value));
        }
        full || last == OVERFLOWED
    }

    /// The slot for an entry of this key, and the cost of overwriting it.
    #[inline]
    fn slot_for(&self, key: u64) -> (usize, u64) {
        let mut cheapest = (0, u64::MAX);
        for (number, slot) in self.0.as_chunks::<2>().0.iter().enumerate() {
            let value = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ value == key && value != 0 {
                return (number, FREE);
            }
            // The mark is in the last slot, so it disappears when the bucket is full again.
            let worth = if value == 0 || value == OVERFLOWED { FREE } else { 1 + (value >> 2 & 63) };
            if worth < cheapest.1 {
                cheapest = (number, worth);
            }
        }
        cheapest
    }
}

// A value: bits 0–1 kind (0 is an empty slot), bits 2–7 logarithm of the expansions, then 56 bits.
/// The second word of the last slot of a bucket that is not full, but was full in a smaller table.
const OVERFLOWED: u64 = 1 << 2;
const OPEN: u64 = 1;
const PROVED: u64 = 2;
const DISPROVED: u64 = 3;
const ALWAYS: u64 = 0;
const VISITED: u64 = 1;
const PREFIX: u64 = 2;

fn pack(known: StoredAnswer, nodes: u64) -> u64 {
    let cost = u64::from(nodes.max(1).ilog2());
    let (kind, payload) = match known {
        StoredAnswer::Open(numbers) => (OPEN, u64::from(numbers.proof) | u64::from(numbers.disproof) << 28),
        StoredAnswer::Proved { plies, best } => (PROVED, u64::from(plies) | u64::from(best) << 16),
        StoredAnswer::Disproved(Condition::Always) => (DISPROVED, ALWAYS),
        StoredAnswer::Disproved(Condition::Visited { token }) => (DISPROVED, VISITED | u64::from(token) << 8),
        StoredAnswer::Disproved(Condition::Prefix { token, first }) => {
            (DISPROVED, PREFIX | u64::from(token) << 8 | u64::from(first) << 40)
        }
    };
    kind | cost << 2 | payload << 8
}

fn unpack(value: u64) -> Option<StoredAnswer> {
    let payload = value >> 8;
    let token = (payload >> 8) as u32;
    match value & 3 {
        OPEN => Some(StoredAnswer::Open(Numbers {
            proof: (payload as u32) & Numbers::INFINITE,
            disproof: (payload >> 28) as u32 & Numbers::INFINITE,
        })),
        PROVED => Some(StoredAnswer::Proved { plies: payload as u16, best: (payload >> 16) as u16 }),
        DISPROVED => Some(StoredAnswer::Disproved(match payload & 3 {
            ALWAYS => Condition::Always,
            VISITED => Condition::Visited { token },
            _ => Condition::Prefix { token, first: (payload >> 40) as u8 },
        })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bytes: usize) -> QuestionTable {
        QuestionTable::with_bytes(bytes)
    }

    const KINDS: [StoredAnswer; 5] = [
        StoredAnswer::Open(Numbers { proof: Numbers::LARGEST, disproof: 7 }),
        StoredAnswer::Proved { plies: u16::MAX, best: 3 },
        StoredAnswer::Disproved(Condition::Always),
        StoredAnswer::Disproved(Condition::Visited { token: u32::MAX }),
        StoredAnswer::Disproved(Condition::Prefix { token: 5, first: 126 }),
    ];

    #[test]
    fn what_is_put_is_found_again() {
        let table = table(1 << 12);
        for (number, known) in KINDS.into_iter().enumerate() {
            let key = table.place((number as u64 + 1) << 40, 5);
            table.put(key, Question { prover: Player::Second }, known, 1 << number);
            assert_eq!(table.look(key), ByPlayer::new(None, Some(known)));
        }
    }

    #[test]
    fn both_questions_of_a_position_live_side_by_side() {
        let table = table(0);
        for (prover, known) in Player::BOTH.into_iter().zip(KINDS) {
            table.put(table.place(99, 7), Question { prover }, known, 1);
        }
        assert_eq!(table.look(table.place(99, 7)), ByPlayer::new(Some(KINDS[0]), Some(KINDS[1])));
    }

    #[test]
    fn what_is_settled_stays_so() {
        let (table, question) = (table(1 << 12), Question { prover: Player::First });
        let place = table.place(77 << 30, 5);
        let open = StoredAnswer::Open(Numbers::UNIT);
        let proved = |best| StoredAnswer::Proved { plies: 3, best };
        for (put, found) in [(open, open), (proved(1), proved(1)), (open, proved(1)), (proved(2), proved(1))]
        {
            table.put(place, question, put, 10);
            assert_eq!(table.look(place).first, Some(found));
        }
    }

    #[test]
    fn what_is_forgotten_is_open_and_nothing_else_is_forgotten() {
        let (table, [question, other]) = (table(64), Player::BOTH.map(|prover| Question { prover }));
        for (key, known) in [(77, KINDS[1]), (78, KINDS[2])] {
            table.put(table.place(key << 30, 5), question, known, 10);
            table.put(table.place(key << 30, 5), other, KINDS[3], 10);
        }
        table.forget(table.place(77 << 30, 5), question);
        table.forget(table.place(79 << 30, 5), question);
        let [forgotten, kept, never] = [77, 78, 79].map(|key| table.look(table.place(key << 30, 5)));
        assert_eq!(forgotten, ByPlayer::new(Some(StoredAnswer::Open(Numbers::UNIT)), Some(KINDS[3])));
        assert_eq!(kept, ByPlayer::new(Some(KINDS[2]), Some(KINDS[3])));
        assert_eq!(never, ByPlayer::default());
    }

    #[test]
    fn what_a_table_holds_is_found_again_when_it_has_grown() {
        let (bytes, threads) = (1 << 20, [1, 2, 3]);
        let table = QuestionTable::growing(bytes, 8, Arc::new(Experience::beside(bytes)));
        let word = |number: u64, salt: u64| (number + salt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let position = |number: u64| (word(number, 1) ^ number << 40, word(number / 50, 7));
        let known = |number: u64| StoredAnswer::Proved { plies: number as u16, best: 1 };
        let question = Question { prover: Player::Second };
        for number in 0..600 {
            let (key, locality) = position(number);
            table.put(table.place(key, locality), question, known(number), 1 + number);
        }
        let kept = || -> Vec<bool> {
            let found = |number| {
                let (key, locality) = position(number);
                table.look(table.place(key, locality)).second == Some(known(number))
            };
            (0..600).map(found).collect()
        };
        let before = kept();
        assert!(before.iter().filter(|&&kept| kept).count() > 500, "{before:?}");
        for threads in threads {
            assert!(table.until().is_some());
            table.grow(threads);
            assert_eq!(kept(), before);
        }
        assert_eq!(table.until(), None);
        // Every entry is where a lookup expects it, and none is there twice.
        let words = table.buckets.all().iter().flat_map(|bucket| bucket.0.as_chunks::<2>().0);
        let taken = words.filter(|slot| ![0, OVERFLOWED].contains(&slot[1].load(Relaxed))).count();
        assert_eq!(taken, before.iter().filter(|&&kept| kept).count());
    }

    #[test]
    fn the_cheapest_entry_makes_room() {
        let table = table(64);
        let question = Question { prover: Player::First };
        for (key, nodes) in [(2, 500), (4, 3), (6, 900), (8, 70), (10, 1)] {
            table.put(table.place(key, 1), question, KINDS[2], nodes);
        }
        let kept: Vec<u64> =
            [2, 4, 6, 8, 10].into_iter().filter(|&k| table.look(table.place(k, 1)).first.is_some()).collect();
        assert_eq!(kept, [2, 6, 8, 10]);
    }
}
