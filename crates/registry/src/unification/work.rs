//! The estimated work of a proof in games of pieces that have to come together.

use marquis_core::Player;
use marquis_eval::Leaning;
use marquis_games::hex::{Hex, Side};
use marquis_games::unification::{Gathering, Position};

use crate::doublings::doublings;

/// The estimated work of a proof for the player to whom the position leans by `leaning`, at least 1.
///
/// Each unit of log-odds halves it. Measured: `crates/proof/MEASUREMENTS.md`.
#[inline]
pub(super) fn by_leaning(side: Side, leaning: Leaning) -> u32 {
    doublings(even(side) - LEANING * leaning.hundredths() / 100)
}

/// The estimated work on a board without a trained network: each step that the player's pieces need to come together
/// counts three quarters of a doubling, and being off move one and a half.
#[inline]
pub(super) fn by_steps(board: &Hex, position: &Position, player: Player) -> u32 {
    let steps = Gathering::of(board, position.pieces[player]).steps.cast_signed();
    doublings(STEP * steps + if position.turn == player { 0 } else { OFF_MOVE })
}

/// The work of an even position, in parts of a doubling: enough to tell the good ones apart. On side 5, sums over
/// seventy moves, ply after ply, reach the largest representable number; a sixty-fourth of it takes as many nodes.
const fn even(side: Side) -> i32 {
    if side.get() < 5 { 64 } else { 40 }
}

// The weights of a unit of log-odds, a step, and being off move.
const LEANING: i32 = 4;
const STEP: i32 = 3;
const OFF_MOVE: i32 = 6;

#[cfg(test)]
mod tests {
    use marquis_games::Squish;

    use super::*;

    #[test]
    fn who_is_ahead_has_less_work() {
        let by_leaning =
            |side, hundredths| by_leaning(Side::new(side).expect("a side"), Leaning::new(hundredths));
        assert_eq!([-200, 0, 200].map(|leaning| by_leaning(4, leaning)), [1 << 18, 1 << 16, 1 << 14]);
        assert_eq!([-200, 0, 200].map(|leaning| by_leaning(5, leaning)), [1 << 12, 1 << 10, 1 << 8]);
        assert!([4, 5].iter().all(|&side| by_leaning(side, -Leaning::MOST) <= 1 << 24));
    }

    #[test]
    fn steps_and_the_move_count() {
        // White needs one step and is on move; Black needs one too and is not.
        let (squish, position) = Squish::parse("3/1w1w/5/b1b1/3 w").expect("a position");
        let [white, black] = Player::BOTH.map(|player| by_steps(squish.board(), &position, player));
        assert_eq!([white, black], [doublings(STEP), doublings(STEP + OFF_MOVE)]);
        assert!(white < black);
    }
}
