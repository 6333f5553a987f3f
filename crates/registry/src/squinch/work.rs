//! How much work a proof looks like: by the moves that both sides need, or by the ranks that they have to go.

use marquis_core::Player;
use marquis_games::squinch::{Position, Squinch};

use crate::doublings::doublings;

/// How much work a proof that `player` wins looks like, 1 at least; an estimate.
///
/// By the moves that both sides would need alone, where they are known ([`Squinch::moves_needed`]): one more of his own
/// makes it 2½ doublings more, one more of the opponent's two less. Measured: `crates/proof/MEASUREMENTS.md`.
#[inline]
pub(super) fn work(game: &Squinch, position: &Position, player: Player) -> u32 {
    let Some(moves) = game.moves_needed(position) else { return by_ranks(game, position, player) };
    let alone = |of: Player| i32::from(moves[of].alone);
    let on_move = if position.turn() == player { -SOLO_ON_MOVE } else { SOLO_ON_MOVE };
    doublings(SOLO_LEAST + OWN_MOVE * alone(player) - OTHER_MOVE * alone(player.opponent()) + on_move)
}

/// A key that positions share in which both sides have as many checkers and need as many moves.
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

// What things are worth where the moves that both need are known, in parts of a doubling of the work: any win at all, a
// move that he needs, one that the opponent needs, and being on move or off it.
const SOLO_LEAST: i32 = 8;
const OWN_MOVE: i32 = 10;
const OTHER_MOVE: i32 = 8;
const SOLO_ON_MOVE: i32 = 4;

/// The same by the ranks that are to go.
///
/// A rank that one of his checkers has to go makes it four times as much, one of the opponent's half as much, until there
/// is more to go than on the smaller boards: then what he is behind counts, and the rest little, so that numbers have
/// room. Being off move counts as three doublings, being on move as three less.
#[inline]
fn by_ranks(game: &Squinch, position: &Position, player: Player) -> u32 {
    let to_go = |of: Player| position.ranks_to_go(of, game.ranks()).cast_signed();
    let (own, other) = (to_go(player), to_go(player.opponent()));
    let (near, far) = ((own + other).min(NEAR), (own + other - NEAR).max(0));
    let on_move = if position.turn() == player { -ON_MOVE } else { ON_MOVE };
    doublings(LEAST + BEHIND * (own - other) + TO_GO * near + (far / FAR).min(MOST_FAR) + on_move)
}

// What things are worth, in parts of a doubling of the work: any win at all, a rank that he is behind, one that anybody
// has to go, and being on move or off it.
const LEAST: i32 = 16;
const BEHIND: i32 = 6;
const TO_GO: i32 = 2;
const ON_MOVE: i32 = 12;
/// So many ranks to go count like this, and those beyond one part each `FAR` ranks, no more than `MOST_FAR`.
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
