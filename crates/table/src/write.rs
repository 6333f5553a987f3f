//! Writing a table in one pass: cells are asked for, packed on all threads and written in order.

use std::collections::BTreeMap;
use std::io::Write;

use rayon::prelude::*;

use crate::Error;
use crate::block::{Codec, Form, MAX_BLOCK_BYTES};
use crate::codec::{MAX_STREAMS, encode_header};
use crate::fill::{FILL_UNIT, repeat_neighbours, replace};
use crate::header::{ContentHash, Header, Identity, StreamHeader, Width};
use crate::layout::{self, Entry, MAX_SLOTS};
use crate::ordered::in_order;
use crate::pack::{Ambiguous, Implication, Packer, Packing, Sample, Samples, Side};
use crate::source::{CellSource, Hints};

/// Cells that are made and packed before they are written, a stream.
const BATCH_CELLS: u64 = 1 << 20;

/// What a table is to say about itself, beside its streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerPlan {
    /// Which layer of which game, by which rules.
    pub identity: Identity,
    /// Slots of the layer.
    pub slots: u64,
    /// Figures by name: `wins`, `draws`, `losses`, `holes`, `longest` and the like.
    pub counts: BTreeMap<String, u64>,
    /// Words by name.
    pub notes: BTreeMap<String, String>,
}

/// Cells that nobody will ask for, such as slots without a position.
///
/// They are replaced before anything is hashed or packed, so the table holds ordinary cells in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    /// Every cell matters.
    None,
    /// A cell `mark` becomes like its neighbours: the last cell that matters before it in its unit of
    /// [`FILL_UNIT`] slots, or else the first one after it, or 0 in a unit without any.
    Repeat {
        /// The cell by which the source marks an unused index.
        mark: u32,
    },
    /// A cell `mark` becomes `cell`.
    Replace {
        /// The cell by which the source marks an unused index.
        mark: u32,
        /// What stands there in the table.
        cell: u32,
    },
}

/// A stream that is to be written.
#[derive(Clone, Copy)]
pub struct StreamPlan<'a> {
    /// The name, such as `value`.
    pub name: &'a str,
    /// Bytes a cell.
    pub width: Width,
    /// The cells.
    pub cells: &'a dyn CellSource,
    /// Which of them do not matter.
    pub unused: Unused,
    /// How blocks are packed.
    pub packing: Packing,
    /// Cells a block, a power of two; at most [`MAX_BLOCK_BYTES`] bytes.
    pub cells_per_block: u32,
    /// An earlier stream of single bytes that will be known whenever this one is read.
    pub given: Option<&'a str>,
    /// Hints that will be known whenever this one is read.
    pub hints: Option<&'a Hints>,
}

impl<'a> StreamPlan<'a> {
    /// A plan that is quick to write: no unused indices, nothing given, blocks of 8 KiB, light compression.
    #[must_use]
    pub fn new(name: &'a str, width: Width, cells: &'a dyn CellSource) -> Self {
        let cells_per_block = 8192 / width.bytes() as u32;
        let packing = Packing::Zstd { level: 3 };
        Self { name, width, cells, unused: Unused::None, packing, cells_per_block, given: None, hints: None }
    }

    /// A plan for numbers that are near their neighbours, as quick to write.
    #[must_use]
    pub fn near(name: &'a str, width: Width, cells: &'a dyn CellSource) -> Self {
        Self { packing: Packing::Differences { level: 3 }, ..Self::new(name, width, cells) }
    }

    /// A stream of single bytes that takes no blocks: each cell follows from that of the stream `given`.
    #[must_use]
    pub fn implied(name: &'a str, cells: &'a dyn CellSource, given: &'a str) -> Self {
        Self { packing: Packing::Implied, given: Some(given), ..Self::new(name, Width::One, cells) }
    }

    /// The same stream without blocks, where other tables tell its cells one ply ahead; one that follows from a
    /// stream of the same table stays as it is.
    #[must_use]
    pub fn ahead(self) -> Self {
        if self.packing == Packing::Implied { self } else { Self { packing: Packing::Ahead, ..self } }
    }
}

