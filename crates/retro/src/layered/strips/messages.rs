//! Messages to strips, in memory and in the spill store.
//!
//! A *message* is a message that gives a cell of a strip its code: three bytes for the cell, counted from the first
//! one of the strip, then the bytes of the code, as many as a cell has. Lower bytes come first.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use marquis_core::{Plies, Slot};

use super::{Code, LayerNumber, Sink, SpillStore, Strip, StripCut, StripNumber};
use crate::cell::CellWidth;

/// Bytes of the place of a cell in its strip.
const PLACE_BYTES: usize = 3;
/// Most slots of a strip: as many as a message can address.
pub(super) const MOST_SLOTS: u64 = 1 << (8 * PLACE_BYTES);
/// About the bytes that a worker gathers for one strip before it passes them on.
pub(super) const WORKER_BYTES: usize = 1024;

/// Bytes of a message.
pub(super) const fn message_bytes<W: CellWidth>() -> usize {
    PLACE_BYTES + W::BYTES
}

/// Which strips have work in which plies.
pub(super) struct Due {
    words_each: usize,
    words: Vec<AtomicU64>,
}

impl Due {
    /// No work.
    pub(super) fn none<W: CellWidth>(strips: usize) -> Self {
        let words_each = (W::GREATEST as usize / 2).div_ceil(64);
        let words = (0..strips * words_each).map(|_| AtomicU64::new(0)).collect();
        Self { words_each, words }
    }

    #[inline]
    fn place(&self, StripNumber(strip): StripNumber, Plies(ply): Plies) -> (&AtomicU64, u64) {
        let ply = usize::from(ply);
        (&self.words[strip * self.words_each + ply / 64], 1 << (ply % 64))
    }

    pub(super) fn mark(&self, strip: StripNumber, ply: Plies) {
        let (word, bit) = self.place(strip, ply);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    pub(super) fn is_marked(&self, strip: StripNumber, ply: Plies) -> bool {
        let (word, bit) = self.place(strip, ply);
        word.load(Relaxed) & bit != 0
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().map(|word| word.load(Relaxed))
    }

    /// Restores saved marks; false if their number is wrong.
    pub(super) fn restore(&self, mut words: impl Iterator<Item = u64>) -> bool {
        let all = self.words.iter().all(|word| words.next().map(|kept| word.store(kept, Relaxed)).is_some());
        all && words.next().is_none()
    }
}

/// The messages to strips.
pub(super) struct Outboxes<'a, D: SpillStore + ?Sized> {
    cut: &'a StripCut,
    spill: &'a D,
    pub(super) due: Due,
    outboxes: Vec<Mutex<Vec<u8>>>,
    /// The most bytes of a box before it goes to the spill store.
    most: usize,
    failed: Mutex<Option<D::Error>>,
}

impl<'a, D: SpillStore + ?Sized> Outboxes<'a, D> {
    /// * `bytes`: of all outboxes in memory.
    pub(super) fn new<W: CellWidth>(cut: &'a StripCut, spill: &'a D, bytes: u64) -> Self {
        let (strips, failed) = (cut.count(), Mutex::new(None));
        let outboxes = (0..strips).map(|_| Mutex::default()).collect();
        let most = (bytes / (strips as u64).max(1)) as usize;
        Self { cut, spill, due: Due::none::<W>(strips), outboxes, most, failed }
    }

    fn of(&self, StripNumber(strip): StripNumber) -> MutexGuard<'_, Vec<u8>> {
        self.outboxes[strip].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes sinks for workers on rows that a layer faces.
    pub(super) fn to<'s, W: CellWidth>(
        &'s self,
        layer: LayerNumber,
    ) -> impl Fn() -> Outgoing<'s, 'a, D, W> + Sync {
        let strips = self.cut.strips_of(layer);
        move || {
            let buffers = RefCell::new(vec![Vec::new(); strips.len()]);
            Outgoing { outboxes: self, layer, first: strips.start, buffers, width: PhantomData }
        }
    }

    /// Adds messages for a strip, and marks the plies in which it has work.
    fn add<W: CellWidth>(&self, strip: StripNumber, messages: &[u8]) {
        for message in messages.chunks_exact(message_bytes::<W>()) {
            let (_, code) = read_message(message);
            if let Some(ply) = code.plies::<W>() {
                self.due.mark(strip, ply);
            }
        }
        let mut waiting = self.of(strip);
        waiting.extend_from_slice(messages);
        if waiting.len() >= self.most
            && let Err(error) = self.spill.tell(strip, &waiting)
        {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
        if waiting.len() >= self.most {
            waiting.clear();
        }
    }

    /// Checks that all messages were passed on.
    ///
    /// # Errors
    /// The error of the spill store, if there was one.
    pub(super) fn check(&self) -> Result<(), D::Error> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Applies all messages to a strip; returns whether there were any.
    pub(super) fn deliver<W: CellWidth>(
        &self,
        number: StripNumber,
        strip: &mut Strip<W>,
    ) -> Result<bool, D::Error> {
        let mut is_any = false;
        let each = message_bytes::<W>();
        let first = strip.extent().slots.start;
        let mut put = |messages: &[u8]| {
            is_any |= !messages.is_empty();
            for message in messages.chunks_exact(each) {
                let (place, code) = read_message(message);
                strip.put(Slot(first + place), code);
            }
        };
        self.spill.take(number, each, &mut put)?;
        let mut waiting = self.of(number);
        put(&waiting);
        waiting.clear();
        Ok(is_any)
    }

    /// Moves all messages in memory to the spill store.
    pub(super) fn empty(&self) -> Result<(), D::Error> {
        for strip in self.cut.strips() {
            let mut waiting = self.of(strip);
            if !waiting.is_empty() {
                self.spill.tell(strip, &waiting)?;
                waiting.clear();
            }
        }
        Ok(())
    }
}

#[inline]
fn read_message(message: &[u8]) -> (u64, Code) {
    let place = u64::from(message[0]) | u64::from(message[1]) << 8 | u64::from(message[2]) << 16;
    let high = message.get(4).copied().unwrap_or(0);
    (place, Code(u16::from_le_bytes([message[3], high])))
}

/// The messages of one worker, gathered by strips.
pub(super) struct Outgoing<'s, 'a, D: SpillStore + ?Sized, W: CellWidth> {
    outboxes: &'s Outboxes<'a, D>,
    layer: LayerNumber,
    /// The number of the first strip of the layer.
    first: usize,
    buffers: RefCell<Vec<Vec<u8>>>,
    width: PhantomData<W>,
}

impl<D: SpillStore + ?Sized, W: CellWidth> Sink for Outgoing<'_, '_, D, W> {
    #[inline]
    fn put(&self, slot: Slot, Code(code): Code) {
        let (StripNumber(strip), place) = self.outboxes.cut.place_of(self.layer, slot);
        let buffer = &mut self.buffers.borrow_mut()[strip - self.first];
        let [low, high] = code.to_le_bytes();
        let message = [place as u8, (place >> 8) as u8, (place >> 16) as u8, low, high];
        buffer.extend_from_slice(&message[..message_bytes::<W>()]);
        if buffer.len() >= WORKER_BYTES {
            self.outboxes.add::<W>(StripNumber(strip), buffer);
            buffer.clear();
        }
    }
}

impl<D: SpillStore + ?Sized, W: CellWidth> Drop for Outgoing<'_, '_, D, W> {
    fn drop(&mut self) {
        for (strip, buffer) in (self.first..).zip(self.buffers.get_mut()) {
            if !buffer.is_empty() {
                self.outboxes.add::<W>(StripNumber(strip), buffer);
            }
        }
    }
}
