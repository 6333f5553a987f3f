//! Compares studies with a brute-force solver, on thousands of random graphs full of cycles and draws.

#[path = "../../proof/tests/proof/common/mod.rs"]
mod common;
mod memory;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use common::{Dice, Maze, solve_all};
use marquis_core::{Game as _, Player, Value};
use marquis_proof::{Guarantee, ProofSearch, SearchLimits, Settings};
use marquis_study::{Arrivals, Done, Event, Finished, Nobody, RunLimits, Tree, Worker, assemble, run};
use memory::Memory;

/// The number of occurrences of each outcome.
type Counts = HashMap<&'static str, usize>;

static NEVER: AtomicBool = AtomicBool::new(false);

/// A study of the first position, interrupted and resumed every `between_kills` nodes as if it had been killed, until
/// it is done.
fn studied<'a>(
    maze: &'a Maze,
    threads: usize,
    job_nodes: u64,
    between_kills: Option<u64>,
) -> (Tree<'a, Maze>, Memory) {
    let mut journal = Memory::default();
    for round in 0.. {
        let mut tree = Tree::new(maze, 0);
        for event in &journal.events {
            tree.apply(event).expect("what happened once happens again");
        }
        let settings = Settings { table_bytes: 1 << 12, proof_bytes: 1 << 22, threads: 1 };
        let search = ProofSearch::new(maze, settings);
        let (nodes, tree_bytes) = (between_kills, usize::MAX);
        let limits = RunLimits { threads, job_nodes, nodes, tree_bytes, deadline: None, stop: &NEVER };
        let (tree, kept, finished) =
            run(tree, journal, &search, limits, &Nobody, |_, _| {}).expect("memory keeps all");
        if finished == Finished::Answered {
            return (tree, kept);
        }
        assert!(round < 10_000, "the study makes no headway");
        journal = kept;
        // The last event had not reached the disk.
        if round % 3 == 0 {
            journal.events.pop();
        }
    }
    unreachable!("the loop has no end")
}

/// The value, from strategies that the checker accepts.
fn proved(tree: &Tree<'_, Maze>, journal: &Memory) -> Value {
    let turn = tree.game().turn[0];
    let holds = |holder: Player, kind: Guarantee| assemble(tree, journal, (holder, kind), &|| false);
    match tree.bounds().value().expect("the study is done") {
        Value::Win => holds(turn, Guarantee::Win).map(|_| Value::Win),
        Value::Loss => holds(turn.opponent(), Guarantee::Win).map(|_| Value::Loss),
        Value::Draw => holds(turn, Guarantee::NeverLose)
            .and_then(|_| holds(turn.opponent(), Guarantee::NeverLose))
            .map(|_| Value::Draw),
    }
    .unwrap_or_else(|error| panic!("{error}: {:?}", tree.game()))
}

fn agree(
    seed: u64,
    count: usize,
    largest: usize,
    job_nodes: u64,
    threads: usize,
    kills: Option<u64>,
) -> Counts {
    let mut dice = Dice::new(seed);
    let mut seen = Counts::new();
    for number in 0..count {
        let (nodes, ends, free) = (2 + dice.roll(largest - 1), 2 + dice.roll(20), dice.roll(3) == 0);
        let maze = Maze::random(&mut dice, nodes, ends, free);
        let (tree, journal) = studied(&maze, threads, job_nodes, kills);
        let truth = solve_all(&maze, &0)[&0];
        let place = format!("graph {number} of seed {seed}: {maze:?}");
        assert_eq!(proved(&tree, &journal), truth, "{place}");
        *seen.entry(truth.name()).or_default() += 1;
        *seen.entry("expanded").or_default() += usize::from(tree.positions() > 1);
    }
    println!("{seen:?}");
    seen
}

fn all_occur(seen: &Counts, least: usize) {
    for what in ["win", "draw", "loss", "expanded"] {
        assert!(seen.get(what).is_some_and(|&count| count >= least), "too few of {what}: {seen:?}");
    }
}

#[test]
fn jobs_of_one_node_leave_all_to_the_tree_and_every_value_is_proved() {
    all_occur(&agree(1, 1_000, 60, 1, 1, None), 60);
}

#[test]
fn jobs_of_some_nodes_share_the_work_with_the_tree() {
    all_occur(&agree(2, 1_000, 300, 30, 1, None), 50);
}

#[test]
fn three_threads_prove_the_values() {
    all_occur(&agree(3, 500, 100, 10, 3, None), 25);
}

