//! The abilities of a game whose positions can be numbered.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::Game;

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
