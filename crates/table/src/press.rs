//! Parts of a layer that different processes pack.
//!
//! The packing of a span does not depend on earlier spans. So each process packs its slots of a layer, and one
//! process joins them into the file; its bytes are those of [`write_table`](crate::write_table).

use std::io::Write;
use std::ops::Range;

use crate::Error;
use crate::codec::{decode_part, encode_part};
use crate::error::check_crc;
use crate::header::TableHeader;
use crate::pack::Packer;
use crate::plan::{LayerPlan, StreamPlan, check_plan};
use crate::pressed::{Pressed, TablePart};
use crate::write::{StreamJob, write_streams};

impl TablePart {
    /// The part as bytes, with a checksum.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        let mut bytes = encode_part(self);
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes a part; errors are reported under `name`.
    ///
    /// # Errors
    /// The bytes are not those of a part.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let place = || "a part of the table, packed by another process".to_owned();
        let (body, sum) = bytes
            .split_last_chunk()
            .ok_or_else(|| Error::damaged(name, place(), "a checksum", format!("{} bytes", bytes.len())))?;
        check_crc(name, place, body, u32::from_le_bytes(*sum))?;
        decode_part(body).map_err(|found| Error::damaged(name, place(), "its streams", found))
    }
}

/// Packs some slots of a layer.
///
/// * `slots`: whole [blocks and fill units](crate::FILL_UNIT), except for the last of the layer. Sources of cells are
///   asked only for these slots.
///
/// # Errors
/// As [`write_table`](crate::write_table). Also if the packing of a stream must be trained on all of it, or if the
/// slots cut blocks.
pub fn pack_part(
    name: &str,
    layer: &LayerPlan,
    streams: &[StreamPlan<'_>],
    slots: Range<u64>,
) -> Result<TablePart, Error> {
    check_plan(name, layer, streams)?;
    let mut part = TablePart { streams: Vec::new() };
    for stream in streams {
        check_part(name, layer, stream, &slots)?;
        let mut own = Pressed::default();
        let job = StreamJob::new(name, layer.slots, stream, streams);
        job.press(slots.clone(), |span| own.join(name, stream.name, span))?;
        part.streams.push(own);
    }
    Ok(part)
}

fn check_part(
    name: &str,
    layer: &LayerPlan,
    stream: &StreamPlan<'_>,
    slots: &Range<u64>,
) -> Result<(), Error> {
    let what = |part: &str| format!("{part} of a part of the stream \"{}\"", stream.name);
    if Packer::samples_wanted(stream.packing) > 0 {
        let expected = "a packing that learns nothing from the rest of the stream";
        return Err(Error::plan(name, what("packing"), expected, format!("{:?}", stream.packing)));
    }
    let (span, end) = (stream.span(), layer.slots);
    let is_whole = slots.start <= slots.end
        && slots.end <= end
        && [slots.start, slots.end].iter().all(|&slot| slot == end || slot % span == 0);
    if is_whole {
        return Ok(());
    }
    let expected = format!("multiples of {span} up to {end}, or {end} itself");
    Err(Error::plan(name, what("slots"), expected, format!("{} to {}", slots.start, slots.end)))
}

/// Writes the table of a layer from all its parts, in order, and returns its header.
///
/// Sources of cells are not used. The bytes are those of [`write_table`](crate::write_table).
///
/// # Errors
/// The parts are not those of the layer and its streams, or `out` fails.
pub fn write_table_of_parts(
    out: impl Write,
    name: &str,
    layer: &LayerPlan,
    streams: &[StreamPlan<'_>],
    mut parts: Vec<TablePart>,
) -> Result<TableHeader, Error> {
    let mut number = 0;
    write_streams(out, name, layer, streams, |job, out| {
        let mut all = Pressed::default();
        for part in &mut parts {
            let own = part.streams.get_mut(number).map(std::mem::take).unwrap_or_default();
            out.write_all(&own.packed).map_err(Error::io(name, "write it"))?;
            all.join(name, job.plan.name, Pressed { packed: Vec::new(), ..own })?;
        }
        number += 1;
        if all.cells != layer.slots {
            let what = format!("cells in the parts of the stream \"{}\"", job.plan.name);
            return Err(Error::plan(name, what, layer.slots, all.cells));
        }
        job.end(out, &all)
    })
}
