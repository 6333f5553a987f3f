//! Race hints, checked by the rules.

use std::collections::HashSet;

use marquis_core::{Cells, Indexed, Player, Slot};
use marquis_games::hex::Side;
use marquis_games::unification::{
    Approach, Flow, Material, RaceHints, Stepping, Unification, UnificationIndex,
};

/// The number of steps that these pieces need to be in one group if the other side never moves; 7 for more or never.
///
/// Searched forwards from the set, with no enemy on the board.
fn alone<R: Stepping>(game: &Unification<R>, own: Cells) -> u8 {
    let board = game.board();
    let mut reached = HashSet::from([own]);
    for distance in 0..7 {
        if reached.iter().any(|&set| board.is_one_group(set)) {
            return distance;
        }
        let mut next = HashSet::new();
        for &set in &reached {
            R::steps(board, set, |step| {
                next.insert(set.without(step.from).with(step.to));
            });
        }
        reached = next;
    }
    7
}

/// The most that a capture can set a side back.
fn set_back<R: Stepping>(game: &Unification<R>, captor: Cells, pieces: Cells) -> u8 {
    let mut most = alone(game, pieces);
    R::steps(game.board(), captor, |step| {
        if pieces.contains(step.to) {
            most = most.max(alone(game, pieces.without(step.to)));
        }
    });
    (most - alone(game, pieces)).min(3)
}

fn check_layer<R: Stepping>(side: u8, layer: Material, every: usize) {
    let side = Side::new(side).unwrap();
    let game = Unification::<R>::new(side);
    let index = UnificationIndex::<R>::new(game, layer.mover.max(layer.opponent));
    let hints = RaceHints::<R>::new(side);
    let slots = index.slots(layer);
    let mut all = vec![0; slots as usize * RaceHints::<R>::BYTES];
    hints.fill(layer, 0, &mut all);
    for slot in (0..slots).step_by(every) {
        let [first, second] = [all[2 * slot as usize], all[2 * slot as usize + 1]];
        let Some(duel) = index.position(layer, Slot(slot)) else {
            assert_eq!([first, second], [0xc0, 0], "the unused index {slot} of {layer:?}");
            continue;
        };
        let (mover, opponent) = (duel.pieces[Player::First], duel.pieces[Player::Second]);
        let distances = (alone(&game, mover), alone(&game, opponent));
        assert_eq!((first & 7, first >> 3 & 7), distances, "slot {slot} of {layer:?}");
        let over = distances.0 == 0 || distances.1 == 0;
        let captures = [set_back(&game, mover, opponent), set_back(&game, opponent, mover)];
        let expected = if over { [0, 0] } else { captures };
        assert_eq!([first >> 6, second & 3], expected, "slot {slot} of {layer:?}");
    }
    // A part of a layer has the same hints as in the whole.
    for (from, count) in [(0, 1), (1, 7), (slots / 2, slots / 3), (slots - 1, 1)] {
        let mut part = vec![9; count as usize * RaceHints::<R>::BYTES];
        hints.fill(layer, from, &mut part);
        assert!(part == all[from as usize * 2..][..part.len()], "slots from {from} of {layer:?}");
    }
}

#[test]
fn hints_tell_the_solo_distances_of_both_sides_and_what_captures_change() {
    check_layer::<Approach>(2, Material { mover: 3, opponent: 2 }, 1);
    check_layer::<Flow>(2, Material { mover: 2, opponent: 3 }, 1);
    check_layer::<Approach>(3, Material { mover: 3, opponent: 4 }, 61);
    check_layer::<Flow>(3, Material { mover: 4, opponent: 3 }, 61);
    check_layer::<Approach>(4, Material { mover: 2, opponent: 2 }, 61);
}

#[test]
fn layers_of_too_many_sets_have_no_hints() {
    let covers = |side, mover, opponent| {
        RaceHints::<Approach>::covers(Side::new(side).unwrap(), Material { mover, opponent })
    };
    assert!(covers(3, 9, 9) && covers(3, 18, 1) && covers(4, 4, 4));
    assert!(!covers(3, 10, 10), "more pieces than cells");
    assert!(!covers(4, 9, 9) && !covers(5, 30, 2) && !covers(3, 0, 3));
}
