//! The transposition table: a fixed number of 16-byte entries, shared by threads without locks.
//!
//! A bucket is one cache line of four entries, and both questions about a position live in the same
//! bucket. An entry is two words, `key ^ value` and `value`, so that a torn write of two threads
//! shows as a foreign key and not as a wrong value. What is stored steers the search and nothing
//! else: claims are made from strategies that were replayed on positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use marquis_core::{ByPlayer, Player};

use crate::buckets::{Bucket, Buckets};
use crate::experience::Experience;
use crate::{Numbers, Question};

/// What the table remembers of one question about one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Not answered yet.
    Open(Numbers),
    /// Yes, within so many plies; with the number of the winning move where the prover is to move.
    Proved { plies: u16, best: u16 },
    /// No.
    Disproved(Condition),
}

impl Known {
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
    /// While the path begins in the way that has this token; it rests on no position before `first`.
    Prefix { token: u32, first: u8 },
}

/// A table for the questions about the positions of one game.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Buckets,
    visitors: Vec<AtomicU16>,
    experience: Arc<Experience>,
}

/// Places for counts of visitors; two positions that share one are only searched a little later.
const VISITED_PLACES: usize = 1 << 14;

impl Table {
    /// An empty table of at most `bytes`, and of one bucket at least, for searches that learn from each other.
    pub(crate) fn with_bytes(bytes: usize, experience: Arc<Experience>) -> Self {
        let visitors = std::iter::repeat_with(AtomicU16::default).take(VISITED_PLACES).collect();
        Self { buckets: Buckets::with_bytes(bytes), visitors, experience }
    }

    /// What the searches that use it have learned.
    #[inline]
    pub(crate) fn experience(&self) -> &Experience {
        &self.experience
    }

    /// How many workers have this position on their path for a question of this prover.
    ///
    /// Wraps round: add 1 to enter, `u16::MAX` to leave.
    #[inline]
    pub(crate) fn visitors(&self, place: Place, prover: Player) -> &AtomicU16 {
        let number = (place.key >> 20) as usize * 2 + usize::from(prover == Player::Second);
        &self.visitors[number % VISITED_PLACES]
    }

    /// Where a position lives.
    #[inline]
    pub(crate) fn place(&self, key: u64, locality: u64) -> Place {
        let count = self.buckets.all().len() as u64;
        let (region, block) = (REGION.min(count), BLOCK.min(count));
        let start = spread(locality & !LOW, count - region + 1) + spread(locality << 32, region - block + 1);
        // The lowest bit tells the questions apart and must not choose the bucket.
        let mixed = (key >> 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let near = (start + spread(mixed, block)) as u32;
        let far = spread(mixed.rotate_left(32) ^ locality, count) as u32;
        Place { key, near, far }
    }

    /// Brings the place into the cache: the calls for several places overlap.
    #[inline]
    pub(crate) fn touch(&self, place: Place) -> u64 {
        self.buckets.all()[place.near as usize].0[0].load(Relaxed)
    }

    /// Brings the far place into the cache as well where a look will go there: the near bucket is full.
    #[inline]
    pub(crate) fn touch_far(&self, place: Place) -> u64 {
        let buckets = self.buckets.all();
        let full =
            buckets[place.near as usize].0.as_chunks::<2>().0.iter().all(|slot| slot[1].load(Relaxed) != 0);
        if full { buckets[place.far as usize].0[0].load(Relaxed) } else { 0 }
    }

    /// What is known of both questions, by prover.
    #[inline]
    pub(crate) fn look(&self, place: Place) -> ByPlayer<Option<Known>> {
        let mut found = ByPlayer::default();
        let full = self.buckets.all()[place.near as usize].look(place.key, &mut found);
        if full && place.far != place.near && (found.first.is_none() || found.second.is_none()) {
            self.buckets.all()[place.far as usize].look(place.key, &mut found);
        }
        found
    }

    /// Remembers an entry that `nodes` expansions brought, in place of the cheapest where it may live.
    pub(crate) fn put(&self, place: Place, question: Question, known: Known, nodes: u64) {
        let key = (place.key & !1) | u64::from(question.prover == Player::Second);
        let new = pack(known, nodes);
        // The first answer stays. What another worker leaves open must not hide it, and a second proof may rest on
        // positions that were proved by way of the first: together they would lead round in a circle.
        if self.look(place)[question.prover].is_some_and(Known::is_final) {
            return;
        }
        let near = self.buckets.all()[place.near as usize].slot_for(key);
        // Only where the near bucket is full is the far one ever looked at.
        let far = if near.1 == FREE { near } else { self.buckets.all()[place.far as usize].slot_for(key) };
        let (bucket, slot) = if near.1 <= far.1 { (place.near, near.0) } else { (place.far, far.0) };
        let words = &self.buckets.all()[bucket as usize].0;
        words[2 * slot].store(key ^ new, Relaxed);
        words[2 * slot + 1].store(new, Relaxed);
    }
}

/// Where a position may live: in the bucket near its like, or in the far one once that is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) key: u64,
    near: u32,
    far: u32,
}

