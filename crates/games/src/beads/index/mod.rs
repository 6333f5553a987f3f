//! Numbering of Swish and Squeeze positions, and moves taken back.
//!
//! Beads never move, so the positions after a set-up only have subsets of its beads. A layer is the number of beads
//! left, the rooks of both players, and the beads that each still needs to win. In a layer
//!
//! ```text
//! slot = row · C(n − beads − mover's rooks, opponent's rooks) + rank of the opponent's rooks
//! ```
//!
//! and a row is a set of beads together with the mover's rooks, see `boards.rs`. Sets of beads are listed up to those
//! symmetries of the hexagon that leave the set-up's beads in place, and only if taking rows one by one leads to
//! them. If symmetries leave a set of beads in place, the mover's rooks are listed up to these. If they leave both in
//! place, only the smallest image of the opponent's rooks has a position and the other slots are unused indices. A
//! set-up without symmetry has no unused index.
//!
//! A player who needs more beads than there are cannot win by beads: he is taken to need one more than there are, so
//! positions that differ in such a need share a slot.
//!
//! The numbering includes more than play reaches: every placement of the rooks, every number of rooks and every need
//! that captures of rows of the right length can lead to, and each set of beads with all of these.
//!
//! Games that the last move has won, by the target or (if that loses) by taking the last rook, share the one slot of
//! the layer [`BeadLayer::OVER`]; its position is the plainest of them.

mod boards;
mod find;
mod layer;
mod reach;
mod rooks;
mod rows;
mod scan;
mod scope;
mod walk;

use std::collections::BTreeSet;

use marquis_core::{ByPlayer, Cells, Player, Symmetric};
use marquis_rank::{Element, Group, binomial};

use self::boards::NumberedBoards;
use self::find::Finder;
use self::reach::{Captures, Reached};
use self::rooks::{MOST, Unranked};
use super::{BeadGame, Beads, Capture, Position};
use crate::hex::{Hex, SYMMETRIES, Symmetry};

pub use self::layer::BeadLayer;
pub use self::rows::BeadRows;
pub use self::scope::Scope;

/// Bytes of a set of beads in the tables during their construction.
const BYTES_PER_SET: u128 = 16;
/// More bytes than any machine has for an index.
const VAST: u128 = 1 << 50;
/// Bytes of a listed set of beads.
const BYTES_PER_BOARD: u128 = 136;
/// Bytes of a set of rooks for each set of beads that a symmetry leaves in place.
const BYTES_PER_ROOKS: u128 = 20;

/// A game of beads together with the tables that number its positions.
#[derive(Clone, Debug)]
pub struct BeadIndex<R> {
    scope: Scope,
    game: BeadGame<R>,
    group: &'static Group,
    captures: Captures,
    /// The cells where beads can be.
    universe: Cells,
    layers: BTreeSet<BeadLayer>,
    finder: Finder,
    /// By number of beads.
    boards: Vec<Option<NumberedBoards>>,
    unranked: Unranked,
}

/// The layer of any position that is not over.
#[inline]
fn layer_of<R: Capture>(game: &BeadGame<R>, position: &Position) -> BeadLayer {
    let (mover, opponent) = (position.turn, position.turn.opponent());
    let beads = position.beads.len() as u8;
    let needs = |player| {
        let needs = game.target().0.saturating_sub(position.stores[player].0);
        needs.min(u16::from(beads) + 1) as u8
    };
    BeadLayer {
        beads,
        mover_rooks: position.rooks[mover].len() as u8,
        opponent_rooks: position.rooks[opponent].len() as u8,
        mover_needs: needs(mover),
        opponent_needs: needs(opponent),
    }
}

impl<R: Capture> BeadIndex<R> {
    /// The version of the numbering; it is part of the fingerprint of tables.
    pub const VERSION: u32 = 1;

    /// About the bytes of the tables for a scope; does not build them.
    #[must_use]
    pub fn bytes(scope: &Scope) -> u128 {
        bytes::<R>(scope)
    }

