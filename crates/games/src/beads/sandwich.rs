//! The move of Squeeze: slide, and capture the rows enclosed between the rook and another of its side.

use std::ops::ControlFlow;

use marquis_core::{Cell, Cells};

use super::rules::visit_along;
use super::{Capture, Position, why};
use crate::hex::{Direction, Hex};
use crate::steps::Step;

/// Each unbroken row of beads, or of enemy rooks, that ends at another friendly rook is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sandwich;

impl Capture for Sandwich {
    const ID: &'static str = "squeeze";
    const RULES: &'static marquis_core::RulesPage = &super::SQUEEZE_RULES;

    #[inline]
    fn moves(board: &Hex, position: &Position, mut visit: impl FnMut(Step, Cells)) {
        let occupied = position.occupied();
        for from in position.rooks[position.turn] {
            let open = board.open_around(from, occupied);
            let closing = closing(board, position, from, open);
            let others = position.rooks[position.turn].without(from);
            for direction in Direction::ALL {
                visit_along(from, open & board.ray(from, direction), direction, &mut |step| {
                    let closes = closing.contains(step.to);
                    visit(
                        step,
                        if closes { enclosed(board, position, others, step.to) } else { Cells::EMPTY },
                    );
                });
            }
        }
    }

    #[inline]
    fn captured(board: &Hex, position: &Position, step: Step) -> Cells {
        enclosed(board, position, position.rooks[position.turn].without(step.from), step.to)
    }

    fn why_stays(here: &str) -> String {
        format!("Every cell next to the rook on {here} is taken, and a rook slides over vacant cells only.")
    }

    fn why_not_along(board: &Hex, position: &Position, step: Step) -> String {
        why::no_slide(board, position, step)
    }

    fn most_rows(rooks: u8) -> u8 {
        rooks.saturating_sub(1)
    }

    #[inline]
    fn quiet(board: &Hex, position: &Position, from: Cell) -> Cells {
        let open = board.open_around(from, position.occupied());
        open - closing(board, position, from, open)
    }

    #[inline]
    fn captures<B>(
        board: &Hex,
        position: &Position,
        from: Cell,
        mut visit: impl FnMut(Cells, Cells) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let others = position.rooks[position.turn].without(from);
        if others.is_empty() {
            return ControlFlow::Continue(());
        }
        let open = board.open_around(from, position.occupied());
        for to in closing(board, position, from, open) {
            visit(to.set(), enclosed(board, position, others, to))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn came_quietly(board: &Hex, position: &Position, to: Cell) -> bool {
        let friends = position.enemies() & (board.star(to) - board.adjacent(to));
        let seen = Position { turn: position.turn.opponent(), ..*position };
        !{ friends }.any(|friend| is_row(&seen, board.between(to, friend)))
    }
}

/// The cells enclosed between a rook on `to` and the `others` of its side.
///
/// A second friend on the same line encloses nothing: the cells before it are not of one kind.
#[inline]
fn enclosed(board: &Hex, position: &Position, others: Cells, to: Cell) -> Cells {
    let ends = others & (board.star(to) - board.adjacent(to));
    let rows = ends.map(|other| board.between(to, other)).filter(|&row| is_row(position, row));
    rows.fold(Cells::EMPTY, |all, row| all | row)
}

/// The cells of `open` on which a rook from `from` encloses something.
#[inline]
fn closing(board: &Hex, position: &Position, from: Cell, open: Cells) -> Cells {
    let others = position.rooks[position.turn].without(from);
    others.fold(Cells::EMPTY, |closing, other| {
        let ends = open & (board.star(other) - board.adjacent(other));
        closing | ends.filter(|&to| is_row(position, board.between(to, other))).collect()
    })
}

/// Returns whether these cells hold only beads, or only enemy rooks.
#[inline]
fn is_row(position: &Position, cells: Cells) -> bool {
    (cells - position.beads).is_empty() || (cells - position.enemies()).is_empty()
}
