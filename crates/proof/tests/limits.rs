//! Limits are kept, progress is told, and unknown moves are ordered by estimates.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::beads::{Beads, Board};
use marquis_core::{Bounds, Value};
use marquis_proof::{Ended, Findings, Limits, Progress, Search, Settings};

/// A full-size set-up that takes much longer than these tests.
const FULL: &str = "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10";

fn search(text: &str, limits: &Limits<'_>, watch: impl FnMut(&Progress)) -> Findings<Beads> {
    let (game, root): (Beads, Board) = Beads::read(text, false);
    let settings = Settings { table_bytes: 1 << 24, proof_bytes: 1 << 24, threads: 1 };
    Search::new(&game, settings).solve(&root, limits, watch)
}

#[test]
fn the_node_limit_is_kept() {
    for limit in [1, 10, 100, 1000, 12_345] {
        let found = search(FULL, &Limits { nodes: Some(limit), ..Limits::default() }, |_| {});
        assert_eq!(found.ended, Ended::Nodes);
        assert_eq!(found.nodes, limit);
        assert_eq!(found.bounds, Bounds::UNKNOWN);
    }
}

/// Searches for a second; the time that it took, and how often it told its progress.
fn a_second() -> (Duration, usize) {
    let begin = Instant::now();
    let limits = Limits { deadline: Some(begin + Duration::from_secs(1)), ..Limits::default() };
    let mut told = Vec::new();
    let found = search(FULL, &limits, |progress| told.push(progress.nodes));
    assert_eq!(found.ended, Ended::Deadline);
    assert!(told.is_sorted());
    (begin.elapsed(), told.len())
}

#[test]
fn the_deadline_is_kept_and_progress_told() {
    // On a busy machine a thread may wait for a processor: the best of a few tries counts.
    let tries: Vec<_> = (0..5).map(|_| a_second()).collect();
    assert!(tries.iter().all(|(took, _)| *took >= Duration::from_secs(1)));
    let kept =
        |(took, told): &(Duration, usize)| *took < Duration::from_millis(1050) && (5..=12).contains(told);
    assert!(tries.iter().any(kept), "{tries:?}");
}

#[test]
fn the_stop_flag_stops_at_once() {
    let stop = AtomicBool::new(false);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let mut stopped_at = 0;
    let found = search(FULL, &limits, |progress| {
        stop.store(true, Ordering::Relaxed);
        stopped_at = progress.nodes;
    });
    assert_eq!(found.ended, Ended::Stopped);
    assert!(found.nodes - stopped_at <= 4096);
}

#[test]
fn unknown_moves_get_estimates_between_0_and_1() {
    let found = search(FULL, &Limits { nodes: Some(20_000), ..Limits::default() }, |_| {});
    assert_eq!(found.moves.len(), 24);
    assert!(found.moves.iter().all(|finding| (0.0..=1.0).contains(&finding.estimate)));
    assert!(found.moves.iter().any(|a| found.moves.iter().any(|b| a.estimate != b.estimate)));
}

#[test]
fn in_a_lost_position_every_move_is_proved_to_lose() {
    let found = search("w1w/4/1ooo1/4/b1b w 0-0 2", &Limits::default(), |_| {});
    assert_eq!(found.bounds, Bounds::exact(Value::Loss));
    assert!(found.moves.iter().all(|finding| finding.bounds == Bounds::exact(Value::Loss)));
    assert_eq!(found.strategies.len(), 1);
}