    /// The positions of a scope, and some more; check [`bytes`](Self::bytes) first.
    ///
    /// The target of the game is the greatest need of the scope; [`translated`](Self::translated) converts positions
    /// of another target to positions of this game.
    ///
    /// Panics if a player has more than three rooks, or with 2³² sets of beads of one size.
    #[must_use]
    pub fn new(scope: Scope) -> Self {
        let game = scope.game();
        let board = game.board();
        let most = scope.roots().iter().map(|layer| layer.mover_rooks.max(layer.opponent_rooks)).max();
        assert!(most.is_none_or(|most| usize::from(most) <= MOST), "at most {MOST} rooks a player");
        let group = board.symmetries();
        let elements = keeping(board, scope.universe());
        let captures = Captures::new::<R>(board, scope.universe(), scope.immobile());
        let mut layers = captures.layers(scope.roots(), |_| true);
        let reached = reached(board, group, &elements, &scope, &layers);
        layers = captures.layers(scope.roots(), |beads| reached[usize::from(beads)].is_some());
        let mut finder = Finder::new(scope.universe());
        let boards = (0..).zip(reached).map(|(beads, reached)| {
            let Reached { classes, listed } = reached?;
            let rooks = rooks_of(&layers, beads);
            rooks
                .contains(&true)
                .then(|| NumberedBoards::new(board.all(), group, &mut finder, &classes, &listed, rooks))
        });
        let boards = boards.collect();
        let unranked = Unranked::new(board.count());
        let universe = scope.universe();
        Self { scope, game, group, captures, universe, layers, finder, boards, unranked }
    }

    /// The scope of the index.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &BeadGame<R> {
        &self.game
    }

    /// All layers, in rising order.
    pub fn layers(&self) -> impl Iterator<Item = BeadLayer> {
        self.layers.iter().copied()
    }

    /// The layer of a position in which the player to move has not reached the target.
    #[must_use]
    pub fn layer(&self, position: &Position) -> BeadLayer {
        self.captures.or_over(layer_of(&self.game, position))
    }

    /// Returns whether the position has a slot; the other methods require one.
    #[must_use]
    pub fn covers(&self, position: &Position) -> bool {
        let layer = layer_of(&self.game, position);
        if layer.opponent_needs > 0 && layer.mover_needs == 0 {
            return false;
        }
        let layer = self.captures.or_over(layer);
        let listed = || {
            let inside = (position.beads - self.universe).is_empty();
            inside && self.finder.find(position.beads, layer.beads).is_some()
        };
        self.layers.contains(&layer) && (layer == BeadLayer::OVER || listed())
    }

    /// The position of this index with the same value as a position of a game with another target.
    ///
    /// * Result: an image with other stores; `None` if the index does not cover it.
    #[must_use]
    pub fn translated(&self, game: &BeadGame<R>, position: &Position) -> Option<Position> {
        if game.side() != self.game.side() || game.immobile() != self.game.immobile() {
            return None;
        }
        let layer = layer_of(game, position);
        let mut stores = ByPlayer::<Beads>::default();
        stores[position.turn] = self.store(layer.mover_needs)?;
        stores[position.turn.opponent()] = self.store(layer.opponent_needs)?;
        let translated = Position { stores, ..*position };
        let board = game.board();
        let inside =
            |&symmetry: &Symmetry| (board.image_of(symmetry, position.beads) - self.universe).is_empty();
        let images = (0..SYMMETRIES as u8).map(Symmetry).filter(inside);
        images
            .map(|Symmetry(number)| self.game.image(&translated, usize::from(number)))
            .find(|image| self.covers(image))
    }

    /// The store of a player who still needs `needs` beads.
    #[inline]
    fn store(&self, needs: u8) -> Option<Beads> {
        self.game.target().0.checked_sub(u16::from(needs)).map(Beads)
    }

    #[inline]
    fn boards(&self, beads: u8) -> &NumberedBoards {
        match self.boards.get(usize::from(beads)) {
            Some(Some(boards)) => boards,
            _ => panic!("no layer of this index has {beads} beads"),
        }
    }
}

/// The symmetries that leave a set in place.
fn keeping(board: &Hex, cells: Cells) -> Vec<Element> {
    let keeping = Symmetry::all().filter(|&symmetry| board.image_of(symmetry, cells) == cells);
    keeping.map(|Symmetry(number)| Element(number)).collect()
}

