//! How fast beads can be captured at best: bounds that hold whatever both players do.
//!
//! Rows of beads only ever get shorter: a capture takes a whole row as it stands then, which is part of
//! one row of today, and what is left of that row can only be taken by further moves. So `k` captures of
//! one row each take at most as many beads as the `k` longest rows of today hold together.

use marquis_core::{Cells, Player};

use super::{BeadGame, Capture, Table};
use crate::hex::Hex;

/// Longest row that a board has room for.
const LONGEST: usize = 9;

/// How many rows of beads have at least each length, in all three directions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    at_least: [u8; LONGEST + 2],
}

impl Rows {
    /// Counts the unbroken rows of `beads`, single beads included, once for each direction.
    #[must_use]
    pub fn of(board: &Hex, beads: Cells) -> Self {
        let turned = board.turned(beads);
        let mut rows = Self::default();
        for mut ends in [beads, turned[0], turned[1]] {
            let mut length = 1;
            while !ends.is_empty() && length <= LONGEST {
                let after_another = Cells((ends & board.has_right()).0 << 1);
                rows.at_least[length] += (ends - after_another).len() as u8;
                ends = ends & Cells(ends.0 >> 1) & board.has_right();
                length += 1;
            }
        }
        rows
    }

    /// The fewest rows that hold so many beads together, the longest first; nothing where all are too few.
    #[must_use]
    pub fn fewest(&self, beads: u32) -> Option<u32> {
        let (mut left, mut taken) = (beads, 0);
        for length in (1..=LONGEST).rev() {
            let rows = u32::from(self.at_least[length] - self.at_least[length + 1]);
            let length = length as u32;
            if left <= rows * length {
                return Some(taken + left.div_ceil(length));
            }
            left -= rows * length;
            taken += rows;
        }
        (left == 0).then_some(taken)
    }
}

impl<R: Capture> BeadGame<R> {
    /// Own moves that `player` needs at least to fill his store; nothing where he cannot any more.
    ///
    /// He may still win sooner, or at all, by leaving his opponent without a move.
    #[must_use]
    pub fn moves_to_target(&self, table: &Table, player: Player) -> Option<u32> {
        let missing = u32::from(self.target().0.saturating_sub(table.stores[player].0));
        if missing == 0 {
            return Some(0);
        }
        let a_move = u32::from(R::most_rows(table.rooks[player].len() as u8));
        if missing > table.beads.len() || a_move == 0 {
            return None;
        }
        Rows::of(self.board(), table.beads).fewest(missing).map(|rows| rows.div_ceil(a_move))
    }
}

impl<R: Capture> BeadGame<R> {
    /// How hard a win of `player` looks, as the logarithm to base 2 of the work to prove it; an estimate.
    ///
    /// Each bead that he misses doubles the work, as do a rook less than the opponent has and the
    /// opponent's being on move. Measured on full-size set-ups: `crates/proof/MEASUREMENTS.md`.
    #[inline]
    #[must_use]
    pub fn effort(&self, table: &Table, player: Player) -> u32 {
        let missing = u32::from(self.target().0.saturating_sub(table.stores[player].0));
        let (own, other) = (table.rooks[player].len(), table.rooks[player.opponent()].len());
        let on_move = table.turn == player;
        (missing + other + u32::from(!on_move)).saturating_sub(own + u32::from(on_move)).min(MOST_EFFORT)
    }
}

impl<R: Capture> BeadGame<R> {
    /// About how many positions can be reached from one: rooks anywhere, each bead there or not; an estimate
    /// from above, stores left out.
    #[must_use]
    pub fn estimated_states(&self, table: &Table) -> f64 {
        let cells = f64::from(self.board().count());
        let places =
            |rooks: Cells| (0..rooks.len()).fold(1.0, |n, i| n * (cells - f64::from(i)) / f64::from(i + 1));
        2.0 * places(table.rooks.first) * places(table.rooks.second) * f64::from(table.beads.len()).exp2()
    }
}

/// Beyond this, all wins look equally far.
const MOST_EFFORT: u32 = 20;
