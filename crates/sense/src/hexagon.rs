//! The common part of the shapes of all games on a hexagonal board.

use marquis_core::Cell;
use marquis_eval::{Shape, Slot, Swap};
use marquis_games::hex::{Direction, Hex, SYMMETRIES, Symmetry};

/// A slot for each cell, two for each counter (the first player's, then the second's), and one for the phase.
///
/// The patterns are single cells and counters, triangles and lines of three, and both players' numbers of a counter.
///
/// * `nobody`: the number of neutral states of a cell, including empty; the states of the first player and of the
///   second follow.
/// * `counters`: the number of states of each.
/// * `more`: further patterns.
pub(crate) fn shape(
    board: &Hex,
    nobody: u8,
    counters: &[u8],
    more: impl IntoIterator<Item = Vec<u8>>,
    phases: u8,
) -> Shape {
    let cells = board.count() as u8;
    let cell = |cell| Slot { states: nobody + 2, opposite: cell, swap: Swap::Owners { nobody } };
    let mut slots: Vec<Slot> = (0..cells).map(cell).collect();
    let mut patterns: Vec<Vec<u8>> = (0..cells).map(|cell| vec![cell]).collect();
    patterns.extend(threes(board));
    for &states in counters {
        let first = slots.len() as u8;
        let counter = |opposite| Slot { states, opposite, swap: Swap::Same };
        slots.extend([counter(first + 1), counter(first)]);
        patterns.extend([vec![first], vec![first + 1], vec![first, first + 1]]);
    }
    patterns.extend(more);
    let phase = slots.len() as u8;
    slots.push(Slot { states: phases, opposite: phase, swap: Swap::Same });
    let images = (0..SYMMETRIES as u8).map(|number| {
        let turned = board.all().map(|cell| board.image(Symmetry(number), cell).0);
        turned.chain(cells..=phase).collect()
    });
    Shape { images: images.collect(), slots, patterns, phase }
}

/// The cells of all triangles and lines of three on a board.
fn threes(board: &Hex) -> Vec<Vec<u8>> {
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
