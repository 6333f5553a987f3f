//! A layer of chances as a file: one stream of fixed-point numbers, their certificate, and the error of all of them
//! in the header.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use marquis_chance::ChanceInterval;
use marquis_chance::grid::ChanceCell;
use marquis_core::Slot;
use marquis_table::{CellSource, Error, LayerPlan, StreamId, StreamPlan, TableFile, Width, file};

use crate::error::FileError;
use crate::files::layer::LayerId;

/// The stream of chances: of the player to throw, in units of one over the largest cell value.
const CHANCE: &str = "chance";
/// The certificate: the distance of the proved upper and lower bound from the chance, in parts of its unit.
const ABOVE: &str = "above";
const BELOW: &str = "below";
/// The note with the bound on the error of a chance.
const ERROR: &str = "error";
/// The note with the number of parts of a unit that the certificate counts in.
const PARTS: &str = "parts";
/// The unit of a four-byte cell, in units of `u64`.
const UNIT_PARTS: u64 = u64::ONE / u32::MAX as u64;
/// The width of cells of a solved layer.
const WIDTH: Width = Width::Four;
/// The width of cells if size matters more.
const SHORT: Width = Width::Two;

/// Fills in lower and upper bounds of consecutive slots from the given one on, in units of [`LoadedLayer::CERTAIN`], or
/// tells why they are not available.
pub(crate) type FillBounds<'a> = dyn Fn(Slot, &mut [[u64; 2]]) -> Result<(), Error> + Sync + 'a;

/// Bounds of the chances of a layer, and their largest gap.
pub struct LayerChances<'a> {
    /// The bounds; the certificate of the file.
    pub bounds: &'a FillBounds<'a>,
    /// The number of parts that the unit of a four-byte cell is divided into; bounds in between are rounded outward.
    pub parts: u64,
    /// The largest gap between the bounds of a slot.
    pub gap: f64,
}

/// The bound of a certain win.
pub(crate) const CERTAIN: u64 = u64::ONE;

/// The largest change of a chance by rounding it to a cell.
pub(crate) fn rounding(width: Width) -> f64 {
    0.51 / f64::from(width.largest())
}

/// The width of the cells of a table of chances; that of a short table if it has no chances.
pub(crate) fn cell_width(table: &TableFile) -> Width {
    table.stream(CHANCE).map_or(SHORT, |stream| table.stream_header(stream).width)
}

/// Cells of a stream, each computed from the lower bound in its slot, the chance in units of its stream, and the upper
/// bound.
struct CellsOfBounds<'a, C> {
    path: &'a Path,
    bounds: &'a FillBounds<'a>,
    width: Width,
    cell: C,
}

impl<C: Fn(u64, u64, u64) -> u64 + Sync> CellSource for CellsOfBounds<'_, C> {
    fn fill(&self, first: u64, out: &mut [u8]) -> Result<(), Error> {
        let width = self.width.bytes();
        let mut bounds = vec![[0; 2]; out.len() / width];
        (self.bounds)(Slot(first), &mut bounds)?;
        for ((cell, [lower, upper]), slot) in out.chunks_exact_mut(width).zip(bounds).zip(first..) {
            if lower > upper {
                return Err(Error::Plan {
                    name: self.path.display().to_string(),
                    what: format!("the lower bound in slot {slot}"),
                    expected: format!("at most {upper}"),
                    found: lower.to_string(),
                });
            }
            let chance = (lower.midpoint(upper) + UNIT_PARTS / 2) / UNIT_PARTS;
            cell.copy_from_slice(&(self.cell)(lower, chance, upper).to_le_bytes()[..width]);
        }
        Ok(())
    }
}

