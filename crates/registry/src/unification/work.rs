//! The estimated work of a proof in games of pieces that have to come together.

use marquis_core::Player;
use marquis_eval::Leaning;
use marquis_games::hex::Hex;
use marquis_games::unification::{Gathering, Position, Stepping};

use crate::doublings::doublings;

/// The estimated work of a proof that `player` wins, if the position leans to him by `leaning`; at least 1.
///
/// Each unit of log-odds halves it. Four steps that pieces of either side need to come together double it, because the
/// game lasts longer. Being off move doubles it and multiplies it by the number of replies, which all have to be
/// refuted. Measured: `crates/proof/MEASUREMENTS.md`.
#[inline]
pub(super) fn by_leaning<R: Stepping>(
    board: &Hex,
    position: &Position,
    player: Player,
    leaning: Leaning,
) -> u32 {
    let length = LENGTH * Player::BOTH.map(|of| steps(board, position, of)).iter().sum::<i32>();
    counting_replies::<R>(board, position, player, EVEN - LEANING * leaning.hundredths() / 100 + length)
}

/// The estimated work on a board without a trained network: each step that the player's pieces need to come together
/// counts three quarters of a doubling, and replies as [with a network](by_leaning).
#[inline]
pub(super) fn by_steps<R: Stepping>(board: &Hex, position: &Position, player: Player) -> u32 {
    counting_replies::<R>(board, position, player, STEP * steps(board, position, player))
}

/// Two to the power of these parts of a doubling; off move, twice that for each reply of the opponent.
#[inline]
fn counting_replies<R: Stepping>(board: &Hex, position: &Position, player: Player, parts: i32) -> u32 {
    if position.turn == player {
        return doublings(parts);
    }
    let mut replies = 0;
    R::steps(board, position.pieces[position.turn], |_| replies += 1);
    doublings(parts + OFF_MOVE).saturating_mul(replies).max(1)
}

fn steps(board: &Hex, position: &Position, player: Player) -> i32 {
    Gathering::of(board, position.pieces[player]).steps.cast_signed()
}

// The weights, in quarters of a doubling. With a network: an even position, enough to tell the good ones apart; a unit
// of log-odds, and a step of either side.
const EVEN: i32 = 24;
const LEANING: i32 = 4;
const LENGTH: i32 = 1;
// Without: a step of the player's own pieces.
const STEP: i32 = 3;
// Being off move, beside the number of replies.
const OFF_MOVE: i32 = 4;

#[cfg(test)]
mod tests {
    use marquis_games::Squish;
    use marquis_games::unification::Approach;

    use super::*;

    #[test]
    fn who_is_ahead_and_near_the_end_has_less_work() {
        // Both sides have two pieces with one cell between them.
        let near = "3/1w1w/5/b1b1/3 w";
        // White's pieces are two steps farther apart.
        let far = "w2/4/4w/b1b1/3 w";
        let work = |text: &str, player: Player, hundredths| {
            let (squish, position) = Squish::parse(text).expect("a position");
            by_leaning::<Approach>(squish.board(), &position, player, Leaning::new(hundredths))
        };
        let here = |hundredths| work(near, Player::First, hundredths);
        assert_eq!([-200, 0, 200].map(here), [24 + 8, 24, 24 - 8].map(|even| doublings(even + 2)));
        assert_eq!(work(far, Player::First, 0), doublings(24 + 4));
        // Black has two replies in both.
        for text in [near, far] {
            let off_move = text.replace(" w", " b");
            assert_eq!(work(&off_move, Player::First, 0), 2 * 2 * work(text, Player::First, 0));
        }
        let colours_exchanged = near.replace(" w", " b");
        assert_eq!(work(near, Player::Second, 0), work(&colours_exchanged, Player::First, 0));
        assert!(here(-Leaning::MOST) < u32::MAX / 16);
    }

    #[test]
    fn steps_and_the_move_count() {
        // White needs one step and is on move; Black needs one too, is not, and White has two replies.
        let (squish, position) = Squish::parse("3/1w1w/5/b1b1/3 w").expect("a position");
        let [white, black] =
            Player::BOTH.map(|player| by_steps::<Approach>(squish.board(), &position, player));
        assert_eq!([white, black], [doublings(STEP), 2 * doublings(STEP + OFF_MOVE)]);
        assert!(white < black);
    }
}
