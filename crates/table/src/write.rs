//! Writing a table in one pass: cells are fetched, packed on all threads and written in order.

use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;

use rayon::prelude::*;

use crate::Error;
use crate::block::{BlockEntry, Codec, Form};
use crate::codec::encode_header;
use crate::content::Subtree;
use crate::header::{StreamHeader, TableHeader};
use crate::layout;
use crate::ordered::in_order;
use crate::pack::{BlockSamples, Implication, Packer, Packing, Sample, SideData};
use crate::plan::{LayerPlan, StreamPlan, check_plan};
use crate::pressed::Pressed;

/// Cells of a stream that are made and packed before they are written.
const BATCH_CELLS: u64 = 1 << 20;

/// Writes a table to `out` and returns its header.
///
/// The bytes depend on the plan and the cells alone, not on the number of threads. Errors of `out` are reported
/// under `name`. The caller must not pass cells wider than their stream.
///
/// * `progress`: called with the number of cells of each batch; the sum over all streams is slots × streams.
///
/// # Errors
/// The plan is impossible, a source of cells fails, a stream does not follow from its given one, or `out` fails.
pub fn write_table(
    out: impl Write + Send,
    name: &str,
    layer: &LayerPlan,
    streams: &[StreamPlan<'_>],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<TableHeader, Error> {
    write_streams(out, name, layer, streams, |job, out| {
        let job = job.taught()?;
        let mut all = Pressed::default();
        job.press(0..layer.slots, |span| {
            out.write_all(&span.packed).map_err(Error::io(name, "write it"))?;
            progress(span.cells);
            all.join(name, job.plan.name, Pressed { packed: Vec::new(), ..span })
        })?;
        job.end(out, &all)
    })
}

/// Writes the head, the streams by means of `write`, and the end of a table.
pub(crate) fn write_streams<'a, W: Write>(
    mut out: W,
    name: &'a str,
    layer: &LayerPlan,
    streams: &'a [StreamPlan<'a>],
    mut write: impl FnMut(StreamJob<'a>, &mut W) -> Result<StreamHeader, Error>,
) -> Result<TableHeader, Error> {
    check_plan(name, layer, streams)?;
    out.write_all(&layout::head()).map_err(Error::io(name, "write it"))?;
    let jobs = streams.iter().map(|stream| StreamJob::new(name, layer.slots, stream, streams));
    let headers = jobs.map(|job| write(job, &mut out)).collect::<Result<_, _>>()?;
    let header = TableHeader {
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

/// The job of writing one stream.
pub(crate) struct StreamJob<'a> {
    /// The name in errors.
    name: &'a str,
    slots: u64,
    pub(crate) plan: &'a StreamPlan<'a>,
    given: Option<(usize, &'a StreamPlan<'a>)>,
    packer: Packer,
}

/// The cells of a span, with the given cells and the hints.
struct SpanCells {
    cells: Vec<u8>,
    given: Vec<u8>,
    hints: Vec<u8>,
}

impl<'a> StreamJob<'a> {
    /// A job with an untrained packer.
    pub(crate) fn new(
        name: &'a str,
        slots: u64,
        plan: &'a StreamPlan<'a>,
        streams: &'a [StreamPlan<'a>],
    ) -> Self {
        let given =
            plan.given.and_then(|name| streams.iter().enumerate().find(|(_, other)| other.name == name));
        Self { name, slots, plan, given, packer: Packer::untaught(plan.packing) }
    }

    /// The same job with a packer that is trained on cells of the whole stream.
    fn taught(self) -> Result<Self, Error> {
        let packer = Packer::train(self.plan.packing, &self.samples()?, self.slots)
            .map_err(Error::io(self.name, "learn to compress it"))?;
        Ok(Self { packer, ..self })
    }

    /// Packs the spans of some slots on all threads, and passes them to `keep` in order.
    ///
    /// * `slots`: whole spans, except for the last of the stream.
    pub(crate) fn press(
        &self,
        slots: Range<u64>,
        keep: impl FnMut(Pressed) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        let span = self.plan.span();
        let (first, count) = (slots.start / span, (slots.end - slots.start).div_ceil(span));
        in_order(count, BATCH_CELLS.div_ceil(span), |number| self.span(first + number), keep)
    }

    fn span(&self, number: u64) -> Result<Pressed, Error> {
        let known = self.known(number)?;
        let bytes = self.plan.width.bytes() as u64;
        let subtree = Subtree::of(&known.cells, number * self.plan.span() * bytes, self.slots * bytes);
        let cells = known.cells.len() as u64 / bytes;
        let mut pressed = Pressed { cells, subtrees: vec![subtree], ..Pressed::default() };
        match self.plan.packing {
            Packing::Ahead => {}
            Packing::Implied => {
                let implication = Implication::of(&known.given, &known.cells);
                pressed.implication =
                    implication.map_err(|found| found.refused(self.name, self.plan.name))?;
            }
            _ => {
                for (block, side) in self.blocks(&known) {
                    let (form, bytes) = self
                        .packer
                        .pack(block, side, self.plan.width)
                        .map_err(Error::io(self.name, "compress it"))?;
                    pressed.entries.push(BlockEntry { form, crc: crc32fast::hash(&bytes) });
                    pressed.packed.extend_from_slice(&bytes);
                }
            }
        }
        Ok(pressed)
    }

    /// Reads the cells of a span, the given cells and the hints.
    fn known(&self, number: u64) -> Result<SpanCells, Error> {
        let first = number * self.plan.span();
        let slots = self.plan.span().min(self.slots - first);
        let cells = self.plan.filled(first, slots)?;
        let given = match self.given {
            Some((_, given)) => given.filled(first, slots)?,
            None => Vec::new(),
        };
        let mut hints = Vec::new();
        if let Some(source) = self.plan.hints {
            hints.resize(slots as usize * source.width.bytes(), 0);
            source.bytes.fill(first, &mut hints)?;
        }
        Ok(SpanCells { cells, given, hints })
    }

    /// The blocks of a span.
    fn blocks<'k>(&self, known: &'k SpanCells) -> impl Iterator<Item = (&'k [u8], SideData<'k>)> + use<'k> {
        let cells = self.plan.cells_per_block as usize;
        let hint_bytes = self.plan.hints.map_or(0, |hints| hints.width.bytes());
        let mut given = known.given.chunks(cells);
        let mut hints = known.hints.chunks((cells * hint_bytes).max(1));
        known.cells.chunks(cells * self.plan.width.bytes()).map(move |block| {
            let side = SideData { given: given.next().unwrap_or(&[]), hints: hints.next().unwrap_or(&[]) };
            (block, side)
        })
    }

    /// Writes the end of a stream, after its blocks.
    ///
    /// * `all`: its spans, joined; their packed bytes are not used.
    pub(crate) fn end(&self, out: &mut impl Write, all: &Pressed) -> Result<StreamHeader, Error> {
        let (codec, model) = match self.plan.packing {
            Packing::Implied => (Codec::Implied, Cow::Owned(all.implication.to_bytes())),
            Packing::Ahead => (Codec::Ahead, Cow::default()),
            _ => (self.packer.codec(), Cow::Borrowed(self.packer.model())),
        };
        let bytes = |block, form| self.block_bytes(block, form);
        let pages = layout::index_pages(&all.entries, bytes);
        out.write_all(&pages).map_err(Error::io(self.name, "write it"))?;
        out.write_all(&model).map_err(Error::io(self.name, "write it"))?;
        let blocks = all.entries.iter().enumerate();
        Ok(StreamHeader {
            name: self.plan.name.to_owned(),
            width: self.plan.width,
            cells_per_block: self.plan.cells_per_block,
            codec,
            given: self.given.map(|(number, _)| number),
            hints: self.plan.hints.map(|hints| hints.name.clone()),
            packed_bytes: blocks.map(|(block, entry)| bytes(block, entry.form)).sum(),
            model_bytes: model.len() as u32,
            model_crc: crc32fast::hash(&model),
            content: Subtree::root(&all.subtrees),
        })
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

    /// Blocks spread evenly over the layer.
    fn samples(&self) -> Result<BlockSamples, Error> {
        let span = self.plan.span();
        let spans = self.slots.div_ceil(span);
        let wanted = Packer::samples_wanted(self.plan.packing).div_ceil(span).min(spans);
        let sampled: Vec<Vec<Sample>> = (0..wanted)
            .into_par_iter()
            .map(|number| {
                let place = (u128::from(number) * u128::from(spans) / u128::from(wanted)) as u64;
                let known = self.known(place)?;
                let sample = |(cells, side): (&[u8], SideData<'_>)| Sample {
                    cells: cells.to_vec(),
                    given: side.given.to_vec(),
                    hints: side.hints.to_vec(),
                };
                Ok(self.blocks(&known).map(sample).collect())
            })
            .collect::<Result<_, Error>>()?;
        Ok(BlockSamples { blocks: sampled.into_iter().flatten().collect(), width: self.plan.width })
    }
}
