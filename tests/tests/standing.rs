//! Beads in one's own store and not in the opponent's never hurt: the theorem that the search's table rests on.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use marquis_core::{Hashed, Player, Standing, Value};
use marquis_games::beads::{BeadGame, Capture, Immobile, Leap, Sandwich};
use marquis_retro::{Limits, exhaustive};

/// Solves everything that can be reached, and compares positions that differ in nothing but their standing.
fn more_beads_never_hurt<R: Capture>(text: &str, immobile: Immobile) {
    let (game, root) = BeadGame::<R>::parse(text, immobile).expect("a position");
    let never = AtomicBool::new(false);
    let solved =
        exhaustive::solve(&game, root, &Limits::until(&never), &mut |_| {}).expect("there is no limit");
    let mut families: HashMap<u64, Vec<(Standing, Value, _)>> = HashMap::new();
    for (table, score) in solved.iter() {
        let kin = game.kin(table);
        let for_first = match table.turn {
            Player::First => score.value(),
            Player::Second => score.value().for_opponent(),
        };
        families.entry(kin.key).or_default().push((kin.standing, for_first, *table));
    }
    let mut compared = 0;
    for mut family in families.into_values() {
        family.sort_by_key(|member| member.0);
        for pair in family.windows(2) {
            let [(worse, less, table), (better, more, kin)] = pair else { unreachable!("windows of two") };
            assert_eq!((table.rooks, table.beads, table.turn), (kin.rooks, kin.beads, kin.turn));
            assert!(worse < better, "{table:?} and {kin:?} are one");
            assert!(less <= more, "{table:?} is a {less:?}, {kin:?} a {more:?} for the first player");
            compared += usize::from(less < more);
        }
    }
    assert!(compared > 1000, "{compared} pairs of different value show little");
}

#[test]
fn beads_in_the_own_store_never_hurt() {
    let text = "b2/2oo/w1o1b/2o1/1w1 w 0-0 3";
    more_beads_never_hurt::<Leap>(text, Immobile::Loss);
    more_beads_never_hurt::<Sandwich>(text, Immobile::Loss);
    more_beads_never_hurt::<Sandwich>(text, Immobile::Pass);
}
