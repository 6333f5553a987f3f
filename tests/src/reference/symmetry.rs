//! Rotation, reflection and colour swap of position and move texts.

use std::collections::BTreeMap;

use super::hexboard::{Cell, HexBoard};
use super::squinch;
use crate::games::lacks;

/// An image of a text, for positions and for the moves made in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Sixths of a full turn, on hexagonal boards.
    pub turns: u8,
    /// Mirrored before rotation: the hexagon over a diagonal, Squinch left to right.
    pub mirrored: bool,
    /// Colours exchanged, including the player to move; in Squinch the board is then flipped top to bottom.
    pub swapped: bool,
}

/// All images of a game: 24 on the hexagon, 4 in Squinch, 2 in Senet; the first is the text itself.
#[must_use]
pub fn images(game: &str) -> Vec<Image> {
    let (turns, mirrors): (u8, &[bool]) = match game {
        "squinch" => (1, &[false, true]),
        "senet" => (1, &[false]),
        "squish" | "flowish" | "swish" | "squeeze" => (6, &[false, true]),
        _ => lacks(game),
    };
    let mut images = Vec::new();
    for swapped in [false, true] {
        for &mirrored in mirrors {
            images.extend((0..turns).map(|turns| Image { turns, mirrored, swapped }));
        }
    }
    images
}

fn swap_letter(letter: char) -> char {
    match letter {
        'w' => 'b',
        'b' => 'w',
        other => other,
    }
}

impl Image {
    /// The image of a canonical position text.
    #[must_use]
    pub fn position(self, game: &str, position: &str) -> String {
        match game {
            "squinch" => self.squinch_position(position),
            "senet" => self.letters(position),
            "squish" | "flowish" | "swish" | "squeeze" => self.hex_position(position),
            _ => lacks(game),
        }
    }

    /// The image of a move made in `position`.
    #[must_use]
    pub fn mv(self, game: &str, position: &str, mv: &str) -> String {
        if mv == "pass" || game == "senet" {
            return mv.to_owned();
        }
        let sign = if mv.contains('x') { 'x' } else { '-' };
        // A placement names one place.
        let Some((from, to)) = mv.split_once(sign) else { return self.place(game, position, mv) };
        format!("{}{sign}{}", self.place(game, position, from), self.place(game, position, to))
    }

    fn place(self, game: &str, position: &str, place: &str) -> String {
        if place == "off" {
            return place.to_owned();
        }
        match game {
            "squinch" => self.squinch_place(position, place),
            "squish" | "flowish" | "swish" | "squeeze" => {
                let board = HexBoard::read(position.split(' ').next().expect("a board"));
                board.name(self.cell(board.cell(place)))
            }
            _ => lacks(game),
        }
    }

    fn squinch_place(self, position: &str, place: &str) -> String {
        let board = squinch::Position::read(position);
        let all = (1..=board.files).flat_map(|file| (1..=board.ranks).map(move |rank| (file, rank)));
        let square = all.into_iter().find(|&square| squinch::Position::name(square) == place);
        let square = square.unwrap_or_else(|| panic!("no square {place:?} in {position:?}"));
        squinch::Position::name(self.square(&board, square))
    }

    /// The image of a cell.
    #[must_use]
    pub fn cell(self, (q, r): Cell) -> Cell {
        let mut cell = if self.mirrored { (r, q) } else { (q, r) };
        for _ in 0..self.turns {
            cell = (-cell.1, cell.0 + cell.1);
        }
        cell
    }

    fn hex_position(self, position: &str) -> String {
        let (rows, fields) = position.split_once(' ').unwrap_or((position, ""));
        let board = HexBoard::read(rows);
        let pieces: BTreeMap<Cell, char> =
            board.pieces.iter().map(|(&cell, &piece)| (self.cell(cell), piece)).collect();
        let rows = HexBoard { pieces, ..board }.write();
        if fields.is_empty() {
            return self.letters(&rows);
        }
        let mut fields: Vec<String> = fields.split(' ').map(ToOwned::to_owned).collect();
        if let (true, Some(stores)) = (self.swapped, fields.get_mut(1)) {
            let (white, black) = stores.split_once('-').expect("two stores");
            *stores = format!("{black}-{white}");
        }
        self.letters(&format!("{rows} {}", fields.join(" ")))
    }

    fn letters(self, text: &str) -> String {
        if self.swapped { text.chars().map(swap_letter).collect() } else { text.to_owned() }
    }

    fn square(self, board: &squinch::Position, (file, rank): squinch::Square) -> squinch::Square {
        let file = if self.mirrored { board.files + 1 - file } else { file };
        let rank = if self.swapped { board.ranks + 1 - rank } else { rank };
        (file, rank)
    }

    fn squinch_position(self, position: &str) -> String {
        let board = squinch::Position::read(position);
        let swap = |colour| match (self.swapped, colour) {
            (true, 'r') => 'w',
            (true, _) => 'r',
            (false, colour) => colour,
        };
        let stacks = board
            .stacks
            .iter()
            .map(|(&square, &(colour, height))| (self.square(&board, square), (swap(colour), height)));
        let stacks = stacks.collect();
        squinch::Position { stacks, turn: swap(board.turn), ..board }.write()
    }
}
