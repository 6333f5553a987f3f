//! The estimated work of a proof in games of pieces that have to come together.

use marquis_core::Player;
use marquis_eval::Leaning;
use marquis_games::hex::Hex;
use marquis_games::unification::{Gathering, Position};

use crate::doublings::doublings;

/// The estimated work of a proof that `player` wins, if the position leans to him by `leaning`; at least 1.
///
/// Each unit of log-odds halves it. Four steps that pieces of either side need to come together double it, because the
/// game lasts longer, and so does being off move. Measured: `crates/proof/MEASUREMENTS.md`.
#[inline]
pub(super) fn by_leaning(board: &Hex, position: &Position, player: Player, leaning: Leaning) -> u32 {
    let length = LENGTH * Player::BOTH.map(|of| steps(board, position, of)).iter().sum::<i32>();
    let off_move = if position.turn == player { 0 } else { OFF_MOVE };
    doublings(EVEN - LEANING * leaning.hundredths() / 100 + length + off_move)
}

/// The estimated work on a board without a trained network: each step that the player's pieces need to come together
/// counts three quarters of a doubling, and being off move one and a half.
#[inline]
pub(super) fn by_steps(board: &Hex, position: &Position, player: Player) -> u32 {
    let off_move = if position.turn == player { 0 } else { OFF_MOVE_UNTRAINED };
    doublings(STEP * steps(board, position, player) + off_move)
}

fn steps(board: &Hex, position: &Position, player: Player) -> i32 {
    Gathering::of(board, position.pieces[player]).steps.cast_signed()
}

// The weights, in quarters of a doubling. With a network: an even position, enough to tell the good ones apart; a unit
// of log-odds, a step of either side, and being off move.
const EVEN: i32 = 36;
const LEANING: i32 = 4;
const LENGTH: i32 = 1;
const OFF_MOVE: i32 = 4;
// Without: a step of the player's own pieces, and being off move.
const STEP: i32 = 3;
const OFF_MOVE_UNTRAINED: i32 = 6;

#[cfg(test)]
mod tests {
    use marquis_games::Squish;

    use super::*;

    #[test]
    fn who_is_ahead_and_near_the_end_has_less_work() {
        // Both sides have two pieces with one cell between them.
        let near = "3/1w1w/5/b1b1/3 w";
        // White's pieces are two steps farther apart.
        let far = "w2/4/4w/b1b1/3 w";
        let work = |text: &str, player: Player, hundredths| {
            let (squish, position) = Squish::parse(text).expect("a position");
            by_leaning(squish.board(), &position, player, Leaning::new(hundredths))
        };
        let here = |hundredths| work(near, Player::First, hundredths);
        assert_eq!([-200, 0, 200].map(here), [36 + 8, 36, 36 - 8].map(|even| doublings(even + 2)));
        assert_eq!(work(far, Player::First, 0), doublings(36 + 4));
        for text in [near, far] {
            let off_move = text.replace(" w", " b");
            assert_eq!(work(text, Player::Second, 0), work(&off_move, Player::First, 0));
            assert_eq!(work(text, Player::Second, 0), 2 * work(text, Player::First, 0));
        }
        assert!(here(-Leaning::MOST) < u32::MAX / 16);
    }

    #[test]
    fn steps_and_the_move_count() {
        // White needs one step and is on move; Black needs one too and is not.
        let (squish, position) = Squish::parse("3/1w1w/5/b1b1/3 w").expect("a position");
        let [white, black] = Player::BOTH.map(|player| by_steps(squish.board(), &position, player));
        assert_eq!([white, black], [doublings(STEP), doublings(STEP + OFF_MOVE_UNTRAINED)]);
        assert!(white < black);
    }
}
