//! What played-out games say about the chance of winning.

use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{BackupOrder, Grids};

use crate::ring::{Ring, even, off};

fn swept(ring: &Ring, sweeps: usize) -> Grids<'_, u32, 1> {
    let mut grids = ring.grids(BackupOrder::Tiles);
    even(&mut grids);
    for _ in 0..sweeps {
        grids.sweep(&AtomicBool::new(false)).expect("in memory");
    }
    grids
}

#[test]
fn games_tell_how_far_the_slowest_mode_has_to_go() {
    let ring = Ring::new();
    for sweeps in [0, 10, 100] {
        let grids = swept(&ring, sweeps);
        let tendency = grids.tendency(4000, sweeps as u64).expect("in memory").expect("long games");
        let lacks = off(&grids).lacks;
        assert!(lacks > 0.05, "{lacks}");
        assert!(tendency.error < 0.05 * lacks, "{tendency:?}");
        assert!((tendency.left - lacks).abs() < 4.0 * tendency.error, "{tendency:?} {lacks}");
        // One throw in 64 is made where both are at the start, and one of those in 16 ends the game.
        assert!((950.0..1100.0).contains(&tendency.throws), "{tendency:?}");
    }
}

#[test]
fn a_shift_goes_where_the_slowest_mode_leads() {
    let ring = Ring::new();
    let mut grids = swept(&ring, 20);
    let before = off(&grids);
    for seed in 0..3 {
        let tendency = grids.tendency(1000, seed).expect("in memory").expect("long games");
        grids.shift(&tendency).expect("in memory");
    }
    let after = off(&grids);
    assert!(after.lacks.abs() < 0.01 * before.lacks, "{before:?} {after:?}");
    assert!(after.most < 0.1 * before.most, "{before:?} {after:?}");
}

#[test]
fn the_same_games_tell_the_same() {
    let ring = Ring::new();
    let grids = swept(&ring, 3);
    let tendency = |seed: u64| grids.tendency(50, seed).expect("in memory");
    assert_eq!(tendency(1), tendency(1));
    assert_ne!(tendency(1), tendency(2));
}
