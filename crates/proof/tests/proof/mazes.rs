//! Compares the search with a brute-force solver, on thousands of random graphs full of cycles.

use marquis_core::Value;
use marquis_proof::{Ended, ProofSearch, SearchLimits, Settings};

use crate::common::{Dice, Maze, solve_all};

fn agree(
    seed: u64,
    count: usize,
    largest: usize,
    table_bytes: usize,
    key_bits: u32,
    threads: usize,
) -> [usize; 3] {
    let mut dice = Dice::new(seed);
    let mut values = [0; 3];
    for number in 0..count {
        let nodes = 2 + dice.roll(largest - 1);
        let ends = 2 + dice.roll(20);
        let free = dice.roll(3) == 0;
        let mut maze = Maze::random(&mut dice, nodes, ends, free);
        maze.key_bits = key_bits;
        let truth = solve_all(&maze, &0)[&0];
        let settings = Settings { table_bytes, proof_bytes: 1 << 24, threads };
        let limits = SearchLimits { nodes: Some(10_000_000), ..SearchLimits::default() };
        let found = ProofSearch::new(&maze, settings).solve(&0, &limits, |_| {});
        assert_eq!(found.ended, Ended::Answered, "graph {number} of seed {seed}: {maze:?}");
        assert_eq!(found.bounds.value(), Some(truth), "graph {number} of seed {seed}: {maze:?}");
        values[match truth {
            Value::Loss => 0,
            Value::Draw => 1,
            Value::Win => 2,
        }] += 1;
    }
    values
}

fn all_values_occur(values: [usize; 3]) {
    assert!(values.iter().all(|&count| count > 100), "the graphs are too much alike: {values:?}");
}

#[test]
fn every_graph_with_cycles_has_its_value() {
    all_values_occur(agree(1, 20_000, 40, 1 << 20, 64, 1));
}

#[test]
fn a_table_of_64_entries_costs_time_but_no_value() {
    all_values_occur(agree(2, 5_000, 40, 64 * 16, 64, 1));
}

#[test]
fn a_table_of_four_entries_costs_time_but_no_value() {
    all_values_occur(agree(3, 2_000, 40, 64, 64, 1));
}

#[test]
fn colliding_keys_cost_time_but_no_value() {
    all_values_occur(agree(4, 5_000, 40, 1 << 14, 4, 1));
}

#[test]
fn larger_graphs_have_their_values() {
    all_values_occur(agree(5, 2_000, 400, 1 << 14, 64, 1));
}

#[test]
fn three_threads_with_one_table_find_the_values() {
    all_values_occur(agree(6, 2_000, 40, 1 << 14, 64, 3));
}

#[test]
fn three_threads_with_colliding_keys_find_the_values() {
    all_values_occur(agree(7, 1_000, 40, 1 << 12, 4, 3));
}
