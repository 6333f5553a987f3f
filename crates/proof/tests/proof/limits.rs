//! Limits are kept, and progress is reported.

use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use marquis_core::{Bounds, Outcome, Player, Value};
use marquis_proof::{
    Disk, DiskTrouble, Ended, Findings, NoHeuristic, NoOracle, ProofSearch, SearchLimits, SearchProgress,
    Settings, Unproved,
};

use crate::common::Maze;
use crate::common::beads::{Beads, Board};

/// A full-size set-up that takes much longer than these tests.
const FULL: &str = "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10";

fn search(text: &str, limits: &SearchLimits<'_>, watch: impl FnMut(&SearchProgress)) -> Findings<Beads> {
    let (game, root): (Beads, Board) = Beads::read(text, false);
    let settings = Settings { table_bytes: 1 << 24, proof_bytes: 1 << 24, threads: 1 };
    ProofSearch::new(&game, settings).solve(&root, limits, watch)
}

#[test]
fn the_node_limit_is_kept() {
    for limit in [1, 10, 100, 1000, 12_345] {
        let found = search(FULL, &SearchLimits { nodes: Some(limit), ..SearchLimits::default() }, |_| {});
        assert_eq!(found.ended, Ended::Nodes);
        assert_eq!(found.nodes, limit);
        assert_eq!(found.bounds, Bounds::UNKNOWN);
    }
}

#[test]
fn the_deadline_is_kept_and_progress_told() {
    let begin = Instant::now();
    let deadline = begin + Duration::from_secs(1);
    let limits = SearchLimits { deadline: Some(deadline), ..SearchLimits::default() };
    let (mut told, mut late) = (Vec::new(), 0);
    let found = search(FULL, &limits, |progress| {
        told.push(progress.nodes);
        late += usize::from(Instant::now() > deadline);
    });
    let took = begin.elapsed();
    assert_eq!(found.ended, Ended::Deadline);
    assert!(took >= Duration::from_secs(1), "{took:?}");
    // Without the deadline the search does not end, and this only excludes that; how soon it ends is counted below.
    assert!(took < Duration::from_secs(60), "{took:?}");
    assert!(told.is_sorted());
    // About ten reports per second, even on a busy machine, and hardly any after the deadline.
    let most = took.as_millis() as usize / 100 + 2;
    assert!(
        (1..=most).contains(&told.len()) && late <= 2,
        "told {} times in {took:?}, {late} late",
        told.len()
    );
}

#[test]
fn few_nodes_are_looked_at_after_the_deadline() {
    let limits = SearchLimits { deadline: Some(Instant::now()), ..SearchLimits::default() };
    let found = search(FULL, &limits, |_| {});
    assert_eq!(found.ended, Ended::Deadline);
    assert!(found.nodes <= 4096, "{} nodes", found.nodes);
}

#[test]
fn no_thread_is_begun_for_a_search_that_is_over() {
    let (game, root): (Beads, Board) = Beads::read(FULL, false);
    let threads = 1_000_000_000;
    let settings = Settings { table_bytes: 1 << 20, proof_bytes: 1 << 20, threads };
    let stop = AtomicBool::new(true);
    let now = Some(Instant::now());
    for limits in [
        SearchLimits { deadline: now, ..SearchLimits::default() },
        SearchLimits { stop: Some(&stop), ..SearchLimits::default() },
    ] {
        // Far more threads than are ever started.
        let found = ProofSearch::new(&game, settings).solve(&root, &limits, |_| {});
        assert!(matches!(found.ended, Ended::Deadline | Ended::Stopped), "{:?}", found.ended);
    }
}

#[test]
fn the_stop_flag_stops_at_once() {
    let stop = AtomicBool::new(false);
    let limits = SearchLimits { stop: Some(&stop), ..SearchLimits::default() };
    let mut stopped_at = 0;
    let found = search(FULL, &limits, |progress| {
        stop.store(true, Ordering::Relaxed);
        stopped_at = progress.nodes;
    });
    assert_eq!(found.ended, Ended::Stopped);
    assert!(found.nodes - stopped_at <= 4096);
}

#[test]
fn in_a_lost_position_every_move_is_proved_to_lose() {
    let found = search("w1w/4/1ooo1/4/b1b w 0-0 2", &SearchLimits::default(), |_| {});
    assert_eq!(found.bounds, Bounds::exact(Value::Loss));
    assert!(found.moves.iter().all(|finding| finding.bounds == Bounds::exact(Value::Loss)));
    assert_eq!(found.strategies.len(), 1);
}

