//! A layer of chances as a file: one stream of fixed-point numbers, and the error of all of them in the header.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

use marquis_chance::Between;
use marquis_chance::grid::{Bounds, Cell};
use marquis_core::Slot;
use marquis_games::senet::{Layer, Position};
use marquis_table::file::{self, EXTENSION};
use marquis_table::{Error, Fingerprint, Identity, LayerPlan, StreamId, StreamPlan, Table, Width};

use super::layout::Placements;
use crate::EngineError;
use crate::facade::file_error;
use crate::tabled::RULES_VERSION;

/// The name of the game in a header.
pub(crate) const GAME: &str = "senet";
/// The name of the rules in a header; there is one set of them.
pub(crate) const VARIANT: &str = "jequier";
/// The stream of chances: of the player to throw, in units of one over the greatest cell.
const CHANCE: &str = "chance";
/// The note that says how far a chance may be from the truth.
const ERROR: &str = "error";
/// The width of cells that a solved layer is written in.
const WIDTH: Width = Width::Four;
/// The width of cells where little room matters more.
const SHORT: Width = Width::Two;

/// The fingerprint of the rules and of the numbering.
pub(crate) fn fingerprint() -> Fingerprint {
    let numbering = marquis_games::senet::index::NUMBERING;
    Fingerprint::of(&format!("marquis {GAME} {VARIANT} rules {RULES_VERSION} numbering {numbering}"))
}

/// The name of a layer, also of its file: `3v2`.
pub(crate) fn layer_name(layer: Layer) -> String {
    format!("{}v{}", layer.mover, layer.waiter)
}

/// The layer of this name.
pub(crate) fn layer_named(name: &str) -> Option<Layer> {
    let (mover, waiter) = name.split_once('v')?;
    let layer = Layer::new(mover.parse().ok()?, waiter.parse().ok()?)?;
    (layer_name(layer) == name).then_some(layer)
}

/// The file of a layer, relative to the folder of tables.
pub(crate) fn layer_path(layer: Layer) -> PathBuf {
    PathBuf::from(GAME).join(format!("{}.{EXTENSION}", layer_name(layer)))
}

/// How far a chance may move when it is rounded to a cell.
pub(crate) fn rounding(width: Width) -> f64 {
    0.51 / f64::from(width.largest())
}

/// The width of the cells of a table of chances; that of a short one where it has none.
pub(crate) fn cell_width(table: &Table<File>) -> Width {
    table.stream(CHANCE).map_or(SHORT, |stream| table.stream_header(stream).width)
}

/// Writes the middles of the bounds of a layer as a file.
///
/// * `gap`: no bounds are farther apart.
pub(crate) fn write<C: Cell>(
    path: &Path,
    layer: Layer,
    plane: &Bounds<C>,
    (rows, columns): (&Placements, &Placements),
    gap: f64,
) -> Result<(), Error> {
    let largest = f64::from(WIDTH.largest());
    let cells = |first: u64, out: &mut [u8]| {
        for (cell, slot) in out.chunks_exact_mut(WIDTH.bytes()).zip(first..) {
            let (own, other) = layer.sets(Slot(slot));
            let [lower, upper] = plane.at(rows.number(own) as usize, columns.number(other) as usize);
            let middle = f64::midpoint(lower.to_f64(), upper.to_f64());
            cell.copy_from_slice(&((middle * largest).round() as u32).to_le_bytes());
        }
    };
    let error = gap / 2.0 + rounding(WIDTH);
    file::create(path, &plan(layer, error), &[StreamPlan::new(CHANCE, WIDTH, &cells)], &|_| {}).map(|_| ())
}

/// Writes a layer again, its chances rounded to fewer bytes.
pub(crate) fn write_short(path: &Path, layer: &LoadedLayer) -> Result<(), Error> {
    let largest = f64::from(SHORT.largest());
    let cells = |first: u64, out: &mut [u8]| {
        for (cell, slot) in out.chunks_exact_mut(SHORT.bytes()).zip(first..) {
            let units = (layer.chance(Slot(slot)) * largest).round() as u16;
            cell.copy_from_slice(&units.to_le_bytes());
        }
    };
    let plan = plan(layer.layer, layer.error + rounding(SHORT));
    file::create(path, &plan, &[StreamPlan::new(CHANCE, SHORT, &cells)], &|_| {}).map(|_| ())
}

