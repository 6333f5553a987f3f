//! The header, and parts of a table in transit, as bytes. This is the only module that uses bincode.
//!
//! Bincode is unmaintained, so nothing else may depend on it, and it never reads bytes that have not passed their
//! checksum. `tablebases/FORMAT.md` describes the bytes that it writes.

use std::collections::BTreeMap;

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use bincode::{Decode, Encode};

use crate::block::{BlockEntry, Codec, Form};
use crate::content::Subtree;
use crate::header::{ContentHash, Fingerprint, Identity, StreamHeader, TableHeader, Width};
use crate::pack::Implication;
use crate::pressed::{Pressed, TablePart};

/// The largest size of a header.
pub(crate) const MAX_HEADER_BYTES: usize = 1 << 20;
/// The largest number of streams of a table.
pub(crate) const MAX_STREAMS: usize = 16;

const fn config() -> Configuration<LittleEndian, Varint, Limit<MAX_HEADER_BYTES>> {
    bincode::config::standard().with_limit::<MAX_HEADER_BYTES>()
}

#[derive(Encode, Decode)]
struct WireHeader {
    game: String,
    variant: String,
    layer: String,
    rules: [u8; 32],
    slots: u64,
    streams: Vec<WireStream>,
    counts: BTreeMap<String, u64>,
    notes: BTreeMap<String, String>,
}

#[derive(Encode, Decode)]
struct WireStream {
    name: String,
    width: u8,
    cells_per_block_log2: u8,
    codec: u8,
    given: Option<u8>,
    hints: Option<String>,
    packed_bytes: u64,
    model_bytes: u32,
    model_crc: u32,
    content: [u8; 32],
}

/// The bytes of a header.
///
/// The error says what does not fit.
pub(crate) fn encode_header(header: &TableHeader) -> Result<Vec<u8>, String> {
    let wire = WireHeader {
        game: header.identity.game.clone(),
        variant: header.identity.variant.clone(),
        layer: header.identity.layer.clone(),
        rules: header.identity.rules.0,
        slots: header.slots,
        streams: header.streams.iter().map(to_wire).collect(),
        counts: header.counts.clone(),
        notes: header.notes.clone(),
    };
    let bytes = bincode::encode_to_vec(wire, config()).map_err(|error| error.to_string())?;
    if bytes.len() > MAX_HEADER_BYTES {
        return Err(format!("{} bytes", bytes.len()));
    }
    Ok(bytes)
}

fn to_wire(stream: &StreamHeader) -> WireStream {
    WireStream {
        name: stream.name.clone(),
        width: stream.width.bytes() as u8,
        cells_per_block_log2: stream.cells_per_block.trailing_zeros() as u8,
        codec: stream.codec.tag(),
        given: stream.given.map(|given| given as u8),
        hints: stream.hints.clone(),
        packed_bytes: stream.packed_bytes,
        model_bytes: stream.model_bytes,
        model_crc: stream.model_crc,
        content: stream.content.0,
    }
}

/// Decodes a header from exactly these bytes.
///
/// The caller checks whether its figures fit each other and the file. The error says what is wrong.
pub(crate) fn decode_header(bytes: &[u8]) -> Result<TableHeader, String> {
    let (wire, read): (WireHeader, usize) =
        bincode::decode_from_slice(bytes, config()).map_err(|error| error.to_string())?;
    if read != bytes.len() {
        return Err(format!("{} bytes after its end", bytes.len() - read));
    }
    if wire.streams.len() > MAX_STREAMS {
        return Err(format!("{} streams", wire.streams.len()));
    }
    let streams = wire.streams.into_iter().enumerate().map(from_wire).collect::<Result<_, _>>()?;
    Ok(TableHeader {
        identity: Identity {
            game: wire.game,
            variant: wire.variant,
            layer: wire.layer,
            rules: Fingerprint(wire.rules),
        },
        slots: wire.slots,
        streams,
        counts: wire.counts,
        notes: wire.notes,
    })
}

fn from_wire((number, stream): (usize, WireStream)) -> Result<StreamHeader, String> {
    let width = match stream.width {
        1 => Width::One,
        2 => Width::Two,
        4 => Width::Four,
        other => return Err(format!("a cell width of {other} bytes")),
    };
    let cells_per_block =
        1u32.checked_shl(stream.cells_per_block_log2.into()).ok_or("a block of more than 2^31 cells")?;
    let codec = Codec::from_tag(stream.codec).ok_or_else(|| format!("codec number {}", stream.codec))?;
    let given = stream.given.map(usize::from);
    if given.is_some_and(|given| given >= number) {
        return Err("a stream given a later one".to_owned());
    }
    Ok(StreamHeader {
        name: stream.name,
        width,
        cells_per_block,
        codec,
        given,
        hints: stream.hints,
        packed_bytes: stream.packed_bytes,
        model_bytes: stream.model_bytes,
        model_crc: stream.model_crc,
        content: ContentHash(stream.content),
    })
}

#[derive(Encode, Decode)]
struct WirePart {
    streams: Vec<WirePressed>,
}

#[derive(Encode, Decode)]
struct WirePressed {
    cells: u64,
    subtrees: Vec<[u8; 32]>,
    entries: Vec<(u16, u32)>,
    packed: Vec<u8>,
    implication: Vec<Option<u8>>,
}

/// The bytes of a part, for exchange between processes; they are never in a file.
pub(crate) fn encode_part(part: TablePart) -> Vec<u8> {
    let streams = part.streams.into_iter().map(|own| WirePressed {
        cells: own.cells,
        subtrees: own.subtrees.iter().map(|subtree| subtree.0).collect(),
        entries: own.entries.iter().map(|entry| (entry.form.code(), entry.crc)).collect(),
        packed: own.packed,
        implication: own.implication.0,
    });
    let wire = WirePart { streams: streams.collect() };
    bincode::encode_to_vec(wire, bincode::config::standard()).expect("a vector takes all bytes")
}

/// Decodes a part from exactly these bytes; the error says what is wrong.
pub(crate) fn decode_part(bytes: &[u8]) -> Result<TablePart, String> {
    let (wire, read): (WirePart, usize) =
        bincode::decode_from_slice(bytes, bincode::config::standard()).map_err(|error| error.to_string())?;
    if read != bytes.len() {
        return Err(format!("{} bytes after its end", bytes.len() - read));
    }
    let entry = |(form, crc): (u16, u32)| {
        let form = Form::from_code(form).ok_or_else(|| format!("a block of form {form:04x}"))?;
        Ok(BlockEntry { form, crc })
    };
    let pressed = |own: WirePressed| {
        Ok(Pressed {
            cells: own.cells,
            subtrees: own.subtrees.into_iter().map(Subtree).collect(),
            entries: own.entries.into_iter().map(entry).collect::<Result<_, String>>()?,
            packed: own.packed,
            implication: Implication(own.implication),
        })
    };
    Ok(TablePart { streams: wire.streams.into_iter().map(pressed).collect::<Result<_, String>>()? })
}
