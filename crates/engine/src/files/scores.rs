//! The conversion between a layer of scores and the streams of a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use marquis_core::{Plies, Score, Slot};
use marquis_retro::layered::Counts;
use marquis_retro::{Entry, LayerCells};
use marquis_table::file::{self, Repacked};
use marquis_table::{
    CellSource, Codec, Error, LayerPlan, StreamId, StreamPlan, TableFile, TablePart, Unused, Width,
    pack_part, write_table,
};

use crate::files::layer::LayerId;

/// The stream of score codes, which replaces the two others if the longest game fits a byte; unused indices repeat a
/// neighbour.
const SCORE: &str = "score";
/// The stream of values: 1 a draw, 2 a loss, 3 a win; unused indices repeat a neighbour.
const VALUE: &str = "value";
/// The stream of plies; draws have 0, unused indices repeat a neighbour.
const PLIES: &str = "plies";

/// The mark of an unused index in the streams of scores and values.
const UNUSED: u32 = 0;
/// The longest game whose score fits a byte together with the mark of unused indices.
const MOST_PLIES_OF_A_BYTE: u64 = 125;

const DRAW: u32 = 1;
const LOSS: u32 = 2;
const WIN: u32 = 3;

/// The entries of a solved layer, wherever they are stored.
pub(crate) trait Entries: Sync {
    /// The counts of all entries.
    fn counts(&self) -> Counts;

    /// Visits `count` entries from the slot `first`.
    ///
    /// # Errors
    /// They cannot be read.
    fn each(&self, first: u64, count: usize, visit: impl FnMut(Entry)) -> Result<(), Error>;

    /// Their codes, if each is a byte in memory.
    fn codes(&self, first: u64, count: usize) -> Option<&[u8]> {
        let _ = (first, count);
        None
    }
}

impl Entries for LayerCells {
    fn counts(&self) -> Counts {
        Counts::of(self)
    }

    #[inline]
    fn each(&self, first: u64, count: usize, mut visit: impl FnMut(Entry)) -> Result<(), Error> {
        (first..).take(count).for_each(|slot| visit(self.entry(Slot(slot))));
        Ok(())
    }

    fn codes(&self, first: u64, count: usize) -> Option<&[u8]> {
        let Self::Narrow(codes) = self else { return None };
        codes.get(first as usize..)?.get(..count)
    }
}

/// The alignment of the parts of a layer, in slots: no block is split.
pub(crate) const WHOLE_SLOTS: u64 = 8192;

/// A solved part of a layer.
#[derive(Clone, Copy)]
pub(crate) struct SolvedPart<'a> {
    /// The slot of the first cell.
    pub(crate) first: u64,
    pub(crate) cells: &'a LayerCells,
}

impl Entries for SolvedPart<'_> {
    fn counts(&self) -> Counts {
        Counts::of(self.cells)
    }

    #[inline]
    fn each(&self, first: u64, count: usize, visit: impl FnMut(Entry)) -> Result<(), Error> {
        self.cells.each(first - self.first, count, visit)
    }

    fn codes(&self, first: u64, count: usize) -> Option<&[u8]> {
        self.cells.codes(first - self.first, count)
    }
}

/// The cells of a stream, each as wide as `bytes` writes an entry.
struct Stream<'a, E, F> {
    entries: &'a E,
    width: Width,
    bytes: F,
    /// The cell of each code, if a cell is a byte.
    by_code: [u8; 256],
}

impl<E: Entries, F: Fn(Entry, &mut [u8]) + Sync> CellSource for Stream<'_, E, F> {
    fn fill(&self, first: u64, out: &mut [u8]) -> Result<(), Error> {
        let width = self.width.bytes();
        let count = out.len() / width;
        if self.width == Width::One
            && let Some(codes) = self.entries.codes(first, count)
        {
            out.iter_mut().zip(codes).for_each(|(place, &code)| *place = self.by_code[usize::from(code)]);
            return Ok(());
        }
        let mut places = out.chunks_exact_mut(width);
        self.entries.each(first, count, |entry| {
            if let Some(place) = places.next() {
                (self.bytes)(entry, place);
            }
        })
    }
}

