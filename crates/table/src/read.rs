//! Reading a table: one cell, a run of cells, everything.

use std::fmt::Display;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::Error;
use crate::block::{BlockEntry, Codec, Form, MAX_BLOCK_BYTES};
use crate::cache::{BlockCache, BlockKey};
use crate::error::check_crc;
use crate::header::{Identity, StreamHeader, TableHeader};
use crate::layout::{self, Outline, PAGE_BLOCKS, PAGE_BYTES, Page};
use crate::origin::Origin;
use crate::pack::{Implication, Malformed, SideData, Unpacker};
use crate::source::{ReadAt, SlotFacts};

/// Cells that one thread decodes at a time in [`Table::all_cells`]; whole blocks of any stream.
const WHOLE_CELLS: usize = MAX_BLOCK_BYTES;

/// A stream of an open table, from [`Table::stream`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamId(pub(crate) usize);

/// An open table.
///
/// Opening reads only the header. A cell costs a positioned read of its index page and its block, unless the block is
/// in the cache. Every block is checked when it is decoded.
///
/// ```
/// use std::sync::Arc;
///
/// use marquis_table::{BlockCache, Fingerprint, Identity, LayerPlan, StreamPlan, Table, Width, write_table};
///
/// let rules = Fingerprint::of("a game, its rules, their numbering");
/// let [game, variant, layer] = ["nim", "stones=8", "all"].map(str::to_owned);
/// let identity = Identity { game, variant, layer, rules };
/// let layer = LayerPlan { identity, slots: 8, counts: [].into(), notes: [].into() };
/// // Every third heap is lost.
/// let cells = |first: u64, out: &mut [u8]| {
///     out.iter_mut().zip(first..).for_each(|(cell, slot)| *cell = u8::from(slot % 3 == 0));
/// };
/// let mut bytes = Vec::new();
/// write_table(&mut bytes, "nim", &layer, &[StreamPlan::new("lost", Width::One, &cells)], &|_| {})?;
///
/// let table = Table::open(bytes, "nim", &Arc::new(BlockCache::new(1 << 16)))?;
/// assert_eq!(table.cell(table.stream("lost")?, 6)?, 1);
/// # Ok::<(), marquis_table::Error>(())
/// ```
pub struct Table<R> {
    source: R,
    name: String,
    outline: Outline,
    unpackers: Vec<OnceLock<Unpacker>>,
    hints: Vec<SlotFacts>,
    cache: Arc<BlockCache>,
    number: u64,
}

/// A table in a local or remote file.
pub type TableFile = Table<Origin>;

/// The blocks that go into the cache while cells are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// All: neighbouring cells are likely to be read next.
    All,
    /// Those that were read only in part.
    Parts,
}

/// A block in the file.
#[derive(Clone, Copy)]
struct PackedBlock {
    at: u64,
    bytes: usize,
    entry: BlockEntry,
}

impl<R: ReadAt> Table<R> {
    /// Opens a table and checks its header.
    ///
    /// The rules are not checked: see [`expect`](Self::expect).
    ///
    /// * `name`: the name in messages, usually the path.
    ///
    /// # Errors
    /// The source is no table, is truncated, has a damaged header or is of another version.
    pub fn open(source: R, name: impl Display, cache: &Arc<BlockCache>) -> Result<Self, Error> {
        let name = name.to_string();
        let outline = match layout::read_header(&source, &name) {
            Err(error) if error.is_about_bytes() && source.forget() => layout::read_header(&source, &name),
            read => read,
        }?;
        let unpackers = outline.header.streams.iter().map(|_| OnceLock::new()).collect();
        let number = cache.enroll();
        let hints = Vec::new();
        Ok(Self { source, name, outline, unpackers, hints, cache: Arc::clone(cache), number })
    }

    /// The table with hints by which some of its streams can be read; unneeded hints are ignored.
    #[must_use]
    pub fn with_hints(mut self, hints: SlotFacts) -> Self {
        self.add_hints(hints);
        self
    }

