//! Extracts a closed strategy for the defender, who never loses, from the table; lines may cycle.
//!
//! A set of positions with one move at each of the defender's turns and all moves at the prover's, none of them won,
//! is a disproof whatever the table says. So a disproof that the search believes only counts once such a set is
//! closed. If a position turns out to be won, the defender's positions that kept a move to it choose again.

use marquis_core::Hashed;

use crate::emit::emit_safe;
use crate::graph::{Graph, MetNumber, State};
use crate::knowledge::World;
use crate::limits::NodeMeter;
use crate::listed::ProofRoom;
use crate::settle::{Settled, Settler};
use crate::strategy::Strategy;
use crate::table::{Condition, StoredAnswer};
use crate::{Ended, Heuristic, Oracle, Question};

/// Expansions for a position unknown to the table, before it is taken on trust.
const ALLOWANCE: u64 = 10_000;

struct Extraction<'s, 'a, 'l, 'r, G: Hashed, O, H> {
    world: World<'a, G, O, H>,
    question: Question,
    settler: &'s mut Settler<'a, G, O, H>,
    meter: &'s mut NodeMeter<'l>,
    graph: Graph<'r, G::Position>,
    moves: Vec<G::Move>,
    stack: Vec<MetNumber>,
}

/// The defender's closed strategy from `root`; `None` if the search says that the prover wins.
pub(crate) fn extract_safe<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>>(
    world: World<'a, G, O, H>,
    root: &G::Position,
    settler: &mut Settler<'a, G, O, H>,
    meter: &mut NodeMeter<'_>,
    room: ProofRoom<'_>,
) -> Result<Option<Strategy<G>>, Ended> {
    let question = settler.question();
    let (graph, moves, stack) = (Graph::new(room), Vec::new(), Vec::new());
    let mut work = Extraction { world, question, settler, meter, graph, moves, stack };
    let root = work.graph.intern(*root)?;
    work.stack.push(root);
    while let Some(id) = work.stack.pop() {
        if work.graph.is_won(root)? {
            return Ok(None);
        }
        work.visit(id)?;
    }
    let won = work.graph.is_won(root)?;
    if won { Ok(None) } else { emit_safe(world, question, &work.graph, root, work.meter).map(Some) }
}

/// How good a move of the defender looks, best first; ties go to the smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MovePromise {
    /// Already among the positions of the strategy.
    Kept,
    /// The defender wins by force.
    Wins(u16),
    /// The answer is no, on every path.
    Disproved,
    /// The answer is no, on some paths.
    DisprovedThere,
    /// Not answered; the disproof number.
    Open(u32),
    /// The prover wins according to the table.
    Proved,
}

impl<G: Hashed, O: Oracle<G>, H: Heuristic<G>> Extraction<'_, '_, '_, '_, G, O, H> {
    fn visit(&mut self, id: MetNumber) -> Result<(), Ended> {
        let position = self.graph.position(id)?;
        match self.graph.state(id)? {
            State::Won(_) | State::Leaf(_) => return Ok(()),
            State::Open(_) => {
                let kept = self.graph.kept(id)?;
                self.meter.spend(1)?;
                let again = !self.prover_moves(&position) && self.loses(&position, kept)?;
                return if again { self.choose(id, &position) } else { Ok(()) };
            }
            State::Unseen => {}
        }
        self.meter.spend(1)?;
        if let Some(closed) = self.world.closed(&position, self.question) {
            self.graph.set(id, State::Leaf(closed))?;
            if closed.yes {
                self.spread(id)?;
            }
            return Ok(());
        }
        self.graph.set(id, State::Open(0))?;
        if self.prover_moves(&position) { self.answer_all(id, &position) } else { self.choose(id, &position) }
    }

    fn prover_moves(&self, position: &G::Position) -> bool {
        self.world.game.turn(position) == self.question.prover
    }

    /// Adds all moves of the prover; the position is won as soon as one of them is.
    fn answer_all(&mut self, id: MetNumber, position: &G::Position) -> Result<(), Ended> {
        if self.promise(position) > MovePromise::DisprovedThere
            && let Settled::Yes(number) = self.settler.settle(position, ALLOWANCE, self.meter)?
        {
            self.won(id, number)?;
            return Ok(());
        }
        self.moves.clear();
        self.world.game.moves(position, &mut self.moves);
        for number in 0..self.moves.len() {
            let next = self.graph.intern(self.world.game.play(position, self.moves[number]))?;
            if self.graph.is_won(next)? {
                self.won(id, number as u16)?;
                return Ok(());
            }
            self.graph.watch(id, number as u16, next)?;
            if self.graph.state(next)? == State::Unseen {
                self.stack.push(next);
            }
        }
        Ok(())
    }

