//! What strips tell strips of other ranks: gathered by the ranks that it is for, and sent in pieces of bounded size.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use marquis_core::Slot;
use rayon::prelude::*;

use super::{Exchange, WAITING};
use crate::cell::Width;
use crate::layered::strips::{Code, Cut, LayerNumber, Sink, Strip, StripNumber};
use crate::limits::Stopped;

/// What is written where something is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Cells,
    Mirrors,
}

/// Bytes that a worker gathers for a rank before he gives them to the others.
const BAG: usize = 1 << 12;
/// Bytes that one worker puts in their places at a time.
const TASK: usize = 1 << 16;

/// What is on its way.
pub(super) struct Post<'a, W> {
    exchange: &'a dyn Exchange,
    cut: &'a Cut,
    strips: &'a [Strip<W>],
    target: Target,
    /// By ranks: places and codes.
    boxes: Vec<Mutex<Vec<u8>>>,
    waiting: AtomicUsize,
    /// Asked once: it is needed for every word.
    rank: u32,
    ranks: u32,
    /// A place is the number of the own strip, and in so many bits below it that of the slot there.
    offset_bits: u32,
    place_bytes: usize,
}

/// The most bytes of a message: a place and a code.
const MESSAGE: usize = 8;

impl<'a, W: Width> Post<'a, W> {
    pub(super) fn new(
        exchange: &'a dyn Exchange,
        cut: &'a Cut,
        strips: &'a [Strip<W>],
        target: Target,
    ) -> Self {
        let offset_bits = u64::BITS - cut.most_slots().leading_zeros();
        let strips_bits = usize::BITS - cut.count().div_ceil(exchange.ranks()).leading_zeros();
        // As few as tell all places of a rank: four for the largest layers that there are, six at most.
        let place_bytes = (offset_bits + strips_bits).div_ceil(8) as usize;
        assert!(place_bytes + W::BYTES <= MESSAGE, "strips of one rank have fewer than 2^48 slots");
        let (rank, ranks) = (exchange.rank() as u32, exchange.ranks() as u32);
        let boxes = (0..exchange.ranks()).map(|_| Mutex::default()).collect();
        Self {
            exchange,
            cut,
            strips,
            target,
            boxes,
            waiting: AtomicUsize::new(0),
            rank,
            ranks,
            offset_bits,
            place_bytes,
        }
    }

    /// Whether so much is to be sent that the ranks should meet.
    pub(super) fn is_full(&self) -> bool {
        self.waiting() >= WAITING.min(self.exchange.most_bytes().saturating_mul(self.exchange.ranks()))
    }

    /// Bytes that are to be sent.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    fn message(&self) -> usize {
        self.place_bytes + W::BYTES
    }

    #[inline]
    fn put(&self, strip: usize, offset: usize, code: u32) {
        let strip = &self.strips[strip];
        let cells = if self.target == Target::Cells { &strip.own } else { &strip.mirror };
        cells[offset].store(code);
    }

    fn gather(&self, rank: usize, bag: &mut Vec<u8>) {
        self.waiting.fetch_add(bag.len(), Relaxed);
        self.boxes[rank].lock().unwrap_or_else(PoisonError::into_inner).append(bag);
    }

    /// Sends one piece to each rank, and puts in their places those that come.
    pub(super) fn deliver(&self) -> Result<(), Stopped> {
        let ranks = self.exchange.ranks();
        let message = self.message();
        let most = piece(self.exchange) / message * message;
        let take = |own: &Mutex<Vec<u8>>| {
            let mut own = own.lock().unwrap_or_else(PoisonError::into_inner);
            // In a ply the order does not matter, and what is last is taken most easily.
            let first = own.len().saturating_sub(most.max(message));
            if first == 0 { std::mem::take(&mut *own) } else { own.split_off(first) }
        };
        let batches: Vec<Vec<u8>> = self.boxes.iter().map(take).collect();
        debug_assert_eq!(batches.len(), ranks);
        self.waiting.fetch_sub(batches.iter().map(Vec::len).sum(), Relaxed);
        let received = self.exchange.swap(batches)?;
        let pieces: Vec<&[u8]> =
            received.iter().flat_map(|batch| batch.chunks(TASK / message * message)).collect();
        pieces.into_par_iter().for_each(|piece| self.put_all(piece));
        self.refill(received);
        Ok(())
    }

    /// Gives what was read to boxes that have no memory: taken anew, the system would clear it first.
    fn refill(&self, read: Vec<Vec<u8>>) {
        for (own, mut spare) in self.boxes.iter().zip(read) {
            let mut own = own.lock().unwrap_or_else(PoisonError::into_inner);
            if own.capacity() == 0 {
                spare.clear();
                *own = spare;
            }
        }
    }

    /// Puts the words of a piece in their places.
    fn put_all(&self, piece: &[u8]) {
        let (message, offsets) = (self.message(), (1_u64 << self.offset_bits) - 1);
        let shift = 8 * self.place_bytes as u32;
        let (places, codes) = ((1_u64 << shift) - 1, (1_u32 << (8 * W::BYTES as u32)) - 1);
        let put = |word: u64| {
            let place = word & places;
            let (strip, offset) = (place >> self.offset_bits, place & offsets);
            self.put(strip as usize, offset as usize, (word >> shift) as u32 & codes);
        };
        let mut rest = piece;
        while let Some(word) = rest.first_chunk::<MESSAGE>() {
            put(u64::from_le_bytes(*word));
            rest = &rest[message..];
        }
        // What comes after the last words is no longer theirs.
        rest.chunks_exact(message).for_each(|word| put(number(word)));
    }
}

