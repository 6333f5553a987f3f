//! Texts: `x2/1o1/3 x`, and moves `b1-b3`.

use std::fmt::Write as _;

use marquis_core::{ByPlayer, Cell, Cells, GameId, Notation, Player};
use marquis_games::notation::{RowToken, TextError, fields, no_more, player, tokens};

use super::rules::Cubes;
use super::{LETTERS, NAME, Quixo};

/// Parses the board and the position: `ROWS x|o`.
///
/// # Errors
/// Names the invalid row or field, with the expected and the found text.
pub fn parse(text: &str) -> Result<(Quixo, Cubes), TextError> {
    let mut fields = fields(text).into_iter();
    let rows = fields.next().unwrap_or("");
    let (game, signs) = parse_rows(rows)?;
    let turn = player(fields.next(), LETTERS)?;
    no_more(fields)?;
    Ok((game, Cubes { signs, turn }))
}

fn parse_rows(text: &str) -> Result<(Quixo, ByPlayer<Cells>), TextError> {
    let count = text.split('/').count();
    let game = u8::try_from(count).ok().and_then(Quixo::new).ok_or_else(|| {
        let found = if text.is_empty() { "nothing".to_owned() } else { format!("rows: {count}") };
        TextError::fact("board", "three or four rows separated by `/`", found)
    })?;
    let mut signs = ByPlayer::default();
    for (row, y) in text.split('/').zip((0..game.edge()).rev()) {
        let place = format!("row {}", game.edge() - y);
        let mut width = 0;
        for token in tokens(row, &place) {
            let more = match token? {
                RowToken::Empty(cubes) => cubes,
                RowToken::Letter(letter) => {
                    put(game, letter, (width, y), &place, &mut signs)?;
                    1
                }
            };
            width = u8::try_from(more).unwrap_or(u8::MAX).saturating_add(width);
            if width > game.edge() {
                let expected = format!("{} cubes and no more", game.edge());
                return Err(TextError::new(&*place, expected, row));
            }
        }
        if width < game.edge() {
            let expected = format!("{} cubes, as many as there are rows", game.edge());
            return Err(TextError::fact(&*place, expected, format!("{width}")));
        }
    }
    Ok((game, signs))
}

/// Puts the sign of a letter on the cube at a place; the caller rejects places beyond the end of the row.
fn put(
    game: Quixo,
    letter: char,
    (x, y): (u8, u8),
    place: &str,
    signs: &mut ByPlayer<Cells>,
) -> Result<(), TextError> {
    let owner = Player::BOTH.into_iter().find(|&player| LETTERS[player] == letter).ok_or_else(|| {
        TextError::new(place, "`x`, `o` or a number of blank cubes", letter.encode_utf8(&mut [0; 4]))
    })?;
    if x < game.edge() {
        signs[owner] = signs[owner].with(Cell(y * game.edge() + x));
    }
    Ok(())
}

impl Quixo {
    fn row_text(self, position: &Cubes, y: u8) -> String {
        let mut out = String::new();
        let mut blank = 0;
        for x in 0..self.edge {
            let cell = Cell(y * self.edge + x);
            let owner = Player::BOTH.into_iter().find(|&player| position.signs[player].contains(cell));
            let Some(owner) = owner else {
                blank += 1;
                continue;
            };
            write_blank(&mut out, blank);
            blank = 0;
            out.push(LETTERS[owner]);
        }
        write_blank(&mut out, blank);
        out
    }

    fn cell_text(self, cell: Cell) -> String {
        format!("{}{}", char::from(b'a' + cell.0 % self.edge), cell.0 / self.edge + 1)
    }
}

impl Notation for Quixo {
    fn id(&self) -> GameId {
        GameId::new(NAME)
    }

    fn position_text(&self, position: &Cubes) -> String {
        let rows: Vec<_> = (0..self.edge).rev().map(|y| self.row_text(position, y)).collect();
        format!("{} {}", rows.join("/"), LETTERS[position.turn])
    }

    /// `b1-b4`: the cube that is taken and the end where it is pushed in.
    fn move_text(&self, _position: &Cubes, push: u8) -> String {
        let push = &self.board().pushes[usize::from(push)];
        format!("{}-{}", self.cell_text(push.from), self.cell_text(push.to))
    }
}

fn write_blank(out: &mut String, cubes: u8) {
    if cubes > 0 {
        // Writing to a string cannot fail.
        let _ = write!(out, "{cubes}");
    }
}
