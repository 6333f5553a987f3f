//! The step of Squish: towards a friend on the same line.

use marquis_core::{Cell, Cells};

use super::{Stepping, why};
use crate::hex::{Direction, Hex};
use crate::steps::Step;

/// A piece may step if a friend stands beyond the destination on the same line, whatever stands between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Approach;

impl Stepping for Approach {
    const ID: &'static str = "squish";
    const RULES: &'static marquis_core::RulesPage = &super::SQUISH_RULES;

    #[inline]
    fn steps(board: &Hex, own: Cells, mut visit: impl FnMut(Step)) {
        for from in own {
            for direction in Direction::ALL {
                if let Some(to) = towards_a_friend(board, own, from, direction) {
                    visit(Step { from, to });
                }
            }
        }
    }

    /// Most pieces can, so the first piece nearly always decides.
    #[inline]
    fn can_step(board: &Hex, mut own: Cells) -> bool {
        let all = own;
        own.any(|from| {
            Direction::ALL.into_iter().any(|way| towards_a_friend(board, all, from, way).is_some())
        })
    }

    fn why_stays(board: &Hex, own: Cells, from: Cell) -> String {
        why::stays_apart(board, own, from)
    }

    fn why_not_towards(board: &Hex, _: Cells, step: Step) -> String {
        why::leads_to_nobody(board, step)
    }
}

/// The destination of a piece in a direction, if it may step.
#[inline]
fn towards_a_friend(board: &Hex, own: Cells, from: Cell, direction: Direction) -> Option<Cell> {
    let to = board.neighbour(from, direction)?;
    (!own.contains(to) && board.ray(to, direction).meets(own)).then_some(to)
}
