//! What Swish and Squeeze have in common: the position, the slide, the stores and the end.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use marquis_core::{ByPlayer, Cell, Cells, Game, Hashed, Immobile, Outcome, Over, Player, Reason, Symmetric};

use crate::hex::{Direction, Hex, SYMMETRIES, Side, Symmetry};
use crate::key::scatter;
use crate::steps::Step;

/// A number of beads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Beads(pub u16);

/// Rooks, beads, stores, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// The rooks of each player; disjoint from each other and from the beads.
    pub rooks: ByPlayer<Cells>,
    /// The beads on the board.
    pub beads: Cells,
    /// The beads that each player has captured.
    pub stores: ByPlayer<Beads>,
    /// Who is to move.
    pub turn: Player,
}

impl Table {
    /// Everything that stands on the board.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Cells {
        self.beads | self.rooks.first | self.rooks.second
    }

    /// The rooks of the player who is not to move.
    #[inline]
    #[must_use]
    pub fn enemies(&self) -> Cells {
        self.rooks[self.turn.opponent()]
    }
}

/// A move of a rook, or the pass of a player who has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Play {
    /// A rook moves.
    Rook(Step),
    /// Nothing can move; only under [`Immobile::Pass`].
    Pass,
}

/// How a rook moves and captures.
pub trait Capture: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The game's name in commands: `swish`, `squeeze`.
    const ID: &'static str;

    /// The rules for people.
    const RULES: &'static marquis_core::RulesPage;

    /// Calls `visit` with each move of the player to move, by rising origin, then by direction,
    /// then by distance.
    fn moves(board: &Hex, table: &Table, visit: impl FnMut(Step));

    /// The beads and enemy rooks that a legal move captures.
    fn captured(board: &Hex, table: &Table, step: Step) -> Cells;

    /// The most rows that one move of a player with so many rooks captures.
    fn most_rows(rooks: u8) -> u8;

    /// The cells that the rook on `from` of the player to move can move to and capture nothing.
    fn quiet(board: &Hex, table: &Table, from: Cell) -> Cells;

    /// Calls `visit` with cells that the rook on `from` can move to, and what a move to any of these
    /// captures, until told to stop; each cell of a capturing move comes once.
    fn captures<B>(
        board: &Hex,
        table: &Table,
        from: Cell,
        visit: impl FnMut(Cells, Cells) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Whether a rook that stands on `to`, of the player who is not to move, can have slid there and
    /// captured nothing.
    fn came_quietly(board: &Hex, table: &Table, to: Cell) -> bool;
}

/// A game of beads on the board of one side, up to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BeadGame<R> {
    side: Side,
    target: Beads,
    immobile: Immobile,
    rule: PhantomData<R>,
}

impl<R: Capture> BeadGame<R> {
    /// The game on the board of this side that `target` beads win.
    #[must_use]
    pub const fn new(side: Side, target: Beads, immobile: Immobile) -> Self {
        Self { side, target, immobile, rule: PhantomData }
    }

    /// Cells along an edge.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The number of beads that wins.
    #[must_use]
    pub const fn target(&self) -> Beads {
        self.target
    }

    /// What happens to a player who cannot move.
    #[must_use]
    pub const fn immobile(&self) -> Immobile {
        self.immobile
    }

    /// The board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &'static Hex {
        self.side.board()
    }

    /// Whether a rook of `player` has a vacant neighbour or a capture to make.
    pub(super) fn can_move(&self, table: &Table, player: Player) -> bool {
        let board = self.board();
        let vacant = board.all() - table.occupied();
        if { table.rooks[player] }.any(|rook| board.adjacent(rook).meets(vacant)) {
            return true;
        }
        let mut found = false;
        R::moves(board, &Table { turn: player, ..*table }, |_| found = true);
        found
    }
}

impl<R: Capture> Game for BeadGame<R> {
    type Position = Table;
    type Move = Play;

    fn turn(&self, table: &Table) -> Player {
        table.turn
    }

    fn over(&self, table: &Table) -> Option<Over> {
        let waiter = table.turn.opponent();
        for player in [waiter, table.turn] {
            if table.stores[player] >= self.target {
                return Some(Over::won(Reason::Target, player));
            }
        }
        if self.can_move(table, table.turn) {
            return None;
        }
        match self.immobile {
            Immobile::Loss => Some(Over::won(Reason::Stuck, waiter)),
            Immobile::Pass if self.can_move(table, waiter) => None,
            Immobile::Pass => Some(Over { reason: Reason::Stuck, outcome: Outcome::Draw }),
        }
    }

    fn moves(&self, table: &Table, out: &mut Vec<Play>) {
        let before = out.len();
        R::moves(self.board(), table, |step| out.push(Play::Rook(step)));
        if out.len() == before {
            out.push(Play::Pass);
        }
    }

    #[inline]
    fn play(&self, table: &Table, play: Play) -> Table {
        let (mover, waiter) = (table.turn, table.turn.opponent());
        let mut after = Table { turn: waiter, ..*table };
        if let Play::Rook(step) = play {
            let captured = R::captured(self.board(), table, step);
            after.rooks[mover] = after.rooks[mover].without(step.from).with(step.to);
            after.rooks[waiter] = after.rooks[waiter] - captured;
            after.stores[mover].0 += (captured & table.beads).len() as u16;
            after.beads = after.beads - captured;
        }
        after
    }
}

