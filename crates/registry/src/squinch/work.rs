//! The estimated work of a proof: by the moves that both sides need, or by the ranks that they have to go.

use marquis_core::Player;
use marquis_games::squinch::{Position, Squinch};

use crate::doublings::doublings;

/// The estimated work of a proof that `player` wins, at least 1.
///
/// It is estimated from the moves that both sides would need alone, if they are known ([`Squinch::moves_needed`]):
/// each move of the player adds 2½ doublings, each move of the opponent takes two away. Measured:
/// `crates/proof/MEASUREMENTS.md`.
#[inline]
pub(super) fn work(game: &Squinch, position: &Position, player: Player) -> u32 {
    let Some(moves) = game.moves_needed(position) else { return by_ranks(game, position, player) };
    let alone = |of: Player| i32::from(moves[of].alone);
    let on_move = if position.turn() == player { -SOLO_ON_MOVE } else { SOLO_ON_MOVE };
    doublings(SOLO_LEAST + OWN_MOVE * alone(player) - OTHER_MOVE * alone(player.opponent()) + on_move)
}

/// A key of positions in which both sides have the same number of checkers and need the same number of moves.
#[inline]
pub(super) fn kin(game: &Squinch, position: &Position) -> Option<u64> {
    let moves = game.moves_needed(position)?;
    let of = |player: Player| {
        let words =
            [moves[player].alone, moves[player].sure.unwrap_or(u8::MAX), position.checkers(player) as u8];
        words.into_iter().fold(0, |key, word| key << 8 | u64::from(word))
    };
    Some(of(Player::First) << 24 | of(Player::Second))
}

// Weights if the moves that both need are known, in parts of a doubling of the work: any win at all, a move that the
// player needs, one that the opponent needs, and being on move or off it.
const SOLO_LEAST: i32 = 8;
const OWN_MOVE: i32 = 10;
const OTHER_MOVE: i32 = 8;
const SOLO_ON_MOVE: i32 = 4;

/// The estimated work by the ranks to go.
///
/// Each rank of the player's checkers makes the work four times as much, each of the opponent's half as much. Beyond
/// the totals of the smaller boards the player's deficit counts in full and the rest little, so that numbers have
/// room. Being off move adds three doublings, being on move takes three away.
#[inline]
fn by_ranks(game: &Squinch, position: &Position, player: Player) -> u32 {
    let to_go = |of: Player| position.ranks_to_go(of, game.ranks()).cast_signed();
    let (own, other) = (to_go(player), to_go(player.opponent()));
    let (near, far) = ((own + other).min(NEAR), (own + other - NEAR).max(0));
    let on_move = if position.turn() == player { -ON_MOVE } else { ON_MOVE };
    doublings(LEAST + BEHIND * (own - other) + TO_GO * near + (far / FAR).min(MOST_FAR) + on_move)
}

// Weights, in parts of a doubling of the work: any win at all, a rank of deficit, a rank that either side has to go,
// and being on move or off it.
const LEAST: i32 = 16;
const BEHIND: i32 = 6;
const TO_GO: i32 = 2;
const ON_MOVE: i32 = 12;
/// Up to `NEAR` ranks to go count in full; beyond them, one part for each `FAR` ranks, at most `MOST_FAR`.
const NEAR: i32 = 32;
const FAR: i32 = 4;
const MOST_FAR: i32 = 8;

#[cfg(test)]
mod tests {
    use marquis_games::squinch::parse;

    use super::*;

    /// The work of a win for Red, and for White.
    fn works(text: &str) -> [u32; 2] {
        let (game, position) = parse(text).expect(text);
        Player::BOTH.map(|player| by_ranks(&game, &position, player))
    }

    #[test]
    fn the_work_grows_with_what_is_to_go_and_shrinks_with_what_the_opponent_has_to_go() {
        // Red has 1 rank to go and White 3: parts of a doubling 16 + 8 − 12 ∓ 12, and 16 + 24 − 4 ± 12.
        assert_eq!(works("r1,1,w1/3/3 r"), [1, 1 << 12]);
        assert_eq!(works("r1,1,w1/3/3 w"), [1 << 6, 1 << 6]);
        // The same with the colours exchanged.
        assert_eq!(works("3/3/w1,1,r1 w"), [1 << 12, 1]);
    }

    #[test]
    fn what_is_to_go_beyond_the_smaller_boards_counts_little_and_no_more_than_two_doublings() {
        // 20, 40 and 60 ranks to go each: 16 + 64 + 2, 8 and 8 parts of a doubling, less 12 on move.
        assert_eq!(works("w4,2/3/3/3/r4,2 r")[0], (1 << 17) + (1 << 16));
        assert_eq!(works("w8,2/3/3/3/r8,2 r")[0], 1 << 19);
        assert_eq!(works("w12,2/3/3/3/r12,2 r")[0], 1 << 19);
    }
}
