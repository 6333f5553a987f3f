//! Swish: slide, or leap one unbroken row and capture it.

use std::collections::BTreeSet;

use super::hexboard::DIRECTIONS;
use super::rooks::{Immobile, Position, Slide, judge};
use super::rows::EMPTY;
use super::{End, Moves, Reference};

/// The rules of Swish.
#[derive(Clone, Copy, Debug)]
pub struct Swish {
    /// The rule for a player without a move.
    pub immobile: Immobile,
}

fn slides(position: &Position) -> Vec<Slide> {
    let board = &position.board;
    let mut slides = Vec::new();
    for from in board.all(position.turn) {
        for direction in DIRECTIONS {
            let mut leaped = BTreeSet::new();
            let mut leaped_letter = EMPTY;
            let mut landing = false;
            for to in board.ray(from, direction) {
                let letter = board.at(to);
                if letter == EMPTY {
                    landing = !leaped.is_empty();
                    slides.push(Slide { from, to, captured: leaped.clone() });
                } else if letter == position.turn || landing {
                    break;
                } else if leaped.is_empty() || letter == leaped_letter {
                    leaped.insert(to);
                    leaped_letter = letter;
                } else {
                    break;
                }
            }
        }
    }
    slides
}

impl Reference for Swish {
    fn over(&self, position: &str) -> Option<End> {
        judge(position, self.immobile, slides).0
    }

    fn moves(&self, position: &str) -> Moves {
        judge(position, self.immobile, slides).1
    }
}
