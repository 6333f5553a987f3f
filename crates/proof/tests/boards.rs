//! The search on small boards of Swish and Squeeze, whose positions are full of cycles.

mod common;

use common::beads::Beads;
use common::solve_all;
use marquis_core::Value;
use marquis_proof::{Ended, Limits, Search, Settings};

fn check(text: &str, squeeze: bool, reachable: usize, draws: usize, value: Value) {
    let (game, root) = Beads::read(text, squeeze);
    let all = solve_all(&game, &root);
    assert_eq!(all.len(), reachable);
    assert_eq!(all.values().filter(|&&v| v == Value::Draw).count(), draws);
    assert_eq!(all[&root], value);
    let search = Search::new(&game, Settings { table_bytes: 1 << 22, proof_bytes: 1 << 28, threads: 1 });
    let found = search.solve(&root, &Limits::default(), |_| {});
    println!("nodes {}", found.nodes);
    assert_eq!(found.ended, Ended::Answered);
    assert_eq!(found.bounds.value(), Some(value));
}

#[test]
fn swish_on_side_3_is_lost() {
    check("w1w/4/1ooo1/4/b1b w 0-0 2", false, 563_048, 590, Value::Loss);
}

#[test]
fn squeeze_on_side_3_is_drawn() {
    check("w1w/4/1ooo1/4/b1b w 0-0 2", true, 368_002, 27_188, Value::Draw);
}
