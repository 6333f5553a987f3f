//! The search against a solver of whole graphs.

use marquis_core::Player;

use super::*;
use crate::common::{Dice, Maze, solve_all};
use crate::{NoHeuristic, NoOracle};

#[test]
fn the_search_is_right_about_cycles_before_anything_is_extracted() {
    let mut dice = Dice::new(21);
    for number in 0..10_000 {
        let nodes = 2 + dice.roll(60);
        let maze = Maze::random(&mut dice, nodes, 8, number % 3 == 0);
        let truth = solve_all(&maze, &0)[&0];
        let table = Table::with_bytes(1 << 14);
        let world = World { game: &maze, oracle: &NoOracle, heuristic: &NoHeuristic };
        if maze.over(&0).is_some() {
            continue;
        }
        for prover in Player::BOTH {
            let question = Question { prover };
            let mut searcher = Searcher::new(world, &table, question);
            searcher.start(&0);
            let yes = matches!(searcher.run(u64::MAX), Progressed::Proved(_));
            assert_eq!(yes, question.is_yes(truth, maze.turn(&0)), "graph {number}: {maze:?}");
        }
    }
}
