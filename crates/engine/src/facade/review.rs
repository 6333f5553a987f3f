//! A game looked over, position by position.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use marquis_core::ByPlayer;

use super::Engine;
use crate::adapter::Posed;
use crate::ask::review::{Appraisal, Made, Place, Play, Reviewed, of_first, review};
use crate::record::Replayed;
use crate::wire::review::{Review, ReviewedMove};
use crate::{Control, EngineError, Limits, Progress};

/// A review that is under way, which others can look at meanwhile.
pub struct ReviewSoFar {
    game: Arc<Replayed>,
    letters: ByPlayer<char>,
    known: Mutex<Known>,
}

/// What is known of a game so far.
#[derive(Default)]
struct Known {
    /// Of the positions from the first on.
    appraisals: Vec<Appraisal>,
    /// Each move as it was told: by what was known when it was looked over.
    told: Vec<ReviewedMove>,
}

impl Engine {
    /// The game of a record looked over: of each move what it kept and what it threw away, with the better line.
    ///
    /// * `limits`: of each position.
    /// * `control`: stops it; what was looked over by then is the review, which is not complete.
    /// * `so_far`: receives each move when it is looked over. The review itself may say more of it, by what came to
    ///   light later.
    ///
    /// # Errors
    /// A table that cannot be read.
    pub fn review(
        &self,
        game: &Arc<Replayed>,
        limits: &Limits,
        control: &Control<'_>,
        so_far: &mut dyn FnMut(&ReviewedMove),
    ) -> Result<Review, EngineError> {
        let review = self.begin_review(game);
        self.carry_on_review(&review, limits, control, so_far)?;
        Ok(review.review())
    }

    /// A review of the game of a record of which nothing is looked over yet.
    #[must_use]
    pub fn begin_review(&self, game: &Arc<Replayed>) -> ReviewSoFar {
        let known = self.registry().game(game.start().game().name());
        let letters = known.map_or(ByPlayer::new('1', '2'), crate::registry::Game::letters);
        ReviewSoFar { game: Arc::clone(game), letters, known: Mutex::default() }
    }

    /// Looks the positions over that are left, each once.
    ///
    /// * `limits`, `control`, `so_far`: as of [`Engine::review`].
    ///
    /// # Errors
    /// A table that cannot be read.
    pub fn carry_on_review(
        &self,
        review: &ReviewSoFar,
        limits: &Limits,
        control: &Control<'_>,
        so_far: &mut dyn FnMut(&ReviewedMove),
    ) -> Result<(), EngineError> {
        let game = &review.game;
        let (made, total) = (made(game), game.plies() + 1);
        let tell = |done: usize| {
            let phase = "looking the game over".to_owned();
            control.tell(&Progress { phase, done: done as u64, total: Some(total as u64), bounds: None });
        };
        let next = review.known().appraisals.len();
        for ply in next..total {
            let Some(posed) = game.after(ply) else { break };
            // What a position is searched for is no progress of the game.
            let quiet = control.of_part(|_| tell(ply));
            let appraised = posed.position().appraise(&self.known, game.thrown_after(ply), limits, &quiet);
            if control.stopped() {
                break;
            }
            let new = review.add(&made, appraised?);
            tell(ply + 1);
            new.iter().for_each(&mut *so_far);
        }
        Ok(())
    }
}

impl ReviewSoFar {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The moves that were looked over, except for so many first ones, each by what was known then.
    #[must_use]
    pub fn moves_after(&self, count: usize) -> Vec<ReviewedMove> {
        self.known().told.get(count..).unwrap_or_default().to_vec()
    }

    /// All that is known now; it takes as long as the game has moves.
    #[must_use]
    pub fn review(&self) -> Review {
        let (game, letters, known) = (&self.game, self.letters, self.known());
        let (start, made, appraisals) = (game.start(), made(game), &known.appraisals);
        let reviewed = review(&made, appraisals);
        let moves = reviewed.iter().enumerate().map(|(past, own)| self.told(past, &made, own)).collect();
        let play = Play::of(&reviewed);
        let chance = appraisals.first().and_then(Appraisal::chance);
        Review {
            game: start.game().name().to_owned(),
            position: start.text(),
            turn: letters[start.turn()].to_string(),
            first_chance: chance.map(|(chance, _)| of_first(chance, start.turn())),
            complete: appraisals.len() == game.plies() + 1,
            plies: game.plies(),
            moves,
            players: [play.first.told(letters.first), play.second.told(letters.second)],
            result: game.record().outcome.map(|outcome| outcome.text().to_owned()),
        }
    }

    /// Notes what is known of the next position; the move that can be told now, if there is one.
    fn add(&self, made: &[Made<'_>], appraisal: Appraisal) -> Option<ReviewedMove> {
        let mut known = self.known();
        // What a move is worth says the position after it, and in a game with throws the one before.
        let needed = if matches!(appraisal, Appraisal::Exact(_)) { 2 } else { 1 };
        known.appraisals.push(appraisal);
        let past = known.appraisals.len().checked_sub(needed)?;
        // Of those before nothing is worked out again: a long game would take as long for each of its moves.
        let from = past.saturating_sub(1);
        let new = review(made.get(from..=past)?, &known.appraisals[from..]).pop()?;
        let new = self.told(past, made, &new);
        known.told.push(new.clone());
        Some(new)
    }

    /// A move after so many others as it is told.
    fn told(&self, past: usize, made: &[Made<'_>], own: &Reviewed) -> ReviewedMove {
        let position = self.game.after(past + 1).map(Posed::text).unwrap_or_default();
        let throw = self.game.thrown_after(past);
        own.told(Place { ply: past + 1, throw, mv: made[past].mv, position }, self.letters)
    }
}

/// The moves of a game.
fn made(game: &Replayed) -> Vec<Made<'_>> {
    game.made().map(|(by, mv)| Made { by, mv }).collect()
}