    pub(crate) fn add_hints(&mut self, hints: SlotFacts) {
        self.hints.push(hints);
    }

    /// All cells of a stream, each little-endian in its width, decoded on all threads.
    ///
    /// # Errors
    /// As [`cells`](Self::cells).
    pub fn all_cells(&self, stream: StreamId) -> Result<Vec<u8>, Error> {
        let width = self.stream_header(stream).width.bytes();
        let mut cells = vec![0; self.header().slots as usize * width];
        cells.par_chunks_mut(WHOLE_CELLS * width).enumerate().try_for_each(|(number, part)| {
            self.run(stream, (number * WHOLE_CELLS) as u64, part, Keep::Parts)
        })?;
        Ok(cells)
    }

    /// Refuses the table unless it is this layer of this game by these rules.
    ///
    /// # Errors
    /// [`Error::Foreign`] names the first part in which they differ.
    pub fn expect(&self, identity: &Identity) -> Result<(), Error> {
        let found = &self.header().identity;
        let parts = [
            ("game", &identity.game, &found.game),
            ("variant", &identity.variant, &found.variant),
            ("layer", &identity.layer, &found.layer),
        ];
        for (what, expected, found) in parts {
            self.expect_part(what, expected, found)?;
        }
        self.expect_part("version of the rules", &identity.rules, &found.rules)
    }

    pub(crate) fn expect_part<T: PartialEq + Display>(
        &self,
        what: &'static str,
        expected: &T,
        found: &T,
    ) -> Result<(), Error> {
        if expected == found {
            return Ok(());
        }
        let (expected, found) = (expected.to_string(), found.to_string());
        Err(Error::Foreign { name: self.name.clone(), what, expected, found })
    }

    /// The name of the table in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The header of the table.
    #[must_use]
    pub const fn header(&self) -> &TableHeader {
        &self.outline.header
    }

