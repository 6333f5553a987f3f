//! The move of Swish: slide, and leap over one row of beads or of enemy rooks.

use std::ops::ControlFlow;

use marquis_core::{Cell, Cells};

use super::rules::visit_along;
use super::{Capture, Position, why};
use crate::hex::{Direction, Hex};
use crate::steps::Step;

/// The rule of Swish: a leap captures the row that it passes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Leap;

impl Capture for Leap {
    const ID: &'static str = "swish";
    const RULES: &'static marquis_core::RulesPage = &super::SWISH_RULES;

    #[inline]
    fn moves(board: &Hex, position: &Position, mut visit: impl FnMut(Step, Cells)) {
        let (occupied, enemies) = (position.occupied(), position.enemies());
        for from in position.rooks[position.turn] {
            for direction in Direction::ALL {
                let open = board.open(from, direction, occupied);
                visit_along(from, open, direction, &mut |step| visit(step, Cells::EMPTY));
                if let Some((landing, captured)) = leap(board, position, occupied, enemies, from, direction) {
                    visit_along(from, landing, direction, &mut |step| visit(step, captured));
                }
            }
        }
    }

    #[inline]
    fn captured(board: &Hex, position: &Position, step: Step) -> Cells {
        board.between(step.from, step.to) & position.occupied()
    }

    fn why_stays(here: &str) -> String {
        format!(
            "Every cell next to the rook on {here} is taken, and behind no row that it could leap is a vacant cell."
        )
    }

    fn why_not_along(board: &Hex, position: &Position, step: Step) -> String {
        let towards = |&direction: &Direction| board.ray(step.from, direction).contains(step.to);
        let behind = Direction::ALL.into_iter().find(towards).and_then(|direction| {
            let first = Hex::nearest(board.ray(step.from, direction) & position.occupied(), direction)?;
            let row = if position.beads.contains(first) { position.beads } else { position.enemies() };
            Hex::nearest(board.ray(first, direction) - row, direction)
        });
        why::no_leap(board, position, step, behind)
    }

    fn most_rows(rooks: u8) -> u8 {
        rooks.min(1)
    }

    #[inline]
    fn quiet(board: &Hex, position: &Position, from: Cell) -> Cells {
        board.open_around(from, position.occupied())
    }

    #[inline]
    fn captures<B>(
        board: &Hex,
        position: &Position,
        from: Cell,
        mut visit: impl FnMut(Cells, Cells) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (occupied, enemies) = (position.occupied(), position.enemies());
        for direction in Direction::ALL {
            if let Some((landing, captured)) = leap(board, position, occupied, enemies, from, direction) {
                visit(landing, captured)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn came_quietly(_: &Hex, _: &Position, _: Cell) -> bool {
        true
    }
}

/// The cell where the rook on `from` can land behind the first row in a direction, and that row.
#[inline]
fn leap(
    board: &Hex,
    position: &Position,
    occupied: Cells,
    enemies: Cells,
    from: Cell,
    direction: Direction,
) -> Option<(Cells, Cells)> {
    let first = Hex::nearest(board.ray(from, direction) & occupied, direction)?;
    let row = if position.beads.contains(first) {
        position.beads
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
