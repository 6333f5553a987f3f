//! Numbering of Squinch positions: a placement of one side against a placement of the other.
//!
//! A layer is the checkers of the player to move against those of the opponent. The side with more checkers, or the
//! opponent if both have as many, gives the row: its placement, one of two mirror images. The other side's placement
//! is the column: `slot = row · columns + column`. Slots in which both sides stand on a square are unused indices; so
//! are the mirror images of columns in the rows of placements that are their own image.
//!
//! Unused indices are the better choice: with its placements numbered by [`camp`], a move of one side changes the row
//! or the column alone, whatever the other side plays, and always to a smaller one. So a layer is solved in a single
//! pass over whole rows, many times as fast as by looking up each successor. (4 by 4 with four checkers each takes
//! 0.3 seconds of processor time; the verifier, which looks them up, takes some 6.) An unused index costs almost
//! nothing there or in a packed file. A table of reachable positions alone would not be smaller: nearly half of the
//! slots of 4 by 4 are positions, and more than four fifths of those can be reached from the start, so that no key of
//! a reachable one takes less than its place here.

pub mod camp;

use std::ops::ControlFlow;

use marquis_core::{Game, Indexed, Over, Player, Reach, Slot};

use self::camp::{Camp, ListRank};
use super::board::{Position, Square, Stack};
use super::rules::Move;
use super::{MAX_CHECKERS, MAX_SIDE, Squinch};

/// Bytes of a placement, plus one for each checker.
const BYTES_PER_PLACEMENT: u128 = 8;
/// More bytes of a placement during numbering, plus two for each checker.
const BYTES_WHILE_NUMBERED: u128 = 24;

/// The numbers of checkers of the player to move and of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Checkers {
    /// Checkers of the player to move.
    pub mover: u8,
    /// Checkers of the player who is not to move.
    pub opponent: u8,
}

impl Checkers {
    /// The layer with the other player to move.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }

    /// Returns whether the placements of the player to move are the rows of the layer.
    #[must_use]
    pub const fn mover_gives_rows(self) -> bool {
        self.mover > self.opponent
    }

    /// The layer after the player to move has borne off a checker; `None` without a checker.
    #[must_use]
    pub fn borne_off(self) -> Option<Self> {
        Some(Self { mover: self.opponent, opponent: self.mover.checked_sub(1)? })
    }
}

/// A board of Squinch together with the tables that number its positions.
#[derive(Clone, Debug)]
pub struct SquinchIndex {
    game: Squinch,
    /// By number of checkers.
    camps: Vec<Camp>,
}

impl SquinchIndex {
    /// The version of the numbering; it is part of the fingerprint of tables.
    pub const VERSION: u32 = 1;

    /// About the bytes of the tables for up to `most` checkers a side; does not build them.
    #[must_use]
    pub fn bytes(game: Squinch, most: u8) -> u128 {
        let all = |own: u8, each: u128| Camp::placements(game, own) * each;
        let made = all(most, BYTES_WHILE_NUMBERED + 2 * u128::from(most));
        made + (0..=most).map(|own| all(own, BYTES_PER_PLACEMENT + u128::from(own))).sum::<u128>()
    }

    /// The tables for up to `most` checkers a side; check [`bytes`](Self::bytes) first.
    #[must_use]
    pub fn new(game: Squinch, most: u8) -> Self {
        let most = most.min(MAX_CHECKERS as u8);
        Self { game, camps: (0..=most).map(|checkers| Camp::new(game, checkers)).collect() }
    }

    /// The board.
    #[must_use]
    pub const fn game(&self) -> &Squinch {
        &self.game
    }

    /// The largest number of checkers a side in the tables.
    #[must_use]
    pub fn most_checkers(&self) -> u8 {
        (self.camps.len() - 1) as u8
    }

    /// All placements of `checkers` checkers.
    ///
    /// Panics if the tables have fewer.
    #[must_use]
    pub fn camp(&self, checkers: u8) -> &Camp {
        &self.camps[usize::from(checkers)]
    }

    /// The layer of a position.
    #[must_use]
    pub fn layer(position: &Position) -> Checkers {
        let count = |player| position.checkers(player) as u8;
        Checkers { mover: count(position.turn()), opponent: count(position.turn().opponent()) }
    }

    /// Returns whether the tables have enough checkers for both sides.
    #[must_use]
    pub fn covers(&self, position: &Position) -> bool {
        let layer = Self::layer(position);
        layer.mover.max(layer.opponent) <= self.most_checkers()
    }

    /// The squares of a placement as bits, `files · rank + file`: as its owner counts them, and as the opponent does.
    ///
    /// Panics if there is no such placement.
    #[must_use]
    pub fn covered(&self, checkers: u8, number: u32) -> (u64, u64) {
        let squares = self.camp(checkers).squares(number);
        let bits = |seen: &dyn Fn(u8) -> u8| squares.iter().fold(0, |bits, &square| bits | 1 << seen(square));
        (bits(&|square| square), bits(&|square| self.turned(square)))
    }

    /// The placements that the moves of a side lead to, without the other side in the way: those with as many
    /// checkers, and those with one less.
    ///
    /// Panics if there is no such placement.
    #[must_use]
    pub fn led_to(&self, checkers: u8, number: u32) -> (Vec<u32>, Vec<u32>) {
        let mut alone = Position::empty(Player::First);
        self.place(&mut alone, self.camp(checkers), number, Player::First);
        let (mut moves, mut steps, mut offs) = (Vec::new(), Vec::new(), Vec::new());
        self.game.moves(&alone, &mut moves);
        for mv in moves {
            let after = || self.number(&self.game.play(&alone, mv), Player::First);
            match mv {
                Move::Step { .. } => steps.push(after()),
                Move::Off { .. } => offs.push(after()),
                Move::Pass => {}
            }
        }
        (steps, offs)
    }

