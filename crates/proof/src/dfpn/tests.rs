//! Compares the search with a solver of whole graphs.

use std::sync::Arc;

use marquis_core::Player;

use super::*;
use crate::common::{Dice, Maze, solve_all};
use crate::experience::Experience;
use crate::{Kin, NoHeuristic, NoOracle};

/// Arbitrary families of maze nodes: their lessons are wrong as often as right.
struct Families;

impl Heuristic<Maze> for Families {
    fn kin(&self, node: &u16, _: Question) -> Option<Kin> {
        let close = node.is_multiple_of(2).then(|| [5, 7].map(|families| u64::from(node % families) << 8));
        Some(Kin { wide: u64::from(node % 3), close })
    }
}

#[test]
fn the_search_is_right_about_cycles_before_anything_is_extracted() {
    agrees_with_the_solver_of_graphs(21, &NoHeuristic);
}

#[test]
fn lessons_of_whatever_kin_make_no_answer_wrong() {
    agrees_with_the_solver_of_graphs(22, &Families);
}

fn agrees_with_the_solver_of_graphs(seed: u64, heuristic: &impl Heuristic<Maze>) {
    let mut dice = Dice::new(seed);
    let experience = Arc::new(Experience::beside(1 << 14));
    for number in 0..10_000 {
        let nodes = 2 + dice.roll(60);
        let maze = Maze::random(&mut dice, nodes, 8, number % 3 == 0);
        let truth = solve_all(&maze, &0)[&0];
        let table = QuestionTable::growing(1 << 14, 1, Arc::clone(&experience));
        let world = World { game: &maze, oracle: &NoOracle, heuristic };
        if maze.over(&0).is_some() {
            continue;
        }
        for prover in Player::BOTH {
            let question = Question { prover };
            let mut searcher = QuestionSearch::new(world, &table, question);
            searcher.start(&0);
            let yes = matches!(searcher.run(u64::MAX), Progressed::Proved(_));
            assert_eq!(yes, question.is_yes(truth, maze.turn(&0)), "graph {number}: {maze:?}");
        }
    }
}
