//! Numbering of Squish and Flowish positions, and moves taken back.
//!
//! A layer is the pieces of the player to move against those of the opponent. A table look-up brings the mover's set
//! to its class's representative; the opponent's set follows and is ranked among the remaining cells:
//! `slot = class · C(n − i, j) + rank`. If symmetries leave the mover's representative in place, only the smallest
//! image of the opponent's set has a position; the other slots are unused indices.
//!
//! Steps only depend on the mover's own pieces, so they are listed once a class, forwards and backwards.

mod lanes;
mod lists;
mod rows;
mod scan;
mod sets;
mod waiting;

use std::ops::ControlFlow;

use marquis_core::{ByPlayer, Cell, Cells, Game, Hashed, Indexed, Over, Player, Reach, Retract, Scan, Slot};
use marquis_rank::{
    Class, Element, Group, SetClasses, binomial, rank_set_beside, set_beside, sets_of, subset::SubsetRank,
    unrank_set,
};

use super::{Position, Stepping, Unification};
use crate::hex::{Hex, Side};
use crate::steps::Step;

use self::lists::Lists;
pub use rows::UnificationRows;

/// Bytes of a set in the tables: its class, and a twelfth of the steps of the class.
const BYTES_PER_SET: u128 = 30;

/// Most sets of a list by rank: half a megabyte.
const MOST_LISTED_SETS: u64 = 1 << 16;

/// The numbers of pieces of the player to move and of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Pieces of the player to move.
    pub mover: u8,
    /// Pieces of the player who is not to move.
    pub opponent: u8,
}

impl Material {
    /// The material with the other player to move.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }
}

/// A game of unification together with the tables that number its positions.
#[derive(Clone, Debug)]
pub struct UnificationIndex<R> {
    game: Unification<R>,
    group: &'static Group,
    /// By number of pieces.
    sides: Vec<SideTable>,
    /// For each layer the opponent's sets by rank, among the cells that the mover leaves; empty if there are too
    /// many.
    opponents: Vec<Vec<Cells>>,
}

/// All sets of one size: their classes and steps.
#[derive(Clone, Debug)]
struct SideTable {
    classes: SetClasses,
    forwards: Lists<Step>,
    backwards: Lists<Back>,
}

/// A step that ended in a representative: its cells, and the set before.
#[derive(Clone, Copy, Debug, Default)]
struct Back {
    from: u8,
    to: u8,
    /// Takes the set before the step to its representative.
    element: u8,
    class: u32,
}

impl<R: Stepping> UnificationIndex<R> {
    /// The version of the numbering; it is part of the fingerprint of tables.
    pub const VERSION: u32 = 1;

    /// About the bytes of the tables for up to `most` pieces a side; does not build them.
    #[must_use]
    pub fn bytes(side: Side, most: u8) -> u128 {
        let cells = side.board().count();
        let sets = (0..=u32::from(most).min(cells)).map(|size| u128::from(binomial(cells, size)));
        sets.sum::<u128>() * BYTES_PER_SET
    }