/// Writes the middles of the bounds of a layer as a file, and the bounds as their certificate.
///
/// Bounds that are too far apart for the certificate are written without one.
///
/// # Errors
/// The bounds are not available, a lower bound is above the upper one, or the file cannot be written: then there is no
/// file.
pub(crate) fn write_layer(id: &LayerId, solved: &LayerChances<'_>, path: &Path) -> Result<(), Error> {
    let LayerChances { bounds, parts, gap } = *solved;
    let each_part = UNIT_PARTS / parts;
    let chances = CellsOfBounds { path, bounds, width: WIDTH, cell: |_: u64, chance: u64, _: u64| chance };
    // The middle was rounded by up to half a unit, which may be more than the gap of the bounds.
    let half = parts.div_ceil(2) * each_part;
    let above = |_: u64, chance: u64, upper: u64| (upper + half - chance * UNIT_PARTS).div_ceil(each_part);
    let above = CellsOfBounds { path, bounds, width: SHORT, cell: above };
    let below = |lower: u64, chance: u64, _: u64| (chance * UNIT_PARTS + half - lower).div_ceil(each_part);
    let below = CellsOfBounds { path, bounds, width: SHORT, cell: below };
    let error = gap / 2.0 + rounding(WIDTH);
    let mut plan = plan(id, error);
    let mut streams = vec![StreamPlan::near(CHANCE, WIDTH, &chances)];
    let farthest = gap / 2.0 * (u64::from(WIDTH.largest()) * parts) as f64 + (parts + 1) as f64;
    if farthest < f64::from(SHORT.largest()) {
        plan.notes.insert(PARTS.to_owned(), parts.to_string());
        streams.push(StreamPlan::near(ABOVE, SHORT, &above));
        streams.push(StreamPlan::near(BELOW, SHORT, &below));
    }
    file::create(path, &plan, &streams, &|_| {}).map(|_| ())
}

/// Writes a layer with its chances rounded to fewer bytes.
pub(crate) fn write_short<L: Copy + Sync>(
    id: &LayerId,
    layer: &LoadedLayer<L>,
    path: &Path,
) -> Result<(), Error> {
    let largest = f64::from(SHORT.largest());
    let cells = |first: u64, out: &mut [u8]| {
        for (cell, slot) in out.chunks_exact_mut(SHORT.bytes()).zip(first..) {
            let units = (layer.chance(Slot(slot)) * largest).round() as u16;
            cell.copy_from_slice(&units.to_le_bytes());
        }
    };
    let plan = plan(id, layer.error + rounding(SHORT));
    file::create(path, &plan, &[StreamPlan::near(CHANCE, SHORT, &cells)], &|_| {}).map(|_| ())
}

fn plan(id: &LayerId, error: f64) -> LayerPlan {
    LayerPlan { notes: [(ERROR.to_owned(), format!("{error:e}"))].into(), ..id.plan() }
}

/// An open file of a layer.
pub(crate) struct ChanceFile {
    table: Arc<TableFile>,
    stream: StreamId,
    error: f64,
}

impl ChanceFile {
    /// Opens a file that claims to be of this layer.
    ///
    /// # Errors
    /// The mismatch with the expected layer.
    pub(crate) fn new(id: &LayerId, table: Arc<TableFile>) -> Result<Self, FileError> {
        let error = stated_error(id, &table)?;
        let stream = table.stream(CHANCE)?;
        Ok(Self { table, stream, error })
    }

    /// Bounds of the chance of the player to throw.
    pub(crate) fn between(&self, slot: Slot) -> Result<ChanceInterval, Error> {
        let largest = f64::from(self.table.stream_header(self.stream).width.largest());
        let chance = f64::from(self.table.cell(self.stream, slot.0)?) / largest;
        Ok(around(chance, self.error))
    }
}

fn around(chance: f64, error: f64) -> ChanceInterval {
    ChanceInterval { lower: (chance - error).max(0.0), upper: (chance + error).min(1.0) }
}

/// The advice for a file with unexpected contents.
const AGAIN: &str = "remove it and build it again";

fn other_note(table: &TableFile, expected: impl Display, found: Option<&String>) -> FileError {
    FileError::unexpected(table.name(), expected, found.map_or("none", String::as_str), AGAIN)
}

/// The error that a table of this layer states.
fn stated_error(id: &LayerId, table: &TableFile) -> Result<f64, FileError> {
    id.expect_slots(table)?;
    let note = table.header().notes.get(ERROR);
    let error = note.and_then(|error| error.parse::<f64>().ok()).filter(|error| (0.0..=1.0).contains(error));
    error.ok_or_else(|| other_note(table, "a note on the error between 0 and 1", note))
}

/// A whole layer in memory.
pub struct LoadedLayer<L> {
    layer: L,
    error: f64,
    cells: Vec<u8>,
    width: Width,
    certificate: Option<Certificate>,
    /// The hashes of everything that was read.
    content: String,
}

/// Self-proving bounds around the chances.
struct Certificate {
    above: Vec<u8>,
    below: Vec<u8>,
    /// The size of one of their numbers in units of `u64`.
    each: u64,
    /// The distance of a bound with the number 0 on the other side of the chance, in units of `u64`.
    half: u64,
}

