//! The best line to the end of the game.

use marquis_core::{Plies, Value};

use crate::EngineError;
use crate::ask::shares::Shares;
use crate::ask::solve::Solver;
use crate::domain::{BestLine, Choice, LineEnd, Solution, Verdict};
use crate::game::exact::ExactGame;
use crate::know::everything::Everything;

impl<G: ExactGame> Solver<'_, G> {
    /// The line of the answer, which is found as for an answer alone.
    pub(crate) fn line(&self, position: G::Position) -> Result<BestLine<G>, EngineError> {
        self.answer_with_line(position).map(|(_, line)| line)
    }

    pub(crate) fn answer_with_line(
        &self,
        position: G::Position,
    ) -> Result<(Solution<G>, BestLine<G>), EngineError> {
        let shares = Shares::of(self.limits, self.control);
        let (known, listed) = self.known_or_listed(&position)?;
        let known = known.or_else(|| self.direct(&position));
        let solved = if known.is_some() { listed } else { self.solve_everything(&position) };
        let line = self.line_by(position, solved.as_ref())?;
        let answer = match known {
            Some(answer) => Some(answer),
            None => self.known(&position, solved.as_ref())?,
        };
        let answer = answer.unwrap_or_else(|| {
            let findings = self.search(&position, shares);
            self.judged(self.by_findings(&position, &findings), shares)
        });
        if line.from.verdict.value().is_some() {
            return Ok((answer, line));
        }
        let answer = self.unless_missed(answer)?;
        let end = end(&answer);
        Ok((answer.clone(), BestLine { from: answer, end, ..line }))
    }

    /// The line by what is known and by a solution of everything reachable.
    fn line_by(
        &self,
        mut position: G::Position,
        solved: Option<&Everything<G>>,
    ) -> Result<BestLine<G>, EngineError> {
        let look = |position: &G::Position| -> Result<Solution<G>, EngineError> {
            if let Some(known) = self.known(position, solved)? {
                return Ok(known);
            }
            let direct = if solved.is_none() { self.direct(position) } else { None };
            Ok(direct.unwrap_or_else(|| self.unknown(position)))
        };
        let mut answer = look(&position)?;
        let from = answer.clone();
        let mut choices: Vec<Choice<G>> = Vec::new();
        while answer.verdict.plies.is_some_and(|plies| plies > Plies::ZERO) {
            // The book may know a value with its plies, and no move.
            let first = std::mem::take(&mut answer.choices).into_iter().next();
            let Some(mut best) = first.filter(|best| best.verdict.plies.is_some()) else { break };
            // Counted from the asked position, as everywhere in an answer.
            let plies = best.verdict.plies.map(|Plies(plies)| Plies(plies + choices.len() as u16));
            best.verdict = Verdict { plies, ..best.verdict };
            position = best.after;
            choices.push(best);
            answer = look(&position)?;
        }
        let end = end(&answer);
        Ok(BestLine { from, choices, end })
    }
}

/// How a line ends that stops at a position of which this is known.
fn end<G: ExactGame>(answer: &Solution<G>) -> LineEnd {
    match (answer.over, answer.verdict.value()) {
        (Some(_), _) => LineEnd::Over,
        (None, Some(Value::Draw)) => LineEnd::Draw,
        (None, Some(_)) => LineEnd::Proved,
        (None, None) => LineEnd::Unknown,
    }
}