    /// Bytes of the file.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.outline.size
    }

    /// The stream with this name.
    ///
    /// # Errors
    /// [`Error::NoStream`] if the table has none of this name.
    pub fn stream(&self, name: &str) -> Result<StreamId, Error> {
        let streams = &self.header().streams;
        let found = streams.iter().position(|stream| stream.name == name);
        found.map(StreamId).ok_or_else(|| Error::NoStream {
            name: self.name.clone(),
            stream: name.to_owned(),
            present: streams
                .iter()
                .map(|stream| format!("\"{}\"", stream.name))
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// The header of a stream.
    ///
    /// Panics if the stream is another table's.
    #[must_use]
    pub fn stream_header(&self, stream: StreamId) -> &StreamHeader {
        &self.header().streams[stream.0]
    }

    /// Whether the cells of a stream are not in the file, because they follow from other tables one ply ahead.
    ///
    /// Panics if the stream is another table's.
    #[must_use]
    pub fn is_ahead(&self, stream: StreamId) -> bool {
        let about = self.stream_header(stream);
        let given = about.given.map_or(about, |given| &self.header().streams[given]);
        about.codec == Codec::Ahead || about.codec == Codec::Implied && given.codec == Codec::Ahead
    }

    /// Refuses a stream whose cells are not in the file.
    fn expect_cells(&self, stream: StreamId) -> Result<(), Error> {
        if self.stream_header(stream).codec == Codec::Ahead {
            let (name, stream) = (self.name.clone(), self.stream_header(stream).name.clone());
            return Err(Error::Ahead { name, stream });
        }
        Ok(())
    }

    /// The cell at a slot.
    ///
    /// # Errors
    /// As [`cells`](Self::cells).
    pub fn cell(&self, stream: StreamId, slot: u64) -> Result<u32, Error> {
        let about = self.stream_header(stream);
        self.check_slots(slot, 1)?;
        if let Some((given, implication)) = self.implied(stream)? {
            let given = self.cell(given, slot)? as u8;
            return implication.cell(given).map(u32::from).map_err(|found| self.not_implied(stream, &found));
        }
        self.expect_cells(stream)?;
        let cells_per_block = u64::from(about.cells_per_block);
        let block = self.block(stream, slot / cells_per_block)?;
        let start = (slot % cells_per_block) as usize * about.width.bytes();
        Ok(about.width.get(&block[start..]))
    }

    /// Fills `out` with the cells from `first` on, each little-endian in the width of the stream.
    ///
    /// Whole blocks are decoded in place and not cached, so that a long run does not evict other blocks.
    ///
    /// Panics if `out` is no whole number of cells.
    ///
    /// # Errors
    /// [`Error::NoSlot`] past the last slot; [`Error::NoHints`]; [`Error::Ahead`]; a block that cannot be read or is
    /// damaged.
    pub fn cells(&self, stream: StreamId, first: u64, out: &mut [u8]) -> Result<(), Error> {
        let about = self.stream_header(stream);
        let width = about.width.bytes();
        assert!(out.len().is_multiple_of(width), "{} bytes are no whole number of cells", out.len());
        self.check_slots(first, (out.len() / width) as u64)?;
        self.run(stream, first, out, Keep::Parts)
    }

    /// Fills `out` with cells that exist.
    fn run(&self, stream: StreamId, first: u64, out: &mut [u8], keep: Keep) -> Result<(), Error> {
        if let Some((given, implication)) = self.implied(stream)? {
            self.run(given, first, out, keep)?;
            for cell in out {
                *cell = implication.cell(*cell).map_err(|found| self.not_implied(stream, &found))?;
            }
            return Ok(());
        }
        self.expect_cells(stream)?;
        let about = self.stream_header(stream);
        let width = about.width.bytes();
        let mut slot = first;
        let mut rest = out;
        while !rest.is_empty() {
            let block = slot / u64::from(about.cells_per_block);
            let slots = self.slots_of(stream, block);
            let skipped = (slot - slots.start) as usize * width;
            let taken = rest.len().min((slots.end - slot) as usize * width);
            let (part, later) = rest.split_at_mut(taken);
            let whole = taken == (slots.end - slots.start) as usize * width;
            if whole && keep == Keep::Parts {
                self.decode(stream, block, part, keep)?;
            } else {
                part.copy_from_slice(&self.block(stream, block)?[skipped..skipped + taken]);
            }
            slot = slots.end;
            rest = later;
        }
        Ok(())
    }

    /// For a stream without blocks: the stream from which its cells follow, and how.
    fn implied(&self, stream: StreamId) -> Result<Option<(StreamId, &Implication)>, Error> {
        let about = self.stream_header(stream);
        let (Codec::Implied, Some(given)) = (about.codec, about.given) else { return Ok(None) };
        let Unpacker::Implied(implication) = self.unpacker(stream)? else { return Ok(None) };
        Ok(Some((StreamId(given), implication)))
    }

    fn not_implied(&self, stream: StreamId, Malformed(found): &Malformed) -> Error {
        let place = format!("the model of the stream \"{}\"", self.stream_header(stream).name);
        Error::damaged(&self.name, place, "a cell for every given one", found)
    }

    fn check_slots(&self, first: u64, count: u64) -> Result<(), Error> {
        let slots = self.header().slots;
        match first.checked_add(count) {
            Some(end) if end <= slots => Ok(()),
            _ => {
                let slot = first.saturating_add(count.saturating_sub(1)).max(slots);
                Err(Error::NoSlot { name: self.name.clone(), slot, slots })
            }
        }
    }

    fn slots_of(&self, stream: StreamId, block: u64) -> Range<u64> {
        let cells = u64::from(self.stream_header(stream).cells_per_block);
        let start = block * cells;
        start..self.header().slots.min(start + cells)
    }

    /// The decoded cells of a block.
    fn block(&self, stream: StreamId, block: u64) -> Result<Arc<[u8]>, Error> {
        let key = BlockKey { table: self.number, stream: stream.0, block };
        if let Some(cells) = self.cache.get(key) {
            return Ok(cells);
        }
        let slots = self.slots_of(stream, block);
        let bytes = (slots.end - slots.start) as usize * self.stream_header(stream).width.bytes();
        let mut cells = vec![0; bytes];
        self.decode(stream, block, &mut cells, Keep::All)?;
        let cells: Arc<[u8]> = cells.into();
        self.cache.insert(key, Arc::clone(&cells));
        Ok(cells)
    }

    /// Fills `out` with the cells of a block, without looking up the block itself in the cache.
    fn decode(&self, stream: StreamId, block: u64, out: &mut [u8], keep: Keep) -> Result<(), Error> {
        match self.decode_once(stream, block, out, keep) {
            Err(error) if error.is_about_bytes() && self.source.forget() => {
                self.decode_once(stream, block, out, keep)
            }
            decoded => decoded,
        }
    }

    fn decode_once(&self, stream: StreamId, block: u64, out: &mut [u8], keep: Keep) -> Result<(), Error> {
        let packed = self.find(stream, block, out.len())?;
        let mut bytes = vec![0; packed.bytes];
        self.source
            .read_exact_at(&mut bytes, packed.at)
            .map_err(Error::io(&self.name, "read a block of it"))?;
        check_crc(&self.name, || self.block_name(stream, block), &bytes, packed.entry.crc)?;
        let form = packed.entry.form;
        let (given, hints) = match (self.stream_header(stream).codec, form) {
            (Codec::Modelled, Form::Packed(_)) => {
                (self.given(stream, block, keep)?, self.hints(stream, block)?)
            }
            _ => (Vec::new(), Vec::new()),
        };
        let side = SideData { given: &given, hints: &hints };
        self.unpacker(stream)?.unpack(form, &bytes, side, out).map_err(|Malformed(found)| {
            Error::damaged(&self.name, self.block_name(stream, block), "a block that decodes", found)
        })
    }

    /// The cells of the given stream at the slots of a block; empty if the stream has no given stream.
    fn given(&self, stream: StreamId, block: u64, keep: Keep) -> Result<Vec<u8>, Error> {
        let Some(given) = self.stream_header(stream).given else { return Ok(Vec::new()) };
        let slots = self.slots_of(stream, block);
        let mut cells = vec![0; (slots.end - slots.start) as usize];
        self.run(StreamId(given), slots.start, &mut cells, keep)?;
        Ok(cells)
    }

    /// The hints at the slots of a block; empty if the stream was packed without hints.
    fn hints(&self, stream: StreamId, block: u64) -> Result<Vec<u8>, Error> {
        let about = self.stream_header(stream);
        let Some(name) = &about.hints else { return Ok(Vec::new()) };
        let Some(hints) = self.hints.iter().find(|hints| hints.name == *name) else {
            let (stream, hints) = (about.name.clone(), name.clone());
            return Err(Error::NoHints { name: self.name.clone(), stream, hints });
        };
        let slots = self.slots_of(stream, block);
        let mut bytes = vec![0; (slots.end - slots.start) as usize * hints.width.bytes()];
        hints.bytes.fill(slots.start, &mut bytes)?;
        Ok(bytes)
    }

    /// The location of a block of `decoded` bytes.
    fn find(&self, stream: StreamId, block: u64, decoded: usize) -> Result<PackedBlock, Error> {
        let mut buffer = [0; PAGE_BYTES];
        let page = self.page(stream, block / PAGE_BLOCKS, &mut buffer)?;
        let width = self.stream_header(stream).width.bytes();
        let full = self.stream_header(stream).cells_per_block as usize * width;
        let wanted = (block % PAGE_BLOCKS) as usize;
        let mut offset = page.offset;
        for (number, entry) in page.entries().enumerate() {
            let entry = entry.ok_or_else(|| {
                let place = self.block_name(stream, block);
                Error::damaged(&self.name, place, "a form of block that this version knows", "another one")
            })?;
            let bytes = match entry.form {
                Form::Packed(bytes) => usize::from(bytes),
                Form::Constant => width,
                Form::Stored if number == wanted => decoded,
                Form::Stored => full,
            };
            if number == wanted {
                return self.within(stream, block, offset, bytes, entry);
            }
            offset = offset.saturating_add(bytes as u64);
        }
        Err(Error::damaged(&self.name, self.block_name(stream, block), "an entry in the index", "none"))
    }

    fn within(
        &self,
        stream: StreamId,
        block: u64,
        offset: u64,
        bytes: usize,
        entry: BlockEntry,
    ) -> Result<PackedBlock, Error> {
        let all = self.stream_header(stream).packed_bytes;
        let end = offset.saturating_add(bytes as u64);
        if end > all {
            let expected = format!("an end before byte {all} of the stream");
            return Err(Error::damaged(&self.name, self.block_name(stream, block), expected, end));
        }
        Ok(PackedBlock { at: self.outline.places[stream.0].blocks_at + offset, bytes, entry })
    }

    fn page<'b>(
        &self,
        stream: StreamId,
        page: u64,
        buffer: &'b mut [u8; PAGE_BYTES],
    ) -> Result<Page<'b>, Error> {
        let (at, bytes) = self.outline.places[stream.0].page(page);
        let buffer = &mut buffer[..bytes];
        self.source.read_exact_at(buffer, at).map_err(Error::io(&self.name, "read its index"))?;
        let place =
            || format!("page {page} of the index of the stream \"{}\"", self.stream_header(stream).name);
        Page::parse(buffer, &self.name, place)
    }

    /// The unpacker of a stream, loaded on first use.
    fn unpacker(&self, stream: StreamId) -> Result<&Unpacker, Error> {
        let loaded = &self.unpackers[stream.0];
        if let Some(unpacker) = loaded.get() {
            return Ok(unpacker);
        }
        let about = self.stream_header(stream);
        let place = || format!("the model of the stream \"{}\"", about.name);
        let mut model = vec![0; about.model_bytes as usize];
        let at = self.outline.places[stream.0].model_at;
        self.source.read_exact_at(&mut model, at).map_err(Error::io(&self.name, "read a model of it"))?;
        check_crc(&self.name, place, &model, about.model_crc)?;
        let unpacker = Unpacker::load(about, &model)
            .map_err(|Malformed(found)| Error::damaged(&self.name, place(), "a model that loads", found))?;
        Ok(loaded.get_or_init(|| unpacker))
    }

    fn block_name(&self, stream: StreamId, block: u64) -> String {
        format!("block {block} of the stream \"{}\"", self.stream_header(stream).name)
    }

    /// Checks that the index of a stream accounts for every byte of its blocks, and that its model loads.
    pub(crate) fn check_index(&self, stream: StreamId) -> Result<(), Error> {
        self.unpacker(stream)?;
        let mut offset = 0;
        for block in 0..self.outline.places[stream.0].blocks {
            let slots = self.slots_of(stream, block);
            let bytes = (slots.end - slots.start) as usize * self.stream_header(stream).width.bytes();
            let packed = self.find(stream, block, bytes)?;
            let found = packed.at - self.outline.places[stream.0].blocks_at;
            if found != offset {
                let expected = format!("a start at byte {offset} of the stream");
                return Err(Error::damaged(&self.name, self.block_name(stream, block), expected, found));
            }
            offset += packed.bytes as u64;
        }
        let all = self.stream_header(stream).packed_bytes;
        if offset != all {
            let place = format!("the stream \"{}\"", self.stream_header(stream).name);
            return Err(Error::damaged(&self.name, place, format!("blocks of {all} bytes"), offset));
        }
        Ok(())
    }
}
