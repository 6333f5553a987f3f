//! Why a piece of Senet cannot move, in the words of the rules.

use marquis_core::{ByPlayer, Chance as _, TextError, Throw, Wish};

use super::Senet;
use super::board::{LAST, Position, Set, Square, WATER};
use super::rules::{Move, THROWS};

/// The names of the players.
const NAMES: ByPlayer<&str> = ByPlayer::new("Black", "White");

impl Senet {
    /// Why a wish cannot be granted; `None` if it can, or, without a throw, if some throw grants it. The game must
    /// not be over.
    ///
    /// # Errors
    /// Names a square that is not on the board.
    pub(super) fn refusal(
        self,
        position: &Position,
        throw: Option<Throw>,
        wish: Wish<'_>,
    ) -> Result<Option<String>, TextError> {
        let from = wished("from", wish.from)?;
        let to = match wish.to {
            None => None,
            Some("off") => Some(LAST),
            Some(to) => Some(wished("to", to)?),
        };
        let (turn, pieces) = (position.turn(), position.pieces(position.turn()));
        if !pieces.has(from) {
            return Ok(Some(match position.pieces(turn.opponent()).has(from) {
                true => format!("The piece on {from} is not {}’s, whose turn it is.", NAMES[turn]),
                false => format!("There is no piece on {from}."),
            }));
        }
        let asked = THROWS.into_iter().filter(|&one| throw.is_none_or(|throw| throw == one));
        let granted = { asked }.any(|throw| {
            let goal = self.destination(position, throw, from);
            goal.is_some_and(|goal| to.is_none_or(|to| to == goal))
        });
        Ok((!granted).then(|| match throw {
            Some(throw) => self.why_not_with(position, throw, from),
            None => match to {
                None => format!("Whatever is thrown, the piece on {from} cannot move now."),
                Some(to) => format!("No throw takes the piece from {from} to {to}."),
            },
        }))
    }

    /// The destination of the piece on a square; the water and the last square if it moves on from there.
    fn destination(self, position: &Position, throw: Throw, from: Square) -> Option<Square> {
        let mut moves = Vec::new();
        self.moves(position, throw, &mut moves);
        moves.into_iter().find_map(|mv| match mv {
            Move::Step { from: own, to } | Move::Bump { from: own, to } => (own == from).then_some(to),
            Move::Water { from: own, .. } => (own == from).then_some(WATER),
            Move::Off { from: own } => (own == from).then_some(LAST),
            Move::Pass => None,
        })
    }

    fn why_not_with(self, position: &Position, throw: Throw, from: Square) -> String {
        let score = throw.score;
        if let Some(goal) = self.destination(position, throw, from) {
            let there = if goal == LAST { "off the board".to_owned() } else { format!("to {goal}") };
            return format!("A throw of {score} takes the piece on {from} {there}, and nowhere else.");
        }
        let forward = why_not_forward(position, from, score);
        let own = position.pieces(position.turn());
        let others = own.squares().any(|other| Self::forward(position, other, score).is_some());
        if others { forward } else { format!("{forward} {}", why_not_backward(position, from, score)) }
    }
}

/// The square that a wish names.
fn wished(place: &str, name: &str) -> Result<Square, TextError> {
    let square = crate::notation::number(name).and_then(|number| Square::new(u8::try_from(number).ok()?));
    square.ok_or_else(|| TextError::new(place, "a square from 1 to 30", name))
}

fn why_not_forward(position: &Position, from: Square, score: u8) -> String {
    let own = position.pieces(position.turn());
    let enemies = position.pieces(position.turn().opponent());
    let Some(to) = from.onward(score) else {
        return format!(
            "A throw of {score} is too much for the piece on {from}: 30 is reached by an exact throw only."
        );
    };
    if own.has(to) {
        format!("A friend stands on {to}.")
    } else if enemies.has_row_between(from, to) {
        format!("Three enemies in a row lie between {from} and {to}, and are not passed.")
    } else if to == LAST {
        "A piece is borne off only while all others of its side stand on 21 to 30.".to_owned()
    } else if Set::HOUSES.has(to) {
        format!("The enemy on {to} is safe there.")
    } else {
        format!("The enemy on {to} stands in a row of two or more, and is not bumped.")
    }
}

fn why_not_backward(position: &Position, from: Square, score: u8) -> String {
    let Some(to) = from.back(score) else {
        return format!(
            "No piece can go forward, so one goes back; from {from} the track is not {score} squares long."
        );
    };
    let taken = position.pieces(position.turn()).or(position.pieces(position.turn().opponent())).has(to);
    let why = if taken { "which is taken" } else { "and three enemies in a row lie between" };
    format!("No piece can go forward, so one goes back; this one would to {to}, {why}.")
}
