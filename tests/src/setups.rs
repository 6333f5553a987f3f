//! Random positions, reachable or not: anything valid in the notation within the limits of the rules.

use std::collections::BTreeMap;

use crate::draw::Draw;
use crate::reference::hexboard::HexBoard;
use crate::reference::{senet, squinch};

/// An empty board of this side with its cells in random order.
fn empty_hexagon(draw: &mut Draw, side: usize) -> (HexBoard, Vec<(i32, i32)>) {
    let side = i32::try_from(side).expect("a small side");
    let board = HexBoard { side, pieces: BTreeMap::new() };
    let mut cells = board.cells();
    draw.shuffle(&mut cells);
    (board, cells)
}

/// A position of Squish or Flowish on a board of this side, from nearly empty to full.
#[must_use]
pub fn unification(draw: &mut Draw, side: usize) -> String {
    let (mut board, cells) = empty_hexagon(draw, side);
    let pieces = draw.between(0, cells.len());
    let white_of_8 = draw.between(0, 8);
    for cell in cells.into_iter().take(pieces) {
        board.pieces.insert(cell, if draw.below(8) < white_of_8 { 'w' } else { 'b' });
    }
    format!("{} {}", board.write(), draw.pick(&['w', 'b']))
}

/// A position of Swish or Squeeze on a board of this side; in some a store reaches the target.
#[must_use]
pub fn rooks_and_beads(draw: &mut Draw, side: usize) -> String {
    let (mut board, mut cells) = empty_hexagon(draw, side);
    for colour in ['w', 'b'] {
        for _ in 0..draw.between(0, 3) {
            board.pieces.extend(cells.pop().map(|cell| (cell, colour)));
        }
    }
    let most = draw.between(0, cells.len());
    let beads = draw.between(0, most);
    board.pieces.extend(cells.into_iter().take(beads).map(|cell| (cell, 'o')));
    let (white, black) = (draw.below(4), draw.below(4));
    let target = draw.between(1, (beads + white + black).max(1));
    format!("{} {} {white}-{black} {target}", board.write(), draw.pick(&['w', 'b']))
}

/// A position of Squinch on a rectangle of this size, with up to 24 checkers per colour.
#[must_use]
pub fn squinch(draw: &mut Draw, files: usize, ranks: usize) -> String {
    let size = |count| i32::try_from(count).expect("a small board");
    let (files, ranks) = (size(files), size(ranks));
    let mut squares: Vec<(i32, i32)> =
        (1..=files).flat_map(|file| (1..=ranks).map(move |rank| (file, rank))).collect();
    draw.shuffle(&mut squares);
    let mut stacks = BTreeMap::new();
    for colour in ['r', 'w'] {
        let most = draw.between(0, 24);
        let mut left = draw.between(0, most);
        let highest = draw.between(1, 6);
        let own = draw.between(0, squares.len());
        for square in squares.split_off(squares.len() - own) {
            if left > 0 {
                let height = draw.between(1, left.min(highest));
                left -= height;
                stacks.insert(square, (colour, size(height)));
            }
        }
    }
    squinch::Position { files, ranks, stacks, turn: *draw.pick(&['r', 'w']) }.write()
}

/// A position of Senet with this number of pieces; in half of them the pieces crowd together, so that rows and houses
/// matter.
#[must_use]
pub fn senet(draw: &mut Draw, white: usize, black: usize) -> String {
    let all: Vec<i32> = (1..=30).filter(|square| ![27, 30].contains(square)).collect();
    let first = if draw.below(2) == 0 { 0 } else { draw.between(0, all.len() - 10) };
    let mut squares = if first == 0 { all } else { all[first..].to_vec() };
    if draw.below(2) == 0 {
        squares.truncate(12);
    }
    draw.shuffle(&mut squares);
    let colours = std::iter::repeat_n('w', white).chain(std::iter::repeat_n('b', black));
    let track = squares.into_iter().zip(colours).collect();
    senet::Position { track, turn: *draw.pick(&['w', 'b']) }.write()
}