    /// Keeps the defender's most promising move; the position is won if none is left.
    fn choose(&mut self, id: MetNumber, position: &G::Position) -> Result<(), Ended> {
        let Some((promise, mut number)) = self.best(position)? else {
            self.won(id, 0)?;
            return Ok(());
        };
        if promise > MovePromise::DisprovedThere {
            match self.settler.settle(position, ALLOWANCE, self.meter)? {
                Settled::Yes(_) => {
                    self.won(id, 0)?;
                    return Ok(());
                }
                // The search may believe in a move that is known to lose here.
                Settled::No(found) if !self.loses(position, found)? => number = found,
                Settled::No(_) | Settled::Open => {
                    number = self.best(position)?.map_or(number, |best| best.1);
                }
            }
        }
        let Some(next) = self.after(position, number) else { return Ok(()) };
        let next = self.graph.intern(next)?;
        self.graph.keep(id, number)?;
        self.graph.watch(id, number, next)?;
        if self.graph.state(next)? == State::Unseen {
            self.stack.push(next);
        }
        Ok(())
    }

    /// The position after the move with this number.
    fn after(&mut self, position: &G::Position, number: u16) -> Option<G::Position> {
        self.moves.clear();
        self.world.game.moves(position, &mut self.moves);
        self.moves.get(usize::from(number)).map(|&mv| self.world.game.play(position, mv))
    }

    /// Whether the move with this number is known to lead to a position that the prover wins.
    fn loses(&mut self, position: &G::Position, number: u16) -> Result<bool, Ended> {
        let next = self.after(position, number).map(|next| self.graph.find(&next)).transpose()?;
        next.flatten().map_or(Ok(false), |next| self.graph.is_won(next))
    }

    /// The defender's best move among those not known to lose.
    fn best(&mut self, position: &G::Position) -> Result<Option<(MovePromise, u16)>, Ended> {
        self.moves.clear();
        self.world.game.moves(position, &mut self.moves);
        let mut best = None;
        for (number, &mv) in self.moves.iter().enumerate() {
            let next = self.world.game.play(position, mv);
            let promise = match self.graph.find(&next)?.map(|id| self.graph.state(id)).transpose()? {
                Some(state) if state.is_won() => continue,
                Some(State::Unseen) | None => self.promise(&next),
                Some(_) => MovePromise::Kept,
            };
            let found = (promise, number as u16);
            best = Some(best.map_or(found, |best: (MovePromise, u16)| best.min(found)));
        }
        Ok(best)
    }

    fn promise(&self, position: &G::Position) -> MovePromise {
        let known = self.settler.look(position);
        if let Some(StoredAnswer::Proved { plies, .. }) = known[self.question.prover.opponent()] {
            return MovePromise::Wins(plies);
        }
        match known[self.question.prover] {
            Some(StoredAnswer::Disproved(Condition::Always)) => MovePromise::Disproved,
            Some(StoredAnswer::Disproved(_)) => MovePromise::DisprovedThere,
            Some(StoredAnswer::Open(numbers)) => MovePromise::Open(numbers.disproof),
            Some(StoredAnswer::Proved { .. }) => MovePromise::Proved,
            None => match self.world.closed(position, self.question) {
                Some(closed) if closed.yes => MovePromise::Proved,
                Some(_) => MovePromise::Wins(0),
                None => MovePromise::Open(1),
            },
        }
    }

    fn won(&mut self, id: MetNumber, number: u16) -> Result<(), Ended> {
        self.graph.set(id, State::Won(number))?;
        self.spread(id)
    }

    fn spread(&mut self, won: MetNumber) -> Result<(), Ended> {
        let mut fresh = vec![won];
        while let Some(id) = fresh.pop() {
            for watcher in self.graph.watchers(id)? {
                if !matches!(self.graph.state(watcher.id)?, State::Open(_)) {
                    continue;
                }
                let position = self.graph.position(watcher.id)?;
                if self.prover_moves(&position) {
                    self.graph.set(watcher.id, State::Won(watcher.mv))?;
                    fresh.push(watcher.id);
                } else if self.graph.kept(watcher.id)? == watcher.mv {
                    self.stack.push(watcher.id);
                }
            }
        }
        Ok(())
    }
}
