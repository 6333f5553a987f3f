//! The common rules of Swish and Squeeze: the position, the slide, the stores and the end.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use marquis_core::{ByPlayer, Cell, Cells, Game, Hashed, Immobile, Over, Player, Reason, Symmetric, packed};

use crate::hex::{Direction, Hex, SYMMETRIES, Side, Symmetry};
use crate::key::scatter;
use crate::steps::Step;

/// A number of beads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Beads(pub u16);

packed!(Beads { 0: u16 });

/// Rooks, beads, stores, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The rooks of each player; disjoint from each other and from the beads.
    pub rooks: ByPlayer<Cells>,
    /// The beads on the board.
    pub beads: Cells,
    /// The beads that each player has captured.
    pub stores: ByPlayer<Beads>,
    /// The player to move.
    pub turn: Player,
}

packed!(Position { rooks: ByPlayer<Cells>, beads: Cells, stores: ByPlayer<Beads>, turn: Player });

impl Position {
    /// All occupied cells.
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

    /// The position after a move of a rook that captures these beads and enemy rooks.
    #[inline]
    pub(super) fn after(&self, step: Step, captured: Cells) -> Self {
        let (mover, opponent) = (self.turn, self.turn.opponent());
        let beads = captured & self.beads;
        // Built as a whole, because reading a whole value after writing its parts stalls the processor.
        let own = self.rooks[mover].without(step.from).with(step.to);
        let store = Beads(self.stores[mover].0 + beads.len() as u16);
        Self {
            rooks: ByPlayer::of(mover, own, self.rooks[opponent] - captured),
            beads: self.beads - beads,
            stores: ByPlayer::of(mover, store, self.stores[opponent]),
            turn: opponent,
        }
    }

    /// The position after a pass.
    fn passed(&self) -> Self {
        Self { turn: self.turn.opponent(), ..*self }
    }
}

/// A move of a rook, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A rook moves.
    Rook(Step),
    /// Nothing can move; only under [`Immobile::Pass`].
    Pass,
}

/// The way in which a rook moves and captures.
pub trait Capture: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The game's name in commands: `swish`, `squeeze`.
    const ID: &'static str;

    /// The rules for people.
    const RULES: &'static marquis_core::RulesPage;

    /// Calls `visit` with each move of the player to move and its captures, by rising origin, then by direction, then by
    /// distance.
    fn moves(board: &Hex, position: &Position, visit: impl FnMut(Step, Cells));

    /// Why the rook on the cell of this name has no move, in a sentence.
    fn why_stays(here: &str) -> String;

    /// Why this is not a move, in a sentence; it leads along a line to a vacant cell.
    fn why_not_along(board: &Hex, position: &Position, step: Step) -> String;

    /// The beads and enemy rooks that a legal move captures.
    fn captured(board: &Hex, position: &Position, step: Step) -> Cells;

    /// The most rows that one move of a player with `rooks` rooks captures.
    fn most_rows(rooks: u8) -> u8;

    /// The cells that the rook on `from` of the player to move can move to without a capture.
    fn quiet(board: &Hex, position: &Position, from: Cell) -> Cells;

    /// Calls `visit` with cells that the rook on `from` can move to, and the captures of a move to any of these,
    /// until it breaks; each cell of a capturing move comes once.
    fn captures<B>(
        board: &Hex,
        position: &Position,
        from: Cell,
        visit: impl FnMut(Cells, Cells) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Returns whether a rook on `to`, of the player who is not to move, can have slid there without a capture.
    fn came_quietly(board: &Hex, position: &Position, to: Cell) -> bool;
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

    /// The rule for a player who cannot move.
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
    pub(super) fn can_move(&self, position: &Position, player: Player) -> bool {
        let board = self.board();
        let vacant = board.all() - position.occupied();
        if { position.rooks[player] }.any(|rook| board.adjacent(rook).meets(vacant)) {
            return true;
        }
        let mut found = false;
        R::moves(board, &Position { turn: player, ..*position }, |_, _| found = true);
        found
    }
}

impl<R: Capture> Game for BeadGame<R> {
    type Position = Position;
    type Move = Move;

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Over> {
        let opponent = position.turn.opponent();
        for player in [opponent, position.turn] {
            if position.stores[player] >= self.target {
                return Some(Over::won(Reason::Target, player));
            }
        }
        if self.can_move(position, position.turn) {
            return None;
        }
        match self.immobile {
            Immobile::Loss => Some(Over::won(Reason::Stuck, opponent)),
            Immobile::Pass if self.can_move(position, opponent) => None,
            Immobile::Pass => Some(Over::drawn(Reason::Stuck)),
        }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        self.each_move(position, &mut Vec::new(), |play, _| out.push(play));
    }

    #[inline]
    fn play(&self, position: &Position, play: Move) -> Position {
        match play {
            Move::Rook(step) => position.after(step, R::captured(self.board(), position, step)),
            Move::Pass => position.passed(),
        }
    }

