//! Messages from strips to strips of other ranks: gathered by target rank, sent in batches of bounded size.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use marquis_core::Slot;
use rayon::prelude::*;

use super::{Exchange, WAITING};
use crate::cell::CellWidth;
use crate::layered::strips::{Code, LayerNumber, Sink, StripCut, StripNumber};
use crate::limits::Stopped;

/// Bytes that a worker gathers for a rank before it shares them.
const BAG: usize = 1 << 12;
/// Bytes that one worker applies at a time.
const TASK: usize = 1 << 16;

/// The messages under way.
pub(super) struct RankOutboxes<'a, W> {
    exchange: &'a dyn Exchange,
    cut: &'a StripCut,
    /// The rank's own cells, which messages write to: a place is the number of a cell among those of its rank.
    cells: &'a [W],
    /// By strips: the place of the first cell.
    begins: &'a [u64],
    /// By ranks: places and codes.
    outboxes: Vec<Mutex<Vec<u8>>>,
    waiting: AtomicUsize,
    /// Stored because it is needed for every message.
    rank: u32,
    ranks: u32,
    place_bytes: usize,
}

/// The most bytes of a message: a place and a code.
const MESSAGE: usize = 8;

impl<W> RankOutboxes<'_, W> {
    fn gather(&self, rank: usize, bag: &mut Vec<u8>) {
        self.waiting.fetch_add(bag.len(), Relaxed);
        self.outboxes[rank].lock().unwrap_or_else(PoisonError::into_inner).append(bag);
    }
}

impl<'a, W: CellWidth> RankOutboxes<'a, W> {
    pub(super) fn new(
        exchange: &'a dyn Exchange,
        cut: &'a StripCut,
        begins: &'a [u64],
        cells: &'a [W],
    ) -> Self {
        // No rank has more cells than the start of its last strip plus the slots of the largest strip.
        let most = begins.iter().max().map_or(0, |begin| begin + cut.most_slots());
        // The fewest bytes that hold every place of a rank: four for the largest layers today, six at most.
        let place_bytes = (u64::BITS - most.leading_zeros()).div_ceil(8) as usize;
        assert!(place_bytes + W::BYTES <= MESSAGE, "a rank has fewer than 2^48 slots");
        let (rank, ranks) = (exchange.rank() as u32, exchange.ranks() as u32);
        let outboxes = (0..exchange.ranks()).map(|_| Mutex::default()).collect();
        Self {
            exchange,
            cut,
            cells,
            begins,
            outboxes,
            waiting: AtomicUsize::new(0),
            rank,
            ranks,
            place_bytes,
        }
    }

    /// Returns whether enough bytes wait for the ranks to meet.
    pub(super) fn is_full(&self) -> bool {
        self.waiting() >= WAITING.min(self.exchange.most_bytes().saturating_mul(self.exchange.ranks()))
    }

