//! Extracts a forced win from the table, as a strategy that is well founded on positions.
//!
//! The table may hold wins that rest on each other (see [`trace`](crate::trace)). Positions won only through each
//! other stay open here, and the table forgets them, so that another search finds wins with other support.
//!
//! The extraction is complete without the table, which only makes it faster. If the table is wrong or silent, it tries
//! moves until the position is won, or until every move of every open position is tried and the defender is safe.

use marquis_core::Hashed;

use crate::emit::{emit_safe, emit_win};
use crate::graph::{Graph, MetNumber, State};
use crate::knowledge::World;
use crate::limits::NodeMeter;
use crate::listed::ProofRoom;
use crate::settle::{SILENT, Settled, Settler, UNTIL_SETTLED};
use crate::strategy::Strategy;
use crate::{Ended, Heuristic, Oracle, Question};

/// How far an open position of the prover was explored: one move, the table's wins, all moves.
const BEST_TRIED: u16 = 1;
const KNOWN_TRIED: u16 = 2;
const ALL_TRIED: u16 = 3;

struct Extraction<'s, 'a, 'l, 'r, G: Hashed, O, H> {
    world: World<'a, G, O, H>,
    question: Question,
    settler: &'s mut Settler<'a, G, O, H>,
    meter: &'s mut NodeMeter<'l>,
    graph: Graph<'r, G::Position>,
    moves: Vec<G::Move>,
    stack: Vec<MetNumber>,
    /// The number of positions when the root was last searched again.
    searched_with: usize,
}

/// Decides on positions whether the prover wins from `root`; expects a win.
pub(crate) fn extract_win<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>>(
    world: World<'a, G, O, H>,
    root: &G::Position,
    settler: &mut Settler<'a, G, O, H>,
    meter: &mut NodeMeter<'_>,
    room: ProofRoom<'_>,
) -> Result<Strategy<G>, Ended> {
    let question = settler.question();
    let (graph, moves, stack) = (Graph::new(room), Vec::new(), Vec::new());
    let mut work = Extraction { world, question, settler, meter, graph, moves, stack, searched_with: 0 };
    let root = work.graph.intern(*root)?;
    work.stack.push(root);
    loop {
        work.drain()?;
        if work.graph.is_won(root)? {
            return emit_win(world, question, &work.graph, root, work.meter);
        }
        let goes_on = work.widen(KNOWN_TRIED)? || work.search_anew(root)? || work.widen(ALL_TRIED)?;
        if !goes_on {
            return emit_safe(world, question, &work.graph, root, work.meter);
        }
    }
}

impl<G: Hashed, O: Oracle<G>, H: Heuristic<G>> Extraction<'_, '_, '_, '_, G, O, H> {
    fn drain(&mut self) -> Result<(), Ended> {
        while let Some(id) = self.stack.pop() {
            if self.graph.state(id)? == State::Unseen {
                self.expand(id)?;
            }
        }
        Ok(())
    }

    fn expand(&mut self, id: MetNumber) -> Result<(), Ended> {
        self.meter.spend(1)?;
        let position = self.graph.position(id)?;
        if let Some(closed) = self.world.closed(&position, self.question) {
            self.graph.set(id, State::Leaf(closed))?;
            if closed.yes {
                self.spread(id)?;
            }
        } else if self.world.game.turn(&position) == self.question.prover {
            self.try_best(id, &position)?;
        } else {
            self.try_all(id, &position)?;
        }
        Ok(())
    }

    /// Every move of the defender has to be proved a win; counts those that are not yet.
    fn try_all(&mut self, id: MetNumber, position: &G::Position) -> Result<(), Ended> {
        self.list(position);
        let mut open = 0;
        for number in 0..self.moves.len() {
            let next = self.graph.intern(self.world.game.play(position, self.moves[number]))?;
            if !self.graph.is_won(next)? {
                open += 1;
                self.graph.watch(id, number as u16, next)?;
                self.stack.push(next);
            }
        }
        self.graph.set(id, if open == 0 { State::Won(0) } else { State::Open(open) })?;
        if open == 0 {
            self.spread(id)?;
        }
        Ok(())
    }

