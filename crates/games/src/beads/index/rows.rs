//! Layers as matrices: a row for the beads and the mover's rooks, a column for the other player's rooks.
//!
//! The rows on one set of beads are consecutive, and slides lead from them to rows on the same beads only, so the
//! data of a step lies close together.

use std::ops::ControlFlow;

use marquis_core::{
    ByPlayer, Cell, Cells, Column, Game, Immobile, Indexed, Player, Row, Rowed, Rows, Slot, Value,
};
use marquis_rank::{Class, SetClasses, SubsetRank};

use super::boards::{NumberedBoard, RowRooks};
use super::find::BoardNumber;
use super::rooks::{Beside, CellNumbers, OneMore};
use super::walk::Placed;
use super::{BeadIndex, BeadLayer, plainest_over};
use crate::beads::{Beads, Capture, Position};

/// The rows of a layer.
#[derive(Clone, Debug)]
pub struct BeadRows<'g, R> {
    index: &'g BeadIndex<R>,
    layer: BeadLayer,
    rows: u64,
    columns: u32,
    stores: ByPlayer<Beads>,
    /// The row; `None` in [`BeadLayer::OVER`].
    entered: Option<Entered<'g>>,
}

/// The current row.
#[derive(Clone, Debug)]
struct Entered<'g> {
    number: BoardNumber,
    board: &'g NumberedBoard,
    /// On a board that no symmetry leaves in place, the number of its first row in the layer of the facing positions.
    first: Option<u64>,
    /// Slots of a row there.
    each: u64,
    /// The rooks of the row, by number and by cell.
    numbers: CellNumbers,
    rooks: Cells,
    /// If more than the identity leaves the row in place: the classes, and the one of the row.
    keeping: Option<(&'g SetClasses, Class)>,
    beside: Beside,
}

impl<'g, R: Capture> BeadRows<'g, R> {
    /// The current row, in a layer of unfinished games.
    #[inline]
    fn entered(&self) -> &Entered<'g> {
        self.entered.as_ref().expect("a row was entered")
    }

    /// The rooks of a column.
    #[inline]
    fn cells(&self, entered: &Entered<'_>, Column(column): Column) -> Cells {
        let numbers = self.index.unranked.set(self.layer.opponent_rooks, u64::from(column));
        entered.board.cells(numbers.spread(entered.numbers))
    }

    /// The position in a column: the rooks of the row are the first player's, and he is to move.
    #[inline]
    fn position(&self, entered: &Entered<'_>, column: Column) -> Position {
        let rooks = ByPlayer::new(entered.rooks, self.cells(entered, column));
        Position { rooks, beads: entered.board.beads, stores: self.stores, turn: Player::First }
    }

    /// The position that faces it, seen with the first player to move.
    #[inline]
    fn faced(&self, entered: &Entered<'_>, column: Column) -> Position {
        let position = self.position(entered, column);
        Position { rooks: position.rooks.swapped(), stores: self.stores.swapped(), ..position }
    }

    /// The columns of these rooks plus one more, on each of the cells.
    #[inline]
    fn moved<B>(
        &self,
        entered: &Entered<'_>,
        others: Cells,
        cells: Cells,
        mut visit: impl FnMut(Column) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if entered.keeping.is_some() {
            for cell in cells {
                visit(self.column(entered, others.with(cell)))?;
            }
            return ControlFlow::Continue(());
        }
        let ranks = OneMore::new(entered.beside.numbers(others));
        for cell in cells {
            visit(Column(ranks.rank(entered.beside.number(cell))))?;
        }
        ControlFlow::Continue(())
    }

    /// The column of some rooks: if several sets are images in this row, that of the smallest one.
    fn column(&self, entered: &Entered<'_>, rooks: Cells) -> Column {
        let smallest = match entered.keeping {
            Some((classes, class)) => classes.smallest_beside(self.index.group, class, rooks),
            None => rooks,
        };
        Column(entered.beside.rank(smallest))
    }

    /// Returns whether a player passes because no rook can move.
    fn passes(&self, position: &Position, player: Player) -> bool {
        self.index.game.immobile() == Immobile::Pass && !self.index.game.can_move(position, player)
    }
}

