//! For tests: strategies extracted from a table with given entries.

use std::cell::Cell;

use marquis_core::{Outcome, Player};

use crate::common::Maze;
use crate::knowledge::World;
use crate::limits::{Account, NodeMeter, SearchLimits};
use crate::listed::ProofRoom;
use crate::pool::ProofPool;
use crate::settle::Settler;
use crate::strategy::{Strategy, StrategyEntry};
use crate::table::{QuestionTable, StoredAnswer};
use crate::{Ended, Heuristic, NoOracle, Question};

/// The prover is to move at even nodes, the opponent at odd ones; the prover wins at node 9.
pub(crate) fn maze(next: &[&[u16]]) -> Maze {
    let win = |node| (node == 9).then_some(Outcome::Winner(Player::First));
    Maze {
        turn: (0..next.len()).map(|node| Player::BOTH[node % 2]).collect(),
        end: (0..next.len()).map(win).collect(),
        next: next.iter().map(|next| next.to_vec()).collect(),
        key_bits: 64,
    }
}

/// The result of `work` within `nodes` nodes, with a table that holds a winning move and its plies for the given
/// nodes.
pub(crate) fn with_known<H: Heuristic<Maze>, T>(
    heuristic: &H,
    maze: &Maze,
    known: &[(u16, u16, u16)],
    nodes: u64,
    work: impl for<'b> FnOnce(
        World<'b, Maze, NoOracle, H>,
        &mut Settler<'b, Maze, NoOracle, H>,
        &mut NodeMeter<'_>,
        ProofRoom<'_>,
    ) -> Result<T, Ended>,
) -> Result<T, Ended> {
    let question = Question { prover: Player::First };
    let world = World { game: maze, oracle: &NoOracle, heuristic };
    let table = QuestionTable::with_bytes(1 << 14);
    for &(node, best, plies) in known {
        table.put(world.place(&table, &node), question, StoredAnswer::Proved { plies, best }, 1);
    }
    let (account, pool, crowded) = (Account::default(), ProofPool::new(1 << 24), Cell::default());
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let mut meter = NodeMeter::new(limits, &account);
    let room = ProofRoom { share: pool.share(&crowded), disk: None };
    work(world, &mut Settler::new(world, &table, question), &mut meter, room)
}

/// The moves of a strategy, from which node to which.
pub(crate) fn moves_of(strategy: &Strategy<Maze>, maze: &Maze) -> Vec<(u16, u16)> {
    let mut moves: Vec<(u16, u16)> = (strategy.draft(maze).kept.iter())
        .map(|(&node, kept)| match kept {
            StrategyEntry::Move(number) => (node, maze.next[usize::from(node)][usize::from(*number)]),
            StrategyEntry::Table => panic!("there are no tables"),
        })
        .collect();
    moves.sort_unstable();
    moves
}
