//! Tables around positions, every reachable entry against the exhaustive solver: what the tests of the games share.

use std::sync::atomic::AtomicBool;

use marquis_core::{Cells, Notation as _};
use marquis_engine::{SubTable, Tabled};
use marquis_retro::{SolveLimits, exhaustive};
use rand::RngExt as _;
use rand::rngs::SmallRng;

/// Nobody ends the work.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// So many cells of those that are left, which are left no longer.
///
/// # Panics
/// Fewer are left.
pub(crate) fn some(count: u32, left: &mut Cells, random: &mut SmallRng) -> Cells {
    let mut cells = Cells::EMPTY;
    for _ in 0..count {
        let cell = { *left }.nth(random.random_range(0..left.len() as usize)).expect("a cell");
        (cells, *left) = (cells.with(cell), left.without(cell));
    }
    cells
}

/// How many scores of the table around a position, which is not a finished game, agree.
///
/// * `agreed_on`: what the texts of positions do not say of the rules.
///
/// # Panics
/// One does not, or there is no table.
pub(crate) fn agreeing<G: Tabled>(rules: &G::Rules, position: G::Position, agreed_on: &str) -> usize {
    let limits = SolveLimits::until(&NEVER);
    let table = SubTable::<G>::around(rules, &position, 1 << 24, &limits, &|_| {});
    let table = table.expect("no limit").expect("a small board");
    let judge = exhaustive::solve(rules, position, &limits, &mut |_| {}).expect("no limit");
    for (position, score) in judge.iter() {
        let text = rules.position_text(position);
        assert_eq!(table.score(rules, position), Some(score), "{text} {agreed_on}");
    }
    judge.states()
}
