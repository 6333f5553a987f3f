//! Position and move text of Swish and Squeeze.

use marquis_core::{ByPlayer, Cell, Cells, GameId, Notation, Player, Wish};

use super::{BeadGame, Beads, Capture, Immobile, Move, Position};
use crate::hex::{Hex, parse_rows, write_rows};
use crate::notation::{TextError, fields, no_more, number, player};
use crate::steps::Takes;

/// The letters of the players.
pub(super) const LETTERS: ByPlayer<char> = ByPlayer::new('w', 'b');
/// The letter of a bead.
pub(super) const BEAD: char = 'o';
/// Most rooks that a player can have.
pub(super) const MOST_ROOKS: u32 = 3;
/// Most beads in a store, so that sums of beads never overflow.
const MOST_STORED: u16 = 9999;

impl<R: Capture> BeadGame<R> {
    /// The game and the position that a text describes: `ROWS w|b [W-B [T]]`.
    ///
    /// The stores default to `0-0`, the target to the majority of all beads.
    ///
    /// # Errors
    /// Names the row or field that is wrong, what was expected there and what was found.
    pub fn parse(text: &str, immobile: Immobile) -> Result<(Self, Position), TextError> {
        let mut fields = fields(text).into_iter();
        let rows = parse_rows(fields.next().unwrap_or(""), [LETTERS.first, LETTERS.second, BEAD])?;
        let [first, second, beads] = rows.cells;
        let rooks = ByPlayer::new(first, second);
        check_rooks(rooks)?;
        let turn = player(fields.next(), LETTERS)?;
        let stores = fields.next().map_or(Ok(ByPlayer::default()), parse_stores)?;
        let all = Beads(beads.len() as u16 + stores.first.0 + stores.second.0);
        let target = fields.next().map_or(Ok(majority(all)), |field| parse_target(field, all))?;
        no_more(fields)?;
        Ok((Self::new(rows.side, target, immobile), Position { rooks, beads, stores, turn }))
    }
}

/// The default target: more than half of all beads.
pub(super) const fn majority(all: Beads) -> Beads {
    Beads(all.0 / 2 + 1)
}

/// Checks that a target is possible with `all` beads.
pub(super) fn parse_target(field: &str, all: Beads) -> Result<Beads, TextError> {
    let most = all.0.max(1);
    let target = number(field).and_then(|n| u16::try_from(n).ok()).filter(|&n| (1..=most).contains(&n));
    target.map(Beads).ok_or_else(|| {
        TextError::new("target", format!("1 to {most}, at most all beads on the board and in stores"), field)
    })
}

/// The canonical board text.
pub(super) fn write_board(board: &Hex, rooks: ByPlayer<Cells>, beads: Cells) -> String {
    let letter = |cell: Cell| match Player::BOTH.into_iter().find(|&p| rooks[p].contains(cell)) {
        Some(player) => Some(LETTERS[player]),
        None => beads.contains(cell).then_some(BEAD),
    };
    write_rows(board, letter)
}

/// Checks that no player has too many rooks.
pub(super) fn check_rooks(rooks: ByPlayer<Cells>) -> Result<(), TextError> {
    for player in Player::BOTH {
        let count = rooks[player].len();
        if count > MOST_ROOKS {
            let expected = format!("at most {MOST_ROOKS} rooks `{}`", LETTERS[player]);
            return Err(TextError::fact("board", expected, count.to_string()));
        }
    }
    Ok(())
}

fn parse_stores(field: &str) -> Result<ByPlayer<Beads>, TextError> {
    let store = |text| number(text).and_then(|n| u16::try_from(n).ok()).filter(|&n| n <= MOST_STORED);
    let stores = field.split_once('-').and_then(|(w, b)| Some(ByPlayer::new(store(w)?, store(b)?)));
    stores.map(|stores| stores.map(Beads)).ok_or_else(|| {
        let expected = format!("two numbers up to {MOST_STORED} as in `0-0`, White's store and Black's");
        TextError::new("stores", expected, field)
    })
}

impl<R: Capture> Notation for BeadGame<R> {
    fn id(&self) -> GameId {
        GameId::new(R::ID)
    }

    /// Stores and target included.
    fn position_text(&self, position: &Position) -> String {
        let rows = write_board(self.board(), position.rooks, position.beads);
        let (w, b) = (position.stores.first.0, position.stores.second.0);
        format!("{rows} {} {w}-{b} {}", LETTERS[position.turn], self.target().0)
    }

    fn move_text(&self, position: &Position, play: Move) -> String {
        let Move::Rook(step) = play else { return "pass".to_owned() };
        let captured = R::captured(self.board(), position, step);
        step.text(self.board(), if captured.is_empty() { Takes::Nothing } else { Takes::Something })
    }

    fn why_not(&self, position: &Position, wish: Wish<'_>) -> Result<Option<String>, TextError> {
        self.refusal(position, wish)
    }
}