/// The second player may go to each of 200 rooms and on to each of 100 others; the first player wins in all of them.
fn wide() -> Maze {
    let (rooms, others) = (200_u16, 100_u16);
    let room = |number: u16| 2 + number * (others + 1);
    let mut maze = Maze {
        turn: vec![Player::Second, Player::First],
        end: vec![None, Some(Outcome::Winner(Player::First))],
        next: vec![(0..rooms).map(room).collect(), vec![]],
        key_bits: 64,
    };
    for number in 0..rooms {
        maze.turn.push(Player::Second);
        maze.next.push((1..=others).map(|other| room(number) + other).collect());
        maze.turn.extend((0..others).map(|_| Player::First));
        maze.next.extend((0..others).map(|_| vec![1]));
    }
    maze.end.resize(maze.turn.len(), None);
    maze
}

#[test]
fn what_is_believed_without_a_proof_that_fits_is_told_and_is_no_bound() {
    let maze = wide();
    let within = |proof_bytes| {
        let settings = Settings { table_bytes: 1 << 22, proof_bytes, threads: 1 };
        let search = ProofSearch::with_knowledge(&maze, &NoOracle, &NoHeuristic, settings);
        search.solve(&0, &SearchLimits::default(), |_| {})
    };
    let roomy = within(1 << 26);
    assert_eq!((roomy.bounds, roomy.ended), (Bounds::exact(Value::Loss), Ended::Answered));
    assert_eq!(roomy.unproved, None);
    let narrow = within(1 << 10);
    assert_eq!((narrow.bounds.worst, narrow.ended), (Value::Loss, Ended::Memory));
    assert_eq!(narrow.bounds.value(), None);
    let believed = narrow.unproved.expect("the belief of the search");
    assert_eq!(believed, Unproved { winner: Some(Player::First), bytes: 1 << 10, disk: None });
}

#[test]
fn a_proof_larger_than_its_memory_goes_to_disk_as_far_as_that_reaches() {
    let maze = wide();
    let within = |disk: Option<&Disk>, threads| {
        let settings = Settings { table_bytes: 1 << 22, proof_bytes: 1 << 16, threads };
        let search = ProofSearch::with_knowledge(&maze, &NoOracle, &NoHeuristic, settings);
        search.with_disk_if_any(disk).solve(&0, &SearchLimits::default(), |_| {})
    };
    assert_eq!(within(None, 1).ended, Ended::Memory, "the proof does not fit the memory");
    let disk = Disk::new(std::env::temp_dir(), 64 << 20);
    for threads in [1, 2] {
        let found = within(Some(&disk), threads);
        assert_eq!((found.bounds, found.ended), (Bounds::exact(Value::Loss), Ended::Answered));
        assert_eq!((found.unproved, disk.trouble(), disk.taken()), (None, None, 0));
    }
    for (disk, trouble) in [
        (Disk::new(std::env::temp_dir(), 1 << 20), DiskTrouble::Limit { bytes: 1 << 20 }),
        (Disk::new("/nowhere/at/all", 64 << 20), DiskTrouble::Failed(ErrorKind::NotFound)),
    ] {
        let found = within(Some(&disk), 1);
        assert_eq!((found.bounds.value(), found.ended), (None, Ended::Memory));
        let unproved = found.unproved.expect("the belief is reported");
        assert_eq!((unproved.winner, unproved.disk), (Some(Player::First), Some(trouble)));
    }
}

#[test]
fn a_proof_may_take_all_the_memory_that_no_other_proof_takes() {
    let maze = wide();
    let ended = |proof_bytes, threads| {
        let settings = Settings { table_bytes: 1 << 22, proof_bytes, threads };
        let search = ProofSearch::with_knowledge(&maze, &NoOracle, &NoHeuristic, settings);
        search.solve(&0, &SearchLimits::default(), |_| {}).ended
    };
    let enough = (10..).map(|exponent| 1 << exponent).find(|&bytes| ended(bytes, 1) == Ended::Answered);
    let enough = enough.expect("some memory is enough");
    for _ in 0..5 {
        assert_eq!(ended(enough, 2), Ended::Answered, "{enough} bytes");
    }
}
