//! The distance of the pieces of a side from being one group.

use std::sync::LazyLock;

use marquis_core::Cells;

use super::remembered::Remembered;
use crate::hex::{Hex, Side};

/// The scatter of a set of pieces.
///
/// ```
/// use marquis_core::Cells;
/// use marquis_games::hex::Side;
/// use marquis_games::unification::Gathering;
///
/// let board = Side::new(3).expect("a side").board();
/// // The two ends of the middle row of five: three cells lie between them, and no cell is next to both.
/// let ends = board.row(2).lowest().expect("a cell").set() | board.row(2).highest().expect("a cell").set();
/// assert_eq!(Gathering::of(board, ends), Gathering { groups: 2, steps: 3, junctions: Cells::EMPTY });
/// let nobody = Gathering { groups: 0, steps: 0, junctions: board.all() };
/// assert_eq!(Gathering::of(board, Cells::EMPTY), nobody);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gathering {
    /// Groups of neighbouring pieces.
    pub groups: u32,
    /// About how many steps the pieces need to come together, ignoring the rules about steps and pieces in the way: the
    /// least, over all groups, of the sum over all other pieces of the cells between.
    pub steps: u32,
    /// The cells next to every group. A step can only make the pieces one group if it ends on one.
    pub junctions: Cells,
}

thread_local! {
    static FOUND: Remembered<Gathering> = Remembered::new(16);
}

impl Gathering {
    /// The scatter of these pieces.
    #[must_use]
    pub fn of(board: &Hex, own: Cells) -> Self {
        FOUND.with(|found| found.get(board, own, || Self::counted(board, own)))
    }

    fn counted(board: &Hex, own: Cells) -> Self {
        let (mut groups, mut steps, mut junctions) = (0, u32::MAX, board.all() - own);
        for group in board.groups(own) {
            groups += 1;
            if !junctions.is_empty() {
                junctions &= board.grown(group);
            }
            steps = steps.min(steps_to(board, own, group, steps));
        }
        Self { groups, steps: if groups < 2 { 0 } else { steps }, junctions }
    }
}

/// The sum of the cells between each piece and a group, or any number that is at least `enough` if the sum is.
fn steps_to(board: &Hex, own: Cells, group: Cells, enough: u32) -> u32 {
    let near = &NEAR[usize::from(board.side().get()) - 2];
    // The others are more than one step away, and count one. A piece that is farther than two steps counts one more,
    // and so on; some distances are computed at once, in the lanes of a vector.
    let mut steps = (own - group).len();
    for nearest in (2..FAR).step_by(LANES) {
        if steps >= enough {
            break;
        }
        let mut within = [Cells::EMPTY; LANES];
        for cell in group {
            let lanes = within.iter_mut().zip(&near[cell.index()][nearest..nearest + LANES]);
            lanes.for_each(|(within, &cells)| *within |= cells);
        }
        steps += within.iter().map(|&within| (own - within).len()).sum::<u32>();
        if (own - within[LANES - 1]).is_empty() {
            break;
        }
    }
    steps
}

/// Most cells of a board.
const CELLS: usize = 61;
/// Distances that are computed at once.
const LANES: usize = 4;
/// More steps than there are between any two cells.
const FAR: usize = 2 + 2 * LANES;

/// By cell and steps: the cells within that many steps.
type CellsWithin = [[Cells; FAR]; CELLS];

/// The neighbourhoods of each board, by side.
static NEAR: LazyLock<[Box<CellsWithin>; 4]> = LazyLock::new(|| {
    [2, 3, 4, 5].map(|side| {
        let mut near = Box::new([[Cells::EMPTY; FAR]; CELLS]);
        let board = Side::new(side).expect("a side").board();
        for cell in board.all() {
            let mut reached = cell.set();
            for within in &mut near[cell.index()] {
                *within = reached;
                reached = board.grown(reached);
            }
        }
        near
    })
});

#[cfg(test)]
mod tests {
    use marquis_core::Cell;
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    /// Steps between two cells, by walking.
    fn distance(board: &Hex, from: Cell, to: Cell) -> u32 {
        let ((q, r), (p, s)) = (board.axial(from), board.axial(to));
        let (dq, dr) = (i32::from(q - p), i32::from(r - s));
        (dq.abs() + dr.abs() + (dq + dr).abs()).unsigned_abs() / 2
    }

    /// The same by its definition.
    fn by_distances(board: &Hex, own: Cells) -> Gathering {
        let groups: Vec<Cells> = {
            let mut found: Vec<Cells> = own.map(|cell| board.group(own, cell)).collect();
            found.sort_by_key(|group| group.0);
            found.dedup();
            found
        };
        let between =
            |cell: Cell, group: Cells| group.map(|other| distance(board, cell, other)).min().unwrap() - 1;
        let steps = |&group: &Cells| (own - group).map(|cell| between(cell, group)).sum::<u32>();
        let is_near = |cell: Cell, mut group: Cells| group.any(|other| distance(board, cell, other) == 1);
        let junctions =
            (board.all() - own).filter(|&cell| groups.iter().all(|&group| is_near(cell, group))).collect();
        Gathering {
            groups: groups.len() as u32,
            steps: groups.iter().map(steps).min().unwrap_or(0),
            junctions,
        }
    }

    #[test]
    fn the_cells_between_are_counted() {
        let mut random = SmallRng::seed_from_u64(5);
        for side in Side::all() {
            let board = side.board();
            for _ in 0..300 {
                let own = Cells(random.random::<u64>() & random.random::<u64>() & random.random::<u64>())
                    & board.all();
                for _ in 0..2 {
                    assert_eq!(Gathering::of(board, own), by_distances(board, own), "{own:?}");
                }
            }
        }
    }
}