/// Writes a solved layer as a file.
pub(crate) fn write_layer(id: &LayerId, scores: &impl Entries, path: &Path) -> Result<(), Error> {
    let write =
        |plan: &LayerPlan, streams: &[StreamPlan<'_>]| file::create(path, plan, streams, &|_| {}).map(|_| ());
    with_streams(id, scores.counts(), scores, write)
}

/// Packs a part of a layer for [`write_parts`].
///
/// * `figures`: of the whole layer.
pub(crate) fn pack_scores(id: &LayerId, figures: Counts, own: SolvedPart<'_>) -> Result<TablePart, Error> {
    let slots = own.first..own.first + own.cells.len() as u64;
    with_streams(id, figures, &own, |plan, streams| pack_part(&id.name, plan, streams, slots))
}

/// Writes a layer from all its packed parts, in order, as a file: the bytes are those of [`write_layer`].
///
/// * `figures`: of the whole layer; `own`: any part of it.
pub(crate) fn write_parts(
    id: &LayerId,
    figures: Counts,
    own: SolvedPart<'_>,
    parts: Vec<TablePart>,
    path: &Path,
) -> Result<(), Error> {
    let write = |plan: &LayerPlan, streams: &[StreamPlan<'_>]| {
        file::create_of_parts(path, plan, streams, parts).map(|_| ())
    };
    with_streams(id, figures, &own, write)
}

/// Returns an error if the cells do not match the hashes of a table.
pub(crate) fn expect_cells(id: &LayerId, scores: &LayerCells, table: &TableFile) -> Result<(), Error> {
    let hash_alone = |plan: &LayerPlan, streams: &[StreamPlan<'_>]| {
        let ahead: Vec<StreamPlan<'_>> = streams.iter().map(|&stream| stream.ahead()).collect();
        write_table(std::io::sink(), table.name(), plan, &ahead, &|_| {})
    };
    let expected = with_streams(id, scores.counts(), scores, hash_alone)?;
    for stream in &expected.streams {
        let found = table.stream_header(table.stream(&stream.name)?).content;
        if found != stream.content {
            let place = format!("the hash of the stream \"{}\"", stream.name);
            let (name, expected) = (table.name().to_owned(), stream.content.to_string());
            return Err(Error::Damaged { name, place, expected, found: found.to_string() });
        }
    }
    Ok(())
}

/// Writes a table again without its cells, if other tables imply them.
pub(crate) fn leave_out_cells(table: &TableFile, to: &Path) -> Result<(), Error> {
    file::repack(table, to, |stream| Some(Repacked::ahead(stream)), &|_| {}).map(|_| ())
}

/// Whether the cells of a table are left out because other tables imply them.
pub(crate) fn is_ahead(table: &TableFile) -> bool {
    table.header().streams.iter().any(|stream| stream.codec == Codec::Ahead)
}

/// Passes the streams of a solved layer to `write`.
///
/// * `figures`: of all of the layer.
fn with_streams<E: Entries, T>(
    id: &LayerId,
    figures: Counts,
    scores: &E,
    write: impl FnOnce(&LayerPlan, &[StreamPlan<'_>]) -> Result<T, Error>,
) -> Result<T, Error> {
    let longest = figures.longest_win.max(figures.longest_loss);
    let codes = stream(scores, Width::One, |entry, place| place[0] = entry.code() as u8);
    let values = stream(scores, Width::One, |entry, place| place[0] = value_cell(entry) as u8);
    let plies = stream(scores, Width::One, |entry, place| place[0] = plies_cell(entry, Width::One) as u8);
    let wide = stream(scores, Width::Two, |entry, place| {
        place.copy_from_slice(&(plies_cell(entry, Width::Two) as u16).to_le_bytes());
    });
    let repeat = |mark| Unused::Repeat { mark };
    let largest = Width::One.largest();
    let streams = if longest <= MOST_PLIES_OF_A_BYTE {
        vec![
            StreamPlan { unused: repeat(UNUSED), ..StreamPlan::new(SCORE, Width::One, &codes) },
            StreamPlan { unused: repeat(UNUSED), ..StreamPlan::implied(VALUE, &values, SCORE) },
            StreamPlan { unused: repeat(largest), ..StreamPlan::implied(PLIES, &plies, SCORE) },
        ]
    } else {
        let unused = repeat(Width::Two.largest());
        vec![
            StreamPlan { unused: repeat(UNUSED), ..StreamPlan::new(VALUE, Width::One, &values) },
            StreamPlan { unused, ..StreamPlan::new(PLIES, Width::Two, &wide) },
        ]
    };
    let plan = LayerPlan { counts: counts(figures), ..id.plan() };
    write(&plan, &streams)
}

fn stream<E: Entries, F: Fn(Entry, &mut [u8]) + Sync>(
    entries: &E,
    width: Width,
    bytes: F,
) -> Stream<'_, E, F> {
    let mut by_code = [0; 256];
    if width == Width::One {
        let places = (0..).zip(by_code.chunks_exact_mut(1));
        places.for_each(|(code, place)| bytes(Entry::of_code(code), place));
    }
    Stream { entries, width, bytes, by_code }
}

fn counts(counts: Counts) -> BTreeMap<String, u64> {
    let counts = [
        ("wins", counts.wins),
        ("draws", counts.draws),
        ("losses", counts.losses),
        ("holes", counts.unused),
        ("longest win", counts.longest_win),
        ("longest loss", counts.longest_loss),
    ];
    counts.map(|(name, count)| (name.to_owned(), count)).into()
}

/// The counts in the header of a table that are wrong, as texts.
pub(crate) fn false_figures(table: &TableFile, found: Counts) -> impl Iterator<Item = String> {
    let stated = &table.header().counts;
    counts(found).into_iter().filter_map(|(name, found)| {
        let stated = stated.get(&name).filter(|&&stated| stated != found)?;
        Some(format!("the head says {name}: {stated}, expected {found} by its cells"))
    })
}

/// The value cell of an entry; 0 marks an unused index.
const fn value_cell(entry: Entry) -> u32 {
    match entry {
        Entry::Unused => 0,
        Entry::Score(Score::Draw) => DRAW,
        Entry::Score(Score::Loss(_)) => LOSS,
        Entry::Score(Score::Win(_)) => WIN,
    }
}

/// The plies cell of an entry; the largest cell of the width marks an unused index.
fn plies_cell(entry: Entry, width: Width) -> u32 {
    match entry {
        Entry::Unused => width.largest(),
        Entry::Score(score) => score.plies().map_or(0, |plies| plies.0.into()),
    }
}

/// An open file of a layer.
pub(crate) struct LayerFile {
    table: Arc<TableFile>,
    scores: Scores,
}

/// The streams that hold the scores.
#[derive(Clone, Copy)]
enum Scores {
    One(StreamId),
    Two {
        value: StreamId,
        plies: StreamId,
    },
    /// None: other tables imply the scores.
    Ahead,
}

impl Scores {
    fn of(table: &TableFile) -> Result<Self, Error> {
        if is_ahead(table) {
            return Ok(Self::Ahead);
        }
        if let Ok(score) = table.stream(SCORE) {
            return Ok(Self::One(score));
        }
        Ok(Self::Two { value: table.stream(VALUE)?, plies: table.stream(PLIES)? })
    }
}

impl LayerFile {
    /// Opens a file whose streams are those of a layer.
    pub(crate) fn new(table: Arc<TableFile>) -> Result<Self, Error> {
        let scores = Scores::of(&table)?;
        Ok(Self { table, scores })
    }

    /// The file itself.
    pub(crate) fn table(&self) -> &TableFile {
        &self.table
    }

    /// The score in a slot, which must not be an unused index; `None` if other tables imply it.
    pub(crate) fn score(&self, slot: Slot) -> Result<Option<Score>, Error> {
        Ok(Some(match self.scores {
            Scores::One(score) => {
                Entry::of_code(self.table.cell(score, slot.0)?).score().unwrap_or(Score::Draw)
            }
            Scores::Two { value, plies } => {
                let value = self.table.cell(value, slot.0)?;
                score_of(value, Plies(self.table.cell(plies, slot.0)? as u16))
            }
            Scores::Ahead => return Ok(None),
        }))
    }
}

const fn score_of(value: u32, plies: Plies) -> Score {
    match value {
        WIN => Score::Win(plies),
        LOSS => Score::Loss(plies),
        _ => Score::Draw,
    }
}

/// Reads a whole layer into memory; unused indices hold the score of a neighbour.
///
/// # Errors
/// As [`all_cells`](marquis_table::Table::all_cells), also if the cells are not in the table.
pub(crate) fn read_layer(table: &TableFile) -> Result<LayerCells, Error> {
    if let Ok(score) = table.stream(SCORE) {
        return Ok(LayerCells::Narrow(table.all_cells(score)?));
    }
    let (value, plies) = (table.stream(VALUE)?, table.stream(PLIES)?);
    let width = table.stream_header(plies).width.bytes();
    let (values, lengths) = (table.all_cells(value)?, table.all_cells(plies)?);
    let code = |(&value, plies): (&u8, &[u8])| {
        let plies = Plies(plies.iter().rev().fold(0, |plies, &byte| plies << 8 | u16::from(byte)));
        Entry::Score(score_of(u32::from(value), plies)).code() as u16
    };
    Ok(LayerCells::Wide(values.iter().zip(lengths.chunks(width)).map(code).collect()))
}
