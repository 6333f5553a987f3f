//! The best line to the end of the game.

use crate::answer::{ExactAnswer, MoveAnswer};
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
            _position
                | Err(EngineError::NotForThisGame(
                    "senet is a game of chance: ask for the moves of each throw instead of a line".to_owned()
                ))
        )
    }
}

impl<G: Solvable> Solver<'_, G> {
    fn line(&self, mut position: G::Position) -> Result<Line, EngineError> {
        let solved = match self.known(&position)? {
            Some(_) => None,
            None => self.exhaust(&position),
        };
        let look = |position: &G::Position| -> Result<ExactAnswer, EngineError> {
            if let Some(known) = self.known(position)? {
                return Ok(known);
            }
            let scores = solved.as_ref().filter(|solved| solved.score(position).is_some());
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
        let end = if answer.over.is_some() { "over" } else { answer.verdict.value.as_str() };
        let end = if end == "over" || end == "draw" { end } else { "unknown" }.to_owned();
        Ok(Line { from, moves, end })
    }
}