    /// The number of bytes to send.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    fn message(&self) -> usize {
        self.place_bytes + W::BYTES
    }

    /// Sends one batch to each rank and applies the received ones.
    pub(super) fn deliver(&self) -> Result<(), Stopped> {
        let ranks = self.exchange.ranks();
        let message = self.message();
        let most = piece(self.exchange) / message * message;
        let take = |own: &Mutex<Vec<u8>>| {
            let mut own = own.lock().unwrap_or_else(PoisonError::into_inner);
            // Within a ply the order does not matter, and taking from the end is cheapest.
            let first = own.len().saturating_sub(most.max(message));
            if first == 0 { std::mem::take(&mut *own) } else { own.split_off(first) }
        };
        let batches: Vec<Vec<u8>> = self.outboxes.iter().map(take).collect();
        debug_assert_eq!(batches.len(), ranks);
        self.waiting.fetch_sub(batches.iter().map(Vec::len).sum(), Relaxed);
        let received = self.exchange.swap(batches)?;
        let pieces: Vec<&[u8]> =
            received.iter().flat_map(|batch| batch.chunks(TASK / message * message)).collect();
        pieces.into_par_iter().for_each(|piece| self.put_all(piece));
        self.refill(received);
        Ok(())
    }

    /// Reuses received buffers as outboxes: the system would clear newly allocated memory first.
    fn refill(&self, read: Vec<Vec<u8>>) {
        for (own, mut spare) in self.outboxes.iter().zip(read) {
            let mut own = own.lock().unwrap_or_else(PoisonError::into_inner);
            if own.capacity() == 0 {
                spare.clear();
                *own = spare;
            }
        }
    }

    /// Applies the messages of a piece.
    fn put_all(&self, piece: &[u8]) {
        let (message, shift) = (self.message(), 8 * self.place_bytes as u32);
        let (places, codes) = ((1_u64 << shift) - 1, (1_u32 << (8 * W::BYTES as u32)) - 1);
        let put = |word: u64| self.cells[(word & places) as usize].store((word >> shift) as u32 & codes);
        let mut rest = piece;
        while let Some(word) = rest.first_chunk::<MESSAGE>() {
            put(u64::from_le_bytes(*word));
            rest = &rest[message..];
        }
        // The remaining bytes are too few for a word-sized read.
        rest.chunks_exact(message).for_each(|word| put(number(word)));
    }
}

fn number(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

/// The most bytes for one rank at a time, which bounds both the sent and the received bytes.
fn piece(exchange: &dyn Exchange) -> usize {
    exchange.most_bytes().min(WAITING / exchange.ranks()).max(1)
}

/// Makes sinks for messages to a layer.
pub(super) struct Sender<'p, W> {
    pub(super) outboxes: &'p RankOutboxes<'p, W>,
    pub(super) layer: LayerNumber,
}

/// The messages that a worker has gathered.
pub(super) struct Bags<'p, W> {
    outboxes: &'p RankOutboxes<'p, W>,
    layer: LayerNumber,
    /// By ranks.
    bags: RefCell<Vec<Vec<u8>>>,
    width: PhantomData<W>,
}

impl<'p, W: CellWidth> Sender<'p, W> {
    pub(super) fn bags(&self) -> Bags<'p, W> {
        let bags = RefCell::new(vec![Vec::new(); self.outboxes.exchange.ranks()]);
        Bags { outboxes: self.outboxes, layer: self.layer, bags, width: PhantomData }
    }
}

impl<W: CellWidth> Sink for Bags<'_, W> {
    #[inline]
    fn put(&self, slot: Slot, Code(code): Code) {
        let outboxes = self.outboxes;
        let (StripNumber(strip), offset) = outboxes.cut.place_of(self.layer, slot);
        let (rank, place) = (strip as u32 % outboxes.ranks, outboxes.begins[strip] + offset);
        if rank == outboxes.rank {
            return outboxes.cells[place as usize].store(code.into());
        }
        let rank = rank as usize;
        let mut bags = self.bags.borrow_mut();
        let bag = &mut bags[rank];
        let word = place | u64::from(code) << (8 * outboxes.place_bytes as u32);
        // Append the whole word, then truncate: copying a fixed number of bytes needs no call.
        let end = bag.len() + outboxes.message();
        bag.extend_from_slice(&word.to_le_bytes());
        bag.truncate(end);
        if bag.len() >= BAG {
            outboxes.gather(rank, bag);
        }
    }
}

impl<W> Drop for Bags<'_, W> {
    fn drop(&mut self) {
        for (rank, bag) in self.bags.get_mut().iter_mut().enumerate().filter(|(_, bag)| !bag.is_empty()) {
            self.outboxes.gather(rank, bag);
        }
    }
}

/// The slots of a layer that `rank` receives.
///
/// * `whole`: shares begin at multiples of `whole` slots.
fn share(slots: u64, whole: u64, rank: usize, ranks: usize) -> Range<u64> {
    let even = |rank: usize| (u128::from(slots) * rank as u128 / ranks as u128) as u64;
    let begin = |rank: usize| if rank == ranks { slots } else { even(rank) / whole * whole };
    begin(rank)..begin(rank + 1)
}

