//! Proof and disproof numbers of a whole tree, and disproofs that rest on cyclic play within it.
//!
//! A proof number is that of the cheapest proof without repetition. Positions get their numbers in rising order, a
//! prover's position with the first of its successors and a defender's with the last. From a position without a
//! number the defender can stay among such positions for ever and never loses. Disproof numbers are summed from the
//! first position down; a return to the current line costs the defender nothing.
//!
//! Source: D. E. Knuth, *A generalization of Dijkstra's algorithm* (1977).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use marquis_core::Game;
use marquis_proof::{Guarantee, Numbers, Question};

use crate::event::Id;
use crate::tree::{By, Justification, Node, Tree};

/// While a job runs, a leaf's numbers grow by 1/`VIRTUAL_SHARE` of their value, plus one.
///
/// Source: virtual numbers, as in Wu and others (2013).
const VIRTUAL_SHARE: u32 = 2;

/// The numbers of one question at each position that still matters to it.
struct Sweep<'t, 'a, G: Game> {
    tree: &'t Tree<'a, G>,
    question: Question,
    /// The open positions reachable from the first one through open positions.
    open: Vec<Id>,
    is_open: Vec<bool>,
    proof: Vec<u32>,
    disproof: Vec<u32>,
}

impl<G: Game> Tree<'_, G> {
    /// Recomputes all numbers of a question, and settles the positions that the defender holds by cyclic play.
    pub(crate) fn refresh(&mut self, question: Question) {
        if self.node(Id::ROOT).answer(question).is_some() {
            return;
        }
        let mut sweep = Sweep::new(self, question);
        sweep.prove();
        let held: Vec<(Id, By)> =
            sweep.open.iter().filter_map(|&id| sweep.held(id).map(|by| (id, by))).collect();
        sweep.disprove();
        let Sweep { open, proof, disproof, .. } = sweep;
        for id in open {
            let numbers = Numbers { proof: proof[id.index()], disproof: disproof[id.index()] }.open();
            if !self.node(id).is_leaf() {
                self.nodes[id.index()].numbers[question.prover] = numbers;
            }
        }
        let ground = self.now(By::AllMoves);
        let defender = question.prover.opponent();
        let news = held
            .into_iter()
            .map(|(id, by)| (id, defender, Guarantee::NeverLose, Justification { by, ..ground }));
        self.settle(news.collect());
    }
}

impl<'t, 'a, G: Game> Sweep<'t, 'a, G> {
    fn new(tree: &'t Tree<'a, G>, question: Question) -> Self {
        let count = tree.positions();
        let mut is_open = vec![false; count];
        let mut open = vec![Id::ROOT];
        is_open[0] = true;
        let mut next = 0;
        while let Some(&id) = open.get(next) {
            next += 1;
            for &child in &tree.node(id).children {
                if !is_open[child.index()] && tree.node(child).answer(question).is_none() {
                    is_open[child.index()] = true;
                    open.push(child);
                }
            }
        }
        let proof = vec![Numbers::INFINITE; count];
        Self { tree, question, open, is_open, proof, disproof: vec![0; count] }
    }

    /// The effective numbers of a leaf, in the range of an open position.
    fn leaf(&self, node: &Node<G::Position>) -> Numbers {
        let Numbers { proof, disproof } = node.numbers[self.question.prover].open();
        let harder = |number: u32| if node.is_busy { number + number / VIRTUAL_SHARE + 1 } else { number };
        Numbers { proof: harder(proof), disproof: harder(disproof) }.open()
    }

    fn prove(&mut self) {
        let prover = self.question.prover;
        let mut heap: BinaryHeap<Reverse<(u32, Id)>> = BinaryHeap::new();
        let mut waiting = vec![0_u32; self.tree.positions()];
        let mut sums = vec![0_u32; self.tree.positions()];
        for &id in &self.open {
            let node = self.tree.node(id);
            if node.is_leaf() {
                heap.push(Reverse((self.leaf(node).proof, id)));
            } else if node.turn != prover {
                // Successors already won need no waiting; those not won never get a number.
                let won = |child: &&Id| self.tree.node(**child).answer(self.question) == Some(true);
                waiting[id.index()] = (node.children.len() - node.children.iter().filter(won).count()) as u32;
            }
        }
        while let Some(Reverse((number, id))) = heap.pop() {
            if self.proof[id.index()] != Numbers::INFINITE {
                continue;
            }
            self.proof[id.index()] = number;
            for &above in &self.tree.node(id).parents {
                if !self.is_open[above.index()] {
                    continue;
                }
                if self.tree.node(above).turn == prover {
                    heap.push(Reverse((number, above)));
                    continue;
                }
                let sum = &mut sums[above.index()];
                *sum = (*sum + number).min(Numbers::LARGEST);
                waiting[above.index()] -= 1;
                if waiting[above.index()] == 0 {
                    heap.push(Reverse((*sum, above)));
                }
            }
        }
    }

    /// How the defender holds a position, if at all: by moving to others that the defender holds.
    fn held(&self, id: Id) -> Option<By> {
        let node = self.tree.node(id);
        if self.proof[id.index()] != Numbers::INFINITE {
            return None;
        }
        if node.turn == self.question.prover {
            return Some(By::AllMoves);
        }
        let stays =
            |child: &Id| self.is_open[child.index()] && self.proof[child.index()] == Numbers::INFINITE;
        node.children.iter().position(stays).map(|number| By::Move(number as u16))
    }

    fn disprove(&mut self) {
        /// A position, and the number of its children already visited.
        type Step = (Id, usize);
        let mut begun = vec![false; self.tree.positions()];
        let mut line: Vec<Step> = vec![(Id::ROOT, 0)];
        begun[0] = true;
        while let Some((id, looked)) = line.last_mut() {
            let node = self.tree.node(*id);
            if let Some(&child) = node.children.get(*looked) {
                *looked += 1;
                if self.is_open[child.index()] && !begun[child.index()] {
                    begun[child.index()] = true;
                    line.push((child, 0));
                }
                continue;
            }
            let id = *id;
            self.disproof[id.index()] = self.disproof_of(node);
            line.pop();
        }
    }

    /// From the children's current numbers: 0 for one that is still on the line, or answered with no.
    fn disproof_of(&self, node: &Node<G::Position>) -> u32 {
        if node.is_leaf() {
            return self.leaf(node).disproof;
        }
        let open = |child: &&Id| self.is_open[child.index()];
        let numbers = node.children.iter().filter(open).map(|child| self.disproof[child.index()]);
        if node.turn == self.question.prover {
            numbers.fold(0, |sum, number| (sum + number).min(Numbers::LARGEST))
        } else {
            numbers.min().unwrap_or(0)
        }
    }
}
