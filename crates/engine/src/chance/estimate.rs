//! Estimates of unknown chances: a search of one or two throws, with a judge at its leaves.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use marquis_chance::ChanceInterval;
use marquis_core::{Chance as _, ChanceNotation as _, TextError, Throw};
use marquis_play::{Expectation, Ladder, Level, PositionJudge};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::answer::{answer, decided};
use super::tables::ChanceTables;
use crate::game::chance::ChanceGame;
use crate::knowledge::known::Known;
use crate::query::{Detail, Opponent};
use crate::results::{ChanceKnowledge, ChanceSolution, Proof, Weighed};
use crate::{Control, EngineError, Limits};

/// Estimates the chance of the player to throw if it is not known.
pub(crate) type Forecaster<G> = Arc<dyn PositionJudge<<G as ChanceGame>::Rules> + Send + Sync>;

/// The time limit from which two throws are searched.
const TIME_FOR_TWO: Duration = Duration::from_millis(500);
/// The approximate number of positions judged in two throws.
const NODES_FOR_TWO: u64 = 20_000;

/// The number of throws to search after each move.
///
/// If the number of positions is limited, it alone decides, so that the same question has the same answer whatever
/// time the caller allows.
fn throws_ahead(limits: &Limits) -> u32 {
    let is_two = match limits.nodes {
        Some(nodes) => nodes >= NODES_FOR_TWO,
        None => limits.time.is_some_and(|time| time >= TIME_FOR_TWO),
    };
    if is_two { 2 } else { 1 }
}

/// A judge that looks into tables and the book first.
struct Informed<'a, G: ChanceGame> {
    known: &'a Known,
    tables: &'a ChanceTables<G>,
    judge: &'a (dyn PositionJudge<G::Rules> + Send + Sync),
    /// The first error of a remote table.
    missed: Mutex<Option<EngineError>>,
}

impl<G: ChanceGame> Informed<'_, G> {
    /// The chance by a table or the book. An unreadable table is reported when its own positions are requested; here
    /// it counts as missing.
    fn known(&self, game: &G::Rules, position: &G::Position) -> Option<ChanceInterval> {
        let tabled = self.tables.look_up(game, position).unwrap_or_else(|error| {
            if error.is_elsewhere() {
                self.missed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
            None
        });
        tabled.or_else(|| self.known.booked_chance::<G>(game, position).map(|known| known.between))
    }
}

impl<G: ChanceGame> Informed<'_, G> {
    /// The source of a chance that follows from the best moves, all of them certified.
    fn proof_of(&self, game: &G::Rules, solution: &ChanceSolution<G>) -> Proof {
        let best = solution.throws.iter().filter_map(|thrown| thrown.choices.first());
        let is_tabled =
            |after: &G::Position| self.tables.look_up(game, after).is_ok_and(|found| found.is_some());
        let is_booked = |after: &G::Position| self.known.booked_chance::<G>(game, after).is_some();
        let goes_on: Vec<_> = best.filter(|choice| game.over(&choice.after).is_none()).collect();
        if goes_on.iter().any(|choice| is_tabled(&choice.after)) {
            return Proof::Table;
        }
        if goes_on.iter().any(|choice| is_booked(&choice.after)) { Proof::Book } else { Proof::Search }
    }
}

impl<G: ChanceGame> PositionJudge<G::Rules> for Informed<'_, G> {
    fn chance(&self, game: &G::Rules, position: &G::Position) -> f64 {
        let known = self.known(game, position).and_then(ChanceInterval::middle);
        known.unwrap_or_else(|| self.judge.chance(game, position))
    }
}

