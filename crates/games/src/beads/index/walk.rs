//! The index as a game: slots and positions, moves and moves taken back.

use std::ops::ControlFlow;

use marquis_core::{ByPlayer, Cells, Game, Hashed, Indexed, Over, Player, Reach, Retract, Scan, Slot};
use marquis_rank::{Element, SubsetRank, binomial};

use super::boards::{NumberedBoard, NumberedBoards, RookRow, RowRooks};
use super::find::BoardNumber;
use super::rooks::{Beside, BesideOneMore, CellNumbers, OneMore};
use super::{BeadIndex, BeadLayer, layer_of, plainest_over};
use crate::beads::{Capture, Immobile, Move, Position};

/// A position turned so that its beads are those of a board; the player to move comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) layer: BeadLayer,
    pub(super) number: BoardNumber,
    pub(super) position: Position,
}

/// All positions with the same beads and rooks of the player to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facing<'a> {
    board: &'a NumberedBoard,
    row: RookRow<'a>,
    /// The rooks of the player to move in the row, by number.
    mover: CellNumbers,
    /// Slots in a row.
    each: u64,
}

impl<R: Capture> BeadIndex<R> {
    /// The number of slots of a row.
    #[inline]
    pub(super) fn slots_a_row(&self, boards: &NumberedBoards, layer: BeadLayer) -> u64 {
        binomial(
            boards.vacant().saturating_sub(u32::from(layer.mover_rooks)),
            u32::from(layer.opponent_rooks),
        )
    }

