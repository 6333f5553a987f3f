//! Move ordering: moves that were good in other positions come first.

use crate::guide::KINDS;

use super::MOST_PLIES;

/// Statistics about kinds of moves.
pub(super) struct MoveStatistics {
    /// By player and kind.
    history: Vec<i32>,
    /// By ply: kinds that refuted the previous move.
    killers: Vec<[usize; 2]>,
}

/// Above every other move.
pub(super) const REMEMBERED: i32 = 1 << 28;
const NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// Ranks from here on belong to noisy or remembered moves.
pub(super) const NOISY_AND_MORE: i32 = NOISY - MOST_HISTORY - 1;
/// Ranks from here on also belong to killer moves.
pub(super) const KILLER_AND_MORE: i32 = KILLER - MOST_HISTORY - 1;
const MOST_HISTORY: i32 = 1 << 14;

impl MoveStatistics {
    pub(super) fn new() -> Self {
        Self { history: vec![0; 2 * KINDS], killers: vec![[usize::MAX; 2]; MOST_PLIES + 1] }
    }

    /// Halves the statistics of the previous position.
    pub(super) fn fade(&mut self) {
        self.history.iter_mut().for_each(|count| *count /= 2);
        self.killers.fill([usize::MAX; 2]);
    }

    /// The rank of a move in the order.
    #[inline]
    pub(super) fn rank(&self, ply: usize, player: usize, kind: usize, noisy: bool) -> i32 {
        let history = self.history[player * KINDS + kind];
        let killer = if self.killers[ply].contains(&kind) { KILLER } else { 0 };
        history + killer + if noisy { NOISY } else { 0 }
    }

    /// Rewards a move that caused a cutoff after others did not.
    pub(super) fn reward(&mut self, ply: usize, player: usize, kind: usize, depth: i32) {
        let bonus = (depth * depth).min(400);
        let count = &mut self.history[player * KINDS + kind];
        *count += bonus - *count * bonus / MOST_HISTORY;
        let killers = &mut self.killers[ply];
        if killers[0] != kind {
            killers[1] = killers[0];
            killers[0] = kind;
        }
    }

    /// Penalizes a move that was searched before one that caused a cutoff.
    pub(super) fn blame(&mut self, player: usize, kind: usize, depth: i32) {
        let malus = (depth * depth).min(400);
        let count = &mut self.history[player * KINDS + kind];
        *count -= malus + *count * malus / MOST_HISTORY;
    }
}
