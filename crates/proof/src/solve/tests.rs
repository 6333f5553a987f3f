//! Searches that outgrow their first table.

use super::*;
use crate::common::{Dice, Maze, solve_all};

#[test]
fn a_search_that_outgrows_its_table_begins_again_and_finds_the_value() {
    let mut dice = Dice::new(5);
    let (mut outgrown, mut answered_before) = (0, 0);
    for number in 0..2000 {
        let nodes = 2 + dice.roll(80);
        let maze = Maze::random(&mut dice, nodes, 8, number % 3 == 0);
        let settings = Settings { table_bytes: 1 << 16, proof_bytes: 1 << 20, threads: 1 + number % 2 };
        let until = dice.roll(30) as u64;
        let tables = Tables::of(Some(1 << 12), until, 1 << 16);
        let search = Search { tables, ..Search::new(&maze, settings) };
        let found = search.solve(&0, &SearchLimits::default(), |_| {});
        assert_eq!(found.bounds, Bounds::exact(solve_all(&maze, &0)[&0]), "graph {number}: {maze:?}");
        assert_eq!(found.ended, Ended::Answered);
        let is_large = search.tables.current().1.is_none();
        outgrown += usize::from(is_large);
        answered_before += usize::from(!is_large);
    }
    assert!(outgrown > 100 && answered_before > 100, "{outgrown} outgrown, {answered_before} not");
}
