//! Tables around random positions, with every reachable entry compared with the exhaustive solver.

use marquis_core::{ByPlayer, Game as _, Player};
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Flow, Position, Unification};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use super::super::{Adapter, Member};
use crate::tests::agreement::{agreeing, some};

/// A board with two to four pieces a colour, and a player to move.
fn random<R: Member>(side: u8, most: u32, random: &mut SmallRng) -> (Unification<R>, Position) {
    let side = Side::new(side).expect("a side");
    let mut left = side.board().all();
    let mut some = |count: u32, random: &mut SmallRng| some(count, &mut left, random);
    let [own, others] = [random.random_range(2..=most), random.random_range(2..=most)];
    let pieces = ByPlayer::new(some(own, random), some(others, random));
    (Unification::new(side), Position { pieces, turn: Player::BOTH[random.random_range(0..2)] })
}

/// Compares tables until at least `least` scores agree.
fn agreed<R: Member>(seed: u64, least: usize) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let (mut tables, mut scores) = (0, 0);
    while scores < least {
        let (side, most) = if tables % 3 < 2 { (3, 4) } else { (4, 2) };
        let (rules, position) = random::<R>(side, most, &mut rng);
        if rules.over(&position).is_some() {
            continue;
        }
        (tables, scores) = (tables + 1, scores + agreeing::<Adapter<R>>(&rules, position, ""));
    }
}

#[test]
fn tables_around_positions_are_as_the_exhaustive_solver_says() {
    agreed::<Approach>(3, 1000);
    agreed::<Flow>(4, 5000);
}
