//! Texts: `1r3b4 2-1 b`, and moves `3-5`, `0x2`, `9-off`, `pass`.

use marquis_core::{ByPlayer, Cell, Cells, ChanceNotation, GameId, Player, Throw};
use marquis_games::notation::{RowToken, TextError, fields, no_more, number, player, tokens};

use super::rules::{Move, Position, Side, THROWS};
use super::{LETTERS, MOST, NAME, SQUARES, Scurry};

/// Parses a position: `SQUARES R-B r|b`.
///
/// # Errors
/// Names the invalid field, with the expected and the found text. Rejects a track that is not ten squares long, more
/// than three pieces of a colour, and a position without pieces.
pub fn parse(text: &str) -> Result<(Scurry, Position), TextError> {
    let mut fields = fields(text).into_iter();
    let tracks = parse_track(fields.next().unwrap_or(""))?;
    let homes = parse_homes(fields.next().unwrap_or(""))?;
    let turn = player(fields.next(), LETTERS)?;
    no_more(fields)?;
    let side = |player| -> Result<Side, TextError> {
        let (track, home): (Cells, u8) = (tracks[player], homes[player]);
        let pieces = track.len() + u32::from(home);
        if pieces > u32::from(MOST) {
            let place = format!("pieces of `{}`", LETTERS[player]);
            return Err(TextError::fact(place, format!("at most {MOST}"), format!("{pieces}")));
        }
        Ok(Side { track, home })
    };
    let sides = ByPlayer::new(side(Player::First)?, side(Player::Second)?);
    if sides.first.pieces() + sides.second.pieces() == 0 {
        return Err(TextError::fact("pieces", "a piece of the side that has not won", "none of either"));
    }
    Ok((Scurry, Position { sides, turn }))
}

fn parse_track(text: &str) -> Result<ByPlayer<Cells>, TextError> {
    let mut tracks = ByPlayer::<Cells>::default();
    let mut length = 0_u8;
    for token in tokens(text, "squares") {
        let more = match token? {
            RowToken::Empty(squares) => u8::try_from(squares).unwrap_or(u8::MAX),
            RowToken::Letter(letter) => {
                let owner = Player::BOTH.into_iter().find(|&player| LETTERS[player] == letter);
                let owner = owner.ok_or_else(|| {
                    let expected = "`r`, `b` or a number of empty squares";
                    TextError::new("squares", expected, letter.encode_utf8(&mut [0; 4]))
                })?;
                if length < SQUARES {
                    tracks[owner] = tracks[owner].with(Cell(length));
                }
                1
            }
        };
        length = length.saturating_add(more);
        if length > SQUARES {
            return Err(TextError::new("squares", format!("{SQUARES} squares and no more"), text));
        }
    }
    if length < SQUARES {
        return Err(TextError::fact("squares", format!("{SQUARES} squares"), format!("{length}")));
    }
    Ok(tracks)
}

fn parse_homes(text: &str) -> Result<ByPlayer<u8>, TextError> {
    let home = |text| number(text).and_then(|home| u8::try_from(home).ok()).filter(|&home| home <= MOST);
    let homes = text.split_once('-').and_then(|(red, blue)| Some(ByPlayer::new(home(red)?, home(blue)?)));
    let expected = "Red's and Blue's pieces at home, 0 to 3 each, such as `3-3`";
    homes.ok_or_else(|| TextError::new("home", expected, text))
}

/// Parses a throw: `1`, `2` or `3`.
///
/// # Errors
/// At the place `throw`, for any other text.
pub fn parse_throw(text: &str) -> Result<Throw, TextError> {
    let score = number(text);
    let found = THROWS.into_iter().find(|throw| score == Some(throw.score.into()));
    found.ok_or_else(|| TextError::new("throw", "1, 2 or 3", text))
}

impl ChanceNotation for Scurry {
    fn id(&self) -> GameId {
        GameId::new(NAME)
    }

    fn position_text(&self, position: &Position) -> String {
        let mut track = String::new();
        let mut empty = 0;
        let sides = &position.sides;
        for cell in (0..SQUARES).map(Cell) {
            let owner = Player::BOTH.into_iter().find(|&player| sides[player].track.contains(cell));
            let Some(owner) = owner else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                track.push_str(&empty.to_string());
            }
            empty = 0;
            track.push(LETTERS[owner]);
        }
        if empty > 0 {
            track.push_str(&empty.to_string());
        }
        format!("{track} {}-{} {}", sides.first.home, sides.second.home, LETTERS[position.turn])
    }

    /// `3-5`, `0-2` from home, `3x5`, `9-off`, `pass`.
    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Step(from, to) => format!("{}-{}", from.number(), to.0 + 1),
            Move::Bump(from, to) => format!("{}x{}", from.number(), to.0 + 1),
            Move::Off(from) => format!("{}-off", from.number()),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn parse_throw(&self, text: &str) -> Result<Throw, TextError> {
        parse_throw(text)
    }
}
