//! Static evaluation by a judge, without look-ahead, along the path of a search.

use marquis_core::Game;
use marquis_eval::{Evaluate, Leaning};

/// A static evaluation of the positions next to a path, which it follows.
pub trait FirstSight<P>: Send {
    /// Appends a position to the path.
    fn enter(&mut self, position: &P);

    /// Removes the last position from the path.
    fn leave(&mut self);

    /// The leaning of a position one move after the end of the path, for the player to move there.
    fn leaning(&mut self, next: &P) -> Leaning;
}

/// The states of an evaluation along a path, computed on demand.
pub(crate) struct Along<'a, G: Game, E: Evaluate<G>> {
    rules: &'a G,
    evaluation: E,
    path: Vec<G::Position>,
    /// The states of the first positions of the path; entries beyond `known` are reused.
    states: Vec<E::State>,
    /// The number of entries that belong to the path.
    known: usize,
}

impl<'a, G: Game, E: Evaluate<G>> Along<'a, G, E> {
    pub(crate) const fn new(rules: &'a G, evaluation: E) -> Self {
        Self { rules, evaluation, path: Vec::new(), states: Vec::new(), known: 0 }
    }

    /// Computes the state of a position that follows the known ones, and stores it after theirs.
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
