//! Repairs the checksums of a table file.

use std::sync::Arc;

use marquis_table::{BlockCache, Codec, StreamHeader, Table};

const HEAD_BYTES: usize = 12;
const TRAILER_BYTES: usize = 16;
/// FORMAT.md, the index: blocks per full page; bytes of the page header, of an entry and of its checksum.
const PAGE_BLOCKS: usize = 64;
const PAGE_HEAD_BYTES: usize = 8;
const ENTRY_BYTES: usize = 6;
const CRC_BYTES: usize = 4;
/// The forms of blocks without a codec.
const STORED: u16 = 0x8000;
const CONSTANT: u16 = 0x8001;

/// Repairs the checksums of the header and, if it can be read, those of models, index pages and blocks.
pub fn seal(bytes: &mut Vec<u8>) {
    seal_header(bytes);
    let Ok(table) = open(bytes.clone()) else { return };
    let header = table.header();
    let mut at = HEAD_BYTES;
    let mut models = Vec::new();
    for stream in &header.streams {
        let Some(end) = seal_stream(bytes, at, stream, header.slots) else { return };
        let model = end - stream.model_bytes as usize;
        let Some(model) = bytes.get(model..end) else { return };
        models.push((stream.model_crc, crc32fast::hash(model)));
        at = end;
    }
    for (old, new) in models.into_iter().filter(|(old, new)| old != new) {
        replace_in_header(bytes, at, old, new);
    }
    seal_header(bytes);
}

/// The table of these bytes.
///
/// # Errors
/// The bytes are not a table.
pub fn open(bytes: Vec<u8>) -> Result<Table<Vec<u8>>, marquis_table::Error> {
    Table::open(bytes, "a table", &Arc::new(BlockCache::new(1 << 20)))
}

fn seal_header(bytes: &mut [u8]) {
    let Some(trailer) = bytes.len().checked_sub(TRAILER_BYTES) else { return };
    let length: [u8; 4] = bytes[trailer..trailer + 4].try_into().unwrap_or_default();
    let Some(start) = trailer.checked_sub(u32::from_le_bytes(length) as usize) else { return };
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[start..trailer]);
    hasher.update(&length);
    bytes[trailer + 4..trailer + 8].copy_from_slice(&hasher.finalize().to_le_bytes());
}

/// Seals the blocks and the index of a stream that starts at `start`; returns its end.
fn seal_stream(bytes: &mut [u8], start: usize, stream: &StreamHeader, slots: u64) -> Option<usize> {
    let cells = u64::from(stream.cells_per_block);
    let blocks = match stream.codec {
        Codec::Implied | Codec::Ahead => 0,
        _ => usize::try_from(slots.div_ceil(cells)).ok()?,
    };
    let mut page = start.checked_add(usize::try_from(stream.packed_bytes).ok()?)?;
    for first in (0..blocks).step_by(PAGE_BLOCKS) {
        let entries = PAGE_BLOCKS.min(blocks - first);
        let crc_at = page + PAGE_HEAD_BYTES + entries * ENTRY_BYTES;
        let offset = u64::from_le_bytes(bytes.get(page..page + 8)?.try_into().ok()?);
        let mut at = start.checked_add(usize::try_from(offset).ok()?)?;
        for number in 0..entries {
            let entry = page + PAGE_HEAD_BYTES + number * ENTRY_BYTES;
            let form = u16::from_le_bytes(bytes.get(entry..entry + 2)?.try_into().ok()?);
            let own = cells.min(slots - (first + number) as u64 * cells) as usize;
            let length = match form {
                CONSTANT => stream.width.bytes(),
                STORED => own * stream.width.bytes(),
                packed => usize::from(packed),
            };
            let crc = crc32fast::hash(bytes.get(at..at.checked_add(length)?)?);
            bytes.get_mut(entry + 2..entry + ENTRY_BYTES)?.copy_from_slice(&crc.to_le_bytes());
            at += length;
        }
        let crc = crc32fast::hash(bytes.get(page..crc_at)?);
        bytes.get_mut(crc_at..crc_at + CRC_BYTES)?.copy_from_slice(&crc.to_le_bytes());
        page = crc_at + CRC_BYTES;
    }
    page.checked_add(stream.model_bytes as usize)
}

/// Replaces the checksum of a model in the header, where it is encoded as five bytes with a marker first.
fn replace_in_header(bytes: &mut [u8], header_at: usize, old: u32, new: u32) {
    let coded = |crc: u32| {
        let mut coded = [0xfc; 5];
        coded[1..].copy_from_slice(&crc.to_le_bytes());
        coded
    };
    let header = &mut bytes[header_at..];
    if let Some(place) = header.windows(5).position(|window| window == coded(old)) {
        header[place..place + 5].copy_from_slice(&coded(new));
    }
}
