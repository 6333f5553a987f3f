//! Tables around random positions, every reachable entry against the exhaustive solver.

use std::sync::atomic::AtomicBool;

use marquis_core::{ByPlayer, Cells, Game as _, Notation as _, Player};
use marquis_engine::SubTable;
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Flow, Position, Unification};
use marquis_retro::{SolveLimits, exhaustive};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use super::{Adapter, Member};

static NEVER: AtomicBool = AtomicBool::new(false);

/// A board with two to four pieces a colour, and who is to move.
fn random<R: Member>(side: u8, most: u32, random: &mut SmallRng) -> (Unification<R>, Position) {
    let side = Side::new(side).expect("a side");
    let mut left = side.board().all();
    let mut some = |count: u32, random: &mut SmallRng| {
        let mut cells = Cells::EMPTY;
        for _ in 0..count {
            let cell = { left }.nth(random.random_range(0..left.len() as usize)).expect("a cell");
            (cells, left) = (cells.with(cell), left.without(cell));
        }
        cells
    };
    let [own, others] = [random.random_range(2..=most), random.random_range(2..=most)];
    let pieces = ByPlayer::new(some(own, random), some(others, random));
    (Unification::new(side), Position { pieces, turn: Player::BOTH[random.random_range(0..2)] })
}

/// Tables until so many scores agreed.
fn agreed<R: Member>(seed: u64, least: usize) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let (mut tables, mut scores) = (0, 0);
    while scores < least {
        let (side, most) = if tables % 3 < 2 { (3, 4) } else { (4, 2) };
        let (rules, position) = random::<R>(side, most, &mut rng);
        if rules.over(&position).is_some() {
            continue;
        }
        let limits = SolveLimits::until(&NEVER);
        let table = SubTable::<Adapter<R>>::around(&rules, &position, 1 << 24, &limits, &|_| {});
        let table = table.expect("no limit").expect("few pieces");
        let judge = exhaustive::solve(&rules, position, &limits, &mut |_| {}).expect("no limit");
        for (position, score) in judge.iter() {
            assert_eq!(table.score(&rules, position), Some(score), "{}", rules.position_text(position));
        }
        (tables, scores) = (tables + 1, scores + judge.states());
    }
}

#[test]
fn tables_around_positions_are_as_the_exhaustive_solver_says() {
    agreed::<Approach>(3, 1000);
    agreed::<Flow>(4, 5000);
}
