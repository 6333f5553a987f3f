//! Flowish: step along a flowline towards the nearest piece of a largest group.

use std::collections::{BTreeMap, BTreeSet};

use super::hexboard::{Cell, DIRECTIONS, HexBoard, distance, step};
use super::unify::Position;
use super::{End, Moves, Reference};

/// The rules of Flowish.
#[derive(Clone, Copy, Debug)]
pub struct Flowish;

/// The targets of each piece: the friends in groups of the largest size, except its own group.
fn targets(board: &HexBoard, colour: char) -> BTreeMap<Cell, BTreeSet<Cell>> {
    let groups = board.groups(colour);
    let largest = groups.iter().map(BTreeSet::len).max().unwrap_or(0);
    let mut targets = BTreeMap::new();
    for own in &groups {
        let others = groups.iter().filter(|&group| group != own && group.len() == largest);
        let cells: BTreeSet<Cell> = others.flatten().copied().collect();
        for &piece in own {
            targets.insert(piece, cells.clone());
        }
    }
    targets
}

/// The directions in which a target is nearest to a piece; empty if the piece is on no flowline.
fn nearest_directions(board: &HexBoard, piece: Cell, targets: &BTreeSet<Cell>) -> Vec<Cell> {
    let mut found = Vec::new();
    for direction in DIRECTIONS {
        let ray = board.ray(piece, direction);
        if let Some(between) = ray.iter().position(|cell| targets.contains(cell)) {
            found.push((between, direction));
        }
    }
    let nearest = found.iter().map(|&(between, _)| between).min();
    found.iter().filter(|&&(between, _)| Some(between) == nearest).map(|&(_, direction)| direction).collect()
}

/// The steps from a cell to the nearest cell of any line through any target; `None` without a target.
fn steps_to_flowline(board: &HexBoard, cell: Cell, targets: &BTreeSet<Cell>) -> Option<i32> {
    let mut steps = Vec::new();
    for &target in targets {
        steps.push(distance(cell, target));
        for direction in DIRECTIONS {
            steps.extend(board.ray(target, direction).into_iter().map(|other| distance(cell, other)));
        }
    }
    steps.into_iter().min()
}

/// The steps of all pieces of a colour, as origin and destination; ignores the turn and the end of the game.
#[must_use]
pub fn destinations(board: &HexBoard, colour: char) -> Vec<(Cell, Cell)> {
    let targets = targets(board, colour);
    let mut steps = Vec::new();
    let mut anyone_on_a_flowline = false;
    for (&piece, its_targets) in &targets {
        for direction in nearest_directions(board, piece, its_targets) {
            anyone_on_a_flowline = true;
            steps.push((piece, step(piece, direction, 1)));
        }
    }
    if !anyone_on_a_flowline {
        for (&piece, its_targets) in &targets {
            let Some(now) = steps_to_flowline(board, piece, its_targets) else { continue };
            for direction in DIRECTIONS {
                let to = step(piece, direction, 1);
                if board.has(to) && steps_to_flowline(board, to, its_targets) == Some(now - 1) {
                    steps.push((piece, to));
                }
            }
        }
    }
    steps.retain(|&(_, to)| board.at(to) != colour);
    steps
}

fn steps(position: &Position) -> Moves {
    let steps = destinations(&position.board, position.turn);
    steps.into_iter().map(|(from, to)| position.step(from, to)).collect()
}

impl Reference for Flowish {
    fn over(&self, position: &str) -> Option<End> {
        let position = Position::read(position);
        position.end(&steps(&position))
    }

    fn moves(&self, position: &str) -> Moves {
        let position = Position::read(position);
        let moves = steps(&position);
        if position.end(&moves).is_some() { Moves::new() } else { moves }
    }
}
