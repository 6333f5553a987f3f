//! Completing an answer with the consequences of its verdicts.

use marquis_core::Symmetric as _;

use crate::ask::ordering::rank;
use crate::game::exact::ExactGame;
use crate::results::closure::close;
use crate::results::{Solution, ValuedMove, Verdict};

impl<G: ExactGame> Solution<G> {
    /// Adds the consequences of the known verdicts, and sorts the moves best first.
    pub(crate) fn concluded(mut self) -> Self {
        let mut moves: Vec<Verdict> = self.choices.iter().map(|choice| choice.verdict).collect();
        close(&mut self.verdict, &mut moves);
        for (choice, verdict) in self.choices.iter_mut().zip(moves) {
            choice.verdict = verdict;
        }
        rank(&mut self.choices, &self.verdict);
        self
    }

    /// Adds the verdicts about an image of the position, whose moves are images of these.
    pub(crate) fn with_image(mut self, game: &G::Rules, image: &Self) -> Self {
        let after = |choice: &ValuedMove<G>| game.canonical(&choice.after);
        let known: Vec<_> = image.choices.iter().map(|choice| (after(choice), choice.verdict)).collect();
        for choice in &mut self.choices {
            let own = after(choice);
            let same = known.iter().filter(|(known, _)| *known == own);
            choice.verdict = same.fold(choice.verdict, |verdict, (_, same)| verdict.and(*same));
        }
        self.verdict = self.verdict.and(image.verdict);
        self.concluded()
    }

    /// Gives moves to images of one position the same verdict, although a limit ended between them.
    pub(crate) fn with_images(self, game: &G::Rules) -> Self {
        let own = self.clone();
        self.with_image(game, &own)
    }
}
