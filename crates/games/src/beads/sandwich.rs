//! The move of Squeeze: slide, and capture the rows enclosed between the rook and another of its side.

use marquis_core::Cells;

use super::rules::{behind_row, slide, visit_along};
use super::{Capture, Table};
use crate::hex::{Direction, Hex};
use crate::steps::Step;

/// Each unbroken row of beads, or of enemy rooks, that ends at another friendly rook is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sandwich;

impl Capture for Sandwich {
    const ID: &'static str = "squeeze";

    #[inline]
    fn moves(board: &Hex, table: &Table, mut visit: impl FnMut(Step)) {
        let occupied = table.occupied();
        for from in table.rooks[table.turn] {
            for direction in Direction::ALL {
                let (free, _) = slide(board, occupied, from, direction);
                visit_along(from, free, direction, &mut visit);
            }
        }
    }

    #[inline]
    fn captured(board: &Hex, table: &Table, step: Step) -> Cells {
        let others = table.rooks[table.turn].without(step.from);
        Direction::ALL.into_iter().fold(Cells::EMPTY, |captured, direction| {
            let enclosed = enclosed(board, table, others, step, direction);
            captured | enclosed.unwrap_or_default()
        })
    }
}

/// The row next to the destination in a direction, if it is of one kind and a friend stands behind it.
#[inline]
fn enclosed(board: &Hex, table: &Table, others: Cells, step: Step, direction: Direction) -> Option<Cells> {
    let first = board.neighbour(step.to, direction)?;
    let row = if table.beads.contains(first) {
        table.beads
    } else if table.enemies().contains(first) {
        table.enemies()
    } else {
        return None;
    };
    let (end, cells) = behind_row(board, row, first, direction)?;
    others.contains(end).then_some(cells)
}