#[test]
fn studies_that_are_killed_again_and_again_prove_the_values() {
    all_occur(&agree(4, 500, 100, 8, 1, Some(40)), 30);
    all_occur(&agree(5, 200, 100, 8, 2, Some(40)), 10);
}

#[test]
fn a_tree_without_room_to_grow_ends_the_run_and_goes_on_with_more() {
    let mut dice = Dice::new(7);
    let narrow = |maze: &Maze| {
        let settings = Settings { table_bytes: 1 << 12, proof_bytes: 1 << 22, threads: 1 };
        let search = ProofSearch::new(maze, settings);
        let mut memory = Memory::default();
        let mut ended = Vec::new();
        for tree_bytes in [0, 1 << 12, usize::MAX] {
            let mut tree = Tree::new(maze, 0);
            memory
                .events
                .iter()
                .for_each(|event| tree.apply(event).expect("what happened once happens again"));
            let limits =
                RunLimits { threads: 1, job_nodes: 1, nodes: None, tree_bytes, deadline: None, stop: &NEVER };
            let (tree, kept, finished) =
                run(tree, memory, &search, limits, &Nobody, |_, _| {}).expect("memory keeps all");
            // It stops before it has grown by more than one surplus leaf.
            let most = tree_bytes.max(1 << 12) * 4;
            assert!(finished != Finished::Memory || tree.bytes() <= most, "{} bytes", tree.bytes());
            ended.push((finished, kept.events.len()));
            memory = kept;
        }
        ended
    };
    let mazes = (0..50).map(|_| Maze::random(&mut dice, 200, 20, false));
    let runs: Vec<_> = mazes.map(|maze| narrow(&maze)).collect();
    assert!(runs.iter().all(|runs| runs[2].0 == Finished::Answered), "{runs:?}");
    assert!(runs.iter().any(|runs| runs[1].0 == Finished::Memory), "{runs:?}");
    // If the first run had no room at all, the second resumed after its job.
    let grew = |runs: &&Vec<(Finished, usize)>| runs[0].0 == Finished::Memory && runs[1].1 > runs[0].1;
    assert!(runs.iter().filter(grew).count() > 10, "{runs:?}");
}

#[test]
fn an_outline_hangs_together_and_has_the_positions_with_most_effort() {
    let (mut dice, mut cut) = (Dice::new(11), 0);
    for number in 0..300 {
        let (nodes, ends) = (2 + dice.roll(99), 2 + dice.roll(20));
        let maze = Maze::random(&mut dice, nodes, ends, number % 3 == 0);
        let (tree, _) = studied(&maze, 1, 5, None);
        let all = tree.outline(usize::MAX);
        assert_eq!(all.len(), tree.positions());
        let (root, effort) = (&all[0], all[0].effort);
        assert_eq!((root.position, root.bounds, root.from), (0, tree.bounds(), None));
        assert_eq!((effort.nodes, effort.jobs), (tree.searched(), tree.jobs()), "{maze:?}");
        let most = 1 + dice.roll(tree.positions());
        let some = tree.outline(most);
        assert_eq!(some.len(), most.min(tree.positions()));
        let mut seen = HashSet::new();
        for shown in &some {
            if let Some((above, number)) = shown.from {
                assert!(seen.contains(&above), "{shown:?} hangs on nothing: {maze:?}");
                let mut moves = Vec::new();
                let from = all[above.0 as usize].position;
                maze.moves(&from, &mut moves);
                assert_eq!(maze.play(&from, moves[usize::from(number)]), shown.position, "{maze:?}");
            }
            seen.insert(shown.id);
        }
        let least = some.iter().map(|shown| shown.effort).min();
        let left_out = all.iter().filter(|shown| !seen.contains(&shown.id)).map(|shown| shown.effort).max();
        assert!(left_out <= least, "{left_out:?} is left out, {least:?} shown: {maze:?}");
        cut += usize::from(left_out.is_some_and(|effort| effort.jobs > 0));
    }
    assert!(cut > 30, "only {cut} outlines left work out");
}

/// Workers with separate memory; each is lost after a few jobs, and another one arrives.
struct Passers<'a> {
    maze: &'a Maze,
    /// The nodes that they report for a job; `None` reports the true count.
    boast: Option<u64>,
    come: AtomicUsize,
    jobs: AtomicUsize,
}

struct Passer<'a> {
    of: &'a Passers<'a>,
    /// Jobs left before it is lost.
    left: usize,
}

