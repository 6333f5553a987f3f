//! The best line to the end of the game.

use marquis_core::Value;
use marquis_proof::Span;

use crate::EngineError;
use crate::ask::solve::Solver;
use crate::domain::{BestLine, Choice, LineEnd, Solution};
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
        let (answer, solved) = self.worked_out(&position)?;
        let answer = self.unless_missed(answer)?;
        let line = self.line_by(answer.clone(), solved.as_ref())?;
        Ok((answer, line))
    }

    /// The line by what is known and by a solution of everything reachable: both play the first move of the answer, in a
    /// proof the one that wins there and the one that it takes longest to refute.
    fn line_by(
        &self,
        mut answer: Solution<G>,
        solved: Option<&Everything<G>>,
    ) -> Result<BestLine<G>, EngineError> {
        let look = |position: &G::Position| -> Result<Solution<G>, EngineError> {
            let known = self.known_by(position, solved)?;
            let is_open = known.verdict.plies().is_none() && known.verdict.value() != Some(Value::Draw);
            let direct = if solved.is_none() && is_open { self.direct(position) } else { None };
            Ok(direct.unwrap_or(known))
        };
        let from = answer.clone();
        let (mut choices, mut is_proved): (Vec<Choice<G>>, bool) = (Vec::new(), true);
        while let Some(mut best) = ends_soon(&answer).cloned() {
            let Span { least, most } = best.verdict.span;
            let made = u16::try_from(choices.len()).unwrap_or(u16::MAX);
            // Counted from the asked position, as everywhere in an answer.
            let later = |plies: u16| plies.saturating_add(made);
            best.verdict.span = Span { least: later(least), most: most.map(later) };
            let before = answer.verdict.span.most;
            answer = look(&best.after)?;
            choices.push(best);
            is_proved &= answer.is_settled();
            // A line that comes no nearer to its end would never come to it.
            if answer.verdict.span.most >= before && answer.over.is_none() {
                break;
            }
        }
        // The value of the end is proved with that of the beginning, also where nobody looks it up.
        let end = if from.is_settled() && !is_proved { LineEnd::Proved } else { end(&answer) };
        Ok(BestLine { from, choices, end })
    }
}

/// The first move where the game is decided and its end is known to come within some plies.
fn ends_soon<G: ExactGame>(answer: &Solution<G>) -> Option<&Choice<G>> {
    let value = answer.verdict.value().filter(|value| *value != Value::Draw)?;
    let first = answer.choices.first()?;
    (first.verdict.value() == Some(value) && first.verdict.span.most.is_some()).then_some(first)
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
