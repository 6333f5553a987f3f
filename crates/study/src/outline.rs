//! The part of a tree in which most of the effort lies, for whoever looks at it from outside.
//!
//! A position that several lines lead to has its effort counted once, along the move by which it came into the tree.
//! Whoever brought a position in came before it and has at least its effort: the positions with most effort hang
//! together from the first one on, however few are taken.

use marquis_core::{Bounds, ByPlayer, Game};
use marquis_proof::Numbers;

use crate::event::Id;
use crate::tree::Tree;

/// A position of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlined<P> {
    /// Its number in the tree.
    pub id: Id,
    /// The position.
    pub position: P,
    /// The position that brought it into the tree, and the number of the move in the order of the rules; none of the
    /// first position.
    pub from: Option<(Id, u16)>,
    /// What is proved, for the player to move.
    pub bounds: Bounds,
    /// How far the question of each prover is from its answer.
    pub numbers: ByPlayer<Numbers>,
    /// Moves that the tree goes on with; none of a leaf.
    pub moves: usize,
    /// What jobs have done here and below.
    pub effort: Effort,
}

/// What jobs have done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effort {
    /// Positions that they expanded.
    pub nodes: u64,
    /// How many they were.
    pub jobs: u64,
}

impl<G: Game> Tree<'_, G> {
    /// The positions with most effort, at most so many, the first position first and each after the one that brought
    /// it in.
    #[must_use]
    pub fn outline(&self, most: usize) -> Vec<Outlined<G::Position>> {
        let effort = self.effort();
        let mut ids: Vec<Id> = (0..self.positions() as u32).map(Id).collect();
        let by_effort = |id: &Id| (std::cmp::Reverse(effort[id.index()]), *id);
        if most < ids.len() {
            ids.select_nth_unstable_by_key(most, by_effort);
            ids.truncate(most);
        }
        ids.sort_unstable();
        ids.into_iter().map(|id| self.outlined(id, effort[id.index()])).collect()
    }

    /// What was done at each position and below.
    fn effort(&self) -> Vec<Effort> {
        let own = |node: &crate::tree::Node<_>| Effort { nodes: node.searched, jobs: node.jobs.into() };
        let mut effort: Vec<Effort> = self.nodes.iter().map(own).collect();
        // What a position brought in has a higher number than its own.
        for below in (1..effort.len()).rev() {
            let Effort { nodes, jobs } = effort[below];
            if let Some(above) = self.nodes[below].parents.first() {
                let above = &mut effort[above.index()];
                above.nodes = above.nodes.saturating_add(nodes);
                above.jobs += jobs;
            }
        }
        effort
    }

    fn outlined(&self, id: Id, effort: Effort) -> Outlined<G::Position> {
        let node = self.node(id);
        // Play may come back to the first position, but nothing brought it in.
        let above = node.parents.first().filter(|_| id != Id::ROOT);
        let from = above.and_then(|&above| {
            let number = self.node(above).children.iter().position(|child| *child == id)?;
            Some((above, number as u16))
        });
        Outlined {
            id,
            position: node.position,
            from,
            bounds: node.bounds(),
            numbers: node.numbers,
            moves: node.children.len(),
            effort,
        }
    }
}
