//! The move of Swish: slide, and leap over one row of beads or of enemy rooks.

use std::ops::ControlFlow;

use marquis_core::{Cell, Cells};

use super::rules::visit_along;
use super::{Capture, Table};
use crate::hex::{Direction, Hex};
use crate::steps::Step;

/// What is leaped over is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Leap;

impl Capture for Leap {
    const ID: &'static str = "swish";
    const RULES: &'static marquis_core::RulesPage = &super::SWISH_RULES;

    #[inline]
    fn moves(board: &Hex, table: &Table, mut visit: impl FnMut(Step)) {
        let (occupied, enemies) = (table.occupied(), table.enemies());
        for from in table.rooks[table.turn] {
            for direction in Direction::ALL {
                visit_along(from, board.open(from, direction, occupied), direction, &mut visit);
                if let Some((landing, _)) = leap(board, table, occupied, enemies, from, direction) {
                    visit_along(from, landing, direction, &mut visit);
                }
            }
        }
    }

    #[inline]
    fn captured(board: &Hex, table: &Table, step: Step) -> Cells {
        board.between(step.from, step.to) & table.occupied()
    }
    fn most_rows(rooks: u8) -> u8 {
        rooks.min(1)
    }

    #[inline]
    fn quiet(board: &Hex, table: &Table, from: Cell) -> Cells {
        board.open_around(from, table.occupied())
    }

    #[inline]
    fn captures<B>(
        board: &Hex,
        table: &Table,
        from: Cell,
        mut visit: impl FnMut(Cells, Cells) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (occupied, enemies) = (table.occupied(), table.enemies());
        for direction in Direction::ALL {
            if let Some((landing, captured)) = leap(board, table, occupied, enemies, from, direction) {
                visit(landing, captured)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn came_quietly(_: &Hex, _: &Table, _: Cell) -> bool {
        true
    }
}

/// Where the rook on `from` can land behind the row that it meets first in a direction, and that row.
#[inline]
fn leap(
    board: &Hex,
    table: &Table,
    occupied: Cells,
    enemies: Cells,
    from: Cell,
    direction: Direction,
) -> Option<(Cells, Cells)> {
    let first = Hex::nearest(board.ray(from, direction) & occupied, direction)?;
    let row = if table.beads.contains(first) {
        table.beads
    } else if enemies.contains(first) {
        enemies
    } else {
        return None;
    };
    let landing = Hex::nearest(board.ray(first, direction) - row, direction)?;
    let captured = board.between(first, landing).with(first);
    let vacant = !occupied.contains(landing);
    vacant.then(|| (board.open(landing, direction, occupied).with(landing), captured))
}
