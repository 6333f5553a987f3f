//! Position and move text of Squish and Flowish.

use marquis_core::{ByPlayer, GameId, Notation, Player, Wish};

use super::{Position, Stepping, Unification};
use crate::hex::{parse_rows, write_rows};
use crate::notation::{TextError, fields, no_more, player};
use crate::steps::{Step, Takes};

/// The letters of the players.
pub(crate) const LETTERS: ByPlayer<char> = ByPlayer::new('w', 'b');

impl<R: Stepping> Unification<R> {
    /// The game and the position that a text describes: `ROWS w|b`.
    ///
    /// # Errors
    /// Names the row or field that is wrong, what was expected there and what was found.
    pub fn parse(text: &str) -> Result<(Self, Position), TextError> {
        let mut fields = fields(text).into_iter();
        let rows = parse_rows(fields.next().unwrap_or(""), [LETTERS.first, LETTERS.second])?;
        let turn = player(fields.next(), LETTERS)?;
        no_more(fields)?;
        let [first, second] = rows.cells;
        Ok((Self::new(rows.side), Position { pieces: ByPlayer::new(first, second), turn }))
    }
}

impl<R: Stepping> Notation for Unification<R> {
    fn id(&self) -> GameId {
        GameId::new(R::ID)
    }

    fn position_text(&self, position: &Position) -> String {
        let letter =
            |cell| Player::BOTH.into_iter().find(|&p| position.pieces[p].contains(cell)).map(|p| LETTERS[p]);
        format!("{} {}", write_rows(self.board(), letter), LETTERS[position.turn])
    }

    fn move_text(&self, position: &Position, step: Step) -> String {
        let captures = position.pieces[position.turn.opponent()].contains(step.to);
        step.text(self.board(), if captures { Takes::Something } else { Takes::Nothing })
    }

    fn why_not(&self, position: &Position, wish: Wish<'_>) -> Result<Option<String>, TextError> {
        self.refusal(position, wish)
    }
}