fn plan(layer: Layer, error: f64) -> LayerPlan {
    let identity = Identity {
        game: GAME.to_owned(),
        variant: VARIANT.to_owned(),
        layer: layer_name(layer),
        rules: fingerprint(),
    };
    let notes = BTreeMap::from([(ERROR.to_owned(), format!("{error:e}"))]);
    LayerPlan { identity, slots: layer.slots(), counts: BTreeMap::new(), notes }
}

/// An open file of a layer.
pub(crate) struct SenetFile {
    pub(crate) layer: Layer,
    table: Table<File>,
    stream: StreamId,
    error: f64,
}

impl SenetFile {
    /// A file that says that it is one of Senet.
    ///
    /// # Errors
    /// What is not as expected, in words.
    pub(crate) fn new(table: Table<File>) -> Result<Self, String> {
        let (layer, error) = Self::about(&table)?;
        let stream = table.stream(CHANCE).map_err(|error| error.to_string())?;
        Ok(Self { layer, table, stream, error })
    }

    /// Layer and error of a table.
    pub(crate) fn about(table: &Table<File>) -> Result<(Layer, f64), String> {
        let header = table.header();
        let name = &header.identity.layer;
        let layer = layer_named(name).ok_or_else(|| format!("expected a layer such as 3v2, found {name}"))?;
        if header.slots != layer.slots() {
            return Err(format!("expected {} slots, found {}; build it again", layer.slots(), header.slots));
        }
        let note = header.notes.get(ERROR).and_then(|error| error.parse::<f64>().ok());
        let error = note.filter(|error| (0.0..=1.0).contains(error));
        let error = error.ok_or_else(|| "expected a note on the error between 0 and 1".to_owned())?;
        Ok((layer, error))
    }

    fn between(&self, slot: Slot) -> Result<Between, Error> {
        let largest = f64::from(self.table.stream_header(self.stream).width.largest());
        let chance = f64::from(self.table.cell(self.stream, slot.0)?) / largest;
        Ok(around(chance, self.error))
    }
}

fn around(chance: f64, error: f64) -> Between {
    Between { lower: (chance - error).max(0.0), upper: (chance + error).min(1.0) }
}

/// All layers of Senet that are in files.
#[derive(Default)]
pub(crate) struct SenetTables(HashMap<Layer, SenetFile>);

impl SenetTables {
    pub(crate) fn add(&mut self, file: SenetFile) {
        self.0.entry(file.layer).or_insert(file);
    }

    /// The chance of the player to throw, if a file holds it.
    ///
    /// * `position`: one that is not over.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn look_up(&self, position: &Position) -> Result<Option<Between>, EngineError> {
        let Some(file) = Layer::of(position).and_then(|layer| self.0.get(&layer)) else { return Ok(None) };
        let between = file.between(file.layer.slot(position));
        between.map(Some).map_err(|error| file_error(Path::new(file.table.name()), &error))
    }
}

/// A whole layer in memory.
pub(crate) struct LoadedLayer {
    pub(crate) layer: Layer,
    pub(crate) error: f64,
    cells: Vec<u8>,
    width: Width,
}

impl LoadedLayer {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn read(table: &Table<File>) -> Result<Self, String> {
        let (layer, error) = SenetFile::about(table)?;
        let stream = table.stream(CHANCE).map_err(|error| error.to_string())?;
        let cells = table.all_cells(stream).map_err(|error| error.to_string())?;
        Ok(Self { layer, error, cells, width: table.stream_header(stream).width })
    }

    /// The chance of the player to throw.
    ///
    /// Panics when the layer has no such slot.
    pub(crate) fn chance(&self, slot: Slot) -> f64 {
        let bytes = self.width.bytes();
        let cell = &self.cells[slot.0 as usize * bytes..][..bytes];
        let units = cell.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        f64::from(units) / f64::from(self.width.largest())
    }

    /// How far a chance may have moved when it was rounded.
    pub(crate) fn rounding(&self) -> f64 {
        rounding(self.width)
    }

    /// Bounds of the chance of the player to throw.
    pub(crate) fn between(&self, slot: Slot) -> Between {
        around(self.chance(slot), self.error)
    }
}
