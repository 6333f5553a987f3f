//! The abilities of a game whose positions can be numbered.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::{Game, Value};

/// The number of a position in its layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u64);

/// A choice of successors of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All of them.
    All,
    /// Those in the layers that can be left for good: [`Indexed::child_layers`].
    ChildLayers,
    /// Those in the position's own layer and its [`component`](Indexed::component).
    Component,
}

/// A game whose positions are numbered densely, by layers that play leaves for good.
///
/// A position and all its images under symmetry and colour swap share a slot. A successor in which the game is over
/// has a slot as well.
pub trait Indexed: Game {
    /// Positions of the same kind: for instance the same number of pieces.
    type Layer: Copy + Ord + Hash + Debug + Send + Sync;

    /// The number of slots of a layer, unused indices included.
    fn slots(&self, layer: Self::Layer) -> u64;

    /// The layer and slot of a position, the same for all its images.
    fn slot(&self, position: &Self::Position) -> (Self::Layer, Slot);

    /// Visits layer and slot of each of these positions, in order. For games that can number similar positions faster
    /// together, such as those after the moves of one position.
    fn number_each(
        &self,
        positions: impl Iterator<Item = Self::Position>,
        mut visit: impl FnMut(Self::Layer, Slot),
    ) {
        for position in positions {
            let (layer, slot) = self.slot(&position);
            visit(layer, slot);
        }
    }

    /// One chosen position of a slot below [`slots`](Self::slots); `None` for an unused index.
    fn position(&self, layer: Self::Layer, slot: Slot) -> Option<Self::Position>;

    /// The component of a layer: all layers between which play can go to and fro, `layer` included, in rising order.
    /// It is `layer` alone if every move leaves the layer; [`Retract::predecessors`] then visits nothing.
    fn component(&self, layer: Self::Layer) -> Vec<Self::Layer>;

    /// The child layers of that component: those outside it that one move from it can reach, in rising order.
    fn child_layers(&self, layer: Self::Layer) -> Vec<Self::Layer>;

    /// A scan of a layer; `None` if slot by slot is as fast.
    fn scan(&self, layer: Self::Layer) -> Option<impl Scan<Self::Layer>> {
        let _ = layer;
        None::<NoScan>
    }

    /// Visits layer and slot of each successor, possibly more than once, until `visit` breaks.
    ///
    /// Call only if the game is not [`over`](Game::over).
    fn successors<B>(
        &self,
        position: &Self::Position,
        reach: Reach,
        mut visit: impl FnMut(Self::Layer, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let component = self.component(self.slot(position).0);
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        for mv in moves {
            let (layer, slot) = self.slot(&self.play(position, mv));
            let wanted = match reach {
                Reach::All => true,
                Reach::Component => component.contains(&layer),
                Reach::ChildLayers => !component.contains(&layer),
            };
            if wanted {
                visit(layer, slot)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A game whose moves can be taken back.
pub trait Retract: Indexed {
    /// Visits every position of the [`component`](Indexed::component) from which a move leads here, or to an
    /// image of this position; possibly some more than once, as another image, or although the game
    /// is over there.
    ///
    /// * `visit`: layer and slot of the predecessor, and one of its images.
    fn predecessors(&self, position: &Self::Position, visit: impl FnMut(Self::Layer, Slot, &Self::Position));
}

/// A scan of a layer: every position with all its successors, by the rules, in groups that share work. Most moves of a group lead to its *near* slots, which are listed once.
///
/// Solvers must not use it, so that it can check their results. Clones are independent.
pub trait Scan<L>: Clone + Send + Sync {
    /// The number of groups.
    fn groups(&self) -> u64;

    /// The layers that moves lead to, the one of the near slots first.
    fn layers(&self) -> &[L];

    /// Visits the positions of a group. Each position of the layer is in one group, once.
    fn visit(&mut self, group: u64, visitor: &mut impl ScanVisitor);
}

/// Receives a group: its near slots, then for each position either [`over`](Self::over), or each move and
/// [`moved`](Self::moved).
pub trait ScanVisitor {
    /// The near slots and their numbers, which are below `count`.
    fn near_slots(&mut self, count: usize, slots: impl Iterator<Item = (u32, Slot)>);

    /// A position in which the game is over, with the value for its player to move.
    fn over(&mut self, slot: Slot, value: Value);

    /// A move to a near slot.
    fn near(&mut self, number: u32);

    /// A move to any other slot.
    ///
    /// * `layer`: its number among the [`layers`](Scan::layers).
    fn far(&mut self, layer: usize, slot: Slot);

    /// The position of the moves since the last position.
    fn moved(&mut self, slot: Slot);
}

/// The scan of a game that has none.
#[derive(Clone, Copy, Debug)]
pub enum NoScan {}

impl<L> Scan<L> for NoScan {
    fn groups(&self) -> u64 {
        match *self {}
    }

    fn layers(&self) -> &[L] {
        match *self {}
    }

    fn visit(&mut self, _: u64, _: &mut impl ScanVisitor) {
        match *self {}
    }
}