    /// The tables for up to `most` pieces a side; check [`bytes`](Self::bytes) first.
    ///
    /// They take four bytes for each set of `most` cells or fewer, and some 300 a class.
    ///
    /// Panics if a table would hold 2³² sets: 9 pieces on side 5.
    #[must_use]
    pub fn new(game: Unification<R>, most: u8) -> Self {
        let board = game.board();
        let most = u32::from(most).min(board.count());
        let group = board.symmetries();
        let sides = (0..=most).map(|size| SideTable::new::<R>(board, group, size)).collect();
        let layers = (0..=most).flat_map(|mover| (0..=most).map(move |opponent| (mover, opponent)));
        let opponents =
            layers.map(|(mover, opponent)| sets_by_rank(board.count() - mover, opponent)).collect();
        Self { game, group, sides, opponents }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Unification<R> {
        &self.game
    }

    /// The largest number of pieces a side in the tables.
    #[must_use]
    pub fn most_pieces(&self) -> u8 {
        (self.sides.len() - 1) as u8
    }

    /// The layer of a position.
    #[must_use]
    pub fn material(position: &Position) -> Material {
        let count = |player| position.pieces[player].len() as u8;
        Material { mover: count(position.turn), opponent: count(position.turn.opponent()) }
    }

    /// Returns whether the tables have enough pieces for both sides.
    #[must_use]
    pub fn covers(&self, position: &Position) -> bool {
        Player::BOTH.into_iter().all(|p| position.pieces[p].len() <= u32::from(self.most_pieces()))
    }

    /// All layers of at most `most` pieces a side that have room on the board, in rising order.
    ///
    /// Layers in which a side has no piece are left out: they cannot arise in play.
    #[must_use]
    pub fn layers(&self, most: u8) -> Vec<Material> {
        let most = most.min(self.most_pieces());
        let room = |m: &Material| u32::from(m.mover + m.opponent) <= self.game.board().count();
        let all = (1..=most).flat_map(|mover| (1..=most).map(move |opponent| Material { mover, opponent }));
        all.filter(room).collect()
    }

    fn side(&self, pieces: Cells) -> &SideTable {
        &self.sides[pieces.len() as usize]
    }

    /// The number of slots of each class of the mover.
    fn slots_a_class(&self, material: Material) -> u64 {
        let free = self.game.board().count() - u32::from(material.mover);
        binomial(free, u32::from(material.opponent))
    }

    /// The opponent's set of a rank, as if the mover's cells were not there.
    #[inline]
    fn packed_opponent(&self, layer: Material, rank: SubsetRank) -> Cells {
        let row = usize::from(layer.mover) * self.sides.len() + usize::from(layer.opponent);
        match self.opponents[row].get(rank.0 as usize) {
            Some(&set) => set,
            None => unrank_set(rank, u32::from(layer.opponent)),
        }
    }

    /// The slot of a mover whose set an element takes to its class's representative.
    #[inline]
    fn place(&self, side: &SideTable, class: Class, opponent: Cells) -> (Material, Slot) {
        let opponent = side.classes.smallest_beside(self.group, class, opponent);
        let material = Material { mover: side.classes.size() as u8, opponent: opponent.len() as u8 };
        let SubsetRank(rank) = rank_set_beside(opponent, side.classes.representative(class));
        (material, Slot(u64::from(class.0) * self.slots_a_class(material) + rank))
    }

    /// The slot of any two sets.
    #[inline]
    fn find(&self, mover: Cells, opponent: Cells) -> (Material, Slot) {
        let side = self.side(mover);
        let (class, element) = side.classes.find(mover);
        self.place(side, class, self.group.image_of(element, opponent))
    }
}

/// All sets of a size in the order of their ranks; empty if they are more than a cache holds.
fn sets_by_rank(cells: u32, size: u32) -> Vec<Cells> {
    if binomial(cells, size) > MOST_LISTED_SETS { Vec::new() } else { sets_of(cells, size).collect() }
}

impl SideTable {
    fn new<R: Stepping>(board: &Hex, group: &Group, size: u32) -> Self {
        let classes = SetClasses::new(group, size);
        let mut forwards = Lists { ends: Vec::new(), items: Vec::new() };
        for class in (0..classes.count()).map(Class) {
            R::steps(board, classes.representative(class), |step| forwards.items.push(step));
            forwards.ends.push(forwards.items.len() as u32);
        }
        let backwards = reversed(group, &classes, &forwards);
        Self { classes, forwards, backwards }
    }
}

/// The steps of all classes by the class that they end in.
fn reversed(group: &Group, classes: &SetClasses, forwards: &Lists<Step>) -> Lists<Back> {
    Lists::grouped(classes.count(), |put| {
        each_back(group, classes, forwards, |Class(after), back| put(after, back));
    })
}

/// Calls `visit` with each step into a representative, and the representative's class.
fn each_back(
    group: &Group,
    classes: &SetClasses,
    forwards: &Lists<Step>,
    mut visit: impl FnMut(Class, Back),
) {
    for class in (0..classes.count()).map(Class) {
        let before = classes.representative(class);
        for step in forwards.of(class.0) {
            let (after, element) = classes.find(before.without(step.from).with(step.to));
            // Each element that keeps the representative gives another way into it.
            for keeping in classes.stabiliser(after) {
                let image = |cell: Cell| group.image(keeping, group.image(element, cell));
                let (from, to) = (image(step.from), image(step.to));
                let earlier = classes.representative(after).without(to).with(from);
                let Element(element) = classes.find(earlier).1;
                visit(after, Back { from: from.0, to: to.0, element, class: class.0 });
            }
        }
    }
}

impl<R: Stepping> Game for UnificationIndex<R> {
    type Position = Position;
    type Move = Step;

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Over> {
        self.game.over(position)
    }

    fn moves(&self, position: &Position, out: &mut Vec<Step>) {
        self.game.moves(position, out);
    }

