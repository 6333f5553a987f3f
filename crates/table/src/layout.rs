//! The layout of a file; `tablebases/FORMAT.md` describes it in detail.
//!
//! ```text
//! head | stream 0: blocks, index pages, model | stream 1: … | header | trailer
//! ```

use crate::Error;
use crate::block::{BlockEntry, Codec, Form, MAX_BLOCK_BYTES, MAX_MODEL_BYTES};
use crate::header::{StreamHeader, TableHeader};
use crate::source::ReadAt;

/// The version of the format that this crate writes and reads.
pub const FORMAT_VERSION: u32 = 1;
/// The first bytes of a table.
pub(crate) const MAGIC: [u8; 8] = *b"\x89MARQTB\n";
/// The last bytes of a table.
pub(crate) const END_MAGIC: [u8; 8] = *b"MARQEND\n";
/// Magic and version.
pub(crate) const HEAD_BYTES: u64 = 12;
/// Length and checksum of the header, and the end mark.
pub(crate) const TRAILER_BYTES: u64 = 16;
/// Blocks of a full page of the index.
pub(crate) const PAGE_BLOCKS: u64 = 64;
const PAGE_HEAD_BYTES: usize = 8;
const ENTRY_BYTES: usize = 6;
const PAGE_CRC_BYTES: usize = 4;
/// A full page.
pub(crate) const PAGE_BYTES: usize = PAGE_HEAD_BYTES + PAGE_BLOCKS as usize * ENTRY_BYTES + PAGE_CRC_BYTES;
/// The largest number of slots of a layer; sums of figures below it do not overflow.
pub(crate) const MAX_SLOTS: u64 = 1 << 48;

/// The first bytes of a file.
pub(crate) fn head() -> [u8; HEAD_BYTES as usize] {
    let mut head = [0; HEAD_BYTES as usize];
    head[..8].copy_from_slice(&MAGIC);
    head[8..].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    head
}

/// The last bytes of a file with this header.
pub(crate) fn trailer(header: &[u8]) -> [u8; TRAILER_BYTES as usize] {
    let length = (header.len() as u32).to_le_bytes();
    let mut trailer = [0; TRAILER_BYTES as usize];
    trailer[..4].copy_from_slice(&length);
    trailer[4..8].copy_from_slice(&header_crc(header, length).to_le_bytes());
    trailer[8..].copy_from_slice(&END_MAGIC);
    trailer
}

/// The checksum of a header and of its length.
pub(crate) fn header_crc(header: &[u8], length: [u8; 4]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(&length);
    hasher.finalize()
}

/// Four little-endian bytes at the start of `bytes`; missing bytes count as 0.
pub(crate) fn le_u32(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}

/// Eight little-endian bytes at the start of `bytes`; missing bytes count as 0.
pub(crate) fn le_u64(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

/// The index pages of a stream.
pub(crate) fn index_pages(entries: &[BlockEntry], bytes_of: impl Fn(usize, Form) -> u64) -> Vec<u8> {
    let mut pages = Vec::new();
    let mut offset = 0;
    for (number, page) in entries.chunks(PAGE_BLOCKS as usize).enumerate() {
        let start = pages.len();
        pages.extend_from_slice(&u64::to_le_bytes(offset));
        for (place, entry) in page.iter().enumerate() {
            pages.extend_from_slice(&entry.form.code().to_le_bytes());
            pages.extend_from_slice(&entry.crc.to_le_bytes());
            offset += bytes_of(number * PAGE_BLOCKS as usize + place, entry.form);
        }
        let crc = crc32fast::hash(&pages[start..]);
        pages.extend_from_slice(&crc.to_le_bytes());
    }
    pages
}

/// A page of the index whose checksum has been checked.
pub(crate) struct Page<'a> {
    /// The offset of the first block of the page, from the first block of the stream.
    pub(crate) offset: u64,
    entries: &'a [u8],
}

impl<'a> Page<'a> {
    /// Parses a page of the size given by [`StreamOffsets::page`].
    pub(crate) fn parse(bytes: &'a [u8], name: &str, place: impl FnOnce() -> String) -> Result<Self, Error> {
        let (body, crc) = bytes.split_at(bytes.len() - PAGE_CRC_BYTES);
        crate::error::check_crc(name, place, body, le_u32(crc))?;
        let (head, entries) = body.split_at(PAGE_HEAD_BYTES);
        Ok(Self { offset: le_u64(head), entries })
    }