impl<R: Capture> Rows for BeadRows<'_, R> {
    type Layer = BeadLayer;

    fn count(&self) -> u64 {
        self.rows
    }

    fn columns(&self) -> u32 {
        self.columns
    }

    fn enter(&mut self, Row(row): Row) {
        if self.layer == BeadLayer::OVER {
            return;
        }
        let (index, layer) = (self.index, self.layer);
        let boards = index.boards(layer.beads);
        let (number, rooks) = boards.locate(row, layer.mover_rooks);
        let board = boards.board(number);
        let (numbers, keeping) = match rooks {
            RowRooks::Ranked(SubsetRank(rank)) => (index.unranked.set(layer.mover_rooks, rank), None),
            RowRooks::Class(classes, class) => {
                let keeping = (!classes.is_free(class)).then_some((classes, class));
                (board.numbers(classes.representative(class)), keeping)
            }
        };
        let rooks = board.cells(numbers);
        let first = boards.is_plain(number).then(|| boards.first_row(number, layer.opponent_rooks));
        let each = index.slots_a_row(boards, layer.swapped());
        let beside = Beside::new(index.game.board().all() - board.beads - rooks);
        self.entered = Some(Entered { number, board, first, each, numbers, rooks, keeping, beside });
    }

    #[inline]
    fn has_position(&self, column: Column) -> bool {
        let Some(entered) = &self.entered else { return true };
        entered.keeping.is_none_or(|(classes, class)| {
            let rooks = self.cells(entered, column);
            classes.smallest_beside(self.index.group, class, rooks) == rooks
        })
    }

    #[inline]
    fn facing(&self, column: Column) -> Slot {
        let Some(entered) = &self.entered else { return Slot(0) };
        if let Some(first) = entered.first {
            let own = self.index.unranked.set(self.layer.opponent_rooks, u64::from(column.0));
            let own = own.spread(entered.numbers);
            let rank = entered.numbers.all_beside(own).rank();
            return Slot((first + u64::from(own.rank())) * entered.each + u64::from(rank));
        }
        let own = self.cells(entered, column);
        let facing = self.index.facing(self.layer.swapped(), entered.number, own);
        self.index.slot_facing(&facing, entered.rooks)
    }

    #[inline]
    fn over(&self, column: Column) -> Option<Value> {
        let position = match &self.entered {
            Some(entered) => self.faced(entered, column),
            None => plainest_over(&self.index.game),
        };
        self.index.game.over(&position).map(|over| over.outcome.for_mover(position.turn))
    }

    #[inline]
    fn along<B>(&self, column: Column, mut visit: impl FnMut(Column) -> ControlFlow<B>) -> ControlFlow<B> {
        let entered = self.entered();
        let position = self.faced(entered, column);
        let (board, own) = (self.index.game.board(), position.rooks.first);
        let mut found = false;
        for from in own {
            let to = R::quiet(board, &position, from);
            found |= !to.is_empty();
            self.moved(entered, own.without(from), to, &mut visit)?;
        }
        if !found && self.passes(&position, Player::First) {
            visit(column)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn leaving<B>(
        &self,
        column: Column,
        mut visit: impl FnMut(BeadLayer, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let entered = self.entered();
        let (layer, number) = (self.layer.swapped(), entered.number);
        let position = self.faced(entered, column);
        self.index.leaps(&Placed { layer, number, position }, &mut visit)
    }

    #[inline]
    fn back(&self, column: Column, mut visit: impl FnMut(Column)) {
        let Some(entered) = &self.entered else { return };
        let position = self.position(entered, column);
        let (board, slid, occupied) = (self.index.game.board(), position.rooks.second, position.occupied());
        let came = |&to: &Cell| R::came_quietly(board, &position, to);
        for to in slid.filter(came) {
            let from = board.open_around(to, occupied);
            let _ = self.moved::<()>(entered, slid.without(to), from, |before| {
                visit(before);
                ControlFlow::Continue(())
            });
        }
        if self.passes(&position, Player::Second) {
            visit(column);
        }
    }
}

impl<R: Capture> Rowed for BeadIndex<R> {
    type Rows<'g> = BeadRows<'g, R>;

    fn facing(&self, layer: BeadLayer) -> BeadLayer {
        if layer == BeadLayer::OVER { layer } else { layer.swapped() }
    }

    fn rows(&self, layer: BeadLayer) -> BeadRows<'_, R> {
        let (rows, columns) = if layer == BeadLayer::OVER {
            (1, 1)
        } else {
            let columns = self.slots_a_row(self.boards(layer.beads), layer);
            (self.slots(layer).checked_div(columns).unwrap_or(0), columns as u32)
        };
        let store = |needs| self.store(needs).unwrap_or_default();
        let stores = ByPlayer::new(store(layer.mover_needs), store(layer.opponent_needs));
        BeadRows { index: self, layer, rows, columns, stores, entered: None }
    }

    fn rows_bytes(&self, _: BeadLayer, copies: u64) -> u64 {
        copies * size_of::<BeadRows<'_, R>>() as u64
    }
}
