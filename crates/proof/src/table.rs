//! The transposition table: a fixed number of 16-byte entries, shared by threads without locks.
//!
//! A bucket is one cache line of four entries, and both questions about a position live in the same
//! bucket. An entry is two words, `key ^ value` and `value`, so that a torn write of two threads
//! shows as a foreign key and not as a wrong value. What is stored steers the search and nothing
//! else: claims are made from strategies that were replayed on positions.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use marquis_core::{ByPlayer, Player};

use crate::{Numbers, Question};

const SLOTS: usize = 4;
const BUCKET_BYTES: usize = 64;

#[repr(align(64))]
#[derive(Debug, Default)]
struct Bucket([AtomicU64; 2 * SLOTS]);

/// What the table remembers of one question about one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Not answered yet.
    Open(Numbers),
    /// Yes, within so many plies.
    Proved { plies: u16 },
    /// No.
    Disproved(Condition),
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
    buckets: Vec<Bucket>,
}

impl Table {
    /// An empty table of at most `bytes`, and of one bucket at least.
    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let count = (bytes / BUCKET_BYTES).max(1);
        Self { buckets: std::iter::repeat_with(Bucket::default).take(count).collect() }
    }

    /// What is known of both questions, by prover.
    #[inline]
    pub(crate) fn look(&self, key: u64) -> ByPlayer<Option<Known>> {
        let mut found = ByPlayer::default();
        let bucket = self.bucket(key);
        for slot in bucket.0.as_chunks::<2>().0 {
            let value = slot[1].load(Relaxed);
            let difference = slot[0].load(Relaxed) ^ value ^ (key & !1);
            if difference == 0 && value != 0 {
                found.first = unpack(value);
            } else if difference == 1 && value != 0 {
                found.second = unpack(value);
            }
        }
        found
    }

    /// Remembers an entry that `nodes` expansions brought, in place of the cheapest of its bucket.
    pub(crate) fn put(&self, key: u64, question: Question, known: Known, nodes: u64) {
        let key = (key & !1) | u64::from(question.prover == Player::Second);
        let new = pack(known, nodes);
        let bucket = self.bucket(key);
        let mut cheapest = 0;
        let mut least = u64::MAX;
        for (number, slot) in bucket.0.as_chunks::<2>().0.iter().enumerate() {
            let value = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ value == key {
                cheapest = number;
                break;
            }
            let worth = if value == 0 { 0 } else { 1 + (value >> 2 & 63) };
            if worth < least {
                (cheapest, least) = (number, worth);
            }
        }
        bucket.0[2 * cheapest].store(key ^ new, Relaxed);
        bucket.0[2 * cheapest + 1].store(new, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The lowest bit tells the questions apart and must not choose the bucket.
        let spread = (key >> 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = (u128::from(spread) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
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
        Known::Proved { plies } => (PROVED, u64::from(plies)),
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
        PROVED => Some(Known::Proved { plies: payload as u16 }),
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

    const KINDS: [Known; 5] = [
        Known::Open(Numbers { proof: Numbers::LARGEST, disproof: 7 }),
        Known::Proved { plies: u16::MAX },
        Known::Disproved(Condition::Always),
        Known::Disproved(Condition::Visited { token: u32::MAX }),
        Known::Disproved(Condition::Prefix { token: 5, first: 126 }),
    ];

    #[test]
    fn what_is_put_is_found_again() {
        let table = Table::with_bytes(1 << 12);
        for (number, known) in KINDS.into_iter().enumerate() {
            let key = (number as u64 + 1) << 40;
            table.put(key, Question { prover: Player::Second }, known, 1 << number);
            assert_eq!(table.look(key), ByPlayer::new(None, Some(known)));
        }
    }

    #[test]
    fn both_questions_of_a_position_live_side_by_side() {
        let table = Table::with_bytes(0);
        for (prover, known) in Player::BOTH.into_iter().zip(KINDS) {
            table.put(99, Question { prover }, known, 1);
        }
        assert_eq!(table.look(99), ByPlayer::new(Some(KINDS[0]), Some(KINDS[1])));
    }

    #[test]
    fn the_cheapest_entry_makes_room() {
        let table = Table::with_bytes(64);
        let question = Question { prover: Player::First };
        for (key, nodes) in [(2, 500), (4, 3), (6, 900), (8, 70), (10, 1)] {
            table.put(key, question, KINDS[2], nodes);
        }
        let kept: Vec<u64> =
            [2, 4, 6, 8, 10].into_iter().filter(|&k| table.look(k).first.is_some()).collect();
        assert_eq!(kept, [2, 6, 8, 10]);
    }

    #[test]
    fn the_table_keeps_to_its_bytes() {
        assert_eq!(std::mem::size_of::<Bucket>(), BUCKET_BYTES);
        assert_eq!(Table::with_bytes(1000).buckets.len(), 15);
    }
}