    /// The entries in order; `None` for one whose form this version does not know.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Option<BlockEntry>> + use<'a> {
        self.entries.chunks_exact(ENTRY_BYTES).map(|entry| {
            let form = Form::from_code(u16::from_le_bytes([entry[0], entry[1]]))?;
            Some(BlockEntry { form, crc: le_u32(&entry[2..]) })
        })
    }
}

/// The offsets of the parts of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamOffsets {
    /// The first block.
    pub(crate) blocks_at: u64,
    /// The first page of the index.
    pub(crate) index_at: u64,
    /// The model.
    pub(crate) model_at: u64,
    /// The end of the stream.
    pub(crate) end: u64,
    /// The number of blocks.
    pub(crate) blocks: u64,
}

impl StreamOffsets {
    /// The place of a stream that starts at `start`; `None` if the figures overflow.
    pub(crate) fn of(stream: &StreamHeader, slots: u64, start: u64) -> Option<Self> {
        let blocks = match stream.codec {
            Codec::Implied | Codec::Ahead => 0,
            _ => slots.div_ceil(u64::from(stream.cells_per_block)),
        };
        let pages = blocks.div_ceil(PAGE_BLOCKS);
        let index_bytes = pages * (PAGE_HEAD_BYTES + PAGE_CRC_BYTES) as u64 + blocks * ENTRY_BYTES as u64;
        let index_at = start.checked_add(stream.packed_bytes)?;
        let model_at = index_at.checked_add(index_bytes)?;
        let end = model_at.checked_add(u64::from(stream.model_bytes))?;
        Some(Self { blocks_at: start, index_at, model_at, end, blocks })
    }

    /// Offset and length of a page of the index.
    pub(crate) fn page(&self, page: u64) -> (u64, usize) {
        let entries = PAGE_BLOCKS.min(self.blocks - page * PAGE_BLOCKS) as usize;
        let bytes = PAGE_HEAD_BYTES + entries * ENTRY_BYTES + PAGE_CRC_BYTES;
        (self.index_at + page * PAGE_BYTES as u64, bytes)
    }
}

/// A file as described by its header.
pub(crate) struct Outline {
    pub(crate) header: TableHeader,
    /// The places of the streams, which fill the file without a gap.
    pub(crate) places: Vec<StreamOffsets>,
    /// Bytes of the file.
    pub(crate) size: u64,
}

/// Reads and checks the outline of a file.
pub(crate) fn read_header(source: &impl ReadAt, name: &str) -> Result<Outline, Error> {
    let size = source.size().map_err(Error::io(name, "ask for its size"))?;
    read_head(source, size, name)?;
    let (bytes, header_at) = read_footer(source, size, name)?;
    let header = crate::codec::decode_header(&bytes)
        .map_err(|what| Error::damaged(name, "the header", "a header of this version", what))?;
    check_figures(&header, name)?;
    let places = lay_out(&header, header_at, name)?;
    Ok(Outline { header, places, size })
}

fn read_head(source: &impl ReadAt, size: u64, name: &str) -> Result<(), Error> {
    let mut head = vec![0; size.min(HEAD_BYTES) as usize];
    source.read_exact_at(&mut head, 0).map_err(Error::io(name, "read its head"))?;
    let magic = head.get(..8).unwrap_or(&head);
    if !MAGIC.starts_with(magic) {
        return Err(Error::WrongKind {
            name: name.to_owned(),
            expected: "a Marquis table".to_owned(),
            found: format!("\"{}\"", magic.escape_ascii()),
        });
    }
    if size < HEAD_BYTES + TRAILER_BYTES {
        return Err(Error::CutShort {
            name: name.to_owned(),
            expected: format!("at least {} bytes", HEAD_BYTES + TRAILER_BYTES),
            found: format!("{size} bytes"),
        });
    }
    let found = le_u32(&head[8..]);
    if found != FORMAT_VERSION {
        return Err(Error::Version { name: name.to_owned(), expected: FORMAT_VERSION, found });
    }
    Ok(())
}

