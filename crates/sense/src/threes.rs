//! Cells of a hexagonal board that are looked at together.

use marquis_core::Cell;
use marquis_games::hex::{Direction, Hex};

/// The cells of all triangles and lines of three of a board.
pub(crate) fn threes(board: &Hex) -> Vec<Vec<u8>> {
    let mut threes = Vec::new();
    for cell in board.all() {
        let next = |from: Cell, direction| board.neighbour(from, direction);
        let (right, up_right, up_left) =
            (next(cell, Direction::Right), next(cell, Direction::UpRight), next(cell, Direction::UpLeft));
        for (a, b) in [(right, up_right), (up_right, up_left)] {
            threes.extend(a.zip(b).map(|(a, b)| vec![cell.0, a.0, b.0]));
        }
        for direction in [Direction::Right, Direction::UpRight, Direction::UpLeft] {
            let second = next(cell, direction);
            let third = second.and_then(|second| next(second, direction));
            threes.extend(second.zip(third).map(|(a, b)| vec![cell.0, a.0, b.0]));
        }
    }
    threes
}
