//! Reviews a game, position by position.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use marquis_core::ByPlayer;

use super::Engine;
use crate::adapter::Posed;
use crate::ask::review::{Appraisal, MoveMade, Performance, PlayedMove, Reviewed, of_first, review};
use crate::record::Replayed;
use crate::{Control, EngineError, Limits, Progress};
use marquis_wire::review::{Review, ReviewedMove};

/// A review in progress, which other threads can read.
pub struct ReviewSoFar {
    game: Arc<Replayed>,
    letters: ByPlayer<char>,
    known: Mutex<ReviewState>,
}

/// The results of a review so far.
#[derive(Default)]
struct ReviewState {
    /// Of the positions from the first.
    appraisals: Vec<Appraisal>,
    /// Each move as it was reported, by the knowledge at that time.
    told: Vec<ReviewedMove>,
}

impl Engine {
    /// Reviews the game of a record: for each move, what it kept and what it threw away, with the better line.
    ///
    /// * `limits`: the limits for each position.
    /// * `control`: stops the review; the moves reviewed so far are the result, which is then incomplete.
    /// * `so_far`: receives each move when it is reviewed. The final review may say more about it, from later results.
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

    /// A review of the game of a record, with no moves reviewed yet.
    #[must_use]
    pub fn begin_review(&self, game: &Arc<Replayed>) -> ReviewSoFar {
        let known = self.registry().game(game.start().game().name());
        let letters = known.map_or(ByPlayer::new('1', '2'), crate::registry::GameEntry::letters);
        ReviewSoFar { game: Arc::clone(game), letters, known: Mutex::default() }
    }

    /// Reviews the remaining positions, each once.
    ///
    /// * `limits`, `control`, `so_far`: as for [`Engine::review`].
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
            let phase = "taking a first look at the game".to_owned();
            control.tell(&Progress { phase, done: done as u64, total: Some(total as u64), bounds: None });
        };
        let next = review.known().appraisals.len();
        for ply in next..total {
            let Some(posed) = game.after(ply) else { break };
            // The search of a position is not progress of the review.
            let quiet = control.of_part(|_| tell(ply));
            let appraised = posed.position().appraise(self.asking(limits, &quiet), game.thrown_after(ply));
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
    fn known(&self) -> MutexGuard<'_, ReviewState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reviewed moves without the first `count`, each by the knowledge at that time.
    #[must_use]
    pub fn moves_after(&self, count: usize) -> Vec<ReviewedMove> {
        self.known().told.get(count..).unwrap_or_default().to_vec()
    }

    /// The review by all results so far; takes time linear in the number of moves.
    #[must_use]
    pub fn review(&self) -> Review {
        let (game, letters, known) = (&self.game, self.letters, self.known());
        let (start, made, appraisals) = (game.start(), made(game), &known.appraisals);
        let reviewed = review(&made, appraisals);
        let moves = reviewed.iter().enumerate().map(|(past, own)| self.response(past, &made, own)).collect();
        let play = Performance::of(&reviewed);
        let chance = appraisals.first().and_then(Appraisal::chance);
        Review {
            game: start.game().name().to_owned(),
            position: start.text(),
            turn: letters[start.turn()].to_string(),
            first_chance: chance.map(|(chance, _)| of_first(chance, start.turn())),
            complete: appraisals.len() == game.plies() + 1,
            plies: game.plies(),
            moves,
            players: [play.first.response(letters.first), play.second.response(letters.second)],
            result: game.record().outcome.map(|outcome| outcome.text().to_owned()),
        }
    }

    /// Adds the appraisal of the next position; returns the move that can be reported now, if any.
    fn add(&self, made: &[PlayedMove<'_>], appraisal: Appraisal) -> Option<ReviewedMove> {
        let mut known = self.known();
        // The value of a move follows from the position after it, and in a game with throws from the one before.
        let needed = if matches!(appraisal, Appraisal::Exact(_)) { 2 } else { 1 };
        known.appraisals.push(appraisal);
        let past = known.appraisals.len().checked_sub(needed)?;
        // Earlier moves are not computed again, or each move of a long game would cost as much as the game is long.
        let from = past.saturating_sub(1);
        let new = review(made.get(from..=past)?, &known.appraisals[from..]).pop()?;
        let new = self.response(past, made, &new);
        known.told.push(new.clone());
        Some(new)
    }

    /// The report of the move after `past` others.
    fn response(&self, past: usize, made: &[PlayedMove<'_>], own: &Reviewed) -> ReviewedMove {
        let position = self.game.after(past + 1).map(Posed::text).unwrap_or_default();
        let throw = self.game.thrown_after(past);
        own.response(MoveMade { ply: past + 1, throw, mv: made[past].mv, position }, self.letters)
    }
}

/// The moves of a game.
fn made(game: &Replayed) -> Vec<PlayedMove<'_>> {
    game.made().map(|(by, mv)| PlayedMove { by, mv }).collect()
}
