//! Scans of layers by the rules.
//!
//! A group has the positions in which the rooks of one row of the swapped layer wait. Moves without a capture lead to
//! that row.

use marquis_core::{ByPlayer, Cells, Game, Indexed, Player, Scan, ScanVisitor, Slot};
use marquis_rank::{Class, Element, SetClasses, SubsetRank};

use super::boards::{NumberedBoard, RowRooks};
use super::find::BoardNumber;
use super::rooks::{Beside, CellNumbers};
use super::walk::Facing;
use super::{BeadIndex, BeadLayer};
use crate::beads::{Beads, Capture, Position};

/// Bits of the hash of captured cells.
const HASH_BITS: u32 = 7;
/// A multiplicative hash: the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A scan of a layer.
#[derive(Clone, Debug)]
struct BeadScan<'g, R> {
    index: &'g BeadIndex<R>,
    layer: BeadLayer,
    groups: u64,
    /// Slots of a row of the swapped layer.
    columns: u64,
    stores: ByPlayer<Beads>,
    /// The swapped layer, and those after captures.
    layers: Vec<BeadLayer>,
    /// The rows that captures led to, by the hash of the captured cells.
    captured: Vec<Option<CapturedRow<'g>>>,
}

/// A row that a capture leads to.
#[derive(Clone, Debug)]
struct CapturedRow<'g> {
    /// The beads after the capture, and the rooks of the player who moves next.
    beads: Cells,
    next: Cells,
    /// The number of its layer.
    layer: usize,
    /// The turn to the row, and the row; `None` if the capture has won.
    row: Option<(Element, Facing<'g>)>,
    beside: Option<Beside>,
}

/// The rooks that wait in a group.
struct Waiting<'g> {
    number: BoardNumber,
    board: &'g NumberedBoard,
    numbers: CellNumbers,
    rooks: Cells,
    /// If more than the identity leaves them in place: the classes, and theirs.
    keeping: Option<(&'g SetClasses, Class)>,
    beside: Beside,
}

impl<'g, R: Capture> BeadScan<'g, R> {
    fn waiting(&self, row: u64) -> Waiting<'g> {
        let (index, size) = (self.index, self.layer.opponent_rooks);
        let (number, found) = index.boards(self.layer.beads).locate(row, size);
        let board = index.boards(self.layer.beads).board(number);
        let (numbers, keeping) = match found {
            RowRooks::Ranked(SubsetRank(rank)) => (index.unranked.set(size, rank), None),
            RowRooks::Class(classes, class) => {
                let keeping = (!classes.is_free(class)).then_some((classes, class));
                (board.numbers(classes.representative(class)), keeping)
            }
        };
        let rooks = board.cells(numbers);
        let beside = Beside::new(index.game.board().all() - board.beads - rooks);
        Waiting { number, board, numbers, rooks, keeping, beside }
    }

    /// The rooks of a column.
    #[inline]
    fn movers(&self, waiting: &Waiting<'_>, column: u64) -> Cells {
        waiting.board.cells(self.index.unranked.set(self.layer.mover_rooks, column).spread(waiting.numbers))
    }

    /// The smallest image of some rooks beside the waiting ones.
    #[inline]
    fn smallest(&self, waiting: &Waiting<'_>, rooks: Cells) -> Cells {
        let Some((classes, class)) = waiting.keeping else { return rooks };
        classes.smallest_beside(self.index.group, class, rooks)
    }

    /// The moves of a position in which the first player is to move.
    #[inline]
    fn moves(&mut self, waiting: &Waiting<'_>, position: &Position, visitor: &mut impl ScanVisitor) {
        let (mover, mut can_move) = (position.rooks.first, false);
        R::moves(self.index.game.board(), position, |step, captured| {
            can_move = true;
            if captured.is_empty() {
                visitor.near(waiting.beside.rank(mover.without(step.from).with(step.to)));
            } else {
                let (layer, slot) = self.after_capture(captured, &position.after(step, captured));
                visitor.far(layer, slot);
            }
        });
        if !can_move {
            // A pass.
            visitor.near(waiting.beside.rank(mover));
        }
    }

    /// The number of the layer, and the slot, of a position after a capture.
    #[inline]
    fn after_capture(&mut self, captured: Cells, after: &Position) -> (usize, Slot) {
        let Self { index, layers, .. } = self;
        let next = after.rooks[after.turn];
        let hash = captured.0.wrapping_mul(SPREAD) >> (u64::BITS - HASH_BITS);
        let row = match &mut self.captured[hash as usize] {
            Some(row) if row.beads == after.beads && row.next == next => row,
            row => row.insert(CapturedRow::new(index, layers, after)),
        };
        let Some((element, facing)) = &row.row else { return (row.layer, Slot(0)) };
        (row.layer, index.slot_beside(facing, &mut row.beside, index.turned(*element, after.enemies())))
    }
}