    /// The square as the opponent counts it.
    const fn turned(&self, square: u8) -> u8 {
        let files = self.game.files();
        (self.game.ranks() - 1 - square / files) * files + square % files
    }

    /// The placements that give the rows, and those that give the columns.
    fn rows_and_columns(&self, layer: Checkers) -> (&Camp, &Camp) {
        let (mover, opponent) = (self.camp(layer.mover), self.camp(layer.opponent));
        if layer.mover_gives_rows() { (mover, opponent) } else { (opponent, mover) }
    }

    /// The placement of a player, as seen by that player.
    #[inline]
    fn number(&self, position: &Position, owner: Player) -> u32 {
        let stacks = position.stacks[owner];
        let mut left = match owner {
            Player::First => stacks,
            Player::Second => stacks.swap_bytes() >> (8 * (MAX_SIDE - self.game.ranks())),
        };
        let mut list = ListRank::default();
        while left != 0 {
            let own = Square::from_index(left.trailing_zeros());
            let seen = Square::new(own.file(), self.seen_rank(own.rank(), owner));
            list.push(own.rank() * self.game.files() + own.file(), position.height(seen));
            left &= left - 1;
        }
        self.camps[list.len()].number_of(list)
    }

    /// The rank as seen by a player.
    fn seen_rank(&self, rank: u8, owner: Player) -> u8 {
        match owner {
            Player::First => rank,
            Player::Second => self.game.ranks() - 1 - rank,
        }
    }

    /// Puts the checkers of a placement on the board.
    fn place(&self, position: &mut Position, camp: &Camp, number: u32, owner: Player) {
        let files = self.game.files();
        for stack in camp.squares(number).chunk_by(|a, b| a == b) {
            let square = Square::new(stack[0] % files, self.seen_rank(stack[0] / files, owner));
            position.put(square, Stack { owner, height: stack.len() as u8 });
        }
    }
}

impl Game for SquinchIndex {
    type Position = Position;
    type Move = Move;

    fn turn(&self, position: &Position) -> Player {
        position.turn()
    }

    fn over(&self, position: &Position) -> Option<Over> {
        self.game.over(position)
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        self.game.moves(position, out);
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        self.game.play(position, mv)
    }
}

/// Every method that takes a position or a layer panics if a side has more checkers than the tables.
impl Indexed for SquinchIndex {
    type Layer = Checkers;

    fn slots(&self, layer: Checkers) -> u64 {
        let (rows, columns) = self.rows_and_columns(layer);
        u64::from(rows.rows()) * u64::from(columns.count())
    }

    fn slot(&self, position: &Position) -> (Checkers, Slot) {
        let layer = Self::layer(position);
        let (rows, columns) = self.rows_and_columns(layer);
        let turn = position.turn();
        let owner = if layer.mover_gives_rows() { turn } else { turn.opponent() };
        let (mut row, mut column) = (self.number(position, owner), self.number(position, owner.opponent()));
        if rows.row(row).is_none() {
            (row, column) = (rows.mirror(row), columns.mirror(column));
        } else if rows.mirror(row) == row {
            column = column.min(columns.mirror(column));
        }
        let row = u64::from(rows.row(row).unwrap_or(0));
        (layer, Slot(row * u64::from(columns.count()) + u64::from(column)))
    }

    /// The mover is [`Player::First`].
    fn position(&self, layer: Checkers, slot: Slot) -> Option<Position> {
        let (rows, columns) = self.rows_and_columns(layer);
        let row = rows.of_row((slot.0 / u64::from(columns.count())) as u32);
        let column = (slot.0 % u64::from(columns.count())) as u32;
        if rows.mirror(row) == row && columns.mirror(column) < column {
            return None;
        }
        let others = columns.squares(column);
        if rows.squares(row).iter().any(|&square| others.contains(&self.turned(square))) {
            return None;
        }
        let owner = if layer.mover_gives_rows() { Player::First } else { Player::Second };
        let mut position = Position::empty(Player::First);
        self.place(&mut position, rows, row, owner);
        self.place(&mut position, columns, column, owner.opponent());
        Some(position)
    }

    fn component(&self, layer: Checkers) -> Vec<Checkers> {
        let mut component = vec![layer, layer.swapped()];
        component.sort();
        component.dedup();
        component
    }

    /// The game is over if a side has no checker left.
    fn child_layers(&self, layer: Checkers) -> Vec<Checkers> {
        if layer.mover.min(layer.opponent) == 0 {
            return Vec::new();
        }
        let mut below: Vec<Checkers> =
            [layer, layer.swapped()].into_iter().filter_map(Checkers::borne_off).collect();
        below.sort();
        below.dedup();
        below
    }

    fn successors<B>(
        &self,
        position: &Position,
        reach: Reach,
        mut visit: impl FnMut(Checkers, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        for mv in moves {
            let wanted = match reach {
                Reach::All => true,
                Reach::ChildLayers => matches!(mv, Move::Off { .. }),
                Reach::Component => !matches!(mv, Move::Off { .. }),
            };
            if wanted {
                let (layer, slot) = self.slot(&self.play(position, mv));
                visit(layer, slot)?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests;
