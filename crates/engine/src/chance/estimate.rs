//! Estimates of chances that nobody knows: a look a throw or two ahead, with a judge at its end.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use marquis_chance::Between;
use marquis_core::{Chance as _, ChanceNotation as _, TextError, Throw};
use marquis_play::{Expectation, Judge, Ladder, Level};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::answer::{answer, decided};
use super::tables::ChanceTables;
use crate::domain::{ChanceSolution, Proof, Weighed, Worth};
use crate::game::chance::ChanceGame;
use crate::know::known::Known;
use crate::query::{Detail, Opponent};
use crate::{Control, EngineError, Limits};

/// Who says how likely the player to throw wins where nobody knows.
pub(crate) type Forecaster<G> = Arc<dyn Judge<<G as ChanceGame>::Rules> + Send + Sync>;

/// The time that two throws take.
const TIME_FOR_TWO: Duration = Duration::from_millis(500);

/// A judge who looks into tables first.
struct Informed<'a, G: ChanceGame> {
    tables: &'a ChanceTables<G>,
    judge: &'a (dyn Judge<G::Rules> + Send + Sync),
    /// Why a table elsewhere was silent, the first time that one was.
    missed: Mutex<Option<EngineError>>,
}

impl<G: ChanceGame> Informed<'_, G> {
    /// What a table says. One that cannot be read is named where it is asked about itself; here it counts as none.
    fn known(&self, game: &G::Rules, position: &G::Position) -> Option<Between> {
        self.tables.look_up(game, position).unwrap_or_else(|error| {
            if error.is_elsewhere() {
                self.missed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
            None
        })
    }
}

impl<G: ChanceGame> Judge<G::Rules> for Informed<'_, G> {
    fn chance(&self, game: &G::Rules, position: &G::Position) -> f64 {
        let known = self.known(game, position).and_then(Between::middle);
        known.unwrap_or_else(|| self.judge.chance(game, position))
    }
}

impl Known {
    /// What is thought of a position in which the game is not over, and of every move of every throw; exact where a
    /// table has what the move leads to.
    ///
    /// # Errors
    /// A table elsewhere that might have told more was not reached.
    pub(crate) fn estimated_chance<G: ChanceGame>(
        &self,
        game: &G::Rules,
        position: &G::Position,
        throw: Option<Throw>,
        judge: &(dyn Judge<G::Rules> + Send + Sync),
        limits: &Limits,
    ) -> Result<ChanceSolution<G>, EngineError> {
        let tables = self.tables().of::<ChanceTables<G>>(G::ID).unwrap_or_default();
        let informed = Informed { tables: &tables, judge, missed: Mutex::default() };
        let expectation = Expectation::new(game, &informed);
        let ahead = if limits.time.is_some_and(|time| time >= TIME_FOR_TWO) { 2 } else { 1 };
        let worth = |after: &G::Position| match informed.known(game, after) {
            Some(between) => Worth::Certified(between),
            _ if after == position => Worth::UNKNOWN,
            _ => Worth::Estimated(expectation.chance(after, ahead)),
        };
        let mut solution = answer(game, position, throw, Proof::None, &worth, Detail::Moves);
        if throw.is_none() {
            let all: f64 = solution.throws.iter().map(|thrown| f64::from(thrown.throw.weight)).sum();
            let share = |weight: u8, worth: Worth| f64::from(weight) / all * worth.chance().unwrap_or(0.5);
            let mean = solution.throws.iter().map(|thrown| share(thrown.throw.weight, thrown.worth)).sum();
            solution.worth = Worth::Estimated(mean);
        }
        let missed = informed.missed.into_inner().unwrap_or_else(PoisonError::into_inner);
        missed.map_or(Ok(solution), Err)
    }

    /// The move of a player of some level for a throw, and what is known or thought of the position.
    ///
    /// # Errors
    /// The game is over, there is no throw, or a table cannot be read.
    pub(crate) fn chance_advice<G: ChanceGame>(
        &self,
        (game, position): (&G::Rules, &G::Position),
        throw: Option<Throw>,
        judge: Option<&(dyn Judge<G::Rules> + Send + Sync)>,
        opponent: Opponent,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(Weighed<G>, ChanceSolution<G>), EngineError> {
        if game.over(position).is_some() {
            return Err(EngineError::no_move(game.position_text(position)));
        }
        let none = || TextError::fact("throw", "the throw that the move is for", "none".to_owned());
        let throw = Some(throw.ok_or_else(none)?);
        let known = (opponent.level == Level::MAX)
            .then(|| self.probe_chance::<G>(game, position, throw, Detail::Moves))
            .transpose()?
            .filter(decided);
        let solution = match (known, judge) {
            (Some(known), _) => known,
            (None, Some(judge)) => self.estimated_chance::<G>(game, position, throw, judge, limits)?,
            (None, None) => self.solve_chance::<G>(game, position, throw, limits, control)?,
        };
        let choices = solution.throws.first().map_or(&[][..], |thrown| &thrown.choices);
        let leaning = |choice: &Weighed<G>| {
            let chance = choice.worth.chance().unwrap_or(0.5);
            marquis_play::Weighed { mv: choice.mv, chance }.leaning()
        };
        let ladder = judge.map_or(Ladder::PLAIN, Judge::ladder);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(opponent.seed);
        let number = ladder.pick(opponent.level, choices.iter().map(leaning), &mut random);
        Ok((choices[number], solution))
    }
}
