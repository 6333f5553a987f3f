//! Numbers for the positions of Squish and Flowish, by material and up to symmetry and colour swap.
//!
//! A layer is the pieces of the player to move against those of the other. In a layer the mover's set
//! comes first, by its class under the twelve symmetries; its symmetry is carried to the other set,
//! which is ranked among the cells that the class leaves free. Where the class has symmetries of its
//! own, the other set of least rank among its images counts, and the slots of the others are holes.

use std::ops::ControlFlow;

use marquis_core::{ByPlayer, Cells, Game, Indexed, Over, Player, Reach, Retract, Slot};
use marquis_rank::{Class, Group, Rank, SetClasses, binomial, rank_set_beside, set_beside, unrank_set};

use super::{Duel, Stepping, Unification};
use crate::hex::{Direction, Side, Symmetry};
use crate::steps::Step;

/// What a set takes in the tables of classes.
const BYTES_PER_SET: u64 = 5;

/// How many pieces the player to move has, and the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Pieces of the player to move.
    pub mover: u8,
    /// Pieces of the player who waits.
    pub waiter: u8,
}

impl Material {
    /// The same pieces with the other player to move.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { mover: self.waiter, waiter: self.mover }
    }
}

/// A game of unification whose positions are numbered.
#[derive(Clone, Debug)]
pub struct UnificationIndex<R> {
    game: Unification<R>,
    group: Group,
    /// By number of pieces.
    classes: Vec<SetClasses>,
}

impl<R: Stepping> UnificationIndex<R> {
    /// The version of the numbering; it is part of the fingerprint of tables.
    pub const VERSION: u32 = 1;

    /// About the bytes that the numbers for up to so many pieces a side take; nothing is built.
    #[must_use]
    pub fn bytes(side: Side, most_pieces: u8) -> u64 {
        let cells = side.board().count();
        let sets = (0..=u32::from(most_pieces).min(cells)).map(|size| binomial(cells, size));
        sets.fold(0_u64, u64::saturating_add).saturating_mul(BYTES_PER_SET)
    }

    /// Numbers for the positions with up to so many pieces a side; see [`bytes`](Self::bytes) first.
    ///
    /// Panics where a number of pieces has 2³² sets or more.
    #[must_use]
    pub fn new(game: Unification<R>, most_pieces: u8) -> Self {
        let board = game.board();
        let images =
            Symmetry::all().map(|s| board.all().map(|cell| board.image(s, cell)).collect()).collect();
        let group = Group::new(images);
        let most = u32::from(most_pieces).min(board.count());
        let classes = (0..=most).map(|size| SetClasses::new(&group, size)).collect();
        Self { game, group, classes }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Unification<R> {
        &self.game
    }

    /// Most pieces that a side can have here.
    #[must_use]
    pub fn most_pieces(&self) -> u8 {
        (self.classes.len() - 1) as u8
    }

    /// The layer of a position.
    #[must_use]
    pub fn material(position: &Duel) -> Material {
        let count = |player| position.pieces[player].len() as u8;
        Material { mover: count(position.turn), waiter: count(position.turn.opponent()) }
    }

    fn others(&self, layer: Material) -> u64 {
        let free = self.game.board().count() - u32::from(layer.mover);
        binomial(free, u32::from(layer.waiter))
    }

    #[inline]
    fn slot_of(&self, mover: Cells, waiter: Cells) -> (Material, Slot) {
        let layer = Material { mover: mover.len() as u8, waiter: waiter.len() as u8 };
        let classes = &self.classes[usize::from(layer.mover)];
        let (class, element) = classes.find(mover);
        let carried = self.group.image_of(element, waiter);
        let smallest = classes.smallest_beside(&self.group, class, carried);
        let rank = rank_set_beside(smallest, classes.representative(class));
        (layer, Slot(u64::from(class.0) * self.others(layer) + rank.0))
    }
}

impl<R: Stepping> Game for UnificationIndex<R> {
    type Position = Duel;
    type Move = Step;

    fn turn(&self, position: &Duel) -> Player {
        self.game.turn(position)
    }

    fn over(&self, position: &Duel) -> Option<Over> {
        self.game.over(position)
    }

    fn moves(&self, position: &Duel, out: &mut Vec<Step>) {
        self.game.moves(position, out);
    }

    fn play(&self, position: &Duel, step: Step) -> Duel {
        self.game.play(position, step)
    }
}

impl<R: Stepping> Indexed for UnificationIndex<R> {
    type Layer = Material;

    fn slots(&self, layer: Material) -> u64 {
        u64::from(self.classes[usize::from(layer.mover)].count()) * self.others(layer)
    }

    #[inline]
    fn slot(&self, position: &Duel) -> (Material, Slot) {
        self.slot_of(position.pieces[position.turn], position.pieces[position.turn.opponent()])
    }

    fn position(&self, layer: Material, slot: Slot) -> Option<Duel> {
        let others = self.others(layer);
        let (class, rank) = (Class((slot.0 / others) as u32), Rank(slot.0 % others));
        let classes = &self.classes[usize::from(layer.mover)];
        let mover = classes.representative(class);
        let waiter = set_beside(unrank_set(rank, u32::from(layer.waiter)), mover);
        let smallest = classes.smallest_beside(&self.group, class, waiter);
        (smallest == waiter).then_some(Duel { pieces: ByPlayer::new(mover, waiter), turn: Player::First })
    }

    fn peers(&self, layer: Material) -> Vec<Material> {
        let mut peers = vec![layer, layer.swapped()];
        peers.sort();
        peers.dedup();
        peers
    }

    fn below(&self, layer: Material) -> Vec<Material> {
        let peers = self.peers(layer);
        let captured = peers.iter().filter(|peer| peer.waiter > 0);
        let mut below: Vec<Material> =
            captured.map(|peer| Material { mover: peer.waiter - 1, waiter: peer.mover }).collect();
        below.sort();
        below.dedup();
        below
    }

    fn successors<B>(
        &self,
        position: &Duel,
        reach: Reach,
        mut visit: impl FnMut(Material, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mover, waiter) = (position.pieces[position.turn], position.pieces[position.turn.opponent()]);
        let mut flow = ControlFlow::Continue(());
        R::steps(self.game.board(), mover, |step| {
            let captures = waiter.contains(step.to);
            let wanted = match reach {
                Reach::All => true,
                Reach::Below => captures,
                Reach::Peers => !captures,
            };
            if wanted && flow.is_continue() {
                let after = mover.without(step.from).with(step.to);
                let (layer, slot) = self.slot_of(waiter.without(step.to), after);
                flow = visit(layer, slot);
            }
        });
        flow
    }
}

impl<R: Stepping> Retract for UnificationIndex<R> {
    fn predecessors(&self, position: &Duel, mut visit: impl FnMut(Material, Slot, &Duel)) {
        let board = self.game.board();
        let (turn, retracting) = (position.turn, position.turn.opponent());
        let (others, moved) = (position.pieces[turn], position.pieces[retracting]);
        for to in moved {
            for direction in Direction::ALL {
                let Some(from) = board.neighbour(to, direction) else { continue };
                if others.contains(from) || moved.contains(from) {
                    continue;
                }
                let before = moved.without(to).with(from);
                if R::is_step(board, before, Step { from, to }) {
                    let (layer, slot) = self.slot_of(before, others);
                    let mut pieces = position.pieces;
                    pieces[retracting] = before;
                    visit(layer, slot, &Duel { pieces, turn: retracting });
                }
            }
        }
    }
}
