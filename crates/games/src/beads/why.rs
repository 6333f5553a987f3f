//! Why a rook of Swish or Squeeze cannot move, in the words of the rules.

use marquis_core::{ByPlayer, Cell, TextError, Wish};

use super::{BeadGame, Capture, Position};
use crate::hex::Hex;
use crate::steps::Step;

/// The names of the players.
const NAMES: ByPlayer<&str> = ByPlayer::new("White", "Black");

impl<R: Capture> BeadGame<R> {
    /// Why a wish cannot be granted; `None` if it can. The game must not be over.
    ///
    /// # Errors
    /// Names a cell that is not on the board.
    pub(super) fn refusal(&self, position: &Position, wish: Wish<'_>) -> Result<Option<String>, TextError> {
        let board = self.board();
        let from = board.wished("from", wish.from)?;
        let to = wish.to.map(|to| board.wished("to", to)).transpose()?;
        if !position.rooks[position.turn].contains(from) {
            let here = wish.from;
            return Ok(Some(if position.enemies().contains(from) {
                format!("The rook on {here} is not {}’s, who is to move.", NAMES[position.turn])
            } else if position.beads.contains(from) {
                format!("{here} holds a bead; only rooks move.")
            } else {
                format!("There is no rook on {here}.")
            }));
        }
        let mut granted = false;
        R::moves(board, position, |step, _| {
            granted |= step.from == from && to.is_none_or(|to| step.to == to);
        });
        Ok((!granted).then(|| match to {
            None => R::why_stays(&board.name(from)),
            Some(to) => why_not_there::<R>(board, position, Step { from, to }),
        }))
    }
}

fn why_not_there<R: Capture>(board: &Hex, position: &Position, step: Step) -> String {
    let (here, there) = (board.name(step.from), board.name(step.to));
    if step.from == step.to {
        return format!("The rook stands on {there} already.");
    }
    if position.occupied().contains(step.to) {
        return format!("{} on {there}, and a move ends on a vacant cell.", what_is(position, step.to));
    }
    if !board.star(step.from).contains(step.to) {
        return format!("A rook moves in a straight line, and {there} is not in line with {here}.");
    }
    R::why_not_along(board, position, step)
}

/// The contents of a cell: `A bead lies`.
fn what_is(position: &Position, cell: Cell) -> &'static str {
    if position.beads.contains(cell) {
        "A bead lies"
    } else if position.enemies().contains(cell) {
        "An enemy rook stands"
    } else {
        "A rook of the same side stands"
    }
}

/// Swish: why a move along a line to a vacant cell is not legal.
///
/// * `behind`: the first cell behind the row of one kind that is met first.
pub(super) fn no_leap(board: &Hex, position: &Position, step: Step, behind: Option<Cell>) -> String {
    let passed = board.between(step.from, step.to);
    let friends = passed & position.rooks[position.turn];
    if let Some(friend) = friends.lowest() {
        return format!(
            "A rook of the same side stands on {}, and one’s own rooks cannot be leaped.",
            board.name(friend)
        );
    }
    match behind {
        Some(behind) if position.occupied().contains(behind) => {
            format!(
                "The row with {} holds beads and rooks together, and cannot be leaped.",
                board.name(behind)
            )
        }
        _ => format!("A move leaps one row only, and before {} lies another.", board.name(step.to)),
    }
}

/// Squeeze: why a move along a line to a vacant cell is not legal.
pub(super) fn no_slide(board: &Hex, position: &Position, step: Step) -> String {
    let passed = board.between(step.from, step.to) & position.occupied();
    let near = |cell: Cell| board.between(step.from, cell).len();
    let first = { passed }.min_by_key(|&cell| near(cell)).unwrap_or(step.to);
    format!(
        "{} on {} in the way; a rook slides over vacant cells only.",
        what_is(position, first),
        board.name(first)
    )
}
