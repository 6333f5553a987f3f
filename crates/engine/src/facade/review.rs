//! A game looked over, position by position.

use marquis_core::ByPlayer;

use super::Engine;
use crate::adapter::Posed;
use crate::ask::review::{Appraisal, Made, Place, Play, of_first, review};
use crate::record::Replayed;
use crate::wire::review::Review;
use crate::{Control, EngineError, Limits, Progress};

impl Engine {
    /// The game of a record looked over: of each move what it kept and what it threw away, with the better line.
    ///
    /// * `limits`: of each position.
    /// * `control`: stops it; what was looked over by then is the review, which is not complete.
    /// * `so_far`: is told what there is after each position.
    ///
    /// # Errors
    /// A table that cannot be read.
    pub fn review(
        &self,
        game: &Replayed,
        limits: &Limits,
        control: &Control<'_>,
        so_far: &mut dyn FnMut(&Review),
    ) -> Result<Review, EngineError> {
        let total = game.plies() + 1;
        let mut appraisals: Vec<Appraisal> = Vec::with_capacity(total);
        let mut found = self.reviewed(game, &appraisals);
        let tell = |done: usize| {
            let phase = "looking the game over".to_owned();
            control.tell(&Progress { phase, done: done as u64, total: Some(total as u64), bounds: None });
        };
        for ply in 0..total {
            let Some(posed) = game.after(ply) else { break };
            // What a position is searched for is no progress of the game.
            let quiet = control.of_part(|_| tell(ply));
            let appraised = posed.position().appraise(&self.known, game.thrown_after(ply), limits, &quiet);
            if control.stopped() {
                break;
            }
            appraisals.push(appraised?);
            found = self.reviewed(game, &appraisals);
            tell(ply + 1);
            so_far(&found);
        }
        Ok(found)
    }

    /// What so many appraised positions tell.
    fn reviewed(&self, game: &Replayed, appraisals: &[Appraisal]) -> Review {
        let start = game.start();
        let known = self.registry().game(start.game().name());
        let letters = known.map_or(ByPlayer::new('1', '2'), crate::registry::Game::letters);
        let made: Vec<Made<'_>> = game.made().map(|(by, mv)| Made { by, mv }).collect();
        let reviewed = review(&made, appraisals);
        let moves = reviewed.iter().enumerate().map(|(past, own)| {
            let position = game.after(past + 1).map(Posed::text).unwrap_or_default();
            let throw = game.thrown_after(past);
            own.told(Place { ply: past + 1, throw, mv: made[past].mv, position }, letters)
        });
        let moves: Vec<_> = moves.collect();
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
}
