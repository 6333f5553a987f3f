//! The search on small boards of Swish and Squeeze, whose positions are full of cycles.

use std::collections::HashMap;

use marquis_core::{Hashed, Value};
use marquis_proof::{Disk, Ended, ProofSearch, SearchLimits, Settings};

use crate::common::beads::{Beads, Board};
use crate::common::solve_all;

fn check(text: &str, squeeze: bool, reachable: usize, draws: usize, value: Value) {
    let (game, root) = Beads::read(text, squeeze);
    let all = solve_all(&game, &root);
    assert_eq!(all.len(), reachable);
    assert_eq!(all.values().filter(|&&v| v == Value::Draw).count(), draws);
    assert_eq!(all[&root], value);
    let search = ProofSearch::new(&game, Settings { table_bytes: 1 << 22, proof_bytes: 1 << 28, threads: 1 });
    let found = search.solve(&root, &SearchLimits::default(), |_| {});
    println!("nodes {}", found.nodes);
    assert_eq!(found.ended, Ended::Answered);
    assert_eq!(found.bounds.value(), Some(value));
    no_bound_is_wrong(&game, &all);
}

/// Positions from all over a board, with short searches and a table of 1 MiB: every proved bound is correct.
fn no_bound_is_wrong(game: &Beads, all: &HashMap<Board, Value>) {
    let mut positions: Vec<_> = all.iter().collect();
    positions.sort_by_key(|(position, _)| game.key(position));
    let mut decided = 0;
    for (number, (position, truth)) in positions.iter().step_by(all.len() / 300).enumerate() {
        let settings = Settings { table_bytes: 1 << 20, proof_bytes: 1 << 24, threads: 1 + number % 2 };
        let limits = SearchLimits { nodes: Some(5_000), ..SearchLimits::default() };
        let found = ProofSearch::new(game, settings).solve(position, &limits, |_| {}).bounds;
        assert!(found.worst <= **truth && **truth <= found.best, "{found:?} of {truth:?}: {position:?}");
        decided += usize::from(found.value().is_some());
    }
    assert!(decided > 150, "only {decided} decided");
}

#[test]
fn swish_on_side_3_is_lost() {
    check("w1w/4/1ooo1/4/b1b w 0-0 2", false, 563_048, 590, Value::Loss);
}

#[test]
fn squeeze_on_side_3_is_drawn() {
    check("w1w/4/1ooo1/4/b1b w 0-0 2", true, 368_002, 27_188, Value::Draw);
}

/// Nearly every disproof here holds on one path only, and there are far too many paths to search.
#[test]
fn a_drawn_position_of_480_states_takes_few_nodes() {
    let text = "1w1/2o1/b1oo1/4/3 w 0-0 3";
    let (game, table) = marquis_games::Squeeze::parse(text, marquis_core::Immobile::Loss).unwrap();
    let settings = marquis_proof::Settings { table_bytes: 1 << 24, proof_bytes: 1 << 24, threads: 1 };
    let limits =
        marquis_proof::SearchLimits { nodes: Some(200_000), ..marquis_proof::SearchLimits::default() };
    let found = marquis_proof::ProofSearch::new(&game, settings).solve(&table, &limits, |_| {});
    assert_eq!(found.bounds.value(), Some(marquis_core::Value::Draw), "{} nodes", found.nodes);
}

#[test]
fn strategies_that_are_worked_out_on_disk_are_the_same_to_the_byte() {
    let disk = Disk::new(std::env::temp_dir(), 1 << 30);
    for (text, squeeze, count) in
        [("w1w/4/1ooo1/4/b1b w 0-0 2", false, 1), ("w1w/4/1ooo1/4/b1b w 0-0 2", true, 2)]
    {
        let (game, root) = Beads::read(text, squeeze);
        let found = |proof_bytes, disk| {
            let settings = Settings { table_bytes: 1 << 22, proof_bytes, threads: 1 };
            let search = ProofSearch::new(&game, settings).with_disk_if_any(disk);
            let found = search.solve(&root, &SearchLimits::default(), |_| {});
            assert_eq!(found.ended, Ended::Answered);
            found.strategies.iter().map(|strategy| strategy.bytes().to_vec()).collect::<Vec<_>>()
        };
        let on_disk = found(1 << 16, Some(&disk));
        assert_eq!((on_disk.len(), disk.taken()), (count, 0));
        assert!(on_disk == found(1 << 28, None), "the strategies differ");
    }
}
