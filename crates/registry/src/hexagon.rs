//! Shared code of the games on boards of hexagons: drawing a board, and reading its size from a query.

use marquis_core::{Cell, Cells, TextError};
use marquis_engine::{BuildQuery, EngineError};
use marquis_games::hex::{Hex, Side};
use marquis_games::notation::number;
use marquis_wire::reports::DrawnRow;

/// The rows from the top, each indented by the difference to the longest.
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

/// The board of a build query.
///
/// # Errors
/// The query has no side, or no board has this side.
pub(crate) fn wanted_side(query: &BuildQuery) -> Result<Side, EngineError> {
    let side = query.side.map_or_else(String::new, |side| side.to_string());
    let known = query.side.and_then(Side::new);
    Ok(known.ok_or_else(|| TextError::new("side", "--side 2 to 5, or --from POSITION", side))?)
}

/// The number of pieces of each side in a text such as `3v3`.
///
/// # Errors
/// The text has another form, or a board of `cells` cells has no room for them.
pub(crate) fn pieces(text: &str, cells: u8) -> Result<(u8, u8), EngineError> {
    let count =
        |text: &str| number(text).and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=cells).contains(n));
    let pieces = text.split_once('v').and_then(|(mover, opponent)| {
        Some((count(mover)?, count(opponent)?)).filter(|(mover, opponent)| mover + opponent <= cells)
    });
    let expected = format!("two numbers of pieces such as `3v3`, together at most {cells}");
    Ok(pieces.ok_or_else(|| TextError::new("pieces", expected, text))?)
}

/// The approximate number of ways to place `pieces` identical pieces on `cells` cells, at most one per cell.
pub(crate) fn placements(cells: u32, pieces: u32) -> f64 {
    (0..pieces).fold(1.0, |ways, i| ways * f64::from(cells.saturating_sub(i)) / f64::from(i + 1))
}

/// The largest number of images of a placement that share its slot.
const IMAGES: f64 = 12.0;
/// The most memory for an index around a position: enough for some twelve beads on the largest board, or five pieces
/// a side on side 4.
pub(crate) const MOST_BYTES_AROUND: u64 = 16 << 20;

/// The approximate number of slots of the pieces of both sides on `cells` cells.
pub(crate) fn slots(cells: u32, own: u32, others: u32) -> f64 {
    placements(cells, own) * placements(cells.saturating_sub(own), others) / IMAGES
}
