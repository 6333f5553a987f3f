//! The plan of a table to write: a layer and its streams.

use std::collections::BTreeMap;

use crate::Error;
use crate::block::MAX_BLOCK_BYTES;
use crate::codec::MAX_STREAMS;
use crate::fill::{FILL_UNIT, repeat_neighbours, replace};
use crate::header::{Identity, Width};
use crate::layout::MAX_SLOTS;
use crate::pack::Packing;
use crate::source::{CellSource, SlotFacts};

/// The layer of a table to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerPlan {
    /// The layer, its game and its rules.
    pub identity: Identity,
    /// Slots of the layer.
    pub slots: u64,
    /// Figures by name: `wins`, `draws`, `losses`, `holes`, `longest` and so on.
    pub counts: BTreeMap<String, u64>,
    /// Notes by name.
    pub notes: BTreeMap<String, String>,
}

/// Cells that are never read, such as slots without a position.
///
/// They are replaced before hashing and packing, so the table holds ordinary cells in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    /// Every cell matters.
    None,
    /// A cell `mark` becomes like its neighbours: the last cell that matters before it in its unit of [`FILL_UNIT`]
    /// slots, or else the first one after it, or 0 in a unit without any.
    Repeat {
        /// The cell by which the source marks an unused index.
        mark: u32,
    },
    /// A cell `mark` becomes `cell`.
    Replace {
        /// The cell by which the source marks an unused index.
        mark: u32,
        /// The cell in the table.
        cell: u32,
    },
}

/// A stream to write.
#[derive(Clone, Copy)]
pub struct StreamPlan<'a> {
    /// The name, such as `value`.
    pub name: &'a str,
    /// Bytes a cell.
    pub width: Width,
    /// The cells.
    pub cells: &'a dyn CellSource,
    /// The cells that do not matter.
    pub unused: Unused,
    /// How blocks are packed.
    pub packing: Packing,
    /// Cells per block, a power of two; at most [`MAX_BLOCK_BYTES`] bytes.
    pub cells_per_block: u32,
    /// An earlier stream of single bytes that will be known whenever this one is read.
    pub given: Option<&'a str>,
    /// Hints that will be known whenever this one is read.
    pub hints: Option<&'a SlotFacts>,
}

impl<'a> StreamPlan<'a> {
    /// A plan that is quick to write: no unused indices, nothing given, blocks of 8 KiB, light compression.
    #[must_use]
    pub fn new(name: &'a str, width: Width, cells: &'a dyn CellSource) -> Self {
        let cells_per_block = 8192 / width.bytes() as u32;
        let packing = Packing::Zstd { level: 3 };
        Self { name, width, cells, unused: Unused::None, packing, cells_per_block, given: None, hints: None }
    }

    /// A plan for numbers that are near their neighbours, equally quick to write.
    #[must_use]
    pub fn near(name: &'a str, width: Width, cells: &'a dyn CellSource) -> Self {
        Self { packing: Packing::Differences { level: 3 }, ..Self::new(name, width, cells) }
    }

    /// A stream of single bytes without blocks: each cell follows from that of the stream `given`.
    #[must_use]
    pub fn implied(name: &'a str, cells: &'a dyn CellSource, given: &'a str) -> Self {
        Self { packing: Packing::Implied, given: Some(given), ..Self::new(name, Width::One, cells) }
    }

    /// The same stream without blocks, if its cells follow from other tables one ply ahead. A stream that follows
    /// from a stream of the same table stays as it is.
    #[must_use]
    pub fn ahead(self) -> Self {
        if self.packing == Packing::Implied { self } else { Self { packing: Packing::Ahead, ..self } }
    }

    /// The cells as stored in the table.
    ///
    /// * `first`: the start of a fill unit.
    pub(crate) fn filled(&self, first: u64, slots: u64) -> Result<Vec<u8>, Error> {
        let mut cells = vec![0; slots as usize * self.width.bytes()];
        self.cells.fill(first, &mut cells)?;
        match self.unused {
            Unused::None => {}
            Unused::Repeat { mark } => repeat_neighbours(&mut cells, self.width, mark),
            Unused::Replace { mark, cell } => replace(&mut cells, self.width, mark, cell),
        }
        Ok(cells)
    }

    /// Slots that are produced at once: whole blocks and whole fill units.
    pub(crate) fn span(&self) -> u64 {
        u64::from(self.cells_per_block).max(FILL_UNIT)
    }
}

/// Refuses a plan that cannot be written.
pub(crate) fn check_plan(name: &str, layer: &LayerPlan, streams: &[StreamPlan<'_>]) -> Result<(), Error> {
    if layer.slots > MAX_SLOTS {
        return Err(Error::plan(name, "slots", format!("at most {MAX_SLOTS}"), layer.slots));
    }
    if streams.len() > MAX_STREAMS {
        return Err(Error::plan(name, "streams", format!("at most {MAX_STREAMS}"), streams.len()));
    }
    for (number, stream) in streams.iter().enumerate() {
        check_stream(name, stream, &streams[..number])?;
    }
    Ok(())
}

fn check_stream(name: &str, stream: &StreamPlan<'_>, earlier: &[StreamPlan<'_>]) -> Result<(), Error> {
    let what = |part: &str| format!("{part} of the stream \"{}\"", stream.name);
    if stream.name.is_empty() || earlier.iter().any(|other| other.name == stream.name) {
        return Err(Error::plan(name, what("name"), "a unique name", format!("\"{}\"", stream.name)));
    }
    let cells = stream.cells_per_block;
    let most = MAX_BLOCK_BYTES / stream.width.bytes();
    if !cells.is_power_of_two() || cells as usize > most {
        return Err(Error::plan(name, what("cells a block"), format!("a power of two up to {most}"), cells));
    }
    if let Unused::Replace { cell, .. } = stream.unused
        && cell > stream.width.largest()
    {
        return Err(Error::plan(name, what("unused"), format!("at most {}", stream.width.largest()), cell));
    }
    if stream.packing == Packing::Implied && (stream.given.is_none() || stream.width != Width::One) {
        let found = format!("cells of {} bytes, given {:?}", stream.width.bytes(), stream.given);
        return Err(Error::plan(
            name,
            what("packing"),
            "cells of one byte and a given stream to follow from",
            found,
        ));
    }
    if stream.packing == Packing::Ahead && (stream.given.is_some() || stream.hints.is_some()) {
        let found = format!("given {:?}", stream.given.or(stream.hints.map(|hints| hints.name.as_str())));
        return Err(Error::plan(name, what("packing"), "cells one ply ahead that are given nothing", found));
    }
    let Some(wanted) = stream.given else { return Ok(()) };
    match earlier.iter().find(|other| other.name == wanted) {
        Some(given) if given.given.is_none() && given.width == Width::One => Ok(()),
        _ => Err(Error::plan(
            name,
            what("given stream"),
            "an earlier stream of single bytes that is given nothing",
            format!("\"{wanted}\""),
        )),
    }
}
