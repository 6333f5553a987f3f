//! The best line to the end of the game.

use marquis_core::{Plies, Value};
use marquis_retro::exhaustive::Solved;

use crate::EngineError;
use crate::ask::solve::Solver;
use crate::domain::{BestLine, Choice, LineEnd, Proof, Solution, Verdict};
use crate::game::exact::ExactGame;

impl<G: ExactGame> Solver<'_, G> {
    /// The line of the answer, which is found as for an answer alone.
    pub(crate) fn line(&self, position: G::Position) -> Result<BestLine<G>, EngineError> {
        self.answer_with_line(position).map(|(_, line)| line)
    }

    pub(crate) fn answer_with_line(
        &self,
        position: G::Position,
    ) -> Result<(Solution<G>, BestLine<G>), EngineError> {
        let deadline = self.limits.deadline();
        let known = self.known(&position)?;
        let solved = known.as_ref().and_then(|known| self.listed(&position, known));
        let known = known.or_else(|| self.direct(&position));
        let solved = if known.is_some() { solved } else { self.exhaust(&position) };
        let line = self.line_by(position, solved.as_ref())?;
        let answer = match (known, solved) {
            (Some(answer), None) => answer,
            (_, Some(solved)) => self.by_scores(&position, |child| solved.score(child), Proof::Search),
            (None, None) => {
                let findings = self.search(&position, deadline, self.limits.nodes);
                self.by_findings(&position, &findings)
            }
        };
        if line.from.verdict.value().is_some() {
            return Ok((answer, line));
        }
        let end = end(&answer);
        Ok((answer.clone(), BestLine { from: answer, end, ..line }))
    }

    /// The line by what is known and by a solution of everything reachable.
    fn line_by(
        &self,
        mut position: G::Position,
        solved: Option<&Solved<G::Rules>>,
    ) -> Result<BestLine<G>, EngineError> {
        let look = |position: &G::Position| -> Result<Solution<G>, EngineError> {
            // What was solved has plies, which a proof has not.
            let poorer = |known: &Solution<G>| solved.is_some() && known.verdict.proof == Proof::Search;
            if let Some(known) = self.known(position)?.filter(|known| !poorer(known)) {
                return Ok(known);
            }
            if let (None, Some(direct)) = (solved, self.direct(position)) {
                return Ok(direct);
            }
            let scores = solved.filter(|solved| solved.score(position).is_some());
            Ok(scores.map_or_else(
                || self.unknown(position),
                |solved| self.by_scores(position, |child| solved.score(child), Proof::Search),
            ))
        };
        let mut answer = look(&position)?;
        let from = answer.clone();
        let mut choices: Vec<Choice<G>> = Vec::new();
        while answer.verdict.plies.is_some_and(|plies| plies > Plies::ZERO) {
            let Some(mut best) = std::mem::take(&mut answer.choices).into_iter().next() else { break };
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
