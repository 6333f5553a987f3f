//! Searches whose table grows while they run, and searches of several positions side by side.

use std::sync::Arc;

use marquis_core::{Game, Outcome, Over, Reason, Value};

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
        let table = QuestionTable::growing(bytes, 16, Arc::new(Experience::beside(bytes)));
        let first = table.until();
        let search = ProofSearch { table, ..ProofSearch::new(&maze, settings) };
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

/// Trees in which every line is a win for the first player.
#[derive(Clone, Debug)]
struct Trees;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    /// Moves of the first and of the second player, at every ply.
    widths: ByPlayer<u64>,
    plies_left: u8,
    way: u64,
}

marquis_core::packed!(Place { widths: ByPlayer<u64>, plies_left: u8, way: u64 });

impl Game for Trees {
    type Position = Place;
    type Move = u64;

    fn turn(&self, place: &Place) -> Player {
        Player::BOTH[usize::from(place.plies_left % 2)]
    }

    fn over(&self, place: &Place) -> Option<Over> {
        let outcome = Outcome::Winner(Player::First);
        (place.plies_left == 0).then_some(Over { reason: Reason::Line, outcome })
    }

    fn moves(&self, place: &Place, out: &mut Vec<u64>) {
        out.extend(0..place.widths[self.turn(place)]);
    }

    fn play(&self, place: &Place, mv: u64) -> Place {
        Place {
            plies_left: place.plies_left - 1,
            way: place.way * place.widths[self.turn(place)] + mv,
            ..*place
        }
    }
}

impl Hashed for Trees {
    fn key(&self, &Place { widths, plies_left, way }: &Place) -> u64 {
        let parts = [widths.first, widths.second, u64::from(plies_left), way];
        parts.iter().fold(1, |key: u64, part| {
            let mixed = (key ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 31
        })
    }
}

impl Place {
    const fn root(first: u64, second: u64, plies_left: u8) -> Self {
        Self { widths: ByPlayer::new(first, second), plies_left, way: 0 }
    }
}

/// The findings about two trees within `nodes` nodes, if one of these values is enough, or if both are needed.
fn found(trees: [Place; 2], one_is_enough: Option<Value>, nodes: u64) -> Vec<Findings<Trees>> {
    let search = ProofSearch::new(&Trees, Settings::within(1 << 27, 1));
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let enough = |bounds: &[Bounds]| one_is_enough.is_some_and(|one| bounds.contains(&Bounds::exact(one)));
    search.solve_all(&trees, &enough, &limits, &mut |_| {})
}

#[test]
fn where_one_win_is_enough_most_search_goes_to_the_one_that_looks_nearest() {
    let tree = |width| Place::root(2, width, 18);
    for (near, trees) in [(0, [tree(2), tree(3)]), (1, [tree(3), tree(2)])] {
        let found = found(trees, Some(Value::Win), 200_000);
        assert_eq!(found[near].bounds, Bounds::exact(Value::Win));
        assert!(found[near].nodes > 4 * found[1 - near].nodes, "{} {}", found[0].nodes, found[1].nodes);
    }
    let both = found([tree(4), tree(5)], None, 200_000);
    assert!(both[0].nodes < 2 * both[1].nodes, "{} {}: both are wanted", both[0].nodes, both[1].nodes);
}

#[test]
fn what_would_be_enough_and_is_far_does_not_keep_both_from_their_answers() {
    // A loss would be enough, but refuting three moves everywhere looks harder than winning both.
    let nodes_until_won = |one_is_enough| -> u64 {
        let found = found([Place::root(3, 2, 16); 2], one_is_enough, 1_000_000);
        assert!(found.iter().all(|found| found.bounds == Bounds::exact(Value::Win)), "{one_is_enough:?}");
        found.iter().map(|found| found.nodes).sum()
    };
    let (evenly, loss_is_enough) = (nodes_until_won(None), nodes_until_won(Some(Value::Loss)));
    assert!(loss_is_enough < evenly * 5 / 4, "{loss_is_enough} {evenly}");
}