/// The possible numbers of rooks of the player to move with `beads` beads.
fn rooks_of(layers: &BTreeSet<BeadLayer>, beads: u8) -> [bool; MOST + 1] {
    let mut rooks = [false; MOST + 1];
    for layer in layers.iter().filter(|&&layer| layer.beads == beads && layer != BeadLayer::OVER) {
        rooks[usize::from(layer.mover_rooks)] = true;
    }
    rooks
}

/// By number of beads the listed sets; `None` if there is no set.
fn reached(
    board: &Hex,
    group: &Group,
    elements: &[Element],
    scope: &Scope,
    layers: &BTreeSet<BeadLayer>,
) -> Vec<Option<Reached>> {
    let sizes = sizes(layers);
    let mut reached = vec![None; scope.universe().len() as usize + 1];
    let Some(&least) = sizes.first() else { return reached };
    if scope.by_rows() {
        let by_rows = Reached::by_rows(board, group, elements, scope.universe(), u32::from(least));
        for (size, sets) in (least..).zip(by_rows) {
            let any = sizes.contains(&size) && sets.listed.contains(&true);
            reached[usize::from(size)] = any.then_some(sets);
        }
    } else {
        for size in sizes {
            let all = Reached::all(group, elements, scope.universe(), u32::from(size));
            reached[usize::from(size)] = Some(all);
        }
    }
    reached
}

/// The numbers of beads on the board in unfinished games.
fn sizes(layers: &BTreeSet<BeadLayer>) -> BTreeSet<u8> {
    layers.iter().filter(|&&layer| layer != BeadLayer::OVER).map(|layer| layer.beads).collect()
}

/// About the bytes of the tables; includes sets of beads that are not reached.
fn bytes<R: Capture>(scope: &Scope) -> u128 {
    let board = scope.board();
    if !scope.by_rows() {
        // With that many sets of beads, listing the layers would take long.
        let sets = (0..=scope.most_beads()).map(|beads| binomial(scope.universe().len(), u32::from(beads)));
        let bytes = sets.map(u128::from).sum::<u128>() * BYTES_PER_SET;
        if bytes >= VAST {
            return bytes;
        }
    }
    let captures = Captures::new::<R>(board, scope.universe(), scope.immobile());
    let layers = captures.layers(scope.roots(), |_| true);
    let sizes = sizes(&layers);
    let elements = keeping(board, scope.universe());
    let least = if scope.by_rows() { sizes.first().copied() } else { None };
    let made = least.map_or_else(|| sizes.clone(), |least| (least..=scope.universe().len() as u8).collect());
    let mut bytes = 0;
    for beads in made {
        let sets = u128::from(binomial(scope.universe().len(), u32::from(beads)));
        bytes += sets * BYTES_PER_SET;
        if sizes.contains(&beads) {
            let fixed = elements[1..].iter().map(|&e| fixed_sets(board, e, scope.universe(), beads));
            let fixed: u128 = fixed.map(u128::from).sum();
            let vacant = board.count() - u32::from(beads);
            let rooks: u128 = (0..=MOST as u32).map(|rooks| u128::from(binomial(vacant, rooks))).sum();
            let boards = sets / elements.len() as u128 + fixed;
            bytes += boards * BYTES_PER_BOARD + fixed * rooks * BYTES_PER_ROOKS;
        }
    }
    bytes
}

/// The number of sets of `size` cells of a set that a symmetry leaves in place.
fn fixed_sets(board: &Hex, element: Element, cells: Cells, size: u8) -> u64 {
    let size = usize::from(size);
    let mut ways = vec![0_u64; size + 1];
    ways[0] = 1;
    let mut left = cells;
    while let Some(mut cell) = left.lowest() {
        let mut length = 0;
        while left.contains(cell) {
            left = left.without(cell);
            cell = board.image(Symmetry(element.0), cell);
            length += 1;
        }
        for count in (length..=size).rev() {
            ways[count] += ways[count - length];
        }
    }
    ways[size]
}

/// The plainest position of [`BeadLayer::OVER`].
fn plainest_over<R: Capture>(game: &BeadGame<R>) -> Position {
    Position {
        rooks: ByPlayer::default(),
        beads: Cells::EMPTY,
        stores: ByPlayer::new(Beads(0), game.target()),
        turn: Player::First,
    }
}
