//! Wins that the table knows only through each other.

use super::*;
use crate::NoHeuristic;
use crate::common::Maze;
use crate::known_entries::{maze, moves_of, with_known};

/// Fewer nodes than a bog has.
const NODES: u64 = 100;

/// A maze with a dead-end bog of a thousand nodes from `bog` on, and the prover's win at node 9. The opponent has
/// three moves at each of its nodes in the bog, so that the bog looks like more work.
fn boggy(next: &[&[u16]], bog: u16) -> Maze {
    assert_eq!(usize::from(bog), next.len(), "the bog begins where the nodes end");
    let end = bog + 1_000;
    let ways = (bog..end).map(|node| {
        let ways: &[u16] = if node % 2 == 0 { &[1] } else { &[1, 3, 5] };
        ways.iter().map(|way| if node + way < end { node + way } else { (node + 1) % 2 }).collect()
    });
    let ways: Vec<Vec<u16>> = ways.collect();
    let next: Vec<&[u16]> = next.iter().copied().chain(ways.iter().map(Vec::as_slice)).collect();
    maze(&next)
}

/// The moves of the strategy by node, with a table that holds a winning move and its plies for the given nodes.
fn extracted(maze: &Maze, known: &[(u16, u16, u16)]) -> Result<Vec<(u16, u16)>, Ended> {
    with_known(&NoHeuristic, maze, known, NODES, |world, settler, meter, room| {
        let strategy = extract_win(world, &0, settler, meter, room)?;
        Ok(moves_of(&strategy, maze))
    })
}

#[test]
fn what_wins_by_each_other_alone_is_searched_anew_and_not_by_trying_all_moves() {
    // The table says that 0 wins through 1, 2 and 3, and they through 0; it lost 7 and 6. The bog at 11 is never
    // needed.
    let maze = boggy(&[&[1, 7], &[2], &[11, 3], &[0], &[], &[], &[9], &[6], &[], &[], &[]], 11);
    let known = [(0, 0, 9), (1, 0, 8), (2, 1, 3), (3, 0, 2)];
    assert_eq!(extracted(&maze, &known), Ok(vec![(0, 7), (6, 9)]));
}

#[test]
fn what_only_the_search_anew_comes_upon_is_forgotten_in_its_turn() {
    // The first new search takes 4, through which 5 returns to 0; the second one finds 7.
    let maze = boggy(&[&[1, 5, 7], &[2], &[11, 3], &[0], &[3], &[4], &[9], &[6], &[], &[], &[]], 11);
    let known = [(0, 0, 9), (1, 0, 8), (2, 1, 3), (3, 0, 2), (5, 0, 1), (4, 0, 1)];
    assert_eq!(extracted(&maze, &known), Ok(vec![(0, 7), (6, 9)]));
}

#[test]
fn where_the_table_is_wrong_all_moves_are_tried_and_the_opponent_is_safe() {
    let maze = maze(&[&[1, 5], &[2], &[3], &[0], &[3], &[4]]);
    let safe = with_known(&NoHeuristic, &maze, &[(0, 0, 9), (1, 0, 8), (2, 0, 3), (3, 0, 2)], NODES, {
        |world, settler, meter, room| extract_win(world, &0, settler, meter, room)
    });
    assert_eq!(safe.map(|strategy| strategy.kind), Ok(crate::Guarantee::NeverLose));
}
