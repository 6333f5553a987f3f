//! What the games on boards of hexagons have in common: how a board is drawn, and how one is asked for.

use marquis_core::{Cell, Cells, TextError};
use marquis_engine::reports::DrawnRow;
use marquis_engine::{BuildQuery, EngineError};
use marquis_games::hex::{Hex, Side};
use marquis_games::notation::number;

/// The rows from the top, each moved to the right by what it is shorter than the longest.
pub(crate) fn rows(board: &Hex, letter: impl Fn(Cell) -> char) -> Vec<DrawnRow> {
    let row = |row: u8| {
        let cells: Cells = board.row(row);
        let label = char::from(b'a' + row).to_string();
        let indent = board.rows() - cells.len() as u8;
        DrawnRow { label, indent, cells: cells.map(|cell| letter(cell).to_string()).collect() }
    };
    (0..board.rows()).rev().map(row).collect()
}

/// The names of the cells, the top row first.
pub(crate) fn cells(board: &Hex) -> Vec<Vec<String>> {
    (0..board.rows()).rev().map(|row| board.row(row).map(|cell| board.name(cell)).collect()).collect()
}

/// The board that a build asks for.
///
/// # Errors
/// None is said, or one that there is not.
pub(crate) fn wanted_side(query: &BuildQuery) -> Result<Side, EngineError> {
    let side = query.side.map_or_else(String::new, |side| side.to_string());
    let known = query.side.and_then(Side::new);
    Ok(known.ok_or_else(|| TextError::new("side", "--side 2 to 5, or --from POSITION", side))?)
}

/// How many pieces each side has in `3v3`.
///
/// # Errors
/// Something else stands there, or more than a board of so many cells has room for.
pub(crate) fn pieces(text: &str, cells: u8) -> Result<(u8, u8), EngineError> {
    let count =
        |text: &str| number(text).and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=cells).contains(n));
    let pieces = text.split_once('v').and_then(|(mover, opponent)| {
        Some((count(mover)?, count(opponent)?)).filter(|(mover, opponent)| mover + opponent <= cells)
    });
    let expected = format!("two numbers of pieces such as `3v3`, together at most {cells}");
    Ok(pieces.ok_or_else(|| TextError::new("pieces", expected, text))?)
}

/// How many ways there are to place so many like pieces on so many cells, one a cell; near enough.
pub(crate) fn placements(cells: u32, pieces: u32) -> f64 {
    (0..pieces).fold(1.0, |ways, i| ways * f64::from(cells.saturating_sub(i)) / f64::from(i + 1))
}

/// How many images a placement can have that share its slot.
const IMAGES: f64 = 12.0;
/// Most memory for numbering what is around a position: some twelve beads on the largest board, or five pieces a side on
/// side 4.
pub(crate) const MOST_BYTES_AROUND: u64 = 16 << 20;

/// About how many slots hold so many pieces of either side on so many cells.
pub(crate) fn slots(cells: u32, own: u32, others: u32) -> f64 {
    placements(cells, own) * placements(cells.saturating_sub(own), others) / IMAGES
}