    #[inline]
    fn each_move(&self, position: &Position, _: &mut Vec<Move>, mut visit: impl FnMut(Move, Position)) {
        let mut can_move = false;
        R::moves(self.board(), position, |step, captured| {
            can_move = true;
            visit(Move::Rook(step), position.after(step, captured));
        });
        if !can_move {
            visit(Move::Pass, position.passed());
        }
    }
}

impl<R: Capture> Hashed for BeadGame<R> {
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        let stores = u64::from(position.stores.first.0) << 32 | u64::from(position.stores.second.0) << 8;
        // Four words mixed independently: the processor overlaps them, and those of a position's children.
        scatter(position.beads.0, 0)
            ^ scatter(position.rooks.first.0, 1)
            ^ scatter(position.rooks.second.0, 2)
            ^ scatter(stores | position.turn as u64, 3)
    }

    /// A move changes the rooks of the next player only by capturing one, and the beads only by capturing some.
    #[inline]
    fn locality(&self, position: &Position) -> u64 {
        let rooks = scatter(position.rooks[position.turn].0, 1 + position.turn as usize);
        let beads = scatter(position.beads.0, 0);
        (rooks & 0xffff_ffff_0000_0000) | beads >> 32
    }
}

impl<R: Capture> Symmetric for BeadGame<R> {
    fn images(&self) -> usize {
        2 * SYMMETRIES
    }

    fn image(&self, position: &Position, number: usize) -> Position {
        let symmetry = Symmetry((number % SYMMETRIES) as u8);
        let turned = |cells| self.board().image_of(symmetry, cells);
        let (rooks, beads) = (position.rooks.map(turned), turned(position.beads));
        if number < SYMMETRIES {
            Position { rooks, beads, ..*position }
        } else {
            let (stores, turn) = (position.stores.swapped(), position.turn.opponent());
            Position { rooks: rooks.swapped(), beads, stores, turn }
        }
    }

    fn canonical(&self, position: &Position) -> Position {
        let base = match position.turn {
            Player::First => *position,
            Player::Second => self.image(position, SYMMETRIES),
        };
        let sets = [base.beads, base.rooks.first, base.rooks.second];
        let [beads, first, second] = self.board().smallest_image(sets);
        Position { beads, rooks: ByPlayer::new(first, second), ..base }
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
    fn crowded(board: &Hex, seed: u64) -> Position {
        let mut left = board.all();
        let mut draw = |number: u64| {
            let cell = { left }.nth((mix(&[seed, number]) % u64::from(left.len())) as usize);
            left = left - cell.map(Cell::set).unwrap_or_default();
            cell
        };
        let mut some = |from: u64, count: u64| (from..from + count).filter_map(&mut draw).collect();
        let rooks = ByPlayer::new(some(0, 1 + seed % 3), some(10, 1 + seed / 3 % 3));
        let beads = some(20, seed % u64::from(board.count() - 8));
        Position { rooks, beads, stores: ByPlayer::default(), turn: Player::BOTH[(seed % 2) as usize] }
    }

    /// The lists by rook, and moves taken back, agree with the moves and their captures.
    fn check_lists<R: Capture>() {
        for side in [3, 4, 5].map(|side| Side::new(side).unwrap()) {
            let board = side.board();
            for position in (0..500).map(|seed| crowded(board, seed)) {
                let game = BeadGame::<R>::new(side, Beads(1), Immobile::Pass);
                let (mut plain, mut visited) = (Vec::new(), Vec::new());
                game.moves(&position, &mut plain);
                game.each_move(&position, &mut Vec::new(), |play, after| visited.push((play, after)));
                let played = plain.into_iter().map(|play| (play, game.play(&position, play)));
                assert_eq!(visited, played.collect::<Vec<_>>(), "{position:?}");
                let mut moves = BTreeMap::new();
                R::moves(board, &position, |step, captured| {
                    assert_eq!(captured, R::captured(board, &position, step), "{position:?} {step:?}");
                    assert_eq!(moves.insert(step, captured), None);
                });
                let mut listed = BTreeMap::new();
                for from in position.rooks[position.turn] {
                    let mut list = |to: Cells, captured| {
                        to.for_each(|to| assert_eq!(listed.insert(Step { from, to }, captured), None));
                    };
                    list(R::quiet(board, &position, from), Cells::EMPTY);
                    let _ = R::captures(board, &position, from, |to, captured| {
                        assert!(!captured.is_empty());
                        list(to, captured);
                        ControlFlow::<()>::Continue(())
                    });
                }
                assert_eq!(listed, moves, "{position:?}");
                for (step, captured) in moves.into_iter().filter(|(_, captured)| captured.is_empty()) {
                    let after = game.play(&position, Move::Rook(step));
                    assert!(R::came_quietly(board, &after, step.to), "{position:?} {step:?} {captured:?}");
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
