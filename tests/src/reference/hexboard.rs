//! The hexagonal board: cells in axial coordinates, pieces as letters in a map.

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{EMPTY, read_row, write_row};

/// A cell `(q, r)`: `q` to the right, `r` upward along the up-right diagonal, the centre is `(0, 0)`.
pub type Cell = (i32, i32);

/// The six directions.
pub const DIRECTIONS: [Cell; 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];

/// The cell `steps` steps from `cell` in a direction, on the board or not.
#[must_use]
pub fn step(cell: Cell, direction: Cell, steps: i32) -> Cell {
    (cell.0 + steps * direction.0, cell.1 + steps * direction.1)
}

/// The number of steps between two cells on the empty board.
#[must_use]
pub fn distance(a: Cell, b: Cell) -> i32 {
    let (dq, dr) = (a.0 - b.0, a.1 - b.1);
    (dq.abs() + dr.abs() + (dq + dr).abs()) / 2
}

/// A board with pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexBoard {
    /// The number of cells along an edge.
    pub side: i32,
    /// The letter on each occupied cell.
    pub pieces: BTreeMap<Cell, char>,
}

impl HexBoard {
    /// Parses a board, whose rows go from top to bottom.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let rows: Vec<&str> = text.split('/').collect();
        let side = i32::try_from(rows.len().div_ceil(2)).expect("a board has few rows");
        let mut board = Self { side, pieces: BTreeMap::new() };
        for (row, r) in rows.iter().zip((1 - side..side).rev()) {
            let cells = board.row(r);
            let letters = read_row(row);
            assert_eq!(letters.len(), cells.len(), "cells in row {row:?} of {text:?}");
            for (cell, letter) in cells.into_iter().zip(letters) {
                if letter != EMPTY {
                    board.pieces.insert(cell, letter);
                }
            }
        }
        board
    }

    /// The text of the board, as read by [`HexBoard::read`].
    #[must_use]
    pub fn write(&self) -> String {
        let rows: Vec<String> = (1 - self.side..self.side)
            .rev()
            .map(|r| write_row(&self.row(r).into_iter().map(|cell| self.at(cell)).collect::<Vec<_>>()))
            .collect();
        rows.join("/")
    }

    /// Whether the cell is on the board.
    #[must_use]
    pub fn has(&self, (q, r): Cell) -> bool {
        q.abs() < self.side && r.abs() < self.side && (q + r).abs() < self.side
    }

    /// The cells of the row `r`, left to right.
    #[must_use]
    pub fn row(&self, r: i32) -> Vec<Cell> {
        (1 - self.side..self.side).map(|q| (q, r)).filter(|&cell| self.has(cell)).collect()
    }

    /// All cells, row by row from the bottom.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        (1 - self.side..self.side).flat_map(|r| self.row(r)).collect()
    }

    /// The letter on a cell, or [`EMPTY`].
    #[must_use]
    pub fn at(&self, cell: Cell) -> char {
        self.pieces.get(&cell).copied().unwrap_or(EMPTY)
    }

    /// The cells with this letter.
    #[must_use]
    pub fn all(&self, letter: char) -> BTreeSet<Cell> {
        self.pieces.iter().filter(|&(_, &piece)| piece == letter).map(|(&cell, _)| cell).collect()
    }

    /// The cells from `cell` to the edge of the board in a direction, nearest first.
    #[must_use]
    pub fn ray(&self, cell: Cell, direction: Cell) -> Vec<Cell> {
        (1..).map(|steps| step(cell, direction, steps)).take_while(|&next| self.has(next)).collect()
    }

    /// The connected groups of the pieces with this letter.
    #[must_use]
    pub fn groups(&self, letter: char) -> Vec<BTreeSet<Cell>> {
        let mut left = self.all(letter);
        let mut groups = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut group = BTreeSet::from([first]);
            let mut open = vec![first];
            while let Some(cell) = open.pop() {
                for direction in DIRECTIONS {
                    let next = step(cell, direction, 1);
                    if left.remove(&next) {
                        group.insert(next);
                        open.push(next);
                    }
                }
            }
            groups.push(group);
        }
        groups
    }

    /// The name of a cell: the letter of its row from the bottom, its number from the left.
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        let row = self.row(cell.1);
        let number = 1 + row.iter().position(|&other| other == cell).expect("the cell is on the board");
        let letter = b'a' + u8::try_from(cell.1 + self.side - 1).expect("the row is on the board");
        format!("{}{number}", char::from(letter))
    }

    /// The cell of this name.
    #[must_use]
    pub fn cell(&self, name: &str) -> Cell {
        let found = self.cells().into_iter().find(|&cell| self.name(cell) == name);
        found.unwrap_or_else(|| panic!("no cell {name:?} on a board of side {}", self.side))
    }
}