/// The bytes of the header, checked, and their offset.
fn read_footer(source: &impl ReadAt, size: u64, name: &str) -> Result<(Vec<u8>, u64), Error> {
    let mut trailer = [0; TRAILER_BYTES as usize];
    let trailer_at = size - TRAILER_BYTES;
    source.read_exact_at(&mut trailer, trailer_at).map_err(Error::io(name, "read its end"))?;
    if trailer[8..] != END_MAGIC {
        return Err(Error::CutShort {
            name: name.to_owned(),
            expected: "an end mark in the last bytes".to_owned(),
            found: format!("\"{}\"", trailer[8..].escape_ascii()),
        });
    }
    let length = u64::from(le_u32(&trailer));
    if length > crate::codec::MAX_HEADER_BYTES as u64 || length > trailer_at - HEAD_BYTES {
        return Err(Error::damaged(
            name,
            "the length of the header",
            format!("at most {}", (trailer_at - HEAD_BYTES).min(crate::codec::MAX_HEADER_BYTES as u64)),
            length,
        ));
    }
    let header_at = trailer_at - length;
    let mut bytes = vec![0; length as usize];
    source.read_exact_at(&mut bytes, header_at).map_err(Error::io(name, "read its header"))?;
    let expected = le_u32(&trailer[4..]);
    let found = header_crc(&bytes, [trailer[0], trailer[1], trailer[2], trailer[3]]);
    if found != expected {
        let (expected, found) = (crate::error::crc_text(expected), crate::error::crc_text(found));
        return Err(Error::damaged(name, "the header", expected, found));
    }
    Ok((bytes, header_at))
}

/// Refuses figures that no writer produces.
pub(crate) fn check_figures(header: &TableHeader, name: &str) -> Result<(), Error> {
    let refuse = |what: &str, expected: String, found: String| {
        Err(Error::damaged(name, format!("the header ({what})"), expected, found))
    };
    if header.slots > MAX_SLOTS {
        return refuse("slots", format!("at most {MAX_SLOTS}"), header.slots.to_string());
    }
    for (number, stream) in header.streams.iter().enumerate() {
        let bytes = u64::from(stream.cells_per_block) * stream.width.bytes() as u64;
        if bytes > MAX_BLOCK_BYTES as u64 {
            return refuse("bytes a block", format!("at most {MAX_BLOCK_BYTES}"), bytes.to_string());
        }
        if stream.model_bytes > MAX_MODEL_BYTES {
            return refuse(
                "bytes of a model",
                format!("at most {MAX_MODEL_BYTES}"),
                stream.model_bytes.to_string(),
            );
        }
        if header.streams[..number].iter().any(|other| other.name == stream.name) {
            return refuse("streams", "different names".to_owned(), format!("\"{}\" twice", stream.name));
        }
        if stream.codec == Codec::Implied && (stream.given.is_none() || stream.width.bytes() != 1) {
            let found = format!("\"{}\" is implied by nothing", stream.name);
            return refuse("streams", "implied cells of one byte with a given stream".to_owned(), found);
        }
        if stream.codec == Codec::Ahead && (stream.given.is_some() || stream.hints.is_some()) {
            let found = format!("\"{}\" is given something", stream.name);
            return refuse("streams", "cells one ply ahead that are given nothing".to_owned(), found);
        }
        let given = stream.given.and_then(|given| header.streams.get(given));
        if given.is_some_and(|given| given.given.is_some() || given.width.bytes() != 1) {
            let found = format!("\"{}\" is given more", stream.name);
            return refuse(
                "streams",
                "given streams of single bytes that are given nothing".to_owned(),
                found,
            );
        }
    }
    Ok(())
}

fn lay_out(header: &TableHeader, header_at: u64, name: &str) -> Result<Vec<StreamOffsets>, Error> {
    let mut start = HEAD_BYTES;
    let mut places = Vec::with_capacity(header.streams.len());
    for stream in &header.streams {
        let place = StreamOffsets::of(stream, header.slots, start)
            .filter(|place| place.end <= header_at)
            .ok_or_else(|| Error::CutShort {
                name: name.to_owned(),
                expected: format!("the whole stream \"{}\" before the header", stream.name),
                found: format!("a header at byte {header_at}"),
            })?;
        start = place.end;
        places.push(place);
    }
    if start != header_at {
        return Err(Error::damaged(
            name,
            "the header",
            format!("a start at byte {start}"),
            format!("byte {header_at}"),
        ));
    }
    Ok(places)
}
