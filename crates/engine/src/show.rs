//! Boards as rows of cells, for a terminal to draw.

use marquis_core::{Cell, Cells, Player};
use marquis_games::beads::Table;
use marquis_games::catalogue::{Asked, GameId};
use marquis_games::hex::Hex;
use marquis_games::unification::Duel;
use marquis_games::{Squinch, senet, squinch};

use crate::reports::{Drawing, DrawnRow};
use crate::{EngineError, Query};

/// The board of a position, row by row from the top, with labels.
///
/// # Errors
/// Bad input: the position, or a move to play first.
pub fn show(query: &Query) -> Result<Drawing, EngineError> {
    let asked = query.asked()?;
    let (rows, turn, mut notes) = match &asked {
        Asked::Squish(game, duel) => duel_rows(game.board(), duel),
        Asked::Flowish(game, duel) => duel_rows(game.board(), duel),
        Asked::Swish(game, table) => table_rows(game.board(), table, game.target().0),
        Asked::Squeeze(game, table) => table_rows(game.board(), table, game.target().0),
        Asked::Squinch(game, position) => squinch_rows(*game, position),
        Asked::Senet(_, position) => senet_rows(position),
    };
    let letter = query.game.letters()[turn];
    let verb = if query.game == GameId::Senet { "throw" } else { "move" };
    notes.insert(0, format!("{} ({letter}) to {verb}", query.game.colour(turn)));
    Ok(Drawing { rows, notes })
}

type Rows = (Vec<DrawnRow>, Player, Vec<String>);

fn hex_rows(board: &Hex, letter: impl Fn(Cell) -> char) -> Vec<DrawnRow> {
    let row = |row: u8| {
        let cells: Cells = board.row(row);
        let label = char::from(b'a' + row).to_string();
        let indent = board.rows() - cells.len() as u8;
        DrawnRow { label, indent, cells: cells.map(|cell| letter(cell).to_string()).collect() }
    };
    (0..board.rows()).rev().map(row).collect()
}

fn duel_rows(board: &Hex, duel: &Duel) -> Rows {
    let letter = |cell| match (duel.pieces.first.contains(cell), duel.pieces.second.contains(cell)) {
        (true, _) => 'w',
        (_, true) => 'b',
        _ => '.',
    };
    (hex_rows(board, letter), duel.turn, Vec::new())
}

fn table_rows(board: &Hex, table: &Table, target: u16) -> Rows {
    let letter = |cell| match (table.rooks.first.contains(cell), table.rooks.second.contains(cell)) {
        (true, _) => 'w',
        (_, true) => 'b',
        _ if table.beads.contains(cell) => 'o',
        _ => '.',
    };
    let (w, b) = (table.stores.first.0, table.stores.second.0);
    let notes = vec![format!("White's store {w}, Black's store {b}, {target} beads win")];
    (hex_rows(board, letter), table.turn, notes)
}

fn squinch_rows(game: Squinch, position: &squinch::Position) -> Rows {
    let cell = |file, rank| match position.stack(squinch::Square::new(file, rank)) {
        None => ".".to_owned(),
        Some(stack) => format!("{}{}", squinch::notation::LETTERS[stack.owner], stack.height),
    };
    let row = |rank: u8| DrawnRow {
        label: (rank + 1).to_string(),
        indent: 0,
        cells: (0..game.files()).map(|file| cell(file, rank)).collect(),
    };
    let files = (0..game.files()).map(|file| char::from(b'a' + file).to_string()).collect();
    let mut rows: Vec<DrawnRow> = (0..game.ranks()).rev().map(row).collect();
    rows.push(DrawnRow { label: String::new(), indent: 0, cells: files });
    (rows, position.turn(), Vec::new())
}

/// The track as it lies on a board: the second row runs back.
fn senet_rows(position: &senet::Position) -> Rows {
    let cell = |number: u8| {
        let square = senet::Square::new(number)?;
        let owner = Player::BOTH.into_iter().find(|&p| position.pieces(p).has(square));
        Some(owner.map_or_else(|| ".".to_owned(), |owner| senet::notation::LETTERS[owner].to_string()))
    };
    let row = |first: u8| {
        let mut cells: Vec<String> = (first..first + 10).filter_map(cell).collect();
        if first == 11 {
            cells.reverse();
        }
        let last = first + 9;
        let label = if first == 11 { format!("{last}-{first}") } else { format!("{first}-{last}") };
        DrawnRow { label, indent: 0, cells }
    };
    (vec![row(1), row(11), row(21)], position.turn(), Vec::new())
}
