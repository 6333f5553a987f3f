//! Squish: step towards a friend that stands beyond on the same line.

use super::hexboard::DIRECTIONS;
use super::unify::Position;
use super::{End, Moves, Reference};

/// The rules of Squish.
#[derive(Clone, Copy, Debug)]
pub struct Squish;

fn steps(position: &Position) -> Moves {
    let board = &position.board;
    let mut moves = Moves::new();
    for from in board.all(position.turn) {
        for direction in DIRECTIONS {
            let ray = board.ray(from, direction);
            let Some((&to, beyond)) = ray.split_first() else { continue };
            let friend_beyond = beyond.iter().any(|&cell| board.at(cell) == position.turn);
            if board.at(to) != position.turn && friend_beyond {
                moves.extend([position.step(from, to)]);
            }
        }
    }
    moves
}

impl Reference for Squish {
    fn over(&self, position: &str) -> Option<End> {
        let position = Position::read(position);
        position.end(&steps(&position))
    }

    fn moves(&self, position: &str) -> Moves {
        let position = Position::read(position);
        let moves = steps(&position);
        if position.end(&moves).is_some() { Moves::new() } else { moves }
    }
}