impl Certificate {
    /// The certificate of a table, if it has one.
    fn read(table: &TableFile) -> Result<Option<Self>, FileError> {
        let Some(note) = table.header().notes.get(PARTS) else { return Ok(None) };
        let parts = note.parse::<u64>().ok().filter(|parts| (1..=UNIT_PARTS).contains(parts));
        let parts = parts.filter(|parts| UNIT_PARTS.is_multiple_of(*parts));
        let expected = || format!("a note on the parts that divides {UNIT_PARTS}");
        let parts = parts.ok_or_else(|| other_note(table, expected(), Some(note)))?;
        let stream = |name| {
            let stream = table.stream(name)?;
            let width = table.stream_header(stream).width;
            if width != SHORT {
                let (expected, found) = (format!("cells of two bytes in {name}"), width.bytes());
                return Err(FileError::unexpected(table.name(), expected, found, AGAIN));
            }
            Ok(table.all_cells(stream)?)
        };
        let each = UNIT_PARTS / parts;
        Ok(Some(Self { above: stream(ABOVE)?, below: stream(BELOW)?, each, half: parts.div_ceil(2) * each }))
    }

    /// The distances of the bounds below and above, in units of `u64`, plus [`half`](Self::half).
    fn at(&self, slot: Slot) -> [u64; 2] {
        let place = slot.0 as usize * SHORT.bytes();
        [&self.below, &self.above]
            .map(|cells| u64::from(u16::from_le_bytes([cells[place], cells[place + 1]])) * self.each)
    }
}

impl<L: Copy> LoadedLayer<L> {
    /// The bound of a certain win.
    pub const CERTAIN: u64 = CERTAIN;

    /// Reads a file.
    ///
    /// # Errors
    /// The fault of the file.
    pub(crate) fn read(layer: L, id: &LayerId, table: &TableFile) -> Result<Self, FileError> {
        let error = stated_error(id, table)?;
        let stream = table.stream(CHANCE)?;
        let cells = table.all_cells(stream)?;
        let width = table.stream_header(stream).width;
        let certificate = if width == WIDTH { Certificate::read(table)? } else { None };
        let hashes: Vec<String> = table
            .header()
            .streams
            .iter()
            .map(|stream| format!("{} {}", stream.name, stream.content))
            .collect();
        let content = format!("{} {error:e} {}", id.name, hashes.join(" "));
        Ok(Self { layer, error, cells, width, certificate, content })
    }

    /// The layer.
    #[must_use]
    pub const fn layer(&self) -> L {
        self.layer
    }

    /// The bound on the error of a chance.
    #[must_use]
    pub const fn error(&self) -> f64 {
        self.error
    }

    /// Describes the source of the bounds: equal texts mean equal bounds.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Whether the file has bounds that can prove its error.
    #[must_use]
    pub const fn has_certificate(&self) -> bool {
        self.certificate.is_some()
    }

    /// The bounds of the chance of the player to throw, in units of `u64`: those of the certificate, or else the
    /// chance plus or minus the error.
    #[must_use]
    pub fn bounds(&self, slot: Slot) -> [u64; 2] {
        let Some(certificate) = &self.certificate else {
            let between = self.between(slot);
            let units = |chance: f64| ((chance.clamp(0.0, 1.0) * u64::ONE as f64) as u64).min(u64::ONE);
            return [units(between.lower.next_down()), (units(between.upper.next_up()) + 1).min(u64::ONE)];
        };
        let (chance, [below, above]) = (self.units(slot) * UNIT_PARTS, certificate.at(slot));
        let half = certificate.half;
        [(chance + half).saturating_sub(below), (chance + above).saturating_sub(half)]
            .map(|bound| bound.min(u64::ONE))
    }

    /// The distance of the farther bound of the certificate from the chance.
    #[must_use]
    pub fn proved_error(&self, slot: Slot) -> f64 {
        let farther = self.certificate.as_ref().map(|own| {
            let [below, above] = own.at(slot);
            below.max(above).saturating_sub(own.half)
        });
        farther.unwrap_or(u64::ONE) as f64 / u64::ONE as f64
    }

    /// The chance of the player to throw.
    ///
    /// Panics if the layer has no such slot.
    #[must_use]
    pub fn chance(&self, slot: Slot) -> f64 {
        self.units(slot) as f64 / f64::from(self.width.largest())
    }

    fn units(&self, slot: Slot) -> u64 {
        let bytes = self.width.bytes();
        let cell = &self.cells[slot.0 as usize * bytes..][..bytes];
        cell.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
    }

    /// The largest change of a chance by rounding.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        rounding(self.width)
    }

    /// Bounds of the chance of the player to throw.
    #[must_use]
    pub fn between(&self, slot: Slot) -> ChanceInterval {
        around(self.chance(slot), self.error)
    }
}
