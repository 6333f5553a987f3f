//! An answer with all that follows from what it knows.

use crate::ask::closure::close;
use crate::ask::ordering::rank;
use crate::domain::Solution;
use crate::game::exact::ExactGame;
use crate::verdict::Verdict;

impl<G: ExactGame> Solution<G> {
    /// The same with all that follows from what is known, the moves best first.
    pub(crate) fn concluded(mut self) -> Self {
        let mut moves: Vec<Verdict> = self.choices.iter().map(|choice| choice.verdict).collect();
        close(&mut self.verdict, &mut moves);
        for (choice, verdict) in self.choices.iter_mut().zip(moves) {
            choice.verdict = verdict;
        }
        rank(&mut self.choices, self.verdict.value());
        self
    }
}
