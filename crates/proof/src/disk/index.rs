//! Numbers by hash, on disk: an open-addressed table in parts, each of which grows in place.

use super::Disk;
use super::paged::{PAGE, Paged};
use crate::Ended;
use crate::met::MetNumber;

/// Parts of the table, by the highest bits of the hash.
const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 8;
/// Bytes from one part to the next; unwritten ranges of the file are holes.
const STRIDE: u64 = 1 << 29;
const SLOT: usize = size_of::<u64>();
/// Initial number of slots of a part: a page.
const FIRST: u64 = (PAGE / SLOT) as u64;

/// The numbers of positions by their hashes.
///
/// A slot is 32 bits of the hash and the number plus one; zero is an empty slot. Hashes may collide and unused
/// numbers may stay, so a caller compares the positions themselves.
#[derive(Debug)]
pub(super) struct Index<'d> {
    pages: Paged<'d>,
    parts: Vec<IndexPart>,
}

#[derive(Clone, Copy, Debug)]
struct IndexPart {
    slots: u64,
    filled: u64,
}

impl<'d> Index<'d> {
    /// * `memory`: bytes for the page cache.
    pub(super) fn new(disk: &'d Disk, memory: usize) -> Result<Self, Ended> {
        let mut pages = Paged::new(disk, memory)?;
        pages.reserve(PARTS as u64 * FIRST * SLOT as u64)?;
        Ok(Self { pages, parts: vec![IndexPart { slots: FIRST, filled: 0 }; PARTS] })
    }

    /// The number with this hash that satisfies `is`, if any.
    pub(super) fn find(
        &self,
        hash: u64,
        mut is: impl FnMut(MetNumber) -> Result<bool, Ended>,
    ) -> Result<Option<MetNumber>, Ended> {
        let (part, tag) = split(hash);
        let slots = self.parts[part].slots;
        let mut slot = begin(tag, slots);
        loop {
            let found = self.slot(part, slot)?;
            if found == 0 {
                return Ok(None);
            }
            let id = number(found);
            if found >> 32 == tag && is(id)? {
                return Ok(Some(id));
            }
            slot = (slot + 1) % slots;
        }
    }

    /// Adds a number.
    ///
    /// * `used`: the count of numbers in use; it may be the new number. Growing drops numbers from there on.
    pub(super) fn add(&mut self, hash: u64, id: MetNumber, used: usize) -> Result<(), Ended> {
        let (part, tag) = split(hash);
        let IndexPart { slots, filled } = self.parts[part];
        if filled * 4 >= slots * 3 {
            self.grow(part, used)?;
        }
        let slots = self.parts[part].slots;
        let mut slot = begin(tag, slots);
        while self.slot(part, slot)? != 0 {
            slot = (slot + 1) % slots;
        }
        self.parts[part].filled += 1;
        self.pages.write(place(part, slot), &(tag << 32 | (u64::from(id) + 1)).to_le_bytes())
    }

    /// Rewrites a part in place with twice as many slots.
    fn grow(&mut self, part: usize, used: usize) -> Result<(), Ended> {
        let all = self.parts.iter().map(|part| part.slots).sum::<u64>();
        let slots = self.parts[part].slots;
        if 2 * slots * SLOT as u64 > STRIDE {
            return Err(Ended::Memory);
        }
        self.pages.reserve((all + slots) * SLOT as u64)?;
        let mut larger = vec![0_u64; 2 * slots as usize];
        let mut filled = 0;
        for slot in 0..slots {
            let found = self.slot(part, slot)?;
            if found == 0 || number(found) as usize >= used {
                continue;
            }
            let mut to = begin(found >> 32, 2 * slots) as usize;
            while larger[to] != 0 {
                to = (to + 1) % larger.len();
            }
            larger[to] = found;
            filled += 1;
        }
        for (page, slots) in larger.chunks(PAGE / SLOT).enumerate() {
            let bytes: Vec<u8> = slots.iter().flat_map(|slot| slot.to_le_bytes()).collect();
            self.pages.write(place(part, page as u64 * FIRST), &bytes)?;
        }
        self.parts[part] = IndexPart { slots: 2 * slots, filled };
        Ok(())
    }

    fn slot(&self, part: usize, slot: u64) -> Result<u64, Ended> {
        self.pages.read(place(part, slot), SLOT, |bytes| bytes.try_into().map_or(0, u64::from_le_bytes))
    }
}

/// The part that a hash belongs to, and the bits that a slot keeps.
const fn split(hash: u64) -> (usize, u64) {
    ((hash >> (u64::BITS - PART_BITS)) as usize, hash << PART_BITS >> 32)
}

/// The first slot to probe for these bits in a part of `slots` slots, a power of two.
const fn begin(tag: u64, slots: u64) -> u64 {
    tag >> (32 - slots.trailing_zeros())
}

const fn number(slot: u64) -> MetNumber {
    (slot as u32).wrapping_sub(1)
}

const fn place(part: usize, slot: u64) -> u64 {
    part as u64 * STRIDE + slot * SLOT as u64
}
