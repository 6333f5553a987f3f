//! The positions inside a strategy, packed for lookups without a search.
//!
//! Stores the positions in which the other player is to move, one representative of all images each; two plies of
//! lookahead give the rest by the rules. A position takes its non-zero bytes, a bit for each byte, and two bytes for
//! the plies.

use std::hash::BuildHasher;
use std::marker::PhantomData;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use marquis_core::{Bounds, Packed, Plies, Symmetric, Value};

use crate::Disk;
use crate::checker::{Grounds, Promise, Refusal, Seen, StrategyHead, replay_visiting};

/// The bounds that a strategy proves for a position in which its holder has just moved, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footing {
    /// A loss, or not a win.
    pub bounds: Bounds,
    /// The game ends within this many plies if the holder follows the strategy; `None` if lengths are unknown.
    pub within: Option<Plies>,
}

/// The positions of a strategy in which the other player is to move, each representing all its images.
#[derive(Clone, Debug)]
pub struct ProofIndex<G> {
    promise: Promise,
    /// Whether all lines are played to the end of the game, so that their lengths are plies to the end.
    is_counted: bool,
    places: HashTable<u32>,
    records: Records,
    game: PhantomData<fn() -> G>,
}

/// The length of lines whose plies are unknown.
const UNCOUNTED: u16 = u16::MAX;
/// Bytes of the plies of a record.
const LENGTH_BYTES: usize = 2;

impl<G: Symmetric> ProofIndex<G> {
    /// Replays a strategy and indexes its positions.
    ///
    /// * `bytes`: in the layout that [`strategy`](crate::strategy) describes.
    /// * `room`: memory and disk for the replay.
    ///
    /// # Errors
    /// The first error in the strategy, or [`Refusal::Room`].
    pub fn of(
        game: &G,
        root: &G::Position,
        bytes: &[u8],
        grounds: Grounds<'_, G>,
        room: (usize, &Disk),
    ) -> Result<Self, Refusal> {
        let StrategyHead { holder, promise, .. } = StrategyHead::read(bytes)?;
        let (places, records) = (HashTable::new(), Records::default());
        let mut index = Self { promise, is_counted: true, places, records, game: PhantomData };
        let mut visit = |position: &G::Position, longest: u32| {
            let length = u16::try_from(longest).unwrap_or(UNCOUNTED);
            debug_assert_ne!(game.turn(position), holder, "theorems are believed");
            index.insert(&game.canonical(position), length);
        };
        let seen = replay_visiting(game, root, (holder, promise), bytes, grounds, room, Some(&mut visit))?;
        let Seen { promise, by_table, by_theorem, .. } = seen;
        index.is_counted = promise == Promise::Win && by_table == 0 && by_theorem == 0;
        index.promise = promise;
        Ok(index)
    }

    /// The key of a position.
    ///
    /// * `canonical`: the canonical image of the position.
    #[must_use]
    pub fn key(canonical: &G::Position) -> ProofKey<G::Position> {
        let mask = mask_bytes::<G::Position>();
        let mut bytes = Vec::with_capacity(mask + G::Position::BYTES);
        bytes.resize(mask, 0);
        canonical.pack(&mut bytes);
        let mut end = mask;
        for number in 0..G::Position::BYTES {
            let byte = bytes[mask + number];
            if byte != 0 {
                bytes[number / 8] |= 1 << (number % 8);
                bytes[end] = byte;
                end += 1;
            }
        }
        bytes.truncate(end);
        ProofKey { hash: hash_of(&bytes), bytes, position: PhantomData }
    }

    /// The bounds for a position; `None` if the strategy does not reach it, or if its holder is to move.
    ///
    /// * `key`: of the canonical image of the position.
    #[must_use]
    pub fn look(&self, key: &ProofKey<G::Position>) -> Option<Footing> {
        let place = self.place(key)?;
        let bounds = match self.promise {
            Promise::Win => Bounds::exact(Value::Loss),
            Promise::NeverLose => Bounds { worst: Value::Loss, best: Value::Draw },
        };
        let length = self.records.length(place, key.bytes.len());
        let within = (self.is_counted && length != UNCOUNTED).then_some(Plies(length));
        Some(Footing { bounds, within })
    }

    fn place(&self, key: &ProofKey<G::Position>) -> Option<u32> {
        self.places.find(key.hash, |&place| self.records.has(place, &key.bytes)).copied()
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it is empty: the strategy ends with its first move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The memory that it takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.places.allocation_size() + self.records.bytes()
    }

    /// Adds a position; of two lengths, which are both correct, keeps the shorter one.
    fn insert(&mut self, canonical: &G::Position, length: u16) {
        let key = Self::key(canonical);
        if let Some(place) = self.place(&key) {
            if length < self.records.length(place, key.bytes.len()) {
                self.records.set_length(place, key.bytes.len(), length);
            }
            return;
        }
        // An incomplete index gives fewer answers, but no wrong ones.
        let Some(place) = self.records.push(&key.bytes, length) else { return };
        let records = &self.records;
        self.places.insert_unique(key.hash, place, |&place| hash_of(records.key::<G::Position>(place)));
    }
}

/// The key of a position, for look-ups in any number of proofs: [`ProofIndex::key`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofKey<P> {
    /// A bit for each byte of the packed position, set if the byte is not zero, then the non-zero bytes.
    bytes: Vec<u8>,
    hash: u64,
    position: PhantomData<fn() -> P>,
}

const fn mask_bytes<P: Packed>() -> usize {
    P::BYTES.div_ceil(8)
}

fn hash_of(key: &[u8]) -> u64 {
    FixedState::default().hash_one(key)
}

/// Bytes of a block of records.
const PIECE: usize = 1 << 20;

/// Keys followed by lengths, in blocks that are never copied.
#[derive(Clone, Debug, Default)]
struct Records(Vec<Vec<u8>>);

impl Records {
    /// The place of a new record; `None` if places run out.
    fn push(&mut self, key: &[u8], length: u16) -> Option<u32> {
        let bytes = key.len() + LENGTH_BYTES;
        if self.0.last().is_none_or(|piece| piece.len() + bytes > PIECE) {
            self.0.push(Vec::new());
        }
        let piece = self.0.len() - 1;
        let at = self.0[piece].len();
        let place = u32::try_from(piece * PIECE + at).ok()?;
        self.0[piece].extend_from_slice(key);
        self.0[piece].extend_from_slice(&length.to_le_bytes());
        Some(place)
    }

    fn from(&self, place: u32) -> &[u8] {
        &self.0[place as usize / PIECE][place as usize % PIECE..]
    }

    fn has(&self, place: u32, key: &[u8]) -> bool {
        self.from(place).starts_with(key)
    }

    fn key<P: Packed>(&self, place: u32) -> &[u8] {
        let record = self.from(place);
        let mask = mask_bytes::<P>();
        let others: usize = record[..mask].iter().map(|bits| bits.count_ones() as usize).sum();
        &record[..mask + others]
    }

    fn length(&self, place: u32, key_bytes: usize) -> u16 {
        let record = self.from(place);
        u16::from_le_bytes([record[key_bytes], record[key_bytes + 1]])
    }

    fn set_length(&mut self, place: u32, key_bytes: usize, length: u16) {
        let at = place as usize % PIECE + key_bytes;
        self.0[place as usize / PIECE][at..at + LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(Vec::capacity).sum()
    }
}