/// Returns the slots of this rank's share of a layer, and the bytes of their cells.
///
/// * `whole`: shares begin at multiples of `whole` slots.
/// * `own`: the finished cells of this rank's strips of the layer, in order.
pub(super) fn collect(
    exchange: &dyn Exchange,
    cut: &StripCut,
    layer: LayerNumber,
    whole: u64,
    own: &[&[u8]],
    bytes_each: usize,
) -> Result<(Range<u64>, Vec<u8>), Stopped> {
    let (rank, ranks) = (exchange.rank(), exchange.ranks());
    let slots = |strip: usize| cut.extent(StripNumber(strip)).slots;
    let shares: Vec<Range<u64>> =
        (0..ranks).map(|rank| share(cut.slots_of(layer), whole, rank, ranks)).collect();
    // For the strips of a rank, in order: their first slot, and their slots in the share of the other rank.
    let meets = |from: usize, to: usize| {
        let strips = cut.strips_of(layer).filter(move |strip| strip % ranks == from).map(slots);
        let share = shares[to].clone();
        strips.map(move |strip| (strip.start, strip.start.max(share.start)..strip.end.min(share.end)))
    };
    let place = |slots: &Range<u64>, first: u64| {
        let byte = |slot: u64| (slot - first) as usize * bytes_each;
        byte(slots.start)..byte(slots.end)
    };
    // Last piece first, so that the next one can be popped.
    let outgoing = |to: usize| {
        let parts = meets(rank, to).zip(own).filter(|((_, slots), _)| !slots.is_empty());
        let mut parts: Vec<&[u8]> =
            parts.map(|((first, slots), bytes)| &bytes[place(&slots, first)]).collect();
        parts.reverse();
        parts
    };
    let incoming = |from: usize| {
        let parts = meets(from, rank).map(|(_, slots)| slots).filter(|slots| !slots.is_empty());
        let mut parts: Vec<Range<usize>> = parts.map(|slots| place(&slots, shares[rank].start)).collect();
        parts.reverse();
        parts
    };
    let mut sending: Vec<Vec<&[u8]>> = (0..ranks).map(outgoing).collect();
    let mut places: Vec<Vec<Range<usize>>> = (0..ranks).map(incoming).collect();
    let mut cells = vec![0; place(&shares[rank], shares[rank].start).len()];
    loop {
        let batches: Vec<Vec<u8>> =
            sending.iter_mut().map(|rest| next_piece(rest, piece(exchange))).collect();
        let sent = batches.iter().any(|batch| !batch.is_empty());
        for (places, batch) in places.iter_mut().zip(exchange.swap(batches)?) {
            put_piece(&batch, places, &mut cells);
        }
        if exchange.largest(sent.into())? == 0 {
            return Ok((shares[rank].clone(), cells));
        }
    }
}

/// Takes up to `most` bytes from pieces stored last first.
fn next_piece(rest: &mut Vec<&[u8]>, most: usize) -> Vec<u8> {
    let mut batch = Vec::new();
    while batch.len() < most
        && let Some(next) = rest.last_mut()
    {
        let (now, later) = next.split_at(next.len().min(most - batch.len()));
        batch.extend_from_slice(now);
        *next = later;
        if later.is_empty() {
            rest.pop();
        }
    }
    batch
}

/// Copies bytes to the next places, which are stored last first.
fn put_piece(mut batch: &[u8], places: &mut Vec<Range<usize>>, cells: &mut [u8]) {
    while let Some(place) = places.last_mut().filter(|_| !batch.is_empty()) {
        let (now, later) = batch.split_at(batch.len().min(place.len()));
        cells[place.start..][..now.len()].copy_from_slice(now);
        (place.start, batch) = (place.start + now.len(), later);
        if place.start == place.end {
            places.pop();
        }
    }
}