    /// * `layer`, `mover`: of the positions meant.
    #[inline]
    pub(super) fn facing(&self, layer: BeadLayer, number: BoardNumber, mover: Cells) -> Facing<'_> {
        let boards = self.boards(layer.beads);
        let board = boards.board(number);
        let numbers = board.numbers(mover);
        let each = self.slots_a_row(boards, layer);
        let row = boards.row(number, layer.mover_rooks, numbers);
        let mover = match row.element {
            Element::IDENTITY => numbers,
            element => board.numbers(self.group.image_of(element, mover)),
        };
        Facing { board, row, mover, each }
    }

    /// The slot of the position with these rooks of the player who is not to move.
    #[inline]
    pub(super) fn slot_facing(&self, facing: &Facing<'_>, opponent: Cells) -> Slot {
        let mut opponent = self.turned(facing.row.element, opponent);
        if let Some((classes, class)) = facing.row.keeping {
            opponent = classes.smallest_beside(self.group, class, opponent);
        }
        let rank = facing.board.numbers(opponent).all_beside(facing.mover).rank();
        Slot(facing.row.number * facing.each + u64::from(rank))
    }

    /// The same, with the numbers of the row cached for the next position that faces it.
    #[inline]
    pub(super) fn slot_beside(
        &self,
        facing: &Facing<'_>,
        beside: &mut Option<Beside>,
        opponent: Cells,
    ) -> Slot {
        if facing.row.keeping.is_some() {
            return self.slot_facing(facing, opponent);
        }
        let left = || self.game.board().all() - facing.board.beads - facing.board.cells(facing.mover);
        let beside = beside.get_or_insert_with(|| Beside::new(left()));
        let rank = beside.rank(self.turned(facing.row.element, opponent));
        Slot(facing.row.number * facing.each + u64::from(rank))
    }

    /// The image of a set under an element.
    #[inline]
    pub(super) fn turned(&self, element: Element, cells: Cells) -> Cells {
        if element == Element::IDENTITY { cells } else { self.group.image_of(element, cells) }
    }

    /// The board of a layer's beads, and an element that takes them there.
    #[inline]
    pub(super) fn board_of(&self, layer: BeadLayer, beads: Cells) -> (BoardNumber, Element) {
        let Some(found) = self.finder.find(beads, layer.beads) else {
            panic!("play does not lead to this set of beads: {beads:?}");
        };
        found
    }

    /// A position of a layer other than [`BeadLayer::OVER`], turned to its board.
    #[inline]
    fn placed(&self, layer: BeadLayer, position: &Position) -> Placed {
        let (number, element) = self.board_of(layer, position.beads);
        let (mover, opponent) = (position.turn, position.turn.opponent());
        let rooks = ByPlayer::new(position.rooks[mover], position.rooks[opponent]);
        let stores = ByPlayer::new(position.stores[mover], position.stores[opponent]);
        let rooks = rooks.map(|rooks| self.turned(element, rooks));
        let beads = self.turned(element, position.beads);
        Placed { layer, number, position: Position { rooks, beads, stores, turn: Player::First } }
    }

    /// The positions after moves without a capture.
    #[inline]
    fn slides<B>(
        &self,
        placed: &Placed,
        visit: &mut impl FnMut(BeadLayer, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Placed { layer, number, position } = placed;
        let (layer, mover) = (layer.swapped(), position.rooks.first);
        let facing = self.facing(layer, *number, position.rooks.second);
        let mut found = false;
        for from in mover {
            let to = R::quiet(self.game.board(), position, from);
            found |= !to.is_empty();
            self.moved(&facing, mover.without(from), to, |slot| visit(layer, slot))?;
        }
        if !found && self.game.immobile() == Immobile::Pass && !self.game.can_move(position, Player::First) {
            visit(layer, self.slot_facing(&facing, mover))?;
        }
        ControlFlow::Continue(())
    }

    /// The slots of the positions in which the player who is not to move has the rooks `others` and one more, on each
    /// of the cells `to`.
    #[inline]
    fn moved<B>(
        &self,
        facing: &Facing<'_>,
        others: Cells,
        to: Cells,
        mut visit: impl FnMut(Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if facing.row.keeping.is_some() {
            for cell in to {
                visit(self.slot_facing(facing, others.with(cell)))?;
            }
            return ControlFlow::Continue(());
        }
        let (element, board) = (facing.row.element, facing.board);
        let others = board.numbers(self.turned(element, others)).all_beside(facing.mover);
        let ranks = OneMore::new(others);
        let first = facing.row.number * facing.each;
        for cell in to {
            let cell = if element == Element::IDENTITY { cell } else { self.group.image(element, cell) };
            let rank = ranks.rank(facing.mover.beside(board.number(cell)));
            visit(Slot(first + u64::from(rank)))?;
        }
        ControlFlow::Continue(())
    }

    /// The positions after captures.
    #[inline]
    pub(super) fn leaps<B>(
        &self,
        placed: &Placed,
        visit: &mut impl FnMut(BeadLayer, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Placed { layer, position, .. } = placed;
        let (mover, opponent) = (position.rooks.first, position.rooks.second);
        for from in mover {
            R::captures(self.game.board(), position, from, |to, captured| {
                let (beads, rooks) = (captured & position.beads, captured & opponent);
                let after = self.captures.or_over(layer.after(beads.len() as u8, rooks.len() as u8));
                if after == BeadLayer::OVER {
                    return visit(after, Slot(0));
                }
                let Some((number, element)) = self.finder.find(position.beads - beads, after.beads) else {
                    unreachable!("beads are captured row by row");
                };
                let facing = self.facing(after, number, self.turned(element, opponent - rooks));
                let others = self.turned(element, mover.without(from));
                self.moved(&facing, others, self.turned(element, to), |slot| visit(after, slot))
            })?;
        }
        ControlFlow::Continue(())
    }

    /// The positions before the slides that can have ended here, if the board is plain.
    #[inline]
    fn slid_on_plain(&self, placed: &Placed, visit: &mut impl FnMut(BeadLayer, Slot, &Position)) {
        let Placed { layer, number, position } = placed;
        let (boards, layer) = (self.boards(layer.beads), layer.swapped());
        let (opponent, slid) = (position.rooks.first, position.rooks.second);
        let (board, occupied) = (boards.board(*number), position.occupied());
        let (first, each) = (boards.first_row(*number, layer.mover_rooks), self.slots_a_row(boards, layer));
        let waiting = board.numbers(opponent);
        for to in slid {
            if !R::came_quietly(self.game.board(), position, to) {
                continue;
            }
            let others = slid.without(to);
            let numbers = board.numbers(others);
            let (rows, ranks) = (OneMore::new(numbers), BesideOneMore::new(waiting, numbers));
            for from in self.game.board().open_around(to, occupied) {
                let number = board.number(from);
                let slot = (first + u64::from(rows.rank(number))) * each + u64::from(ranks.rank(number));
                visit(layer, Slot(slot), &before(position, others.with(from)));
            }
        }
    }

    /// The same on a board that symmetries leave in place.
    #[inline]
    fn slid(&self, placed: &Placed, visit: &mut impl FnMut(BeadLayer, Slot, &Position)) {
        let Placed { layer, number, position } = placed;
        let layer = layer.swapped();
        let (opponent, slid) = (position.rooks.first, position.rooks.second);
        for to in slid {
            if !R::came_quietly(self.game.board(), position, to) {
                continue;
            }
            for from in self.game.board().open_around(to, position.occupied()) {
                let mover = slid.without(to).with(from);
                let facing = self.facing(layer, *number, mover);
                visit(layer, self.slot_facing(&facing, opponent), &before(position, mover));
            }
        }
    }
}

/// Returns whether two positions that are not over by captures lie in one row.
#[inline]
fn share_row(one: &Position, other: &Position) -> bool {
    let counts = [one, other].map(|position| position.rooks[position.turn.opponent()].len());
    one.beads == other.beads
        && one.turn == other.turn
        && one.rooks[one.turn] == other.rooks[one.turn]
        && one.stores == other.stores
        && counts[0] == counts[1]
}

/// The position before a move without a capture, in which `mover` were the rooks of the player who made it.
#[inline]
fn before(position: &Position, mover: Cells) -> Position {
    Position {
        rooks: ByPlayer::new(mover, position.rooks.first),
        stores: position.stores.swapped(),
        ..*position
    }
}

impl<R: Capture> Game for BeadIndex<R> {
    type Position = Position;
    type Move = Move;

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Over> {
        self.game.over(position)
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        self.game.moves(position, out);
    }

    fn play(&self, position: &Position, play: Move) -> Position {
        self.game.play(position, play)
    }
}

impl<R: Capture> Hashed for BeadIndex<R> {
    fn key(&self, position: &Position) -> u64 {
        self.game.key(position)
    }
}

/// Every method that takes a position panics if the index does not [`cover`](BeadIndex::covers) it.
impl<R: Capture> Indexed for BeadIndex<R> {
    type Layer = BeadLayer;

    fn slots(&self, layer: BeadLayer) -> u64 {
        if layer == BeadLayer::OVER {
            return 1;
        }
        let boards = self.boards(layer.beads);
        boards.rows(layer.mover_rooks) * self.slots_a_row(boards, layer)
    }

    fn slot(&self, position: &Position) -> (BeadLayer, Slot) {
        let layer = self.layer(position);
        if layer == BeadLayer::OVER {
            return (layer, Slot(0));
        }
        let Placed { number, position, .. } = self.placed(layer, position);
        let boards = self.boards(layer.beads);
        if !boards.is_plain(number) {
            let facing = self.facing(layer, number, position.rooks.first);
            return (layer, self.slot_facing(&facing, position.rooks.second));
        }
        let board = boards.board(number);
        let [mover, opponent] =
            [position.rooks.first, position.rooks.second].map(|rooks| board.numbers(rooks));
        let row = boards.first_row(number, layer.mover_rooks) + u64::from(mover.rank());
        let rank = opponent.all_beside(mover).rank();
        (layer, Slot(row * self.slots_a_row(boards, layer) + u64::from(rank)))
    }

    /// The row is looked up once for positions that share it.
    fn number_each(&self, positions: impl Iterator<Item = Position>, mut visit: impl FnMut(BeadLayer, Slot)) {
        let mut last: Option<(Position, BeadLayer, Element, Facing<'_>, Option<Beside>)> = None;
        for position in positions {
            let opponent = position.rooks[position.turn.opponent()];
            if let Some((like, layer, element, facing, beside)) = &mut last
                && share_row(like, &position)
            {
                visit(*layer, self.slot_beside(facing, beside, self.turned(*element, opponent)));
                continue;
            }
            let layer = self.layer(&position);
            if layer == BeadLayer::OVER {
                visit(layer, Slot(0));
                continue;
            }
            let (number, element) = self.board_of(layer, position.beads);
            let mover = self.turned(element, position.rooks[position.turn]);
            let facing = self.facing(layer, number, mover);
            visit(layer, self.slot_facing(&facing, self.turned(element, opponent)));
            last = Some((position, layer, element, facing, None));
        }
    }

    /// The mover is [`Player::First`].
    fn position(&self, layer: BeadLayer, slot: Slot) -> Option<Position> {
        if layer == BeadLayer::OVER {
            return Some(plainest_over(&self.game));
        }
        let boards = self.boards(layer.beads);
        let each = self.slots_a_row(boards, layer);
        let (number, rooks) = boards.locate(slot.0 / each, layer.mover_rooks);
        let board = boards.board(number);
        let mover = match rooks {
            RowRooks::Ranked(SubsetRank(rank)) => self.unranked.set(layer.mover_rooks, rank),
            RowRooks::Class(classes, class) => board.numbers(classes.representative(class)),
        };
        let opponent = board.cells(self.unranked.set(layer.opponent_rooks, slot.0 % each).spread(mover));
        if let RowRooks::Class(classes, class) = rooks
            && classes.smallest_beside(self.group, class, opponent) != opponent
        {
            return None;
        }
        let stores = ByPlayer::new(self.store(layer.mover_needs)?, self.store(layer.opponent_needs)?);
        let rooks = ByPlayer::new(board.cells(mover), opponent);
        Some(Position { rooks, beads: board.beads, stores, turn: Player::First })
    }

    fn component(&self, layer: BeadLayer) -> Vec<BeadLayer> {
        let mut component = vec![layer];
        if layer != BeadLayer::OVER && layer != layer.swapped() {
            component.push(layer.swapped());
            component.sort();
        }
        component
    }

    fn child_layers(&self, layer: BeadLayer) -> Vec<BeadLayer> {
        let component = self.component(layer);
        let mut below: Vec<BeadLayer> = component.iter().flat_map(|&one| self.captures.after(one)).collect();
        below.retain(|layer| self.layers.contains(layer));
        below.sort();
        below.dedup();
        below
    }

    fn scan(&self, layer: BeadLayer) -> Option<impl Scan<BeadLayer>> {
        self.scan_of(layer)
    }

    fn successors<B>(
        &self,
        position: &Position,
        reach: Reach,
        mut visit: impl FnMut(BeadLayer, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let placed = self.placed(layer_of(&self.game, position), position);
        if reach != Reach::ChildLayers {
            self.slides(&placed, &mut visit)?;
        }
        if reach != Reach::Component {
            self.leaps(&placed, &mut visit)?;
        }
        ControlFlow::Continue(())
    }
}

impl<R: Capture> Retract for BeadIndex<R> {
    fn predecessors(&self, position: &Position, mut visit: impl FnMut(BeadLayer, Slot, &Position)) {
        let layer = self.layer(position);
        if layer == BeadLayer::OVER {
            return;
        }
        let placed = self.placed(layer, position);
        if self.boards(placed.layer.beads).is_plain(placed.number) {
            self.slid_on_plain(&placed, &mut visit);
        } else {
            self.slid(&placed, &mut visit);
        }
        if self.game.immobile() == Immobile::Pass && !self.game.can_move(&placed.position, Player::Second) {
            let Placed { number, position, .. } = placed;
            let (mover, opponent) = (position.rooks.second, position.rooks.first);
            let facing = self.facing(layer.swapped(), number, mover);
            visit(layer.swapped(), self.slot_facing(&facing, opponent), &before(&position, mover));
        }
    }
}
