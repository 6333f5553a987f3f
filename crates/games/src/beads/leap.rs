//! The move of Swish: slide, and leap over one row of beads or of enemy rooks.

use std::ops::ControlFlow;

use marquis_core::{Cell, Cells};

use super::rules::{behind_row, slide, visit_along};
use super::{Capture, Table};
use crate::hex::{Direction, Hex};
use crate::steps::Step;

/// What is leaped over is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Leap;

impl Capture for Leap {
    const ID: &'static str = "swish";

    #[inline]
    fn moves(board: &Hex, table: &Table, mut visit: impl FnMut(Step)) {
        let (occupied, enemies) = (table.occupied(), table.enemies());
        for from in table.rooks[table.turn] {
            for direction in Direction::ALL {
                let (free, first) = slide(board, occupied, from, direction);
                visit_along(from, free, direction, &mut visit);
                let Some(first) = first else { continue };
                let row = if table.beads.contains(first) {
                    table.beads
                } else if enemies.contains(first) {
                    enemies
                } else {
                    continue;
                };
                let Some((landing, _)) = behind_row(board, row, first, direction) else { continue };
                if !occupied.contains(landing) {
                    let (beyond, _) = slide(board, occupied, landing, direction);
                    visit_along(from, beyond.with(landing), direction, &mut visit);
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
            let Some(first) = Hex::nearest(board.ray(from, direction) & occupied, direction) else {
                continue;
            };
            let row = if table.beads.contains(first) {
                table.beads
            } else if enemies.contains(first) {
                enemies
            } else {
                continue;
            };
            let Some((landing, captured)) = behind_row(board, row, first, direction) else { continue };
            if !occupied.contains(landing) {
                visit(board.open(landing, direction, occupied).with(landing), captured)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn came_quietly(_: &Hex, _: &Table, _: Cell) -> bool {
        true
    }
}
