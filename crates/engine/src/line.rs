//! The best line to the end of the game.

use marquis_retro::exhaustive::Solved;

use crate::answer::{Answer, ExactAnswer, MoveAnswer};
use crate::dispatch::for_game;
use crate::facade::Engine;
use crate::knowledge::Solvable;
use crate::reports::Line;
use crate::solve::Solver;
use crate::{Control, EngineError, Limits, Query};

impl Engine {
    /// The line in which both sides play a best move (the first of the answer) until the game is over.
    ///
    /// It ends early where the value is a draw or is not proved with its plies.
    ///
    /// # Errors
    /// Bad input, Senet, or a table that cannot be read.
    pub fn line(&self, query: &Query, limits: &Limits, control: &Control<'_>) -> Result<Line, EngineError> {
        for_game!(
            query.asked()?,
            |game, position| {
                let knowledge = self.knowledge(&game);
                Solver { game: &game, knowledge: &knowledge, limits, control }.line(position)
            },
            senet | _game,
            _position | Err(no_line())
        )
    }

    /// The answer and its best line, both from one solution, so that they never differ.
    ///
    /// The line is empty where the value is proved without its plies, or not at all.
    ///
    /// # Errors
    /// As [`Engine::line`].
    pub fn solve_with_line(
        &self,
        query: &Query,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(Answer, Line), EngineError> {
        for_game!(
            query.asked()?,
            |game, position| {
                let knowledge = self.knowledge(&game);
                let solver = Solver { game: &game, knowledge: &knowledge, limits, control };
                let (answer, line) = solver.answer_with_line(position)?;
                Ok((Answer::Exact(answer), line))
            },
            senet | _game,
            _position | Err(no_line())
        )
    }
}

fn no_line() -> EngineError {
    let why = "senet is a game of chance: ask for the moves of each throw instead of a line";
    EngineError::NotForThisGame(why.to_owned())
}

impl<G: Solvable> Solver<'_, G> {
    /// The line of the answer, which is found as for an answer alone.
    fn line(&self, position: G::Position) -> Result<Line, EngineError> {
        self.answer_with_line(position).map(|(_, line)| line)
    }

    fn answer_with_line(&self, position: G::Position) -> Result<(ExactAnswer, Line), EngineError> {
        let deadline = self.limits.deadline();
        let known = self.known(&position)?.or_else(|| self.direct(&position));
        let solved = if known.is_some() { None } else { self.exhaust(&position) };
        let line = self.line_by(position, solved.as_ref())?;
        let answer = match (known, solved) {
            (Some(answer), _) => answer,
            (None, Some(solved)) => {
                self.by_scores(&position, |child| solved.score(child), crate::Proof::Search)
            }
            (None, None) => {
                let findings = self.search(&position, deadline, self.limits.nodes);
                self.by_findings(&position, &findings)
            }
        };
        if line.from.verdict.value != "unknown" {
            return Ok((answer, line));
        }
        let from = ExactAnswer { moves: Vec::new(), ..answer.clone() };
        let end = end(from.over.as_deref(), &from.verdict.value).to_owned();
        Ok((answer, Line { from, end, ..line }))
    }

    /// The line by what is known and by a solution of everything reachable.
    fn line_by(&self, mut position: G::Position, solved: Option<&Solved<G>>) -> Result<Line, EngineError> {
        let look = |position: &G::Position| -> Result<ExactAnswer, EngineError> {
            if let Some(known) = self.known(position)? {
                return Ok(known);
            }
            if let (None, Some(direct)) = (solved, self.direct(position)) {
                return Ok(direct);
            }
            let scores = solved.filter(|solved| solved.score(position).is_some());
            Ok(scores.map_or_else(
                || self.unknown(position),
                |solved| self.by_scores(position, |child| solved.score(child), crate::Proof::Search),
            ))
        };
        let mut answer = look(&position)?;
        let from = ExactAnswer { moves: Vec::new(), ..answer.clone() };
        let mut moves: Vec<MoveAnswer> = Vec::new();
        while answer.verdict.plies.is_some_and(|plies| plies > 0) {
            let Some(mut best) = answer.moves.into_iter().next() else { break };
            let Ok(mv) = self.game.parse_move(&position, &best.mv) else { break };
            position = self.game.play(&position, mv);
            // Counted from the asked position, as everywhere in an answer.
            best.verdict.plies = best.verdict.plies.map(|plies| plies + moves.len() as u16);
            moves.push(best);
            answer = look(&position)?;
        }
        let end = end(answer.over.as_deref(), &answer.verdict.value).to_owned();
        Ok(Line { from, moves, end })
    }
}

/// How a line ends that stops at a position of which this is known.
fn end(over: Option<&str>, value: &str) -> &'static str {
    match (over, value) {
        (Some(_), _) => "over",
        (None, "draw") => "draw",
        (None, "unknown") => "unknown",
        (None, _) => "proved",
    }
}
