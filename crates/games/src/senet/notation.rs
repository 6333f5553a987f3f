//! Texts: `wbwbwbwbw1/b9/10 b`, and moves `10-11`, `3x4`, `24-27>1`, `26-off`, `pass`.

use marquis_core::{ByPlayer, ChanceNotation, GameId, Player, Throw, Wish};

use super::Senet;
use super::board::{LAST, MAX_PIECES, Position, SQUARES, Set, Square, WATER};
use super::rules::{Move, throw};
use crate::notation::{RowToken, TextError, fields, number, player, tokens};

/// The letters of the players.
pub const LETTERS: ByPlayer<char> = ByPlayer::new('b', 'w');

/// The number of squares in a row of board text.
const ROW: u8 = 10;

/// Parses a position: three rows of ten in track order, and the player to throw.
///
/// # Errors
/// Names the row (or the field) at fault: rows that are not ten squares long, more than five pieces of a colour, or a
/// piece on 27 or 30.
pub fn parse(text: &str) -> Result<(Senet, Position), TextError> {
    let fields = fields(text);
    let board = *fields.first().ok_or_else(|| TextError::new("board", "three rows separated by `/`", ""))?;
    let pieces = parse_board(board)?;
    let turn = player(fields.get(1).copied(), LETTERS)?;
    if let Some(extra) = fields.get(2) {
        return Err(TextError::new("after the player to move", "the end of the text", extra));
    }
    Ok((Senet, Position { pieces, turn }))
}

fn parse_board(board: &str) -> Result<ByPlayer<Set>, TextError> {
    let rows = board.split('/').count();
    if rows != usize::from(SQUARES / ROW) {
        return Err(TextError::fact("board", "three rows separated by `/`", format!("{rows}")));
    }
    let mut pieces = ByPlayer::default();
    for (text, row) in board.split('/').zip(0..) {
        parse_row(text, row, &mut pieces)?;
    }
    Ok(pieces)
}

/// Adds the pieces of a row, counted from 0, to the sets.
fn parse_row(text: &str, row: u8, pieces: &mut ByPlayer<Set>) -> Result<(), TextError> {
    let place = format!("row {}", row + 1);
    let mut length = 0_u8;
    for token in tokens(text, &place) {
        let width = match token? {
            RowToken::Empty(squares) => squares,
            RowToken::Letter(letter) => {
                let square = Square::new(row * ROW + length + 1).filter(|_| length < ROW);
                if let Some(square) = square {
                    place_piece(letter, square, &place, pieces)?;
                }
                1
            }
        };
        let end = u8::try_from(u32::from(length).saturating_add(width)).ok().filter(|&end| end <= ROW);
        length = end.ok_or_else(|| TextError::new(&*place, "ten squares and no more", text))?;
    }
    if length < ROW {
        return Err(TextError::fact(place, "ten squares", format!("{length}")));
    }
    Ok(())
}

fn place_piece(
    letter: char,
    square: Square,
    place: &str,
    pieces: &mut ByPlayer<Set>,
) -> Result<(), TextError> {
    let owner = Player::BOTH.into_iter().find(|&player| LETTERS[player] == letter);
    let owner = owner.ok_or_else(|| {
        TextError::new(place, "`w`, `b` or a number of empty squares", letter.encode_utf8(&mut [0; 4]))
    })?;
    let found = |what: &str| format!("{what} `{letter}` on square {square}");
    if square == WATER || square == LAST {
        return Err(TextError::fact(
            place,
            "no piece on 27 or 30, where no piece can stay",
            found("a piece"),
        ));
    }
    if pieces[owner].len() == MAX_PIECES {
        return Err(TextError::fact(place, "at most five pieces of a colour", found("a sixth")));
    }
    pieces[owner] = pieces[owner].with(square);
    Ok(())
}

/// The throw that a text names: `1`, `2`, `3`, `4` or `6`.
///
/// # Errors
/// At the place `throw`, for any other text.
pub fn parse_throw(text: &str) -> Result<Throw, TextError> {
    let score = number(text).and_then(|score| u8::try_from(score).ok());
    score.and_then(throw).ok_or_else(|| TextError::new("throw", "1, 2, 3, 4 or 6", text))
}

impl ChanceNotation for Senet {
    fn id(&self) -> GameId {
        GameId::new("senet")
    }

    fn position_text(&self, position: &Position) -> String {
        let rows: Vec<_> = (0..SQUARES / ROW).map(|row| row_text(position, row)).collect();
        format!("{} {}", rows.join("/"), LETTERS[position.turn()])
    }

    /// `10-11`, `3x4`, `24-27>1`, `26-off`, `pass`.
    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Step { from, to } => format!("{from}-{to}"),
            Move::Bump { from, to } => format!("{from}x{to}"),
            Move::Water { from, refuge } => format!("{from}-{WATER}>{refuge}"),
            Move::Off { from } => format!("{from}-off"),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn parse_throw(&self, text: &str) -> Result<Throw, TextError> {
        parse_throw(text)
    }

    fn why_not(
        &self,
        position: &Position,
        throw: Option<Throw>,
        wish: Wish<'_>,
    ) -> Result<Option<String>, TextError> {
        self.refusal(position, throw, wish)
    }
}

fn row_text(position: &Position, row: u8) -> String {
    let mut out = String::new();
    let mut empty = 0;
    let squares = (1..=ROW).filter_map(|i| Square::new(row * ROW + i));
    for square in squares {
        let Some(owner) = Player::BOTH.into_iter().find(|&player| position.pieces(player).has(square)) else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            out.push_str(&empty.to_string());
        }
        empty = 0;
        out.push(LETTERS[owner]);
    }
    if empty > 0 {
        out.push_str(&empty.to_string());
    }
    out
}
