//! Comparison of all reachable entries of tables around positions with the exhaustive solver, shared by the tests of
//! the games.

use std::sync::atomic::AtomicBool;

use marquis_core::{Cells, Notation as _};
use marquis_engine::SubTable;
use marquis_engine::game::Tabled;
use marquis_retro::{SolveLimits, exhaustive};
use rand::RngExt as _;
use rand::rngs::SmallRng;

/// A stop flag that is never set.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// Removes `count` random cells from `left` and returns them.
///
/// # Panics
/// `left` has fewer cells.
pub(crate) fn some(count: u32, left: &mut Cells, random: &mut SmallRng) -> Cells {
    let mut cells = Cells::EMPTY;
    for _ in 0..count {
        let cell = { *left }.nth(random.random_range(0..left.len() as usize)).expect("a cell");
        (cells, *left) = (cells.with(cell), left.without(cell));
    }
    cells
}

/// The number of scores of the table around a position that agree with the exhaustive solver; the game must not be
/// over.
///
/// * `agreed_on`: parameters of the rules that position texts do not contain.
///
/// # Panics
/// A score does not agree, or there is no table.
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
