//! The part of a tree with most of the effort, for observers.
//!
//! If several lines lead to a position, its effort counts once, along the move that added it to the tree. The
//! position before that move was added earlier and has at least its effort. So the positions with most effort are
//! always connected to the first one, even if only a few are taken.

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
    /// The position before the move that added it to the tree, and the number of that move in the order of the rules;
    /// `None` for the first position.
    pub from: Option<(Id, u16)>,
    /// The proved bounds, for the player to move.
    pub bounds: Bounds,
    /// How far each prover's question is from its answer.
    pub numbers: ByPlayer<Numbers>,
    /// Moves expanded in the tree; 0 for a leaf.
    pub moves: usize,
    /// The effort of jobs here and below.
    pub effort: JobEffort,
}

/// The effort of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobEffort {
    /// Positions that they expanded.
    pub nodes: u64,
    /// The number of jobs.
    pub jobs: u64,
}

impl<G: Game> Tree<'_, G> {
    /// The `most` positions with most effort, the first position first and each after the one that added it.
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

    /// The effort at each position and below.
    fn effort(&self) -> Vec<JobEffort> {
        let own = |node: &crate::tree::Node<_>| JobEffort { nodes: node.searched, jobs: node.jobs.into() };
        let mut effort: Vec<JobEffort> = self.nodes.iter().map(own).collect();
        // A position has a lower number than the ones that it added.
        for below in (1..effort.len()).rev() {
            let JobEffort { nodes, jobs } = effort[below];
            if let Some(above) = self.nodes[below].parents.first() {
                let above = &mut effort[above.index()];
                above.nodes = above.nodes.saturating_add(nodes);
                above.jobs += jobs;
            }
        }
        effort
    }

    fn outlined(&self, id: Id, effort: JobEffort) -> Outlined<G::Position> {
        let node = self.node(id);
        // Play may return to the first position, but no move added it.
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
