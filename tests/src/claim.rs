//! The designer's claim about Flowish, checked on all sets of pieces of one colour.

use std::collections::{BTreeMap, HashMap};

use crate::reference::hexboard::{Cell, HexBoard};

/// Checks that every set of `pieces` white pieces, alone on a board of this side, has a step unless it is in one
/// group, and that steps never return to a set; returns the number of sets.
///
/// `steps` returns the boards that White's steps lead to.
///
/// Panics if the claim is false.
pub fn flowish_ends(side: i32, pieces: usize, steps: impl Fn(&str) -> Vec<String>) -> usize {
    let mut nexts: HashMap<String, Vec<String>> = HashMap::new();
    for board in boards(side, pieces) {
        let text = board.write();
        let after = if board.groups('w').len() == 1 { Vec::new() } else { steps(&text) };
        assert!(!after.is_empty() || board.groups('w').len() == 1, "White is stuck: {text}");
        nexts.insert(text, after);
    }
    let returning = nexts.len() - sets_without_return(&nexts);
    assert_eq!(returning, 0, "sets of {pieces} on side {side} that lie on or behind a cycle");
    nexts.len()
}

/// The number of sets that every play leaves for good: those without a step, then those that only lead to such sets.
fn sets_without_return(nexts: &HashMap<String, Vec<String>>) -> usize {
    let mut before: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut open: HashMap<&str, usize> = HashMap::new();
    for (board, after) in nexts {
        open.insert(board, after.len());
        for next in after {
            before.entry(next).or_default().push(board);
        }
    }
    let mut ended: Vec<&str> = open.iter().filter(|entry| *entry.1 == 0).map(|entry| *entry.0).collect();
    let mut count = 0;
    while let Some(board) = ended.pop() {
        count += 1;
        for earlier in before.get(board).into_iter().flatten() {
            let left = open.get_mut(earlier).expect("every set has a count");
            *left -= 1;
            if *left == 0 {
                ended.push(earlier);
            }
        }
    }
    count
}

/// All boards with `pieces` white pieces and nothing else.
fn boards(side: i32, pieces: usize) -> Vec<HexBoard> {
    let cells = HexBoard { side, pieces: BTreeMap::new() }.cells();
    let mut sets: Vec<Vec<Cell>> = vec![Vec::new()];
    for &cell in &cells {
        let grown: Vec<Vec<Cell>> = sets
            .iter()
            .filter(|set| set.len() < pieces)
            .map(|set| set.iter().copied().chain([cell]).collect())
            .collect();
        sets.extend(grown);
    }
    sets.retain(|set| set.len() == pieces);
    let board = |set: Vec<Cell>| HexBoard { side, pieces: set.into_iter().map(|cell| (cell, 'w')).collect() };
    sets.into_iter().map(board).collect()
}
