//! Texts: `w1,w1,w1/3/r1,r1,r1 r`, and moves `c3-c4`, `c3-off`, `pass`.

use marquis_core::{ByPlayer, Game, GameId, Notation, Player, Wish};

use super::Squinch;
use super::board::{MAX_CHECKERS, MAX_SIDE, Position, Square, Stack};
use super::rules::Move;
use crate::notation::{TextError, fields, number, player};

/// The letters of the players.
pub const LETTERS: ByPlayer<char> = ByPlayer::new('r', 'w');

/// A token of a row.
enum Token {
    Empty(u32),
    Stack(Stack),
}

/// Parses the board size and the position: `ROWS r|w`.
///
/// # Errors
/// Names the rank (or the field) at fault: fewer than 2 files, more than 8 files or ranks, rows of different length,
/// a stack of 0, or more than 24 checkers a colour.
pub fn parse(text: &str) -> Result<(Squinch, Position), TextError> {
    let fields = fields(text);
    let board = *fields.first().ok_or_else(|| TextError::new("board", "ranks separated by `/`", ""))?;
    let (game, mut position) = parse_board(board)?;
    position.turn = player(fields.get(1).copied(), LETTERS)?;
    if let Some(extra) = fields.get(2) {
        return Err(TextError::new("after the player to move", "the end of the text", extra));
    }
    Ok((game, position))
}

fn parse_board(board: &str) -> Result<(Squinch, Position), TextError> {
    let ranks = board.split('/').count();
    let ranks = u8::try_from(ranks)
        .ok()
        .filter(|&n| n <= MAX_SIDE)
        .ok_or_else(|| TextError::fact("board", "1 to 8 ranks separated by `/`", format!("{ranks} ranks")))?;
    let mut position = Position::empty(Player::First);
    let mut files = None;
    for (text, rank) in board.split('/').zip((0..ranks).rev()) {
        let place = format!("rank {}", rank + 1);
        let length = parse_rank(text, &place, rank, &mut position)?;
        if *files.get_or_insert(length) != length {
            let expected = format!("{} squares as in the rank above", files.unwrap_or(length));
            return Err(TextError::fact(place, expected, format!("{length} squares")));
        }
    }
    let files = files.unwrap_or(0);
    let game = Squinch::new(files, ranks);
    let game = game.ok_or_else(|| TextError::fact("board", "2 to 8 files", format!("{files}")))?;
    Ok((game, position))
}

/// Puts the stacks of a rank on the board; returns the number of squares of the rank.
fn parse_rank(text: &str, place: &str, rank: u8, position: &mut Position) -> Result<u8, TextError> {
    let mut file = 0_u8;
    for text in text.split(',') {
        let token = parse_token(text, place)?;
        let width = if let Token::Empty(squares) = token { squares } else { 1 };
        let end = u32::from(file).saturating_add(width);
        let end = u8::try_from(end).ok().filter(|&end| end <= MAX_SIDE);
        let end = end.ok_or_else(|| TextError::new(place, "at most 8 squares", text))?;
        if let Token::Stack(stack) = token {
            put(position, Square::new(file, rank), stack, place, text)?;
        }
        file = end;
    }
    Ok(file)
}

fn put(
    position: &mut Position,
    square: Square,
    stack: Stack,
    place: &str,
    text: &str,
) -> Result<(), TextError> {
    if position.checkers(stack.owner) + u32::from(stack.height) > MAX_CHECKERS {
        let expected = format!("at most {MAX_CHECKERS} checkers `{}` on the board", LETTERS[stack.owner]);
        return Err(TextError::fact(place, expected, format!("more with `{text}` on {square}")));
    }
    position.put(square, stack);
    Ok(())
}

fn parse_token(text: &str, place: &str) -> Result<Token, TextError> {
    let wrong = |expected: &str| TextError::new(place, expected, text);
    let owner = Player::BOTH.into_iter().find(|&player| text.starts_with(LETTERS[player]));
    let Some(owner) = owner else {
        let empty = number(text).map(Token::Empty);
        return empty
            .ok_or_else(|| wrong("a number of empty squares, or `r` or `w` and the height of the stack"));
    };
    let height = number(&text[1..]).and_then(|height| u8::try_from(height).ok());
    let height = height.filter(|&height| height > 0 && u32::from(height) <= MAX_CHECKERS);
    let height = height.ok_or_else(|| wrong("a stack of 1 to 24 checkers, as `r3`"))?;
    Ok(Token::Stack(Stack { owner, height }))
}

impl Squinch {
    /// Appends the text of a rank.
    fn write_rank(&self, position: &Position, rank: u8, out: &mut String) {
        let start = out.len();
        let mut empty = 0;
        let token = |out: &mut String, letter: Option<char>, number: u8| {
            if out.len() > start {
                out.push(',');
            }
            if let Some(letter) = letter {
                out.push(letter);
            }
            write_number(number, out);
        };
        for file in 0..self.files() {
            let Some(Stack { owner, height }) = position.stack(Square::new(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                token(out, None, std::mem::take(&mut empty));
            }
            token(out, Some(LETTERS[owner]), height);
        }
        if empty > 0 {
            token(out, None, empty);
        }
    }
}

/// Appends a number below 100.
fn write_number(number: u8, out: &mut String) {
    let digit = |digit: u8| char::from(b'0' + digit);
    if number > 9 {
        out.push(digit(number / 10));
    }
    out.push(digit(number % 10));
}

impl Notation for Squinch {
    fn id(&self) -> GameId {
        GameId::new("squinch")
    }

    fn position_text(&self, position: &Position) -> String {
        // A square takes at most `w24,`.
        let mut out = String::with_capacity(4 * usize::from(self.files()) * usize::from(self.ranks()));
        for rank in (0..self.ranks()).rev() {
            self.write_rank(position, rank, &mut out);
            out.push(if rank > 0 { '/' } else { ' ' });
        }
        out.push(LETTERS[position.turn()]);
        out
    }

    /// `c3-c4`, `c3-off`, `pass`.
    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Step { from, to } => format!("{from}-{to}"),
            Move::Off { from } => format!("{from}-off"),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn why_not(&self, position: &Position, wish: Wish<'_>) -> Result<Option<String>, TextError> {
        self.refusal(position, wish)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let mut moves = Vec::new();
        if self.over(position).is_none() {
            self.moves(position, &mut moves);
        }
        let found = moves.iter().copied().find(|&mv| self.move_text(position, mv) == text);
        let example = || match moves.first() {
            Some(&mv) => {
                format!("one of {} legal moves, such as `{}`", moves.len(), self.move_text(position, mv))
            }
            None => "no move, the game is over".to_owned(),
        };
        found.ok_or_else(|| TextError::new("move", example(), text))
    }
}
