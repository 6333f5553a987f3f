//! Squeeze: slide, and capture everything that is then sandwiched between the moved rook and another of yours.

use std::collections::BTreeSet;

use super::hexboard::{Cell, DIRECTIONS, HexBoard};
use super::rooks::{Immobile, Position, Slide, judge};
use super::rows::EMPTY;
use super::{End, Moves, Reference};

/// The rules of Squeeze.
#[derive(Clone, Copy, Debug)]
pub struct Squeeze {
    /// The rule for a player without a move.
    pub immobile: Immobile,
}

/// The row next to a rook in a direction, if it consists of beads alone or enemy rooks alone and ends at a friend.
fn sandwiched(board: &HexBoard, rook: Cell, direction: Cell) -> Vec<Cell> {
    let own = board.at(rook);
    let ray = board.ray(rook, direction);
    let Some(end) = ray.iter().position(|&cell| board.at(cell) == own) else { return Vec::new() };
    let row = &ray[..end];
    let letters: BTreeSet<char> = row.iter().map(|&cell| board.at(cell)).collect();
    if letters.len() == 1 && !letters.contains(&EMPTY) { row.to_vec() } else { Vec::new() }
}

fn slides(position: &Position) -> Vec<Slide> {
    let board = &position.board;
    let mut slides = Vec::new();
    for from in board.all(position.turn) {
        for direction in DIRECTIONS {
            for to in board.ray(from, direction) {
                if board.at(to) != EMPTY {
                    break;
                }
                let mut after = board.clone();
                after.pieces.remove(&from);
                after.pieces.insert(to, position.turn);
                let captured = DIRECTIONS.iter().flat_map(|&way| sandwiched(&after, to, way)).collect();
                slides.push(Slide { from, to, captured });
            }
        }
    }
    slides
}

impl Reference for Squeeze {
    fn over(&self, position: &str) -> Option<End> {
        judge(position, self.immobile, slides).0
    }

    fn moves(&self, position: &str) -> Moves {
        judge(position, self.immobile, slides).1
    }
}
