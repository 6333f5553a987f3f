//! Traces with a table that holds wins that rest on each other.

use marquis_core::Outcome;

use super::*;
use crate::common::Maze;
use crate::known_entries::{maze, moves_of, with_known};
use crate::stream::{ByteSource as _, stream};
use crate::{Heuristic, NoHeuristic};

/// More nodes than any trace here needs.
const NODES: u64 = 10_000;

/// Sees whether the player to move can reach an end that wins.
struct Sighted<'a>(&'a Maze);

impl Heuristic<Maze> for Sighted<'_> {
    fn wins_at_once(&self, &node: &u16) -> bool {
        let won = Some(Outcome::Winner(self.0.turn[usize::from(node)]));
        self.0.next[usize::from(node)].iter().any(|&next| self.0.end[usize::from(next)] == won)
    }
}

/// The moves of the traced strategy by node, with a table that holds a winning move and its plies for the given
/// nodes.
fn traced(maze: &Maze, known: &[(u16, u16, u16)]) -> Option<Vec<(u16, u16)>> {
    traced_with(&NoHeuristic, maze, known)
}

fn traced_with(
    heuristic: &impl Heuristic<Maze>,
    maze: &Maze,
    known: &[(u16, u16, u16)],
) -> Option<Vec<(u16, u16)>> {
    let (writer, mut reader) = stream();
    let strategy = with_known(heuristic, maze, known, NODES, |world, settler, meter, mut room| {
        trace_win(world, &0, settler, meter, &mut room, Some(writer))
    });
    let strategy = strategy.expect("no limit")?;
    assert_eq!(reader.until(usize::MAX), strategy.bytes(), "a reader gets the same");
    Some(moves_of(&strategy, maze))
}

#[test]
fn a_move_that_leads_back_is_taken_back_for_another() {
    // 2 goes back to 0 through 3, or on to the end.
    let maze = maze(&[&[1], &[2], &[3, 9], &[0], &[], &[], &[], &[], &[], &[]]);
    let moves = traced(&maze, &[(0, 0, 9), (1, 0, 8), (2, 0, 3), (3, 0, 2)]);
    assert_eq!(moves, Some(vec![(0, 1), (2, 9)]));
}

#[test]
fn moves_are_taken_back_as_far_as_needed_and_what_was_met_on_the_way_is_met_anew() {
    // 1 goes to 4, which is won, and to 2, which only returns to 0; so 0 has to choose 5, which also goes to 4.
    let maze = maze(&[&[1, 5], &[4, 2], &[3], &[0], &[9], &[4], &[], &[], &[], &[]]);
    let moves = traced(&maze, &[(0, 0, 9), (1, 0, 8), (2, 0, 3), (3, 0, 2), (4, 0, 1), (5, 0, 2)]);
    assert_eq!(moves, Some(vec![(0, 5), (4, 9)]));
}

#[test]
fn wins_that_rest_on_each_other_alone_are_none() {
    let maze = maze(&[&[1], &[2], &[3], &[0], &[], &[], &[], &[], &[], &[]]);
    assert_eq!(traced(&maze, &[(0, 0, 9), (1, 0, 8), (2, 0, 3), (3, 0, 2)]), None);
}

#[test]
fn a_position_is_searched_anew_where_all_its_winning_moves_lead_back() {
    // The table lost 4 and 5, which proved 2, and has 2 as won through 3 and 0.
    let maze = maze(&[&[1], &[2], &[3, 5], &[0], &[9], &[4], &[], &[], &[], &[]]);
    let moves = traced(&maze, &[(0, 0, 9), (1, 0, 8), (2, 0, 3), (3, 0, 2)]);
    assert_eq!(moves, Some(vec![(0, 1), (2, 5), (4, 9)]));
}

#[test]
fn what_wins_by_way_of_its_path_alone_makes_the_path_go_another_way() {
    // 2 does win, but only through 3 and 0, where 7 has to be chosen; the table lost 6 and 7.
    let maze = maze(&[&[1, 7], &[2], &[3], &[0], &[], &[], &[9], &[6], &[], &[]]);
    let moves = traced(&maze, &[(0, 0, 9), (1, 0, 8), (2, 0, 3), (3, 0, 2)]);
    assert_eq!(moves, Some(vec![(0, 7), (6, 9)]));
}

#[test]
fn a_win_at_once_is_taken_whatever_the_table_says() {
    // The table only has the detour through 1 and 2.
    let maze = maze(&[&[1, 9], &[2], &[3, 9], &[], &[], &[], &[], &[], &[], &[]]);
    let known = [(0, 0, 3), (1, 0, 2), (2, 1, 1)];
    assert_eq!(traced(&maze, &known), Some(vec![(0, 1), (2, 9)]));
    assert_eq!(traced_with(&Sighted(&maze), &maze, &known), Some(vec![(0, 9)]));
    assert_eq!(traced_with(&Sighted(&maze), &maze, &[]), Some(vec![(0, 9)]));
}