    /// Tries the prover's move that wins at once, or the table's fastest win, after a search if it has none.
    fn try_best(&mut self, id: MetNumber, position: &G::Position) -> Result<(), Ended> {
        self.graph.set(id, State::Open(BEST_TRIED))?;
        self.list(position);
        if let Some(number) = self.settler.winning(position, &self.moves) {
            return self.try_listed(id, position, number);
        }
        let mut best = self.settler.candidates(position).into_iter().min().unwrap_or((SILENT, 0));
        if best.0 == SILENT {
            match self.settler.settle(position, UNTIL_SETTLED, self.meter)? {
                Settled::Yes(number) => best.1 = number,
                Settled::No(_) | Settled::Open => {}
            }
        }
        self.try_listed(id, position, best.1)
    }

    fn list(&mut self, position: &G::Position) {
        self.moves.clear();
        self.world.game.moves(position, &mut self.moves);
    }

    fn try_move(&mut self, id: MetNumber, position: &G::Position, number: u16) -> Result<(), Ended> {
        self.list(position);
        self.try_listed(id, position, number)
    }

    /// Tries a move of a position whose moves are listed.
    fn try_listed(&mut self, id: MetNumber, position: &G::Position, number: u16) -> Result<(), Ended> {
        let Some(&mv) = self.moves.get(usize::from(number)) else { return Ok(()) };
        let next = self.graph.intern(self.world.game.play(position, mv))?;
        if self.graph.is_won(next)? {
            self.graph.set(id, State::Won(number))?;
            self.spread(id)?;
        } else {
            self.graph.watch(id, number, next)?;
            self.stack.push(next);
        }
        Ok(())
    }

    fn spread(&mut self, won: MetNumber) -> Result<(), Ended> {
        let mut fresh = vec![won];
        while let Some(id) = fresh.pop() {
            for watcher in self.graph.watchers(id)? {
                let State::Open(count) = self.graph.state(watcher.id)? else { continue };
                let position = self.graph.position(watcher.id)?;
                if self.world.game.turn(&position) == self.question.prover || count == 1 {
                    self.graph.set(watcher.id, State::Won(watcher.mv))?;
                    fresh.push(watcher.id);
                } else {
                    self.graph.set(watcher.id, State::Open(count - 1))?;
                }
            }
        }
        Ok(())
    }

    /// Tries more moves at every open position of the prover that was explored less; returns whether there were any.
    ///
    /// The table's wins come first, because the first move tried may lead back here; then all moves.
    fn widen(&mut self, stage: u16) -> Result<bool, Ended> {
        let mut any = false;
        for id in 0..self.graph.len() as MetNumber {
            let Some(position) = self.explored_less(id, stage)? else { continue };
            self.meter.spend(1)?;
            any = true;
            self.graph.set(id, State::Open(stage))?;
            for (plies, number) in self.settler.candidates(&position) {
                if self.graph.is_won(id)? {
                    break;
                }
                if stage == ALL_TRIED || plies < SILENT {
                    self.try_move(id, &position, number)?;
                }
            }
        }
        Ok(any)
    }

    /// Searches the root after the table forgot the open positions, so that it names other winning moves. Returns
    /// whether a win may be among them. As long as none is, there is some new position to forget.
    fn search_anew(&mut self, root: MetNumber) -> Result<bool, Ended> {
        if self.graph.len() == self.searched_with || !self.is_proved(root)? {
            return Ok(false);
        }
        self.searched_with = self.graph.len();
        for id in 0..self.graph.len() as MetNumber {
            let State::Open(_) = self.graph.state(id)? else { continue };
            self.meter.spend(1)?;
            self.settler.forget(&self.graph.position(id)?);
            if self.explored_less(id, ALL_TRIED)?.is_some() {
                self.graph.set(id, State::Open(BEST_TRIED))?;
            }
        }
        self.is_proved(root)
    }

    /// Whether the search says that the prover wins.
    fn is_proved(&mut self, id: MetNumber) -> Result<bool, Ended> {
        let position = self.graph.position(id)?;
        let settled = self.settler.settle(&position, UNTIL_SETTLED, self.meter)?;
        Ok(matches!(settled, Settled::Yes(_)))
    }

    /// The position, if it is open, the prover is to move and it was not explored up to `stage`.
    fn explored_less(&self, id: MetNumber, stage: u16) -> Result<Option<G::Position>, Ended> {
        let State::Open(tried) = self.graph.state(id)? else { return Ok(None) };
        let position = self.graph.position(id)?;
        let mine = self.world.game.turn(&position) == self.question.prover;
        Ok((mine && tried < stage).then_some(position))
    }
}

#[cfg(test)]
mod tests;
