//! Estimates of a long game: played-out games show who wins in the end.

use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{BackupOrder, Grids};

use crate::senet::checkpoint::SweepState;
use crate::senet::convergence::{Convergence, PhaseEnd};
use crate::senet::iterating::{GAMES_EVERY, settle};

#[path = "../../../../chance/tests/grid/ring.rs"]
mod ring;

use ring::{Ring, even, off};

#[test]
fn who_wins_in_the_end_is_told_by_games_where_these_are_long() {
    let (ring, goal) = (Ring::new(), 1e-5);
    let mut grids = ring.grids(BackupOrder::Tiles);
    even(&mut grids);
    let mut stage = SweepState::new(1, Convergence::new(goal, 1.0 / f64::from(u32::MAX)));
    let stop = AtomicBool::new(false);
    // Until the first games are played, the estimates are those of the sweeps alone.
    let up_to = |sweeps: usize| move |_: &Grids<'_, u32, 1>, stage: &SweepState, _| stage.sweep < sweeps;
    let ending = settle(&mut grids, &mut stage, &stop, &mut up_to(GAMES_EVERY - 1));
    assert_eq!(ending.expect("in memory"), PhaseEnd::Stopped);
    let before = off(&grids);
    let ending = settle(&mut grids, &mut stage, &stop, &mut up_to(GAMES_EVERY));
    assert_eq!(ending.expect("in memory"), PhaseEnd::Stopped);
    let after = off(&grids);
    assert!(before.lacks > 0.05 && after.lacks.abs() < 0.1 * before.lacks, "{before:?} {after:?}");
    let ending = settle(&mut grids, &mut stage, &stop, &mut up_to(usize::MAX)).expect("in memory");
    assert!(matches!(ending, PhaseEnd::Met(_)) && stage.sweep < 300, "{ending:?} {stage:?}");
    assert!(off(&grids).most < 2.0 * goal, "{:?}", off(&grids));
}
