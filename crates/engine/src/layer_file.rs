//! How a solved layer becomes the streams of a file, and how they are read.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use marquis_core::{Plies, Score, Slot};
use marquis_games::beads::{BeadIndex, Leap, Sandwich};
use marquis_games::catalogue::GameId;
use marquis_games::unification::{Approach, Flow, UnificationIndex};
use marquis_retro::layered::{Counts, Layer};
use marquis_retro::{Cells, Entry};
use marquis_table::file::{self, EXTENSION};
use marquis_table::{Error, Fingerprint, Holes, Identity, LayerPlan, StreamId, StreamPlan, Table, Width};

use crate::tabled::{RULES_VERSION, Reopen, Tabled};

/// The stream of values: 1 a draw, 2 a loss, 3 a win; holes repeat a neighbour.
const VALUE: &str = "value";
/// The stream of plies; draws and holes repeat a neighbour.
const PLIES: &str = "plies";

const DRAW: u32 = 1;
const LOSS: u32 = 2;
const WIN: u32 = 3;

/// The fingerprint of the rules and of the numbering; none for what this program has no tables of.
pub(crate) fn known_fingerprint(game: &str, variant: &str) -> Option<Fingerprint> {
    let numbering = match game.parse::<GameId>().ok()? {
        GameId::Squish => UnificationIndex::<Approach>::NUMBERING,
        GameId::Flowish => UnificationIndex::<Flow>::NUMBERING,
        GameId::Swish => BeadIndex::<Leap>::NUMBERING,
        GameId::Squeeze => BeadIndex::<Sandwich>::NUMBERING,
        _ => return None,
    };
    Some(fingerprint(game, variant, numbering))
}

fn fingerprint(game: &str, variant: &str, numbering: u32) -> Fingerprint {
    Fingerprint::of(&format!("marquis {game} {variant} rules {RULES_VERSION} numbering {numbering}"))
}

/// The file of a layer, relative to the folder of tables.
pub(crate) fn layer_path<G: Tabled>(game: &G, layer: G::Layer) -> PathBuf {
    PathBuf::from(game.folder()).join(format!("{}.{EXTENSION}", game.layer_name(layer)))
}

/// Writes a solved layer as a file.
pub(crate) fn write_layer<G: Tabled>(game: &G, layer: &Layer<G::Layer>, path: &Path) -> Result<(), Error> {
    let counts = Counts::of(&layer.cells);
    let longest = counts.longest_win.max(counts.longest_loss);
    // The greatest cell marks holes, so it must not be a number of plies.
    let width = Width::holding(longest as u32 + 1);
    let values = |first: u64, out: &mut [u8]| {
        for (cell, slot) in out.iter_mut().zip(first..) {
            *cell = value_cell(layer.cells.entry(Slot(slot))) as u8;
        }
    };
    let plies = |first: u64, out: &mut [u8]| {
        for (cell, slot) in out.chunks_mut(width.bytes()).zip(first..) {
            let plies = plies_cell(layer.cells.entry(Slot(slot)), width);
            cell.copy_from_slice(&plies.to_le_bytes()[..width.bytes()]);
        }
    };
    let streams = [
        StreamPlan { holes: Holes::Repeat { mark: 0 }, ..StreamPlan::new(VALUE, Width::One, &values) },
        StreamPlan {
            holes: Holes::Repeat { mark: width.largest() },
            given: Some(VALUE),
            ..StreamPlan::new(PLIES, width, &plies)
        },
    ];
    file::create(path, &layer_plan(game, layer, counts), &streams, &|_| {}).map(|_| ())
}

fn layer_plan<G: Tabled>(game: &G, layer: &Layer<G::Layer>, counts: Counts) -> LayerPlan {
    let variant = game.variant();
    let rules = fingerprint(game.game_name(), &variant, game.numbering());
    let layer_name = game.layer_name(layer.layer);
    let counts = [
        ("wins", counts.wins),
        ("draws", counts.draws),
        ("losses", counts.losses),
        ("holes", counts.holes),
        ("longest win", counts.longest_win),
        ("longest loss", counts.longest_loss),
    ];
    LayerPlan {
        identity: Identity { game: game.game_name().to_owned(), variant, layer: layer_name, rules },
        slots: layer.cells.len() as u64,
        counts: counts.map(|(name, count)| (name.to_owned(), count)).into(),
        notes: BTreeMap::new(),
    }
}

/// The value cell of an entry; 0 marks a hole.
const fn value_cell(entry: Entry) -> u32 {
    match entry {
        Entry::Hole => 0,
        Entry::Score(Score::Draw) => DRAW,
        Entry::Score(Score::Loss(_)) => LOSS,
        Entry::Score(Score::Win(_)) => WIN,
    }
}

/// The plies cell of an entry; the greatest cell of the width marks a hole.
fn plies_cell(entry: Entry, width: Width) -> u32 {
    match entry.score().and_then(Score::plies) {
        Some(plies) => u32::from(plies.0),
        None => width.largest(),
    }
}

/// An open file of a layer.
pub(crate) struct LayerFile {
    table: Table<File>,
    value: StreamId,
    plies: StreamId,
}

impl LayerFile {
    /// A file whose streams are those of a layer.
    pub(crate) fn new(table: Table<File>) -> Result<Self, Error> {
        let (value, plies) = (table.stream(VALUE)?, table.stream(PLIES)?);
        Ok(Self { table, value, plies })
    }

    /// The file itself.
    pub(crate) const fn table(&self) -> &Table<File> {
        &self.table
    }

    /// The score in one slot, which is no hole.
    pub(crate) fn score(&self, slot: Slot) -> Result<Score, Error> {
        let value = self.table.cell(self.value, slot.0)?;
        if value == DRAW {
            return Ok(Score::Draw);
        }
        let plies = Plies(self.table.cell(self.plies, slot.0)? as u16);
        Ok(if value == WIN { Score::Win(plies) } else { Score::Loss(plies) })
    }
}

/// Reads a whole layer into memory; holes hold the score of a neighbour.
pub(crate) fn read_layer(table: &Table<File>) -> Result<Cells, Error> {
    let slots = table.header().slots as usize;
    let (value, plies) = (table.stream(VALUE)?, table.stream(PLIES)?);
    let mut values = vec![0; slots];
    table.cells(value, 0, &mut values)?;
    let width = table.stream_header(plies).width.bytes();
    let mut lengths = vec![0; slots * width];
    table.cells(plies, 0, &mut lengths)?;
    let code = |value: u8, plies: &[u8]| {
        let plies = Plies(plies.iter().rev().fold(0, |plies, &byte| plies << 8 | u16::from(byte)));
        let score = match u32::from(value) {
            WIN => Score::Win(plies),
            LOSS => Score::Loss(plies),
            _ => Score::Draw,
        };
        Entry::Score(score).code()
    };
    let codes = values.iter().zip(lengths.chunks(width)).map(|(&value, plies)| code(value, plies));
    let narrow: Option<Vec<u8>> = codes.clone().map(|code| u8::try_from(code).ok()).collect();
    Ok(narrow.map_or_else(|| Cells::Wide(codes.map(|code| code as u16).collect()), Cells::Narrow))
}
