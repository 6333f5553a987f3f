//! Depth-first proof-number search of one question, on an explicit stack that can pause anywhere.
//!
//! Source: Nagai, *Df-pn algorithm for searching AND/OR trees and its applications* (2002), with the 1+ε trick of
//! Pawlewicz and Lew (2007). A proof never rests on repetition. A disproof that does is stored with the [`Condition`]
//! under which it holds: if it rests on the positions `S` of the path, it says "no forced win from here that stays
//! out of `S`". Such a fact does not depend on the path and applies whenever the path contains `S`. When the search
//! backs up over a position of `S`, that position is removed from `S`.

mod sight;

use std::sync::atomic::Ordering::Relaxed;

use marquis_core::{Game, Hashed, Sharing};

use crate::experience::Untold;
use crate::knowledge::{PathHeuristic, World};
use crate::path::{DependencySet, Tokens};
use crate::question::add;
use crate::table::{BucketPair, Condition, QuestionTable, StoredAnswer};
use crate::{Heuristic, Numbers, Oracle, Question};

/// Deeper lines count as "not won", under a condition that no path meets again.
const MAX_DEPTH: usize = 4000;

/// A worker enters or leaves a position; counts wrap around.
const ENTER: u16 = 1;
const LEAVE: u16 = u16::MAX;
/// For each other worker a number grows by 1/`VIRTUAL_SHARE`, plus one. Little more than a tie-break suffices,
/// because workers part further down; moves whose numbers differ more are seldom worth a search.
const VIRTUAL_SHARE: u32 = 64;
/// The number of halvings by which the move that refuted a sibling looks easier.
const REFUTATION: u32 = 4;
/// Positions between two moments at which other threads may run; at most half a millisecond.
const YIELD_NODES: u64 = 128;
/// More other workers than this do not make a position harder.
const MOST_OTHERS: u32 = 15;

/// The result of a search call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progressed {
    /// The nodes allowed are used up.
    Paused,
    /// Table and search say yes; with the number of the root's move that shows it.
    Proved(usize),
    /// Table and search say no; with the number of the root's move that shows it.
    Disproved(usize),
}

#[derive(Clone, Copy, Debug)]
struct Child<M> {
    place: BucketPair,
    mv: M,
    numbers: Numbers,
    plies: u16,
}

#[derive(Clone, Copy, Debug)]
struct Frame<P, M> {
    position: P,
    /// The prover's move that won after a sibling of the current child.
    refutation: Option<M>,
    place: BucketPair,
    /// Whether other workers see that this search is below it.
    is_seen: bool,
    prover_moves: bool,
    /// Where its children start in the arena; they end where the next frame's start.
    children: usize,
    /// The child being searched.
    current: usize,
    limit: Numbers,
    rests: DependencySet,
    nodes_before: u64,
}

/// The two lowest numbers of the side to move and the sum of the other side's.
struct Summary {
    numbers: Numbers,
    best: usize,
    second: u32,
}

/// One search of one question; it can be resumed.
#[derive(Debug)]
pub(crate) struct QuestionSearch<'a, G: Game, O, H> {
    world: World<'a, G, O, H>,
    table: &'a QuestionTable,
    question: Question,
    frames: Vec<Frame<G::Position, G::Move>>,
    arena: Vec<Child<G::Move>>,
    moves: Vec<G::Move>,
    nexts: Vec<(G::Move, G::Position, BucketPair)>,
    path: Tokens,
    along: PathHeuristic<'a, G, H>,
    untold: Untold,
    nodes: u64,
    root: Numbers,
    /// Whether other workers search at the same time and should be spread out.
    company: bool,
}

