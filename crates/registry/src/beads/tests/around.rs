//! Tables around random positions, with every reachable entry compared with the exhaustive solver.

use marquis_core::{ByPlayer, Game as _, Immobile, Player};
use marquis_engine::SubTable;
use marquis_games::beads::{BeadGame, Beads, Capture, Leap, Position, Sandwich};
use marquis_games::hex::Side;
use marquis_retro::SolveLimits;
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use super::super::Adapter;
use crate::tests::agreement::{NEVER, agreeing, some};

/// A board of side 3 with one or two rooks a colour, up to four beads, stores, a target, and a player to move.
fn random<R: Capture>(random: &mut SmallRng) -> (BeadGame<R>, Position) {
    let side = Side::new(3).expect("a side");
    let mut left = side.board().all();
    let mut some = |count: u32, random: &mut SmallRng| some(count, &mut left, random);
    let [own, others] = [1 + random.random_range(0..2), 1 + random.random_range(0..2)];
    let rooks = ByPlayer::new(some(own, random), some(others, random));
    let count = random.random_range(1..5);
    let beads = some(count, random);
    let stores = ByPlayer::new(Beads(random.random_range(0..3)), Beads(random.random_range(0..3)));
    let target = Beads(2 + random.random_range(0..4));
    let immobile = if random.random_bool(0.5) { Immobile::Loss } else { Immobile::Pass };
    let turn = Player::BOTH[random.random_range(0..2)];
    (BeadGame::new(side, target, immobile), Position { rooks, beads, stores, turn })
}

/// The number of scores of twelve tables that agree.
fn agreed<R: Capture>(seed: u64) -> usize {
    let mut rng = SmallRng::seed_from_u64(seed);
    let (mut tables, mut scores) = (0, 0);
    while tables < 12 {
        let (rules, position) = random::<R>(&mut rng);
        if rules.over(&position).is_some() {
            continue;
        }
        let immobile = format!("{:?}", rules.immobile());
        (tables, scores) = (tables + 1, scores + agreeing::<Adapter<R>>(&rules, position, &immobile));
    }
    scores
}

#[test]
fn tables_around_positions_of_swish_are_as_the_exhaustive_solver_says() {
    let scores = agreed::<Leap>(1);
    assert!(scores > 100_000, "{scores}");
}

#[test]
fn tables_around_positions_of_squeeze_are_as_the_exhaustive_solver_says() {
    let scores = agreed::<Sandwich>(2);
    assert!(scores > 100_000, "{scores}");
}

#[test]
fn what_has_too_many_slots_is_not_built() {
    let text = "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10";
    let (rules, position) = BeadGame::<Leap>::parse(text, Immobile::Loss).expect(text);
    let limits = SolveLimits::until(&NEVER);
    let around = |slots| SubTable::<Adapter<Leap>>::around(&rules, &position, slots, &limits, &|_| {});
    assert!(around(u64::MAX).expect("no limit").is_none(), "the numbering is too large");
    let text = "w4/6/7/8/4o4/8/7/6/4b w 9-9 10";
    let (rules, position) = BeadGame::<Leap>::parse(text, Immobile::Loss).expect(text);
    let around = |slots| SubTable::<Adapter<Leap>>::around(&rules, &position, slots, &limits, &|_| {});
    assert!(around(3540).expect("no limit").is_some());
    assert!(around(200).expect("no limit").is_none());
}