/// Buckets over which positions with the same high half of the locality are spread: 256 KiB.
const REGION: u64 = 1 << 12;
/// Buckets over which positions with the same locality are spread: 8 KiB.
const BLOCK: u64 = 1 << 7;
const LOW: u64 = 0xffff_ffff;
/// The worth of a slot that costs nothing to overwrite: it is empty, or holds the same question.
const FREE: u64 = 0;

/// A number below `count` from a well mixed word.
#[inline]
fn spread(word: u64, count: u64) -> u64 {
    ((u128::from(word) * u128::from(count)) >> 64) as u64
}

impl Bucket {
    /// Adds what is known of a key; whether no slot is empty.
    #[inline]
    fn look(&self, key: u64, found: &mut ByPlayer<Option<Known>>) -> bool {
        let mut full = true;
        for slot in self.0.as_chunks::<2>().0 {
            let value = slot[1].load(Relaxed);
            full &= value != 0;
            let difference = slot[0].load(Relaxed) ^ value ^ (key & !1);
            if difference > 1 || value == 0 {
                continue;
            }
            let prover = if difference == 0 { Player::First } else { Player::Second };
            // The near bucket has the newer entry.
            found[prover] = found[prover].or_else(|| unpack(value));
        }
        full
    }

    /// The slot that an entry of this key goes to, and what its loss costs.
    #[inline]
    fn slot_for(&self, key: u64) -> (usize, u64) {
        let mut cheapest = (0, u64::MAX);
        for (number, slot) in self.0.as_chunks::<2>().0.iter().enumerate() {
            let value = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ value == key && value != 0 {
                return (number, FREE);
            }
            let worth = if value == 0 { FREE } else { 1 + (value >> 2 & 63) };
            if worth < cheapest.1 {
                cheapest = (number, worth);
            }
        }
        cheapest
    }
}

// A value: bits 0–1 kind (0 is an empty slot), bits 2–7 logarithm of the expansions, then 56 bits.
const OPEN: u64 = 1;
const PROVED: u64 = 2;
const DISPROVED: u64 = 3;
const ALWAYS: u64 = 0;
const VISITED: u64 = 1;
const PREFIX: u64 = 2;

fn pack(known: Known, nodes: u64) -> u64 {
    let cost = u64::from(nodes.max(1).ilog2());
    let (kind, payload) = match known {
        Known::Open(numbers) => (OPEN, u64::from(numbers.proof) | u64::from(numbers.disproof) << 28),
        Known::Proved { plies, best } => (PROVED, u64::from(plies) | u64::from(best) << 16),
        Known::Disproved(Condition::Always) => (DISPROVED, ALWAYS),
        Known::Disproved(Condition::Visited { token }) => (DISPROVED, VISITED | u64::from(token) << 8),
        Known::Disproved(Condition::Prefix { token, first }) => {
            (DISPROVED, PREFIX | u64::from(token) << 8 | u64::from(first) << 40)
        }
    };
    kind | cost << 2 | payload << 8
}

fn unpack(value: u64) -> Option<Known> {
    let payload = value >> 8;
    let token = (payload >> 8) as u32;
    match value & 3 {
        OPEN => Some(Known::Open(Numbers {
            proof: (payload as u32) & Numbers::INFINITE,
            disproof: (payload >> 28) as u32 & Numbers::INFINITE,
        })),
        PROVED => Some(Known::Proved { plies: payload as u16, best: (payload >> 16) as u16 }),
        DISPROVED => Some(Known::Disproved(match payload & 3 {
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

    fn table(bytes: usize) -> Table {
        Table::with_bytes(bytes, Arc::new(Experience::beside(bytes)))
    }

    const KINDS: [Known; 5] = [
        Known::Open(Numbers { proof: Numbers::LARGEST, disproof: 7 }),
        Known::Proved { plies: u16::MAX, best: 3 },
        Known::Disproved(Condition::Always),
        Known::Disproved(Condition::Visited { token: u32::MAX }),
        Known::Disproved(Condition::Prefix { token: 5, first: 126 }),
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
        let open = Known::Open(Numbers::UNIT);
        let proved = |best| Known::Proved { plies: 3, best };
        for (put, found) in [(open, open), (proved(1), proved(1)), (open, proved(1)), (proved(2), proved(1))]
        {
            table.put(place, question, put, 10);
            assert_eq!(table.look(place).first, Some(found));
        }
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
