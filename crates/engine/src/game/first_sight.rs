//! What a judge thinks at first sight, without looking ahead: an evaluation that follows the path of a search.

use marquis_core::Game;
use marquis_eval::{Evaluate, Leaning};

/// What a judge thinks at first sight of the positions next to a path, which it follows.
pub trait FirstSight<P>: Send {
    /// The path goes on to this position, or begins with it.
    fn enter(&mut self, position: &P);

    /// The last position is taken off the path.
    fn leave(&mut self);

    /// The leaning of a position to which a move leads from the end of the path, for the player to move there.
    fn leaning(&mut self, next: &P) -> Leaning;
}

/// The states of an evaluation along a path, made where somebody asks for them.
pub(crate) struct Along<'a, G: Game, E: Evaluate<G>> {
    rules: &'a G,
    evaluation: E,
    path: Vec<G::Position>,
    /// Those of the first positions of the path; more may lie behind, to be written over.
    states: Vec<E::State>,
    /// How many of them are those of the path.
    known: usize,
}

impl<'a, G: Game, E: Evaluate<G>> Along<'a, G, E> {
    pub(crate) const fn new(rules: &'a G, evaluation: E) -> Self {
        Self { rules, evaluation, path: Vec::new(), states: Vec::new(), known: 0 }
    }

    /// Makes the state of a position that comes after the known ones, behind theirs.
    fn make(&mut self, position: &G::Position) {
        let Some(last) = self.known.checked_sub(1) else {
            self.states.clear();
            self.states.push(self.evaluation.see(self.rules, position));
            return;
        };
        if self.states.len() == self.known {
            self.states.push(self.states[last].clone());
        }
        let (known, after) = self.states.split_at_mut(self.known);
        self.evaluation.follow(self.rules, (&self.path[last], &known[last]), position, &mut after[0]);
    }
}

impl<G: Game, E: Evaluate<G> + Send> FirstSight<G::Position> for Along<'_, G, E> {
    fn enter(&mut self, position: &G::Position) {
        self.path.push(*position);
    }

    fn leave(&mut self) {
        self.path.pop();
        self.known = self.known.min(self.path.len());
    }

    fn leaning(&mut self, next: &G::Position) -> Leaning {
        while let Some(&position) = self.path.get(self.known) {
            self.make(&position);
            self.known += 1;
        }
        self.make(next);
        self.evaluation.leaning(self.rules, next, &self.states[self.known])
    }
}