    fn play(&self, position: &Position, step: Step) -> Position {
        self.game.play(position, step)
    }
}

impl<R: Stepping> Hashed for UnificationIndex<R> {
    fn key(&self, position: &Position) -> u64 {
        self.game.key(position)
    }
}

/// Every method that takes a position or a layer panics if a side has more pieces than the tables.
impl<R: Stepping> Indexed for UnificationIndex<R> {
    type Layer = Material;

    fn slots(&self, layer: Material) -> u64 {
        u64::from(self.sides[usize::from(layer.mover)].classes.count()) * self.slots_a_class(layer)
    }

    fn slot(&self, position: &Position) -> (Material, Slot) {
        self.find(position.pieces[position.turn], position.pieces[position.turn.opponent()])
    }

    /// The class of the player to move is looked up once for positions in which he has the same pieces.
    fn number_each(&self, positions: impl Iterator<Item = Position>, mut visit: impl FnMut(Material, Slot)) {
        let mut last = None;
        for position in positions {
            let (mover, opponent) =
                (position.pieces[position.turn], position.pieces[position.turn.opponent()]);
            let (side, class, element) = match last {
                Some((set, found)) if set == mover => found,
                _ => {
                    let side = self.side(mover);
                    let (class, element) = side.classes.find(mover);
                    (side, class, element)
                }
            };
            last = Some((mover, (side, class, element)));
            let (layer, slot) = self.place(side, class, self.group.image_of(element, opponent));
            visit(layer, slot);
        }
    }

    /// The mover is [`Player::First`].
    fn position(&self, layer: Material, slot: Slot) -> Option<Position> {
        let each = self.slots_a_class(layer);
        let class = Class((slot.0 / each) as u32);
        let classes = &self.sides[usize::from(layer.mover)].classes;
        let mover = classes.representative(class);
        let opponent = set_beside(self.packed_opponent(layer, SubsetRank(slot.0 % each)), mover);
        if classes.smallest_beside(self.group, class, opponent) != opponent {
            return None;
        }
        Some(Position { pieces: ByPlayer::new(mover, opponent), turn: Player::First })
    }

    fn component(&self, layer: Material) -> Vec<Material> {
        let mut component = vec![layer, layer.swapped()];
        component.sort();
        component.dedup();
        component
    }

    /// Captures take one piece of the player who moves next; a lone piece has won, so no player loses the last one.
    fn child_layers(&self, layer: Material) -> Vec<Material> {
        if layer.mover.min(layer.opponent) < 2 {
            return Vec::new();
        }
        let captured = |m: Material| Material { mover: m.opponent - 1, opponent: m.mover };
        let mut below = vec![captured(layer), captured(layer.swapped())];
        below.sort();
        below.dedup();
        below
    }

    fn scan(&self, layer: Material) -> Option<impl Scan<Material>> {
        self.scan_of(layer)
    }

    fn successors<B>(
        &self,
        position: &Position,
        reach: Reach,
        mut visit: impl FnMut(Material, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mover = position.pieces[position.turn];
        let side = self.side(mover);
        let (class, element) = side.classes.find(mover);
        let mover = side.classes.representative(class);
        let opponent = self.group.image_of(element, position.pieces[position.turn.opponent()]);
        // All steps without capture leave the same set to move.
        let next = self.side(opponent);
        let (next_class, turned) = next.classes.find(opponent);
        for step in side.forwards.of(class.0) {
            let captures = opponent.contains(step.to);
            if captures && reach == Reach::Component || !captures && reach == Reach::ChildLayers {
                continue;
            }
            let after = mover.without(step.from).with(step.to);
            let (layer, slot) = if captures {
                self.find(opponent.without(step.to), after)
            } else {
                self.place(next, next_class, self.group.image_of(turned, after))
            };
            visit(layer, slot)?;
        }
        ControlFlow::Continue(())
    }
}

impl<R: Stepping> Retract for UnificationIndex<R> {
    fn predecessors(&self, position: &Position, mut visit: impl FnMut(Material, Slot, &Position)) {
        let stepped = position.pieces[position.turn.opponent()];
        let side = self.side(stepped);
        let (class, element) = side.classes.find(stepped);
        let stepped = side.classes.representative(class);
        let other = self.group.image_of(element, position.pieces[position.turn]);
        for back in side.backwards.of(class.0) {
            let from = Cell(back.from);
            if other.contains(from) {
                continue;
            }
            let mover = stepped.without(Cell(back.to)).with(from);
            let turned = self.group.image_of(Element(back.element), other);
            let (layer, slot) = self.place(side, Class(back.class), turned);
            visit(layer, slot, &Position { pieces: ByPlayer::new(mover, other), turn: Player::First });
        }
    }
}