impl<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>> QuestionSearch<'a, G, O, H> {
    pub(crate) fn new(world: World<'a, G, O, H>, table: &'a QuestionTable, question: Question) -> Self {
        Self {
            world,
            table,
            question,
            frames: Vec::new(),
            arena: Vec::new(),
            moves: Vec::new(),
            nexts: Vec::new(),
            path: Tokens::new(),
            along: PathHeuristic::new(world.heuristic),
            untold: Untold::default(),
            nodes: 0,
            root: Numbers::UNIT,
            company: false,
        }
    }

    /// Sets whether others search at the same time; a position then counts as harder while they are in it.
    ///
    /// Source: virtual proof numbers, Kaneko, *Parallel depth first proof number search* (2010).
    pub(crate) fn in_company(mut self, company: bool) -> Self {
        self.company = company;
        self
    }

    /// Positions expanded so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Current numbers of the root.
    pub(crate) fn numbers(&self) -> Numbers {
        self.frames.first().map_or(self.root, |_| self.summary(0).numbers)
    }

    /// Starts a search of this position, in which the game is not over, from an empty path.
    pub(crate) fn start(&mut self, position: &G::Position) {
        self.clear();
        let limit = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
        self.enter(*position, self.world.place(self.table, position), limit);
    }

    fn clear(&mut self) {
        while let Some(frame) = self.frames.pop() {
            self.unsee(&frame);
            self.path.pop();
            self.along.leave();
        }
        self.arena.clear();
    }

    /// Shows other workers that this search is below a position of the path. Most positions are left before that, and
    /// shared writes are slow.
    fn show(&mut self, depth: usize) {
        if let Some(frame) = self.frames.get_mut(depth).filter(|frame| self.company && !frame.is_seen) {
            frame.is_seen = true;
            self.table.visitors(frame.place, self.question.prover).fetch_add(ENTER, Relaxed);
        }
    }

    fn unsee(&self, frame: &Frame<G::Position, G::Move>) {
        if frame.is_seen {
            self.table.visitors(frame.place, self.question.prover).fetch_add(LEAVE, Relaxed);
        }
    }

    /// A number of a position, raised while other workers are in it.
    #[inline]
    fn virtually(&self, place: BucketPair, number: u32) -> u32 {
        if !self.company || number == 0 || number >= Numbers::LARGEST {
            return number;
        }
        let others = u32::from(self.table.visitors(place, self.question.prover).load(Relaxed));
        number.saturating_add((number / VIRTUAL_SHARE + 1) * others.min(MOST_OTHERS)).min(Numbers::LARGEST)
    }

    /// Runs until the root is settled or `allowance` more positions are expanded.
    pub(crate) fn run(&mut self, allowance: u64) -> Progressed {
        let end = self.nodes.saturating_add(allowance);
        while let Some(top) = self.frames.len().checked_sub(1) {
            let summary = self.summary(top);
            let limit = self.frames[top].limit;
            if summary.numbers.proof >= limit.proof || summary.numbers.disproof >= limit.disproof {
                let number = summary.best - self.frames[top].children;
                self.leave(&summary);
                if self.frames.is_empty() {
                    return self.verdict(number);
                }
            } else if self.nodes >= end {
                return Progressed::Paused;
            } else {
                self.descend(top, &summary);
            }
        }
        self.verdict(0)
    }

    /// Like [`run`](Self::run), but lets other threads run in between.
    pub(crate) fn run_sharing(&mut self, allowance: u64, sharing: &Sharing) -> Progressed {
        let end = self.nodes.saturating_add(allowance);
        loop {
            let progressed = self.run(YIELD_NODES.min(end - self.nodes));
            if progressed != Progressed::Paused || self.nodes >= end {
                return progressed;
            }
            sharing.yield_now();
        }
    }

    fn verdict(&self, number: usize) -> Progressed {
        if self.root.proof == 0 { Progressed::Proved(number) } else { Progressed::Disproved(number) }
    }

    fn summary(&self, depth: usize) -> Summary {
        let frame = &self.frames[depth];
        let end = self.frames.get(depth + 1).map_or(self.arena.len(), |next| next.children);
        let (mut least, mut second, mut best, mut sum) = (u32::MAX, Numbers::INFINITE, frame.children, 0);
        let (mut other, mut lowest) = (0, u32::MAX);
        for (number, child) in self.arena[frame.children..end].iter().enumerate() {
            let Numbers { proof, disproof } = child.numbers;
            let (own, opposite) = if frame.prover_moves { (proof, disproof) } else { (disproof, proof) };
            sum = add(sum, opposite);
            lowest = lowest.min(own);
            // Company only raises the number.
            if own > second {
                continue;
            }
            let own = self.virtually(child.place, own);
            if own < least || own == least && opposite > other {
                second = least.min(Numbers::INFINITE);
                (least, other, best) = (own, opposite, frame.children + number);
            } else if own < second {
                second = own;
            }
        }
        let least = lowest.min(Numbers::INFINITE);
        let numbers = if frame.prover_moves {
            Numbers { proof: least, disproof: sum }
        } else {
            Numbers { proof: sum, disproof: least }
        };
        Summary { numbers, best, second }
    }

    fn descend(&mut self, top: usize, summary: &Summary) {
        let Frame { position, limit, prover_moves, .. } = self.frames[top];
        let child = self.arena[summary.best];
        let next = self.world.game.play(&position, child.mv);
        self.frames[top].current = summary.best;
        if let Some((numbers, plies, rests)) =
            self.remembered(child.place).filter(|known| known.0.is_settled())
        {
            self.update(top, numbers, plies, rests);
            return;
        }
        let ceiling = |limit: u32, own: u32| {
            let raised = summary.second + summary.second / 4 + 1;
            // In company the child may not be the lowest; it is searched nevertheless.
            if raised >= Numbers::LARGEST { limit } else { limit.min(raised) }.max(own + 1)
        };
        let share = |limit: u32, sum: u32, own: u32| {
            if limit == Numbers::INFINITE { limit } else { limit - sum + own }
        };
        let Numbers { proof, disproof } = summary.numbers;
        let limit = if prover_moves {
            Numbers {
                proof: ceiling(limit.proof, child.numbers.proof),
                disproof: share(limit.disproof, disproof, child.numbers.disproof),
            }
        } else {
            Numbers {
                proof: share(limit.proof, proof, child.numbers.proof),
                disproof: ceiling(limit.disproof, child.numbers.disproof),
            }
        };
        self.show(top);
        self.enter(next, child.place, limit);
    }

    /// Pushes a position onto the path and looks up all its children.
    fn enter(&mut self, position: G::Position, place: BucketPair, limit: Numbers) {
        let prover_moves = self.world.game.turn(&position) == self.question.prover;
        let children = self.arena.len();
        let mut frame = Frame {
            position,
            refutation: None,
            place,
            is_seen: false,
            prover_moves,
            children,
            current: children,
            limit,
            rests: DependencySet::NOWHERE,
            nodes_before: self.nodes,
        };
        self.nodes += 1;
        self.path.push(place.key);
        self.along.enter(&position);
        self.frames.push(frame);
        let mut refuted: Option<DependencySet> = None;
        let mut nexts = std::mem::take(&mut self.nexts);
        nexts.clear();
        let Self { world, table, moves, .. } = self;
        world.game.each_move(&position, moves, |mv, next| {
            let place = world.place(table, &next);
            table.send_for(place);
            nexts.push((mv, next, place));
        });
        let threatened = self.world.heuristic.may_lose_next(&position);
        nexts.iter().for_each(|next| self.table.send_far(next.2));
        let likely = self.frames.len().checked_sub(2).and_then(|above| self.frames[above].refutation);
        for &(mv, next, place) in &nexts {
            let (mut numbers, plies, rests) = self.first_look(&next, place, threatened);
            if likely == Some(mv) && !numbers.is_settled() {
                numbers.proof = (numbers.proof >> REFUTATION).max(1);
            }
            self.arena.push(Child { place, mv, numbers, plies });
            if numbers.disproof == 0 {
                if prover_moves {
                    frame.rests = frame.rests.and(rests);
                } else if refuted.is_none_or(|other| rests.count() < other.count()) {
                    refuted = Some(rests);
                    if rests.is_empty() {
                        break;
                    }
                }
            } else if numbers.proof == 0 && prover_moves {
                break;
            }
        }
        self.nexts = nexts;
        let depth = self.frames.len() - 1;
        self.frames[depth].rests = refuted.unwrap_or(frame.rests);
    }

    /// Pops the top position; updates the table and its parent.
    fn leave(&mut self, summary: &Summary) {
        let depth = self.frames.len() - 1;
        let frame = self.frames[depth];
        let rests = frame.rests.without_own(depth);
        let numbers = summary.numbers;
        let mut plies = 0;
        let known = if numbers.proof == 0 {
            let best;
            (plies, best) = self.soonest_win(&frame);
            StoredAnswer::Proved { plies, best }
        } else if numbers.disproof == 0 {
            StoredAnswer::Disproved(self.condition(rests, depth))
        } else {
            StoredAnswer::Open(numbers)
        };
        // If keys collide, a position may be won without a move.
        let winning = self.arena.get(summary.best).filter(|child| child.numbers.proof == 0);
        let winning = winning.map(|child| child.mv);
        let nodes = self.nodes - frame.nodes_before;
        self.table.put(frame.place, self.question, known, nodes);
        self.learn(&frame.position, numbers, nodes);
        self.arena.truncate(frame.children);
        self.frames.pop();
        self.unsee(&frame);
        self.path.pop();
        self.along.leave();
        match depth.checked_sub(1) {
            Some(above) => {
                if plies > 0 && frame.prover_moves {
                    self.frames[above].refutation = winning;
                }
                self.update(above, numbers, plies, rests);
            }
            None => self.root = numbers,
        }
    }

    /// Updates the child that was searched.
    fn update(&mut self, depth: usize, numbers: Numbers, plies: u16, rests: DependencySet) {
        let frame = &mut self.frames[depth];
        let child = &mut self.arena[frame.current];
        (child.numbers, child.plies) = (numbers, plies);
        if numbers.disproof == 0 {
            frame.rests = if frame.prover_moves { frame.rests.and(rests) } else { rests };
        }
    }

    /// Plies to the win, and the number of the child that leads there.
    fn soonest_win(&self, frame: &Frame<G::Position, G::Move>) -> (u16, u16) {
        let children = self.arena[frame.children..].iter().enumerate();
        let wins = children.filter(|(_, child)| child.numbers.proof == 0);
        let wins = wins.map(|(number, child)| (child.plies, number as u16));
        let (plies, best) = if frame.prover_moves { wins.min() } else { wins.max() }.unwrap_or((0, 0));
        (plies.saturating_add(1), best)
    }

    fn condition(&self, rests: DependencySet, depth: usize) -> Condition {
        let Some(deepest) = depth.checked_sub(1).filter(|_| !rests.is_empty()) else {
            return Condition::Always;
        };
        let last = rests.last().unwrap_or(deepest).min(deepest);
        if rests.count() == 1 && rests.last().is_some() {
            Condition::Visited { token: self.path.position(last) }
        } else {
            Condition::Prefix { token: self.path.prefix(last), first: rests.first() as u8 }
        }
    }
}

impl<G: Game, O, H> Drop for QuestionSearch<'_, G, O, H> {
    fn drop(&mut self) {
        self.table.experience().tell(&mut self.untold);
        for frame in self.frames.iter().filter(|frame| frame.is_seen) {
            self.table.visitors(frame.place, self.question.prover).fetch_add(LEAVE, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