impl Known {
    /// The estimate of a position in which the game is not over, and of every move of every throw; exact if a table
    /// has the position after the move, and before the throw if the book has the position.
    ///
    /// # Errors
    /// A remote table that might have a better result was not reached.
    pub(crate) fn estimated_chance<G: ChanceGame>(
        &self,
        game: &G::Rules,
        position: &G::Position,
        throw: Option<Throw>,
        judge: &(dyn PositionJudge<G::Rules> + Send + Sync),
        limits: &Limits,
    ) -> Result<ChanceSolution<G>, EngineError> {
        let tables = self.tables().of::<ChanceTables<G>>(G::ID).unwrap_or_default();
        let informed = Informed { known: self, tables: &tables, judge, missed: Mutex::default() };
        let expectation = Expectation::new(game, &informed);
        let ahead = throws_ahead(limits);
        let worth = |after: &G::Position| match informed.known(game, after) {
            Some(between) => ChanceKnowledge::Certified(between),
            _ if after == position => ChanceKnowledge::UNKNOWN,
            _ => ChanceKnowledge::Estimated(expectation.chance(after, ahead)),
        };
        let booked = self.booked_chance::<G>(game, position);
        // The book's chance is that of all throws together.
        let looked_at = throw.filter(|_| booked.is_none());
        let mut solution = answer(game, position, looked_at, Proof::None, &worth, Detail::Moves);
        solution = match (booked, throw) {
            (Some(known), None) => solution.by_book(game, &known),
            (Some(known), Some(throw)) => solution.by_book(game, &known).of_throw(throw),
            (None, None) => {
                let worth = solution.certified_mean().map(ChanceKnowledge::Certified);
                let worth = worth
                    .or_else(|| solution.mean().map(ChanceKnowledge::Estimated))
                    .unwrap_or(ChanceKnowledge::UNKNOWN);
                ChanceSolution { worth, ..solution }
            }
            (None, Some(_)) => solution,
        };
        if solution.proof == Proof::None && decided(&solution) {
            solution.proof = informed.proof_of(game, &solution);
        }
        let missed = informed.missed.into_inner().unwrap_or_else(PoisonError::into_inner);
        missed.map_or(Ok(solution), Err)
    }

    /// The move of a player of `level` for a throw, and the knowledge or estimate of the position.
    ///
    /// # Errors
    /// The game is over, there is no throw, or a table cannot be read.
    pub(crate) fn chance_advice<G: ChanceGame>(
        &self,
        (game, position): (&G::Rules, &G::Position),
        throw: Option<Throw>,
        judge: Option<&(dyn PositionJudge<G::Rules> + Send + Sync)>,
        opponent: Opponent,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(Weighed<G>, ChanceSolution<G>), EngineError> {
        if game.over(position).is_some() {
            return Err(EngineError::no_move(game.position_text(position)));
        }
        let none = || TextError::fact("throw", "the throw that the move is for", "none".to_owned());
        let throw = Some(throw.ok_or_else(none)?);
        let known = self.probe_chance::<G>(game, position, throw, Detail::Moves)?;
        let known = decided(&known).then_some(known);
        // A lower level sees what it would without tables; the solution returned with its move is the known one.
        let solution = match (known, judge) {
            (Some(known), None) => known,
            (Some(known), Some(_)) if opponent.level == Level::MAX => known,
            (known, Some(judge)) => {
                let thought = self.estimated_chance::<G>(game, position, throw, judge, limits)?;
                return Ok((chosen(&thought, judge.ladder(), opponent), known.unwrap_or(thought)));
            }
            (None, None) => self.solve_chance::<G>(game, position, throw, limits, control)?,
        };
        Ok((chosen(&solution, judge.map_or(Ladder::PLAIN, PositionJudge::ladder), opponent), solution))
    }
}

/// The move of a player of some level for the first throw of a solution.
fn chosen<G: ChanceGame>(solution: &ChanceSolution<G>, ladder: Ladder, opponent: Opponent) -> Weighed<G> {
    let choices = solution.throws.first().map_or(&[][..], |thrown| &thrown.choices);
    let leaning = |choice: &Weighed<G>| {
        let chance = choice.worth.chance().unwrap_or(0.5);
        marquis_play::Weighed { mv: choice.mv, chance }.leaning()
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(opponent.seed);
    choices[ladder.pick(opponent.level, choices.iter().map(leaning), &mut random)]
}