/// Writes a table to `out` and returns its header.
///
/// The bytes depend on the plan and the cells alone, not on the number of threads. Errors of `out` are reported
/// under `name`. Cells wider than their stream are the caller's to avoid.
///
/// * `progress`: is told of every batch how many cells it had; all streams together come to slots × streams.
///
/// # Errors
/// The plan is impossible, a source of cells fails, a stream does not follow from its given one, or `out` fails.
pub fn write_table(
    mut out: impl Write + Send,
    name: &str,
    layer: &LayerPlan,
    streams: &[StreamPlan<'_>],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Header, Error> {
    check_plan(name, layer, streams)?;
    out.write_all(&layout::head()).map_err(Error::io(name, "write it"))?;
    let mut headers = Vec::with_capacity(streams.len());
    for stream in streams {
        let job = Job::new(layer.slots, stream, streams);
        headers.push(job.write(&mut out, name, progress)?);
    }
    let header = Header {
        identity: layer.identity.clone(),
        slots: layer.slots,
        streams: headers,
        counts: layer.counts.clone(),
        notes: layer.notes.clone(),
    };
    let bytes = encode_header(&header).map_err(|found| {
        Error::plan(name, "the header", format!("at most {} bytes", crate::codec::MAX_HEADER_BYTES), found)
    })?;
    out.write_all(&bytes).map_err(Error::io(name, "write it"))?;
    out.write_all(&layout::trailer(&bytes)).map_err(Error::io(name, "write it"))?;
    out.flush().map_err(Error::io(name, "write it"))?;
    Ok(header)
}

fn check_plan(name: &str, layer: &LayerPlan, streams: &[StreamPlan<'_>]) -> Result<(), Error> {
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
        return Err(Error::plan(name, what("name"), "a name of its own", format!("\"{}\"", stream.name)));
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

/// The writing of one stream.
struct Job<'a> {
    slots: u64,
    plan: &'a StreamPlan<'a>,
    given: Option<(usize, &'a StreamPlan<'a>)>,
    packer: Packer,
    /// Slots that are made at once: whole blocks and whole fill units.
    span: u64,
}

/// The cells of a span, and what is known beside them.
struct Known {
    cells: Vec<u8>,
    given: Vec<u8>,
    hints: Vec<u8>,
}

impl Known {
    /// The blocks of the span.
    fn blocks(&self, cells: usize, width: Width) -> impl Iterator<Item = (&[u8], Side<'_>)> {
        let mut given = self.given.chunks(cells);
        let hint_bytes = self.hints.len() * width.bytes() / self.cells.len().max(1);
        let mut hints = self.hints.chunks((cells * hint_bytes).max(1));
        self.cells.chunks(cells * width.bytes()).map(move |block| {
            let side = Side { given: given.next().unwrap_or(&[]), hints: hints.next().unwrap_or(&[]) };
            (block, side)
        })
    }
}

/// The cells of a span, and its packed blocks one after the other.
struct Span {
    cells: Vec<u8>,
    entries: Vec<Entry>,
    packed: Vec<u8>,
}

impl<'a> Job<'a> {
    fn new(slots: u64, plan: &'a StreamPlan<'a>, streams: &'a [StreamPlan<'a>]) -> Self {
        let given =
            plan.given.and_then(|name| streams.iter().enumerate().find(|(_, other)| other.name == name));
        let span = u64::from(plan.cells_per_block).max(FILL_UNIT);
        Self { slots, plan, given, packer: Packer::Raw, span }
    }

    fn write(
        mut self,
        out: &mut (impl Write + Send),
        name: &str,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<StreamHeader, Error> {
        if self.plan.packing == Packing::Implied {
            return self.write_implied(out, name, progress);
        }
        if self.plan.packing == Packing::Ahead {
            return self.hash_alone(progress);
        }
        self.packer = Packer::train(self.plan.packing, &self.samples()?, self.slots)
            .map_err(Error::io(name, "learn to compress it"))?;
        let mut entries = Vec::new();
        let mut hasher = blake3::Hasher::new();
        let mut packed_bytes = 0;
        let batch = BATCH_CELLS.div_ceil(self.span);
        in_order(
            self.slots.div_ceil(self.span),
            batch,
            |number| self.span_at(number, name),
            |span| {
                hasher.update(&span.cells);
                out.write_all(&span.packed).map_err(Error::io(name, "write it"))?;
                packed_bytes += span.packed.len() as u64;
                entries.extend_from_slice(&span.entries);
                progress(span.cells.len() as u64 / self.plan.width.bytes() as u64);
                Ok(())
            },
        )?;
        let pages = layout::index_pages(&entries, |block, form| self.block_bytes(block, form));
        out.write_all(&pages).map_err(Error::io(name, "write it"))?;
        let model = self.packer.model();
        out.write_all(model).map_err(Error::io(name, "write it"))?;
        Ok(self.header(self.packer.codec(), packed_bytes, model, &hasher))
    }

    /// Bytes of a block in the file.
    fn block_bytes(&self, block: usize, form: Form) -> u64 {
        let width = self.plan.width.bytes() as u64;
        match form {
            Form::Packed(bytes) => bytes.into(),
            Form::Constant => width,
            Form::Stored => {
                let cells = u64::from(self.plan.cells_per_block);
                (self.slots - block as u64 * cells).min(cells) * width
            }
        }
    }

    fn span_at(&self, number: u64, name: &str) -> Result<Span, Error> {
        let known = self.known(number)?;
        let mut packed = Vec::new();
        let mut entries = Vec::new();
        for (block, side) in known.blocks(self.plan.cells_per_block as usize, self.plan.width) {
            let (form, bytes) =
                self.packer.pack(block, side, self.plan.width).map_err(Error::io(name, "compress it"))?;
            entries.push(Entry { form, crc: crc32fast::hash(&bytes) });
            packed.extend_from_slice(&bytes);
        }
        Ok(Span { cells: known.cells, entries, packed })
    }

    /// The cells of a span and what is known beside them.
    fn known(&self, span: u64) -> Result<Known, Error> {
        let first = span * self.span;
        let slots = self.span.min(self.slots - first);
        let cells = filled(self.plan, first, slots)?;
        let given = match self.given {
            Some((_, given)) => filled(given, first, slots)?,
            None => Vec::new(),
        };
        let mut hints = Vec::new();
        if let Some(source) = self.plan.hints {
            hints.resize(slots as usize * source.width.bytes(), 0);
            source.bytes.fill(first, &mut hints)?;
        }
        Ok(Known { cells, given, hints })
    }

    /// Hashes a stream that has no blocks, and writes how its cells follow from the given ones.
    fn write_implied(
        self,
        out: &mut (impl Write + Send),
        name: &str,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<StreamHeader, Error> {
        let ambiguous = |Ambiguous { given, cells: [one, other] }| {
            let what = format!("cells of the stream \"{}\"", self.plan.name);
            Error::plan(
                name,
                what,
                "one for each given cell",
                format!("{one} and {other}, both given {given}"),
            )
        };
        let mut implication = Implication::default();
        let mut hasher = blake3::Hasher::new();
        in_order(
            self.slots.div_ceil(self.span),
            BATCH_CELLS.div_ceil(self.span),
            |number| {
                let known = self.known(number)?;
                Ok((Implication::of(&known.given, &known.cells).map_err(ambiguous)?, known.cells))
            },
            |(part, cells)| {
                hasher.update(&cells);
                progress(cells.len() as u64);
                implication.join(&part).map_err(ambiguous)
            },
        )?;
        let model = implication.to_bytes();
        out.write_all(&model).map_err(Error::io(name, "write it"))?;
        Ok(self.header(Codec::Implied, 0, &model, &hasher))
    }

    /// Hashes a stream of which nothing is written.
    fn hash_alone(self, progress: &(dyn Fn(u64) + Sync)) -> Result<StreamHeader, Error> {
        let mut hasher = blake3::Hasher::new();
        in_order(
            self.slots.div_ceil(self.span),
            BATCH_CELLS.div_ceil(self.span),
            |number| Ok(self.known(number)?.cells),
            |cells| {
                hasher.update(&cells);
                progress(cells.len() as u64 / self.plan.width.bytes() as u64);
                Ok(())
            },
        )?;
        Ok(self.header(Codec::Ahead, 0, &[], &hasher))
    }

    fn header(&self, codec: Codec, packed_bytes: u64, model: &[u8], hasher: &blake3::Hasher) -> StreamHeader {
        StreamHeader {
            name: self.plan.name.to_owned(),
            width: self.plan.width,
            cells_per_block: self.plan.cells_per_block,
            codec,
            given: self.given.map(|(number, _)| number),
            hints: self.plan.hints.map(|hints| hints.name.clone()),
            packed_bytes,
            model_bytes: model.len() as u32,
            model_crc: crc32fast::hash(model),
            content: ContentHash(*hasher.finalize().as_bytes()),
        }
    }

    /// Blocks spread evenly over the layer.
    fn samples(&self) -> Result<Samples, Error> {
        let spans = self.slots.div_ceil(self.span);
        let wanted = Packer::samples_wanted(self.plan.packing).div_ceil(self.span).min(spans);
        let width = self.plan.width;
        let sampled: Vec<Vec<Sample>> = (0..wanted)
            .into_par_iter()
            .map(|number| {
                let place = (u128::from(number) * u128::from(spans) / u128::from(wanted)) as u64;
                let known = self.known(place)?;
                let blocks = known.blocks(self.plan.cells_per_block as usize, width);
                let sample = |(cells, side): (&[u8], Side<'_>)| Sample {
                    cells: cells.to_vec(),
                    given: side.given.to_vec(),
                    hints: side.hints.to_vec(),
                };
                Ok(blocks.map(sample).collect())
            })
            .collect::<Result<_, Error>>()?;
        Ok(Samples { blocks: sampled.into_iter().flatten().collect(), width })
    }
}

/// The cells of a stream as the table holds them.
///
/// * `first`: the start of a fill unit.
fn filled(plan: &StreamPlan<'_>, first: u64, slots: u64) -> Result<Vec<u8>, Error> {
    let mut cells = vec![0; slots as usize * plan.width.bytes()];
    plan.cells.fill(first, &mut cells)?;
    match plan.unused {
        Unused::None => {}
        Unused::Repeat { mark } => repeat_neighbours(&mut cells, plan.width, mark),
        Unused::Replace { mark, cell } => replace(&mut cells, plan.width, mark, cell),
    }
    Ok(cells)
}
