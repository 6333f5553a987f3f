//! Why a piece of Squish or Flowish cannot move, in the words of the rules.

use marquis_core::{ByPlayer, Cell, Cells, TextError, Wish};

use super::{Position, Stepping, Unification};
use crate::hex::Hex;
use crate::steps::Step;

/// The names of the players.
const NAMES: ByPlayer<&str> = ByPlayer::new("White", "Black");

impl<R: Stepping> Unification<R> {
    /// Why a wish cannot be granted; `None` if it can. The game must not be over.
    ///
    /// # Errors
    /// Names a cell that is not on the board.
    pub(super) fn refusal(&self, position: &Position, wish: Wish<'_>) -> Result<Option<String>, TextError> {
        let board = self.board();
        let from = board.wished("from", wish.from)?;
        let to = wish.to.map(|to| board.wished("to", to)).transpose()?;
        let (own, enemies) = (position.pieces[position.turn], position.pieces[position.turn.opponent()]);
        if !own.contains(from) {
            return Ok(Some(match enemies.contains(from) {
                true => {
                    format!("The piece on {} is not {}’s, who is to move.", wish.from, NAMES[position.turn])
                }
                false => format!("There is no piece on {}.", wish.from),
            }));
        }
        let mut granted = false;
        R::steps(board, own, |step| granted |= step.from == from && to.is_none_or(|to| step.to == to));
        Ok((!granted).then(|| match to {
            None => R::why_stays(board, own, from),
            Some(to) => why_not_there::<R>(board, own, Step { from, to }),
        }))
    }
}

fn why_not_there<R: Stepping>(board: &Hex, own: Cells, step: Step) -> String {
    let there = board.name(step.to);
    if step.from == step.to {
        return format!("The piece stands on {there} already.");
    }
    if !board.adjacent(step.from).contains(step.to) {
        return format!(
            "A piece steps to a cell next to it, and {there} is not next to {}.",
            board.name(step.from)
        );
    }
    if own.contains(step.to) {
        return format!("A friend stands on {there}.");
    }
    R::why_not_towards(board, own, step)
}

/// Squish: why no step of a piece is legal.
pub(super) fn stays_apart(board: &Hex, own: Cells, from: Cell) -> String {
    let here = board.name(from);
    if board.star(from).meets(own) {
        format!(
            "The piece on {here} is hemmed in: wherever it has a friend on its line, a friend stands on the next cell."
        )
    } else {
        format!("No friend is in line with {here}, and a piece steps only towards a friend.")
    }
}

/// Squish: why a step to a cell without a friend is not legal.
pub(super) fn leads_to_nobody(board: &Hex, step: Step) -> String {
    let there = board.name(step.to);
    format!("A piece steps only towards a friend, and beyond {there} there is none on that line.")
}

/// The relation of a piece of Flowish to the largest group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupRelation {
    /// It belongs to the largest group, and no other is as large.
    Home,
    /// It is on a flowline.
    OnFlowline,
    /// It is on none, and another piece is.
    Aside,
    /// No piece is on a flowline.
    NobodyIs,
}

/// Flowish: why no step of a piece is legal.
pub(super) fn stays_on(standing: GroupRelation, board: &Hex, from: Cell) -> String {
    let here = board.name(from);
    match standing {
        GroupRelation::Home => at_home(&here),
        GroupRelation::OnFlowline => {
            format!(
                "The piece on {here} may step only towards its nearest target, and a friend stands on the next cell."
            )
        }
        GroupRelation::Aside => aside(&here),
        GroupRelation::NobodyIs => {
            format!(
                "The piece on {here} would have to come nearer to a flowline, and friends stand on the cells where it would."
            )
        }
    }
}

/// Flowish: why a step to a cell next to the piece and without a friend is not legal.
pub(super) fn leads_astray(standing: GroupRelation, board: &Hex, step: Step) -> String {
    let (here, there) = (board.name(step.from), board.name(step.to));
    match standing {
        GroupRelation::Home => at_home(&here),
        GroupRelation::OnFlowline => {
            format!(
                "The piece on {here} is on a flowline and steps only towards its nearest target; {there} is not that way."
            )
        }
        GroupRelation::Aside => aside(&here),
        GroupRelation::NobodyIs => {
            format!(
                "No piece is on a flowline, so each steps nearer to one; {there} is no nearer to one than {here}."
            )
        }
    }
}

fn at_home(here: &str) -> String {
    format!("The piece on {here} belongs to the largest group, whose pieces stay where they are.")
}

fn aside(here: &str) -> String {
    format!(
        "The piece on {here} is on no flowline: no piece of the largest group is in line with it. Such a piece moves only while none is on a flowline."
    )
}
