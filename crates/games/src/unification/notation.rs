//! Position and move text of Squish and Flowish.

use marquis_core::{ByPlayer, Game, GameId, Notation, Player};

use super::{Duel, Stepping, Unification};
use crate::hex::{parse_rows, write_rows};
use crate::notation::{TextError, fields, no_more, player};
use crate::steps::{Step, Takes, find_move};

/// The letters of the players.
pub(crate) const LETTERS: ByPlayer<char> = ByPlayer::new('w', 'b');

impl<R: Stepping> Unification<R> {
    /// The game and the position that a text describes: `ROWS w|b`.
    ///
    /// # Errors
    /// Names the row or field that is wrong, what was expected there and what was found.
    pub fn parse(text: &str) -> Result<(Self, Duel), TextError> {
        let mut fields = fields(text).into_iter();
        let rows = parse_rows(fields.next().unwrap_or(""), [LETTERS.first, LETTERS.second])?;
        let turn = player(fields.next(), LETTERS)?;
        no_more(fields)?;
        let [first, second] = rows.cells;
        Ok((Self::new(rows.side), Duel { pieces: ByPlayer::new(first, second), turn }))
    }

    /// The canonical text of a position.
    #[must_use]
    pub fn text(&self, position: &Duel) -> String {
        let letter =
            |cell| Player::BOTH.into_iter().find(|&p| position.pieces[p].contains(cell)).map(|p| LETTERS[p]);
        format!("{} {}", write_rows(self.board(), letter), LETTERS[position.turn])
    }

    /// A legal move as players write it.
    #[must_use]
    pub fn move_text(&self, position: &Duel, step: Step) -> String {
        let captures = position.pieces[position.turn.opponent()].contains(step.to);
        step.text(self.board(), if captures { Takes::Something } else { Takes::Nothing })
    }

    /// The legal move that has this text.
    ///
    /// # Errors
    /// Names the `move` when no legal move is written so.
    pub fn parse_move(&self, position: &Duel, text: &str) -> Result<Step, TextError> {
        let mut legal = Vec::new();
        if self.over(position).is_none() {
            self.moves(position, &mut legal);
        }
        find_move(text, &legal, |step| self.move_text(position, step))
    }
}

impl<R: Stepping> Notation for Unification<R> {
    fn id(&self) -> GameId {
        GameId::new(R::ID)
    }

    fn position_text(&self, position: &Self::Position) -> String {
        self.text(position)
    }

    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.move_text(position, mv)
    }

    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError> {
        self.parse_move(position, text)
    }
}
