//! Tables as files.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::block::{Codec, MAX_BLOCK_BYTES};
use crate::cache::BlockCache;
use crate::header::{StreamHeader, TableHeader, Width};
use crate::origin::Origin;
use crate::pack::Packing;
use crate::plan::{LayerPlan, StreamPlan, Unused};
use crate::press::write_table_of_parts;
use crate::pressed::TablePart;
use crate::read::{StreamId, Table, TableFile};
use crate::source::SlotFacts;
use crate::write::write_table;
use crate::{Error, atomic};

/// The file name extension of tables.
pub const EXTENSION: &str = "mqt";

/// Opens a table; see [`Table::open`].
///
/// # Errors
/// The file cannot be opened, is no table, is truncated, has a damaged header or is of another version.
pub fn open(path: &Path, cache: &Arc<BlockCache>) -> Result<TableFile, Error> {
    let file = File::open(path).map_err(Error::io(path.display(), "open it"))?;
    Table::open(Origin::Here(file), path.display(), cache)
}

/// Creates a table; see [`write_table`].
///
/// The file appears under its name only when it is complete and on the disk.
///
/// # Errors
/// The plan is impossible, a source of cells fails, or the file cannot be written.
pub fn create(
    path: &Path,
    layer: &LayerPlan,
    streams: &[StreamPlan<'_>],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<TableHeader, Error> {
    let name = path.display().to_string();
    atomic::create(path, |out| write_table(out, &name, layer, streams, progress))
}

/// Creates a table of parts; see [`write_table_of_parts`].
///
/// The file appears under its name only when it is complete and on the disk.
///
/// # Errors
/// The parts are not those of the layer and its streams, or the file cannot be written.
pub fn create_of_parts(
    path: &Path,
    layer: &LayerPlan,
    streams: &[StreamPlan<'_>],
    parts: Vec<TablePart>,
) -> Result<TableHeader, Error> {
    let name = path.display().to_string();
    atomic::create(path, |out| write_table_of_parts(out, &name, layer, streams, parts))
}

/// How to repack a stream.
#[derive(Clone, Copy)]
pub struct Repacked<'a> {
    /// How blocks are packed.
    pub packing: Packing,
    /// Cells a block.
    pub cells_per_block: u32,
    /// Hints to pack it with.
    pub hints: Option<&'a SlotFacts>,
}

impl<'a> Repacked<'a> {
    /// The smallest packing whose cells are still found within a tenth of a millisecond; packing takes about a second
    /// for a million cells. `tablebases/MEASUREMENTS.md` compares it with others.
    ///
    /// Cells of four bytes, and cells that were packed as differences, have too many different values for a model,
    /// but are close to their neighbours.
    #[must_use]
    pub fn smallest(stream: &StreamHeader, hints: Option<&'a SlotFacts>) -> Self {
        if stream.width == Width::Four || stream.codec == Codec::Differences {
            let packing = Packing::Differences { level: 19 };
            let cells_per_block = (MAX_BLOCK_BYTES / stream.width.bytes()) as u32;
            return Self { packing, cells_per_block, hints: None };
        }
        let packing = Packing::Modelled { learn_from: 1 << 22 };
        // A look-up computes the hints of its whole block, so blocks with hints are smaller.
        let cells_per_block = if hints.is_some() { 1024 } else { 4096 };
        Self { packing, cells_per_block, hints }
    }

    /// The stream has no blocks, because its cells follow from those of its given stream.
    #[must_use]
    pub const fn implied(stream: &StreamHeader) -> Self {
        Self { packing: Packing::Implied, cells_per_block: stream.cells_per_block, hints: None }
    }

    /// The stream has no blocks, because its cells follow from other tables, one ply ahead. A stream that follows
    /// from a stream of the same table stays as it is.
    #[must_use]
    pub fn ahead(stream: &StreamHeader) -> Self {
        let packing = if stream.codec == Codec::Implied { Packing::Implied } else { Packing::Ahead };
        Self { packing, ..Self::implied(stream) }
    }
}

/// Writes a table again to `to`, which may be its own path, with other codecs or without some of its streams, and
/// returns the new header.
///
/// The cells are the same: the content hash of every stream is compared, and a damaged table is not repacked.
///
/// * `choose`: how to pack a stream, or `None` to leave it out. A stream whose given stream is left out is packed
///   without it.
///
/// # Errors
/// A file cannot be read or written, a stream is damaged, or the repacked cells are not those of the old table.
pub fn repack<'a>(
    table: &TableFile,
    to: &Path,
    choose: impl Fn(&StreamHeader) -> Option<Repacked<'a>>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<TableHeader, Error> {
    let about = table.header();
    let sources: Vec<_> = (0..about.streams.len()).map(|number| table.source(StreamId(number))).collect();
    let chosen: Vec<Option<Repacked<'_>>> = about.streams.iter().map(choose).collect();
    let mut plans = Vec::new();
    for ((stream, source), chosen_here) in about.streams.iter().zip(&sources).zip(&chosen) {
        let Some(Repacked { packing, cells_per_block, hints }) = *chosen_here else { continue };
        let given = stream.given.filter(|&given| chosen[given].is_some());
        plans.push(StreamPlan {
            name: &stream.name,
            width: stream.width,
            cells: source,
            unused: Unused::None,
            packing,
            cells_per_block,
            given: given.map(|given| about.streams[given].name.as_str()),
            hints,
        });
    }
    let layer = LayerPlan {
        identity: about.identity.clone(),
        slots: about.slots,
        counts: about.counts.clone(),
        notes: about.notes.clone(),
    };
    let name = to.display().to_string();
    atomic::create(to, |out| {
        let written = write_table(out, &name, &layer, &plans, progress)?;
        same_content(table, &written)?;
        Ok(written)
    })
}

/// Refuses a repacked table whose cells differ from the old table's.
fn same_content(old: &TableFile, new: &TableHeader) -> Result<(), Error> {
    for stream in &new.streams {
        let expected = old.stream_header(old.stream(&stream.name)?).content;
        if stream.content != expected {
            let place = format!("the cells of the stream \"{}\"", stream.name);
            return Err(Error::damaged(old.name(), place, expected, stream.content));
        }
    }
    Ok(())
}