impl<R: Capture> Hashed for BeadGame<R> {
    #[inline]
    fn key(&self, table: &Table) -> u64 {
        let stores = u64::from(table.stores.first.0) << 32 | u64::from(table.stores.second.0) << 8;
        // Four words mixed side by side: the processor overlaps them, and those of a position's children.
        scatter(table.beads.0, 0)
            ^ scatter(table.rooks.first.0, 1)
            ^ scatter(table.rooks.second.0, 2)
            ^ scatter(stores | table.turn as u64, 3)
    }

    /// Moves leave the rooks of the player who is next in place, unless they capture one; those that
    /// capture no beads leave the beads in place, too.
    #[inline]
    fn locality(&self, table: &Table) -> u64 {
        let rooks = scatter(table.rooks[table.turn].0, 1 + table.turn as usize);
        let beads = scatter(table.beads.0, 0);
        (rooks & 0xffff_ffff_0000_0000) | beads >> 32
    }
}

impl<R: Capture> Symmetric for BeadGame<R> {
    fn images(&self) -> usize {
        2 * SYMMETRIES
    }

    fn image(&self, table: &Table, number: usize) -> Table {
        let symmetry = Symmetry((number % SYMMETRIES) as u8);
        let turned = |cells| self.board().image_of(symmetry, cells);
        let (rooks, beads) = (table.rooks.map(turned), turned(table.beads));
        if number < SYMMETRIES {
            Table { rooks, beads, ..*table }
        } else {
            let (stores, turn) = (table.stores.swapped(), table.turn.opponent());
            Table { rooks: rooks.swapped(), beads, stores, turn }
        }
    }

    fn canonical(&self, table: &Table) -> Table {
        let base = match table.turn {
            Player::First => *table,
            Player::Second => self.image(table, SYMMETRIES),
        };
        let images = (0..SYMMETRIES).map(|number| self.image(&base, number));
        images.min_by_key(|image| (image.beads, image.rooks)).unwrap_or(base)
    }
}

/// Visits a move from `from` to each of `cells`, which lie on one ray, the nearest first.
#[inline]
pub(super) fn visit_along(from: Cell, mut cells: Cells, direction: Direction, visit: &mut impl FnMut(Step)) {
    while let Some(to) = Hex::nearest(cells, direction) {
        cells = cells.without(to);
        visit(Step { from, to });
    }
}

#[cfg(test)]
mod tests {
    use crate::key::mix;
    use std::collections::BTreeMap;

    use super::*;
    use crate::beads::{Leap, Sandwich};

    /// A crowded position, the same for the same seed.
    fn crowded(board: &Hex, seed: u64) -> Table {
        let mut left = board.all();
        let mut draw = |number: u64| {
            let cell = { left }.nth((mix(&[seed, number]) % u64::from(left.len())) as usize);
            left = left - cell.map(Cell::set).unwrap_or_default();
            cell
        };
        let mut some = |from: u64, count: u64| (from..from + count).filter_map(&mut draw).collect();
        let rooks = ByPlayer::new(some(0, 1 + seed % 3), some(10, 1 + seed / 3 % 3));
        let beads = some(20, seed % u64::from(board.count() - 8));
        Table { rooks, beads, stores: ByPlayer::default(), turn: Player::BOTH[(seed % 2) as usize] }
    }

    /// What is listed by rook, and taken back, is what the moves and their captures say.
    fn check_lists<R: Capture>() {
        for side in [3, 4, 5].map(|side| Side::new(side).unwrap()) {
            let board = side.board();
            for table in (0..500).map(|seed| crowded(board, seed)) {
                let mut moves = BTreeMap::new();
                R::moves(board, &table, |step| {
                    assert_eq!(moves.insert(step, R::captured(board, &table, step)), None);
                });
                let mut listed = BTreeMap::new();
                for from in table.rooks[table.turn] {
                    let mut list = |to: Cells, captured| {
                        to.for_each(|to| assert_eq!(listed.insert(Step { from, to }, captured), None));
                    };
                    list(R::quiet(board, &table, from), Cells::EMPTY);
                    let _ = R::captures(board, &table, from, |to, captured| {
                        assert!(!captured.is_empty());
                        list(to, captured);
                        ControlFlow::<()>::Continue(())
                    });
                }
                assert_eq!(listed, moves, "{table:?}");
                for (step, captured) in moves.into_iter().filter(|(_, captured)| captured.is_empty()) {
                    let game = BeadGame::<R>::new(side, Beads(1), Immobile::Loss);
                    let after = game.play(&table, Play::Rook(step));
                    assert!(R::came_quietly(board, &after, step.to), "{table:?} {step:?} {captured:?}");
                }
            }
        }
    }

    #[test]
    fn destinations_and_captures_listed_by_rook_are_the_moves() {
        check_lists::<Leap>();
        check_lists::<Sandwich>();
    }
}
