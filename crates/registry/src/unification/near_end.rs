//! Moves that bring the pieces of a side together.

use marquis_games::hex::Hex;
use marquis_games::unification::{Gathering, Position, Stepping};

/// Whether the player to move can bring all his pieces together with this move, which wins.
///
/// The position is not over. Wins that leave the opponent without a move are not seen.
#[inline]
pub(super) fn unites_at_once<R: Stepping>(board: &Hex, position: &Position) -> bool {
    let own = position.pieces[position.turn];
    let Gathering { junctions, .. } = Gathering::of(board, own);
    if junctions.is_empty() {
        return false;
    }
    let mut unites = false;
    R::steps(board, own, |step| {
        let meets = !unites && junctions.contains(step.to);
        unites |= meets && board.is_one_group(own.without(step.from).with(step.to));
    });
    unites
}

#[cfg(test)]
mod tests {
    use marquis_core::{Game as _, Outcome, Reason};
    use marquis_games::hex::Side;
    use marquis_games::unification::{Approach, Flow, Unification};

    use super::*;
    use crate::tests::random_games::each_position;

    /// Compares the forecast with the rules in random games; returns the number of positions where a move unites.
    fn seen<R: Stepping>(side: u8) -> usize {
        let game = Unification::<R>::new(Side::new(side).expect("a side"));
        let mut seen = 0;
        each_position(&game, game.start(), 800, 400, |position, nexts| {
            let unites = nexts.iter().any(|next| {
                game.over(next).is_some_and(|over| {
                    over.reason == Reason::Unified && over.outcome == Outcome::Winner(position.turn)
                })
            });
            assert_eq!(unites_at_once::<R>(game.board(), position), unites, "{position:?}");
            seen += usize::from(unites);
        });
        seen
    }

    #[test]
    fn a_move_that_unites_is_foreseen_and_no_other() {
        for side in [3, 4] {
            let seen = [seen::<Approach>(side), seen::<Flow>(side)];
            assert!(seen.iter().all(|&count| count > 50), "side {side}: {seen:?}");
        }
    }
}
