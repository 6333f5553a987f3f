//! The best line to the end of the game.

use std::cell::OnceCell;

use marquis_core::{Game as _, Value};
use marquis_proof::Span;

use crate::EngineError;
use crate::ask::purse::Purse;
use crate::ask::solve::Solver;
use crate::game::exact::ExactGame;
use crate::knowledge::reachable::Everything;
use crate::results::{BestLine, Solution, ValuedMove};
use marquis_wire::Goal;
use marquis_wire::reports::LineEnd;

impl<G: ExactGame> Solver<'_, G> {
    /// The line of the answer, which is the same as for a request without a line.
    pub(crate) fn line(&self, position: G::Position) -> Result<BestLine<G>, EngineError> {
        self.answer_with_line(position).map(|(_, line)| line)
    }

    pub(crate) fn answer_with_line(
        &self,
        position: G::Position,
    ) -> Result<(Solution<G>, BestLine<G>), EngineError> {
        let purse = Purse::of(self.limits, self.control);
        let (answer, solved) = self.worked_out(&position)?;
        let answer = if solved.is_none() { self.with_best_named(answer, &purse) } else { answer };
        let answer = self.unless_missed(answer)?;
        let line = self.line_by(answer.clone(), solved, &purse)?;
        Ok((answer, line))
    }

    /// The line by `solved` or other knowledge. Both players play the first move of the answer: in a proof, the move
    /// that wins there, or the one that takes longest to refute.
    ///
    /// * `purse`: the limit of a search for the move that takes the plies of its position.
    fn line_by(
        &self,
        mut answer: Solution<G>,
        solved: Option<Everything<G>>,
        purse: &Purse,
    ) -> Result<BestLine<G>, EngineError> {
        let from = answer.clone();
        let solved = solved.map_or_else(OnceCell::new, |solved| OnceCell::from(Some(solved)));
        let (mut choices, mut is_proved): (Vec<ValuedMove<G>>, bool) = (Vec::new(), true);
        let mut is_shortest = from.verdict.plies().is_some();
        while let Some(mut best) = keeping(&answer).cloned() {
            is_shortest &= best.verdict.plies() == answer.verdict.plies();
            let Span { least, most } = best.verdict.span;
            let made = u16::try_from(choices.len()).unwrap_or(u16::MAX);
            // Counted from the requested position, as everywhere in an answer.
            let later = |plies: u16| plies.saturating_add(made);
            let before = answer.verdict.span.most;
            answer = self.after(&best, &solved, purse)?;
            best.verdict.span = Span { least: later(least), most: most.map(later) };
            choices.push(best);
            is_proved &= answer.is_settled();
            // A line that gets no closer to its end would never reach it.
            let nearer =
                answer.verdict.span.most.is_some_and(|most| before.is_none_or(|before| most < before));
            if !nearer && answer.over.is_none() {
                break;
            }
        }
        // The value of the start proves that of the end, even if no look-up finds it.
        let end = if from.is_settled() && !is_proved { LineEnd::Proved } else { end(&answer) };
        let is_shortest = is_shortest && end == LineEnd::Over;
        Ok(BestLine { from, choices, end, is_shortest })
    }

    /// The answer about the position after a move of a line, including the verdict about the move.
    ///
    /// * `solved`: everything reachable, or nothing if that is too much; empty if it was not tried.
    fn after(
        &self,
        best: &ValuedMove<G>,
        solved: &OnceCell<Option<Everything<G>>>,
        purse: &Purse,
    ) -> Result<Solution<G>, EngineError> {
        let by_solved = solved.get().and_then(Option::as_ref);
        let known = self.known_by(&best.after, by_solved)?;
        if by_solved.is_some() || known.over.is_some() {
            return Ok(known);
        }
        // The plies of a position may be known and not those of its moves.
        if !known.reaches(Goal::Plies) {
            if let Some(direct) = self.direct(&best.after) {
                return Ok(direct);
            }
            // A theorem may have known all plies of the first position and may not further on.
            if self.game.foregone(&best.after).is_some()
                && let Some(solved) = solved.get_or_init(|| self.solve_everything(&best.after))
            {
                return self.known_by(&best.after, Some(solved));
            }
        }
        let of_move = best.verdict.after_move().unwrap_or(known.verdict);
        let known = Solution { verdict: known.verdict.and(of_move), ..known }.concluded();
        Ok(self.with_best_named(known, purse))
    }
}

/// The first move, if it keeps the value of a decided game. A move that is known to take the plies of the position
/// comes first.
fn keeping<G: ExactGame>(answer: &Solution<G>) -> Option<&ValuedMove<G>> {
    let value = answer.verdict.value().filter(|value| *value != Value::Draw)?;
    answer.choices.first().filter(|first| first.verdict.value() == Some(value))
}

/// The end of a line that stops at a position with this answer.
fn end<G: ExactGame>(answer: &Solution<G>) -> LineEnd {
    match (answer.over, answer.verdict.value()) {
        (Some(_), _) => LineEnd::Over,
        (None, Some(Value::Draw)) => LineEnd::Draw,
        (None, Some(_)) => LineEnd::Proved,
        (None, None) => LineEnd::Unknown,
    }
}