impl Arrivals<u16> for Passers<'_> {
    fn next(&self) -> Option<Box<dyn Worker<u16> + '_>> {
        let come = self.come.fetch_add(1, Relaxed);
        (come < 40).then(|| Box::new(Passer { of: self, left: come % 4 }) as Box<dyn Worker<u16>>)
    }
}

impl Worker<u16> for Passer<'_> {
    fn search(&mut self, position: &u16, nodes: u64, halt: &AtomicBool) -> Option<Done> {
        self.left = self.left.checked_sub(1)?;
        let settings = Settings { table_bytes: 1 << 12, proof_bytes: 1 << 22, threads: 1 };
        let limits = SearchLimits { nodes: Some(nodes), stop: Some(halt), ..SearchLimits::default() };
        let found = ProofSearch::new(self.of.maze, settings).solve(position, &limits, |_| {});
        self.of.jobs.fetch_add(1, Relaxed);
        let done = Done::from(found);
        let nodes = self.of.boast.unwrap_or(done.nodes);
        Some(Done { nodes, ..done })
    }
}

/// A study of a maze with remote workers and jobs of five nodes, limited to `nodes` nodes.
fn studied_with<'a>(
    maze: &'a Maze,
    passers: &Passers<'_>,
    nodes: Option<u64>,
) -> (Tree<'a, Maze>, Memory, Finished) {
    let settings = Settings { table_bytes: 1 << 12, proof_bytes: 1 << 22, threads: 1 };
    let search = ProofSearch::new(maze, settings);
    let limits =
        RunLimits { threads: 1, job_nodes: 5, nodes, tree_bytes: usize::MAX, deadline: None, stop: &NEVER };
    run(Tree::new(maze, 0), Memory::default(), &search, limits, passers, |_, _| {}).expect("memory keeps all")
}

/// The nodes of each job.
fn jobs_of(journal: &Memory) -> Vec<u64> {
    let nodes = |event: &Event| if let Event::Job { nodes, .. } = event { Some(*nodes) } else { None };
    journal.events.iter().filter_map(nodes).collect()
}

#[test]
fn workers_who_come_and_are_lost_change_no_value() {
    let (mut dice, mut jobs) = (Dice::new(13), 0);
    for number in 0..200 {
        let (nodes, ends) = (20 + dice.roll(80), 2 + dice.roll(20));
        let maze = Maze::random(&mut dice, nodes, ends, number % 3 == 0);
        let passers =
            Passers { maze: &maze, boast: None, come: AtomicUsize::new(0), jobs: AtomicUsize::new(0) };
        let (tree, journal, finished) = studied_with(&maze, &passers, None);
        assert_eq!(finished, Finished::Answered, "{maze:?}");
        assert_eq!(proved(&tree, &journal), solve_all(&maze, &0)[&0], "{maze:?}");
        assert_eq!(jobs_of(&journal).len() as u64, tree.jobs());
        jobs += passers.jobs.into_inner();
    }
    assert!(jobs > 20, "only {jobs} jobs were done by others");
}

#[test]
fn of_what_workers_say_of_their_nodes_no_more_counts_than_they_were_given() {
    let (mut dice, mut jobs) = (Dice::new(17), 0);
    for number in 0..100 {
        let (nodes, ends) = (20 + dice.roll(80), 2 + dice.roll(20));
        let maze = Maze::random(&mut dice, nodes, ends, number % 3 == 0);
        let boast = [u64::MAX, u64::MAX - 1, 1 << 40, 0][number % 4];
        let passers =
            Passers { maze: &maze, boast: Some(boast), come: AtomicUsize::new(0), jobs: AtomicUsize::new(0) };
        let (tree, journal, finished) = studied_with(&maze, &passers, Some(1_000_000));
        assert_eq!(finished, Finished::Answered, "{maze:?}");
        assert_eq!(proved(&tree, &journal), solve_all(&maze, &0)[&0], "{maze:?}");
        // A search that believed its answer without a proof gets several times as many nodes.
        let each = jobs_of(&journal);
        assert!(each.iter().all(|nodes| (1..=5 * 4_u64.pow(3)).contains(nodes)), "{boast}: {each:?}");
        assert_eq!(tree.searched(), each.iter().sum::<u64>(), "{boast}");
        jobs += passers.jobs.into_inner();
    }
    assert!(jobs > 20, "only {jobs} jobs were done by others");
}
