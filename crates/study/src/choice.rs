//! Chooses the leaf for the next job.

use marquis_core::{ByPlayer, Game, Player};
use marquis_proof::{Numbers, Question};

use crate::event::Id;
use crate::tree::{Node, Tree};

/// How many times more work the question gets that looks easier to answer with yes.
const FAVOURED_SHARE: u64 = 3;

/// A leaf, and the line that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The leaf.
    pub leaf: Id,
    /// The numbers of the moves that lead to it, in the order of the rules.
    pub line: Vec<u16>,
    /// The player whose win the job helps to prove or disprove.
    pub prover: Player,
}

/// A position of the line with its open successors, the most proving one first.
struct LineStep {
    moves: Vec<(u16, Id)>,
    looked: usize,
}

impl<G: Game> Tree<'_, G> {
    /// The question to work on next; `None` if both are answered.
    ///
    /// * `spent`: nodes spent on each so far.
    pub(crate) fn question(&self, spent: ByPlayer<u64>) -> Option<Question> {
        let root = self.node(Id::ROOT);
        let proof = |prover: Player| root.numbers[prover].proof;
        let behind = |prover: &Player| {
            let other = prover.opponent();
            let easier = (proof(*prover), *prover != root.turn) < (proof(other), other != root.turn);
            if easier { spent[*prover] / FAVOURED_SHARE } else { spent[*prover] }
        };
        let open = [root.turn, root.turn.opponent()].into_iter();
        let open = open.filter(|&prover| root.answer(Question { prover }).is_none());
        open.min_by_key(behind).map(|prover| Question { prover })
    }

    /// The most proving leaf of a question without a job; `None` if all relevant leaves have one.
    pub(crate) fn choose(&self, question: Question) -> Option<Chosen> {
        let mut seen = vec![false; self.positions()];
        let mut line: Vec<LineStep> = Vec::new();
        let (mut here, mut played) = (Id::ROOT, Vec::new());
        loop {
            seen[here.index()] = true;
            let node = self.node(here);
            if node.is_leaf() && !node.is_busy {
                return Some(Chosen { leaf: here, line: played, prover: question.prover });
            }
            line.push(LineStep { moves: self.by_promise(node, question), looked: 0 });
            played.push(0);
            here = loop {
                let step = line.last_mut()?;
                match step.moves.get(step.looked) {
                    Some(&(_, child)) if seen[child.index()] => step.looked += 1,
                    Some(&(number, child)) => {
                        step.looked += 1;
                        if let Some(last) = played.last_mut() {
                            *last = number;
                        }
                        break child;
                    }
                    None => {
                        line.pop();
                        played.pop();
                    }
                }
            };
        }
    }

    /// The open successors of a position: the easiest to prove first for the prover, the easiest to disprove for the
    /// defender.
    fn by_promise(&self, node: &Node<G::Position>, question: Question) -> Vec<(u16, Id)> {
        let numbered = (0_u16..).zip(node.children.iter().copied());
        let mut moves: Vec<(u16, Id)> =
            numbered.filter(|(_, child)| self.node(*child).answer(question).is_none()).collect();
        let key = |&(number, child): &(u16, Id)| {
            let Numbers { proof, disproof } = self.node(child).numbers[question.prover];
            if node.turn == question.prover { (proof, disproof, number) } else { (disproof, proof, number) }
        };
        moves.sort_unstable_by_key(key);
        moves
    }
}