impl<'g> CapturedRow<'g> {
    fn new<R: Capture>(index: &'g BeadIndex<R>, layers: &[BeadLayer], after: &Position) -> Self {
        let (beads, next, layer) = (after.beads, after.rooks[after.turn], index.layer(after));
        let row = (layer != BeadLayer::OVER).then(|| {
            let (number, element) = index.board_of(layer, beads);
            (element, index.facing(layer, number, index.turned(element, next)))
        });
        let Some(layer) = layers.iter().position(|&one| one == layer) else {
            panic!("no move leads to layer {}", layer.name());
        };
        Self { beads, next, layer, row, beside: None }
    }
}

impl<R: Capture> Scan<BeadLayer> for BeadScan<'_, R> {
    fn groups(&self) -> u64 {
        self.groups
    }

    fn layers(&self) -> &[BeadLayer] {
        &self.layers
    }

    fn visit(&mut self, group: u64, visitor: &mut impl ScanVisitor) {
        let waiting = self.waiting(group);
        let slot = |column| {
            let smallest = match waiting.keeping {
                Some(_) => waiting.beside.rank(self.smallest(&waiting, self.movers(&waiting, column))).into(),
                None => column,
            };
            (column as u32, Slot(group * self.columns + smallest))
        };
        visitor.near_slots(self.columns as usize, (0..self.columns).map(slot));
        let index = self.index;
        for column in 0..self.columns {
            let mover = self.movers(&waiting, column);
            if self.smallest(&waiting, mover) != mover {
                continue;
            }
            let rooks = ByPlayer::new(mover, waiting.rooks);
            let position =
                Position { rooks, beads: waiting.board.beads, stores: self.stores, turn: Player::First };
            let facing = index.facing(self.layer, waiting.number, mover);
            let slot = index.slot_facing(&facing, waiting.rooks);
            if let Some(over) = index.game.over(&position) {
                visitor.over(slot, over.outcome.for_mover(position.turn));
                continue;
            }
            self.moves(&waiting, &position, visitor);
            visitor.moved(slot);
        }
    }
}

impl<R: Capture> BeadIndex<R> {
    /// `None` for [`BeadLayer::OVER`].
    pub(super) fn scan_of(&self, layer: BeadLayer) -> Option<impl Scan<BeadLayer>> {
        if layer == BeadLayer::OVER {
            return None;
        }
        let columns = self.slots_a_row(self.boards(layer.beads), layer.swapped());
        let groups = self.slots(layer.swapped()).checked_div(columns)?;
        let stores = ByPlayer::new(self.store(layer.mover_needs)?, self.store(layer.opponent_needs)?);
        let captured = vec![None; 1 << HASH_BITS];
        let layers = std::iter::once(layer.swapped()).chain(self.child_layers(layer)).collect();
        Some(BeadScan { index: self, layer, groups, columns, stores, layers, captured })
    }
}