fn number(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

/// Bytes for one rank at a time, so that all that is sent and all that comes keep to a bound.
fn piece(exchange: &dyn Exchange) -> usize {
    exchange.most_bytes().min(WAITING / exchange.ranks()).max(1)
}

/// Makes sinks for what is told a layer.
pub(super) struct Mail<'p, W> {
    pub(super) post: &'p Post<'p, W>,
    pub(super) layer: LayerNumber,
}

/// What a worker has to tell.
pub(super) struct Bags<'p, W> {
    post: &'p Post<'p, W>,
    layer: LayerNumber,
    /// By ranks.
    bags: RefCell<Vec<Vec<u8>>>,
    width: PhantomData<W>,
}

impl<'p, W: Width> Mail<'p, W> {
    pub(super) fn bags(&self) -> Bags<'p, W> {
        let bags = RefCell::new(vec![Vec::new(); self.post.exchange.ranks()]);
        Bags { post: self.post, layer: self.layer, bags, width: PhantomData }
    }
}

impl<W: Width> Sink for Bags<'_, W> {
    #[inline]
    fn put(&self, slot: Slot, Code(code): Code) {
        let post = self.post;
        let (StripNumber(strip), offset) = post.cut.place_of(self.layer, slot);
        let (rank, strip) = (strip as u32 % post.ranks, strip as u32 / post.ranks);
        if rank == post.rank {
            return post.put(strip as usize, offset as usize, code.into());
        }
        let rank = rank as usize;
        let mut bags = self.bags.borrow_mut();
        let bag = &mut bags[rank];
        let place = u64::from(strip) << post.offset_bits | offset;
        let word = place | u64::from(code) << (8 * post.place_bytes as u32);
        // All bytes of the word and then fewer: a fixed number is copied without a call.
        let end = bag.len() + post.message();
        bag.extend_from_slice(&word.to_le_bytes());
        bag.truncate(end);
        if bag.len() >= BAG {
            post.gather(rank, bag);
        }
    }
}

impl<W> Drop for Bags<'_, W> {
    fn drop(&mut self) {
        for (rank, bag) in self.bags.get_mut().iter_mut().enumerate().filter(|(_, bag)| !bag.is_empty()) {
            self.post.waiting.fetch_add(bag.len(), Relaxed);
            self.post.boxes[rank].lock().unwrap_or_else(PoisonError::into_inner).append(bag);
        }
    }
}

/// The bytes of a layer, for the rank that they go to.
///
/// * `own`: the finished cells of the own strips of the layer, in order.
pub(super) fn collect(
    exchange: &dyn Exchange,
    cut: &Cut,
    layer: LayerNumber,
    to: usize,
    own: Vec<Vec<u8>>,
    bytes_each: usize,
) -> Result<Option<Vec<u8>>, Stopped> {
    let (ranks, is_mine) = (exchange.ranks(), exchange.rank() == to);
    let extents: Vec<_> =
        cut.strips().map(|strip| (strip, cut.extent(strip))).filter(|(_, e)| e.layer == layer).collect();
    let bytes = |slots: u64| slots as usize * bytes_each;
    let whole = extents.last().map_or(0, |(_, last)| bytes(last.slots.end));
    let mut layer = if is_mine { vec![0; whole] } else { Vec::new() };
    // Where the next byte of each rank goes: the ranges of its strips, the first one last.
    let ranges = |rank: usize| {
        let own = extents.iter().rev().filter(|(StripNumber(strip), _)| strip % ranks == rank);
        own.map(|(_, extent)| bytes(extent.slots.start)..bytes(extent.slots.end)).collect::<Vec<_>>()
    };
    let mut places: Vec<_> = (0..ranks).map(ranges).collect();
    let mut rest = own.into_iter().flatten();
    loop {
        let mut batches = vec![Vec::new(); ranks];
        batches[to] = rest.by_ref().take(piece(exchange)).collect();
        let sent = !batches[to].is_empty();
        for (places, batch) in places.iter_mut().zip(exchange.swap(batches)?) {
            let mut batch = batch.as_slice();
            while let Some(place) = places.last_mut().filter(|_| !batch.is_empty()) {
                let (now, later) = batch.split_at(batch.len().min(place.len()));
                layer[place.start..][..now.len()].copy_from_slice(now);
                (place.start, batch) = (place.start + now.len(), later);
                if place.start == place.end {
                    places.pop();
                }
            }
        }
        if exchange.largest(sent.into())? == 0 {
            return Ok(is_mine.then_some(layer));
        }
    }
}
