//! What the search knows of pieces that have to come together: how much work a proof looks like.

use marquis_core::Player;
use marquis_eval::Leaning;
use marquis_games::hex::Hex;
use marquis_games::unification::{Gathering, Position};

use crate::doublings::doublings;

/// How much work a proof looks like that a player wins to whom the position leans so far, 1 at least; an estimate.
///
/// Each unit of log-odds halves it. Measured: `crates/proof/MEASUREMENTS.md`.
#[inline]
pub(super) fn by_leaning(leaning: Leaning) -> u32 {
    doublings(EVEN - LEANING * leaning.hundredths() / 100)
}

/// The same on a board of which nothing was learned: each step that the player's pieces need to come together counts
/// three quarters of a doubling, and being off move one and a half.
#[inline]
pub(super) fn by_steps(board: &Hex, position: &Position, player: Player) -> u32 {
    let steps = Gathering::of(board, position.pieces[player]).steps.cast_signed();
    doublings(STEP * steps + if position.turn == player { 0 } else { OFF_MOVE })
}

// What things are worth, in parts of a doubling: an even position, a unit of log-odds, a step, being off
// move.
const EVEN: i32 = 64;
const LEANING: i32 = 4;
const STEP: i32 = 3;
const OFF_MOVE: i32 = 6;

#[cfg(test)]
mod tests {
    use marquis_games::Squish;

    use super::*;

    #[test]
    fn who_is_ahead_has_less_work() {
        assert_eq!(by_leaning(Leaning::new(0)), 1 << 16);
        assert_eq!(by_leaning(Leaning::new(200)), 1 << 14);
        assert_eq!(by_leaning(Leaning::new(-200)), 1 << 18);
        assert!(by_leaning(Leaning::new(-Leaning::MOST)) <= 1 << 24);
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
