//! Why a checker of Squinch cannot move, in the words of the rules.

use marquis_core::{ByPlayer, Game as _, Player, TextError, Wish};

use super::Squinch;
use super::board::{Position, Square};
use super::rules::Move;

/// The names of the players.
const NAMES: ByPlayer<&str> = ByPlayer::new("Red", "White");

/// The wished destination of a checker.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WishedGoal {
    Square(Square),
    Off,
}

impl Squinch {
    /// Why a wish cannot be granted; `None` if it can. The game must not be over.
    ///
    /// # Errors
    /// Names a square that is not on the board.
    pub(super) fn refusal(self, position: &Position, wish: Wish<'_>) -> Result<Option<String>, TextError> {
        let from = self.wished("from", wish.from)?;
        let goal = match wish.to {
            None => None,
            Some("off") => Some(WishedGoal::Off),
            Some(to) => Some(WishedGoal::Square(self.wished("to", to)?)),
        };
        let turn = position.turn();
        match position.stack(from) {
            None => return Ok(Some(format!("There is no checker on {from}."))),
            Some(stack) if stack.owner != turn => {
                return Ok(Some(format!("The stack on {from} is not {}’s, who is to move.", NAMES[turn])));
            }
            Some(_) => {}
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        let granted = moves.into_iter().any(|mv| match mv {
            Move::Step { from: own, to } => {
                own == from && goal.is_none_or(|goal| goal == WishedGoal::Square(to))
            }
            Move::Off { from: own } => own == from && goal.is_none_or(|goal| goal == WishedGoal::Off),
            Move::Pass => false,
        });
        Ok((!granted).then(|| match goal {
            None => self.why_stays(position, from),
            Some(WishedGoal::Off) => self.why_stays_on(position, from),
            Some(WishedGoal::Square(to)) => self.why_not_there(position, from, to),
        }))
    }

    fn wished(self, place: &str, name: &str) -> Result<Square, TextError> {
        let squares =
            (0..self.ranks()).flat_map(|rank| (0..self.files()).map(move |file| Square::new(file, rank)));
        let found = { squares }.find(|square| square.to_string() == name);
        found.ok_or_else(|| TextError::new(place, "a square of the board, such as `a1`", name))
    }

    fn why_stays(self, position: &Position, from: Square) -> String {
        let height = position.height(from);
        let reach =
            if height == 1 { "The next squares".to_owned() } else { format!("The next {height} squares") };
        format!(
            "{reach} forward of {from} are held by enemies, no stack of {} beside it that can be reached is as high, and the \
             far edge is out of reach.",
            NAMES[position.turn()]
        )
    }

    fn why_stays_on(self, position: &Position, from: Square) -> String {
        let far = self.distance_off(from, position.turn());
        let height = position.height(from);
        format!(
            "The far edge is {far} away, and the top checker of a stack of {height} goes no farther than {height}."
        )
    }

    fn why_not_there(self, position: &Position, from: Square, to: Square) -> String {
        let (turn, height) = (position.turn(), position.height(from));
        if from == to {
            return format!("The checker stands on {to} already.");
        }
        let stack = position.stack(to);
        if stack.is_some_and(|stack| stack.owner != turn) {
            return format!("An enemy stands on {to}, and a checker never ends on an enemy.");
        }
        let across = from.file().abs_diff(to.file());
        let up = i16::from(to.rank()) - i16::from(from.rank());
        let onward = if turn == Player::First { up } else { -up };
        if onward < 0 {
            return format!("Checkers never go back, and {to} lies behind {from}.");
        }
        let far = across.max(onward.unsigned_abs() as u8);
        if across != 0 && onward != 0 && u16::from(across) != onward.unsigned_abs() {
            return format!(
                "A checker goes straight or diagonally forward, or sideways; {to} is none of these from {from}."
            );
        }
        if far > height {
            return format!(
                "{to} is {far} squares away, and the top checker of a stack of {height} goes no farther than {height}."
            );
        }
        match stack {
            None => format!("Sideways a checker goes only onto another stack, and {to} is empty."),
            Some(_) => format!(
                "Sideways a checker goes only onto a stack that is at least as high as its own, {height}."
            ),
        }
    }
}
