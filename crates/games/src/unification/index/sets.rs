//! All sets of one size and the steps between them, as if the other player's pieces were not there.

use marquis_core::{Cells, SetRank, Value};
use marquis_rank::{SubsetRank, rank_set, sets_of};

use super::UnificationIndex;
use super::lists::Lists;
use crate::unification::Stepping;

/// The rank of a set as a number of 32 bits; layers with a list of their sets have fewer.
pub(super) fn set_rank(set: Cells) -> SetRank {
    let SubsetRank(rank) = rank_set(set);
    SetRank(rank as u32)
}

/// All sets of one size by rank, and the steps between them.
#[derive(Debug)]
pub(super) struct Sets {
    pub(super) cells: Vec<Cells>,
    /// The value for the owner of the set when he is to move, if the set ends the game.
    pub(super) ends: Vec<Option<Value>>,
    /// By rank the ranks of the sets after a step.
    pub(super) after: Lists<SetRank>,
}

impl Sets {
    pub(super) fn new<R: Stepping>(index: &UnificationIndex<R>, size: u32) -> Self {
        let board = index.game.board();
        let cells: Vec<Cells> = sets_of(board.count(), size).collect();
        let count = cells.len();
        let mut after = Lists { ends: Vec::with_capacity(count), items: Vec::new() };
        let mut ends = Vec::with_capacity(count);
        for &set in &cells {
            let before = after.items.len();
            R::steps(board, set, |step| {
                after.items.push(set_rank(set.without(step.from).with(step.to)));
            });
            after.ends.push(after.items.len() as u32);
            ends.push(if board.is_one_group(set) {
                Some(Value::Win)
            } else {
                (after.items.len() == before).then_some(Value::Loss)
            });
        }
        Self { cells, ends, after }
    }

    /// By rank the ranks of the sets before a step.
    pub(super) fn before(&self) -> Lists<SetRank> {
        let count = self.cells.len() as u32;
        Lists::grouped(count, |put| {
            for rank in 0..count {
                self.after.of(rank).iter().for_each(|&SetRank(after)| put(after, SetRank(rank)));
            }
        })
    }
}
