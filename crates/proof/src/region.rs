//! Answers a question by listing everything reachable, if that is little.
//!
//! In a drawn position a depth-first search learns hardly anything: nearly all its disproofs rest on several
//! positions of the path, hold only on that path, and have to be found again on each of exponentially many others. So
//! a few hundred positions can cost millions of nodes. Examined together, each of them costs one.

use marquis_core::Hashed;

use crate::emit::{emit_safe, emit_win};
use crate::graph::{Graph, MetNumber, State};
use crate::knowledge::World;
use crate::limits::NodeMeter;
use crate::listed::ProofRoom;
use crate::strategy::Strategy;
use crate::{Ended, Heuristic, Oracle, Question};

/// The strategy that answers the question about `root`; `None` if more than `most` positions are reachable, or if
/// they do not fit in the share of the memory.
pub(crate) fn decide<G: Hashed, O: Oracle<G>, H: Heuristic<G>>(
    world: World<'_, G, O, H>,
    question: Question,
    root: &G::Position,
    most: usize,
    meter: &mut NodeMeter<'_>,
    room: ProofRoom<'_>,
) -> Result<Option<Strategy<G>>, Ended> {
    let mut region = Region { world, question, graph: Graph::new(room), won: Vec::new() };
    match region.explore(root, most, meter) {
        Ok(true) => {}
        Ok(false) | Err(Ended::Memory) => return Ok(None),
        Err(ended) => return Err(ended),
    }
    region.spread()?;
    let Some(root) = region.graph.find(root)? else { return Ok(None) };
    let Region { world, question, graph, .. } = region;
    let strategy = match graph.is_won(root)? {
        true => emit_win(world, question, &graph, root, meter),
        false => emit_safe(world, question, &graph, root, meter),
    };
    strategy.map(Some)
}

struct Region<'a, 'r, G: Hashed, O, H> {
    world: World<'a, G, O, H>,
    question: Question,
    graph: Graph<'r, G::Position>,
    /// Positions won by the prover whose predecessors are not yet updated.
    won: Vec<MetNumber>,
}

impl<G: Hashed, O: Oracle<G>, H: Heuristic<G>> Region<'_, '_, G, O, H> {
    /// Lists everything reachable with its moves; returns whether that is at most `most` positions.
    fn explore(&mut self, root: &G::Position, most: usize, meter: &mut NodeMeter<'_>) -> Result<bool, Ended> {
        let mut stack = vec![self.graph.intern(*root)?];
        let mut moves = Vec::new();
        while let Some(id) = stack.pop() {
            if self.graph.len() > most {
                return Ok(false);
            }
            if self.graph.state(id)? != State::Unseen {
                continue;
            }
            meter.spend(1)?;
            let position = self.graph.position(id)?;
            if let Some(closed) = self.world.closed(&position, self.question) {
                self.graph.set(id, State::Leaf(closed))?;
                self.won.extend(closed.yes.then_some(id));
                continue;
            }
            moves.clear();
            self.world.game.moves(&position, &mut moves);
            self.graph.set(id, State::Open(moves.len() as u16))?;
            for (number, &mv) in moves.iter().enumerate() {
                let next = self.graph.intern(self.world.game.play(&position, mv))?;
                self.graph.watch(id, number as u16, next)?;
                if self.graph.state(next)? == State::Unseen {
                    stack.push(next);
                }
            }
        }
        Ok(true)
    }

    /// Propagates wins backwards; each position is marked after those that it rests on.
    fn spread(&mut self) -> Result<(), Ended> {
        while let Some(id) = self.won.pop() {
            for watcher in self.graph.watchers(id)? {
                let State::Open(left) = self.graph.state(watcher.id)? else { continue };
                let position = self.graph.position(watcher.id)?;
                if self.world.game.turn(&position) == self.question.prover || left <= 1 {
                    self.graph.set(watcher.id, State::Won(watcher.mv))?;
                    self.won.push(watcher.id);
                } else {
                    self.graph.set(watcher.id, State::Open(left - 1))?;
                }
            }
        }
        Ok(())
    }
}
