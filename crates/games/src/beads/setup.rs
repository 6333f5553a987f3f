//! Set-ups: the board that Player One lays out before Player Two chooses.
//!
//! Source: `swish/rules.md`, "The pie".

use marquis_core::{ByPlayer, Cells, Player};

use super::notation::{LETTERS, MOST_ROOKS, majority, parse_target, write_board};
use super::{BeadGame, Beads, Capture, Immobile, Position};
use crate::hex::{Hex, Side, parse_rows};
use crate::notation::{TextError, fields, no_more};

/// A board laid out before the game, with the bait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    side: Side,
    rooks: ByPlayer<Cells>,
    beads: Cells,
    bait: Beads,
    target: Beads,
}

/// Refuses pieces on cells of this `kind`.
fn refuse(board: &Hex, expected: &str, kind: &str, cells: Cells) -> Result<(), TextError> {
    if cells.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = cells.map(|cell| board.name(cell)).collect();
    Err(TextError::fact("board", expected, format!("{} on {kind} cells: {}", cells.len(), names.join(", "))))
}

impl Setup {
    /// The set-up of a board text; the target defaults to the majority of all beads, the bait included.
    ///
    /// # Errors
    /// Names the row or field that is wrong; an illegal set-up (a rook inside, a bead on the edge, a
    /// colour without rooks) is an error of the `board`.
    pub fn parse(text: &str, bait: Beads, target: Option<Beads>) -> Result<Self, TextError> {
        let mut fields = fields(text).into_iter();
        let rows = parse_rows(fields.next().unwrap_or(""), ['w', 'b', 'o'])?;
        no_more(fields)?;
        let [first, second, beads] = rows.cells;
        let rooks = ByPlayer::new(first, second);
        super::notation::check_rooks(rooks)?;
        if bait.0 > 999 {
            return Err(TextError::new("bait", "at most 999 beads", bait.0.to_string()));
        }
        let all = Beads(beads.len() as u16 + bait.0);
        let target = match target {
            None => majority(all),
            Some(target) => parse_target(&target.0.to_string(), all)?,
        };
        let setup = Self { side: rows.side, rooks, beads, bait, target };
        setup.check()?;
        Ok(setup)
    }

    fn check(&self) -> Result<(), TextError> {
        if let Some(player) = Player::BOTH.into_iter().find(|&p| self.rooks[p].is_empty()) {
            let found = format!("none of `{}`", LETTERS[player]);
            return Err(TextError::fact("board", "1 to 3 rooks of each colour", found));
        }
        let board = self.side.board();
        let rooks = self.rooks.first | self.rooks.second;
        refuse(board, "rooks on edge cells only", "inner", rooks - board.edge())?;
        refuse(board, "beads on inner cells only", "edge", self.beads & board.edge())
    }

    /// The canonical board text.
    #[must_use]
    pub fn text(&self) -> String {
        write_board(self.side.board(), self.rooks, self.beads)
    }

    /// The beads that are not on the board.
    #[must_use]
    pub const fn bait(&self) -> Beads {
        self.bait
    }

    /// The number of beads that wins.
    #[must_use]
    pub const fn target(&self) -> Beads {
        self.target
    }

    /// The game and its first position if the first mover plays `colour`, with the bait in the store of the other
    /// player.
    #[must_use]
    pub fn begin<R: Capture>(&self, colour: Player, immobile: Immobile) -> (BeadGame<R>, Position) {
        let mut stores = ByPlayer::default();
        stores[colour.opponent()] = self.bait;
        let position = Position { rooks: self.rooks, beads: self.beads, stores, turn: colour };
        (BeadGame::new(self.side, self.target, immobile), position)
    }

    /// Most rooks of a colour.
    pub const MOST_ROOKS: u32 = MOST_ROOKS;
}
