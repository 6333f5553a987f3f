//! Searches whose table grows while they go on.

use std::sync::Arc;

use super::*;
use crate::common::{Dice, Maze, solve_all};
use crate::experience::Experience;

#[test]
fn a_search_whose_table_grows_finds_the_value() {
    let mut dice = Dice::new(5);
    let (mut grown, mut answered_before) = (0, 0);
    for number in 0..2000 {
        let nodes = 2 + dice.roll(80);
        let maze = Maze::random(&mut dice, nodes, 8, number % 3 == 0);
        let settings = Settings { table_bytes: 1 << 16, proof_bytes: 1 << 20, threads: 1 + number % 2 };
        let bytes = 1024 + 64 * dice.roll(60);
        let table = Table::growing(bytes, 16, Arc::new(Experience::beside(bytes)));
        let first = table.until();
        let search = Search { table, ..Search::new(&maze, settings) };
        let found = search.solve(&0, &SearchLimits::default(), |_| {});
        assert_eq!(found.bounds, Bounds::exact(solve_all(&maze, &0)[&0]), "graph {number}: {maze:?}");
        assert_eq!(found.ended, Ended::Answered);
        let is_grown = search.table.is_grown();
        assert!(!is_grown || first.is_some_and(|first| found.nodes >= first), "graph {number}");
        grown += usize::from(is_grown);
        answered_before += usize::from(!is_grown);
    }
    assert!(grown > 100 && answered_before > 100, "{grown} grown, {answered_before} not");
}
