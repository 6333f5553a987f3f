//! A small race with everything that a grid can express: choices, blocked moves, captures, moves backward, passes and
//! second throws.

use std::ops::Range;

use marquis_chance::grid::{Band, Choices, Columns, Destination, GridMove, JumpsId, Layout, MaskId};
use marquis_core::{Chance, Over, Player, Reason, Throw};

/// One piece each on a track. A throw of two may be used for one step. A piece cannot leap an enemy on the next
/// square; a piece that lands on the enemy sends it back to the first square. A piece that cannot go forward goes
/// back one step, if that square is free. After moving on a one the player throws again. First past the end wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race;

pub(crate) const SQUARES: u8 = 9;
const THROWS: [Throw; 3] =
    [Throw { score: 1, weight: 4 }, Throw { score: 2, weight: 8 }, Throw { score: 3, weight: 4 }];

/// Squares of the first player and of the second, and the player to throw; past the end is off the board.
pub(crate) type Position = (u8, u8, Player);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    To(u8),
    Pass,
}

fn steps(throw: Throw) -> Range<u8> {
    if throw.score == 2 { 1..3 } else { throw.score..throw.score + 1 }
}

impl Chance for Race {
    type Position = Position;
    type Move = Move;

    fn throws(&self) -> &[Throw] {
        &THROWS
    }

    fn turn(&self, position: &Position) -> Player {
        position.2
    }

    fn over(&self, &(first, second, _): &Position) -> Option<Over> {
        let winner = match (first >= SQUARES, second >= SQUARES) {
            (true, _) => Player::First,
            (_, true) => Player::Second,
            _ => return None,
        };
        Some(Over::won(Reason::BorneOff, winner))
    }

    fn moves(&self, position: &Position, throw: Throw, out: &mut Vec<Move>) {
        let (own, other, _) = self.as_mover(position);
        let forward = steps(throw).filter(|&steps| steps == 1 || other != own + 1);
        let before = out.len();
        out.extend(forward.map(|steps| Move::To((own + steps).min(SQUARES))));
        if out.len() == before {
            out.push(if own > 0 && other != own - 1 { Move::To(own - 1) } else { Move::Pass });
        }
    }

    fn play(&self, position: &Position, throw: Throw, mv: Move) -> Position {
        let (own, other, _) = self.as_mover(position);
        let (own, other, again) = match mv {
            Move::To(to) => (to, if other == to { 0 } else { other }, throw.score == 1),
            Move::Pass => (own, other, false),
        };
        let turn = if again { position.2 } else { position.2.opponent() };
        match position.2 {
            Player::First => (own, other, turn),
            Player::Second => (other, own, turn),
        }
    }

    fn swapped(&self, &(first, second, turn): &Position) -> Position {
        (second, first, turn.opponent())
    }
}

/// The race as a grid: the squares farthest on are first.
pub(crate) struct RaceLayout {
    pub(crate) columns: Columns,
    bands: Vec<Band>,
    all: MaskId,
    /// By square: the enemy is not there.
    clear: Vec<MaskId>,
    /// By square: an enemy there is sent back.
    sent: Vec<JumpsId>,
}

pub(crate) fn place(square: u8) -> usize {
    usize::from(SQUARES - 1 - square)
}

impl RaceLayout {
    pub(crate) fn new() -> Self {
        let parts = [0..2, 2..5, 5..7, 7..usize::from(SQUARES)];
        let mut columns = Columns::new(&parts);
        let all = columns.add_mask(|_| true);
        let clear = (0..SQUARES).map(|square| columns.add_mask(|column| column != place(square))).collect();
        let sent = (0..SQUARES)
            .map(|square| columns.add_jumps(|column| (column == place(square)).then_some(place(0))))
            .collect();
        let bands = parts.into_iter().zip([3, 2, 1, 0]);
        let bands =
            bands.map(|(rows, progress)| Band { groups: rows.map(|row| row..row + 1).collect(), progress });
        Self { columns, bands: bands.collect(), all, clear, sent }
    }

    fn forward(&self, own: u8, steps: u8, again: bool) -> GridMove {
        let mut masks = vec![self.all];
        if steps > 1 && own + 1 < SQUARES {
            masks.push(self.clear[usize::from(own + 1)]);
        }
        let to = own + steps;
        if to >= SQUARES {
            let source = if again { Destination::FinishedAgain(0) } else { Destination::FinishedTurned(0) };
            return GridMove { source, masks, jumps: None };
        }
        masks.push(self.clear[usize::from(to)]);
        let jumps = Some(self.sent[usize::from(to)]);
        GridMove { source: to_row(to, again), masks, jumps }
    }
}

fn to_row(square: u8, again: bool) -> Destination {
    let row = place(square) as u32;
    if again { Destination::Again(row) } else { Destination::Turned(row) }
}

impl Layout for RaceLayout {
    fn weights(&self) -> &[u32] {
        &[4, 8, 4]
    }

    fn rows(&self) -> usize {
        SQUARES.into()
    }

    fn bands(&self) -> &[Band] {
        &self.bands
    }

    fn column_progress(&self) -> Vec<u64> {
        vec![3, 2, 1, 0]
    }

    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn position_masks(&self, row: usize, out: &mut Vec<MaskId>) {
        out.push(self.clear[usize::from(SQUARES) - 1 - row]);
    }

    fn choices(&self, row: usize, throw: usize, out: &mut Choices) {
        out.clear();
        let (own, throw) = (SQUARES - 1 - row as u8, THROWS[throw]);
        let again = throw.score == 1;
        out.first.extend(steps(throw).map(|steps| self.forward(own, steps, again)));
        if own > 0 {
            let masks = vec![self.clear[usize::from(own) - 1]];
            out.otherwise.push(GridMove { source: to_row(own - 1, again), masks, jumps: None });
        }
    }
}
