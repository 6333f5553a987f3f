//! Board text: rows from the top, a letter for a piece, a number for that many empty cells.

use marquis_core::{Cell, Cells};

use super::{Hex, Side};
use crate::notation::{RowToken, TextError, tokens};

/// A parsed board: its side, and the cells of each letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexRows<const N: usize> {
    /// Cells along an edge, from the number of rows.
    pub side: Side,
    /// The cells of each letter, in the order of the `letters` parsed.
    pub cells: [Cells; N],
}

/// Parses board text in which each of `letters` may stand.
///
/// # Errors
/// Names the `board` if no board has that number of rows, or a row (`row c`) with a letter that is not a piece, or
/// too few or too many cells.
pub fn parse_rows<const N: usize>(text: &str, letters: [char; N]) -> Result<HexRows<N>, TextError> {
    let rows = text.bytes().filter(|&b| b == b'/').count() + 1;
    let side = u8::try_from(rows.div_ceil(2)).ok().filter(|_| rows % 2 == 1).and_then(Side::new);
    let side = side.ok_or_else(|| {
        let expected = "3, 5, 7 or 9 rows separated by `/` (side 2 to 5)";
        if text.is_empty() {
            TextError::new("board", expected, text)
        } else {
            TextError::fact("board", expected, format!("{rows} row{}", if rows == 1 { "" } else { "s" }))
        }
    })?;
    let board = side.board();
    let mut cells = [Cells::EMPTY; N];
    for (row, text) in (0..board.rows()).rev().zip(text.split('/')) {
        parse_row(board, row, text, letters, &mut cells)?;
    }
    Ok(HexRows { side, cells })
}

fn parse_row<const N: usize>(
    board: &Hex,
    row: u8,
    text: &str,
    letters: [char; N],
    cells: &mut [Cells; N],
) -> Result<(), TextError> {
    let place = format!("row {}", row_letter(row));
    let mut left = board.row(row);
    let length = left.len();
    let wrong_length = || TextError::new(&place, format!("{length} cells"), text);
    for token in tokens(text, &place) {
        match token? {
            RowToken::Empty(count) => {
                if count > left.len() {
                    return Err(wrong_length());
                }
                left.by_ref().take(count as usize).for_each(drop);
            }
            RowToken::Letter(letter) => {
                let piece = letters.iter().position(|&known| known == letter).ok_or_else(|| {
                    let known: Vec<String> = letters.iter().map(|c| format!("`{c}`")).collect();
                    TextError::new(&place, format!("{} or a number", known.join(", ")), letter.to_string())
                })?;
                let cell = left.next().ok_or_else(wrong_length)?;
                cells[piece] = cells[piece].with(cell);
            }
        }
    }
    if left.is_empty() { Ok(()) } else { Err(wrong_length()) }
}

/// The canonical board text, where `letter` names the piece on a cell.
pub fn write_rows(board: &Hex, letter: impl Fn(Cell) -> Option<char>) -> String {
    let mut out = String::with_capacity((board.count() + u32::from(board.rows())) as usize);
    for row in (0..board.rows()).rev() {
        let mut empty = 0;
        for cell in board.row(row) {
            match letter(cell) {
                None => empty += 1,
                Some(piece) => {
                    push_empty(&mut out, &mut empty);
                    out.push(piece);
                }
            }
        }
        push_empty(&mut out, &mut empty);
        if row > 0 {
            out.push('/');
        }
    }
    out
}

fn push_empty(out: &mut String, empty: &mut u32) {
    // A row has at most nine cells.
    if let Some(digit) = char::from_digit(*empty, 10).filter(|_| *empty > 0) {
        out.push(digit);
    }
    *empty = 0;
}

/// The letter of a row, `a` at the bottom.
fn row_letter(row: u8) -> char {
    char::from(b'a' + row)
}

impl Hex {
    /// The name of a cell: row letter and number along the row, `c4`.
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        let row = (self.axial(cell).1 + self.side().get().cast_signed() - 1).unsigned_abs();
        let first = self.row(row).lowest().map_or(0, |first| first.0);
        format!("{}{}", row_letter(row), cell.0 - first + 1)
    }

    /// The cell in a wish.
    ///
    /// * `place`: the part of the wish: `from`, `to`.
    ///
    /// # Errors
    /// There is no such cell on the board.
    pub(crate) fn wished(&self, place: &str, name: &str) -> Result<Cell, TextError> {
        self.named(name).ok_or_else(|| TextError::new(place, "a cell of the board, such as `a1`", name))
    }

    /// The cell with this name, if it is on the board.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Cell> {
        self.all().find(|&cell| self.name(cell) == name)
    }
}
