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
    after: Option<E::State>,
}

impl<'a, G: Game, E: Evaluate<G>> Along<'a, G, E> {
    pub(crate) const fn new(rules: &'a G, evaluation: E) -> Self {
        Self { rules, evaluation, path: Vec::new(), states: Vec::new(), known: 0, after: None }
    }

    /// Makes the states of the whole path.
    fn catch_up(&mut self) {
        while let Some(position) = self.path.get(self.known) {
            let (before, rest) = self.states.split_at_mut(self.known);
            let before = before.last().zip(self.known.checked_sub(1).map(|last| &self.path[last]));
            match (before, rest.first_mut()) {
                (Some((state, before)), Some(next)) => {
                    self.evaluation.follow(self.rules, (before, state), position, next);
                }
                (Some((state, before)), None) => {
                    let mut next = state.clone();
                    self.evaluation.follow(self.rules, (before, state), position, &mut next);
                    self.states.push(next);
                }
                (None, _) => {
                    self.states.clear();
                    self.states.push(self.evaluation.see(self.rules, position));
                }
            }
            self.known += 1;
        }
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
        self.catch_up();
        let Some((last, state)) = self.path.last().zip(self.known.checked_sub(1).map(|at| &self.states[at]))
        else {
            return self.evaluation.leaning(self.rules, next, &self.evaluation.see(self.rules, next));
        };
        let after = self.after.get_or_insert_with(|| state.clone());
        self.evaluation.follow(self.rules, (last, state), next, after);
        self.evaluation.leaning(self.rules, next, after)
    }
}
